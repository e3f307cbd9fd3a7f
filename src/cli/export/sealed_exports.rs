//! `export --sealed`, which lists the sealed exports, and `--again N`, which writes one of them again.

use serde_json::{Value, json};

use crate::cli::context::Context;
use crate::cli::document::report;
use crate::cli::export::args::Args;
use crate::cli::export::open_shared;
use crate::cli::export::text::and_adjustments;
use crate::cli::failure::unsynced_folder;
use crate::cli::{CommandError, ExitStatus};
use crate::export::{Error, ProtectedFile, TotalsReport, again};
use crate::journal::{JournalSnapshot, SealedExport};
use crate::model::{counted, group_digits, json_time};
use crate::sheet::file_sha256;

/// Lists the sealed exports.
pub(super) fn list(context: &Context) -> Result<ExitStatus, CommandError> {
    let journal = open_shared(context)?;
    let exports = journal.sealed_exports()?;
    context.console.json(&report! {"export", ExitStatus::Done;
        sealed: exports.iter().map(entry).collect::<Vec<Value>>(),
    })?;
    if exports.is_empty() {
        context.console.answer("nothing is sealed yet")?;
        return Ok(ExitStatus::Done);
    }
    let lines: Vec<String> = exports.iter().map(line).collect();
    context.console.answer(&lines.join("\n"))?;
    Ok(ExitStatus::Done)
}

/// Writes sealed export N again.
pub(super) fn write_again(
    args: &Args,
    number: u64,
    context: &Context,
) -> Result<ExitStatus, CommandError> {
    let journal = open_shared(context)?;
    let snapshot: JournalSnapshot = journal.snapshot()?;
    match args.overwrite().refuse_protected(args.path(), &journal) {
        // An edited copy in the place of the same sealed export.
        Err(Error::Protected {
            why: ProtectedFile::Sealed {
                number: Some(there),
            },
            ..
        }) if there == number && (args.force || is_written(args, &snapshot)?) => {}
        refused => refused?,
    }
    let (export, placed) = again(&snapshot, number, args.path())?;
    context.console.json(&report! {"export", ExitStatus::Done;
        measurements: export.measurements,
        written: args.path().display().to_string(),
        sealed: number,
        sha256: export.sha256,
    })?;
    let adjusted = and_adjustments(export.adjustments);
    context.console.answer(&format!(
        "{}: sealed export {number} again, {}{adjusted}",
        args.path().display(),
        counted(export.measurements, "measurement")
    ))?;
    if let Some(unsynced) = &placed.unsynced {
        context.console.warn(&unsynced_folder(unsynced));
    }
    Ok(ExitStatus::Done)
}

/// Whether OUT is a sealed export as it was written.
fn is_written(args: &Args, snapshot: &JournalSnapshot) -> Result<bool, CommandError> {
    let exports = snapshot.sealed_exports()?;
    let Ok(sha256) = file_sha256(args.path()) else {
        return Ok(false);
    };
    Ok(exports.iter().any(|export| export.sha256 == sha256))
}

fn entry(export: &SealedExport) -> Value {
    json!({
        "number": export.number,
        "sealed_at": export.known_sealed_at().map(json_time),
        "period": export.period,
        "file": export.path.display().to_string(),
        "format": export.format,
        "measurements": export.measurements,
        "adjustments": export.adjustments,
        "totals": serde_json::from_str::<Value>(&export.totals).ok(),
        "sha256": export.known_sha256(),
        "delivered_at": export.delivered_at.map(json_time),
    })
}

fn line(export: &SealedExport) -> String {
    let totals: TotalsReport = serde_json::from_str(&export.totals).unwrap_or_default();
    let sealed_at = export.known_sealed_at().map_or_else(
        || "unknown".to_owned(),
        |at| at.strftime("%Y-%m-%d %H:%M UTC").to_string(),
    );
    let delivered = match export.delivered_at {
        Some(_) => "",
        None => ", not delivered yet",
    };
    let digest = export.known_sha256().map(|sha256| {
        let start = &sha256[..sha256.len().min(12)];
        format!("sha256 {start}")
    });
    let file = Some(export.path.display().to_string()).filter(|path| !path.is_empty());
    let known: Vec<String> = file.into_iter().chain(digest).collect();
    format!(
        "{:>4}  {sealed_at}  {}, {}  gutter {} ft, {} of {} ft  {}  {}{delivered}",
        export.number,
        counted(export.measurements, "measurement"),
        counted(export.adjustments, "adjustment"),
        group_digits(totals.gutter_length_ft),
        counted(totals.downspout_count, "downspout"),
        group_digits(totals.downspout_length_ft),
        export.period.as_deref().unwrap_or("all time"),
        known.join("  "),
    )
}
