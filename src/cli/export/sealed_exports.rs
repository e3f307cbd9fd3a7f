//! `export --sealed`, which lists the sealed exports, and `--again N`, which writes one of them again.

use jiff::Timestamp;
use serde_json::{Value, json};

use crate::cli::context::Context;
use crate::cli::document::report;
use crate::cli::export::args::Args;
use crate::cli::export::bill_text::{and_adjustments, sums};
use crate::cli::export::{open_journal, print_notice};
use crate::cli::{CommandError, ExitStatus, clock};
use crate::export::{Error, ExportNotice, FigureTotals, ProtectedFile, write_sealed_again};
use crate::journal::{JournalAccess, JournalSnapshot, SealedExport};
use crate::model::{json_time, pluralize};
use crate::sheet::file_sha256;

/// Lists the sealed exports, with times in the zone of `--tz`, otherwise of this computer.
pub(super) fn list(args: &Args, context: &Context) -> Result<ExitStatus, CommandError> {
    let journal = open_journal(args, context, &JournalAccess::Shared)?;
    let snapshot: JournalSnapshot = journal.snapshot()?;
    let exports: Vec<(SealedExport, Option<FigureTotals>)> = snapshot
        .sealed_exports()?
        .into_iter()
        .map(|export| FigureTotals::from_sealed(&snapshot, &export).map(|net| (export, net)))
        .collect::<Result<_, _>>()?;
    context.console.json(&report! {"export", ExitStatus::Done;
        sealed: exports.iter().map(entry).collect::<Vec<Value>>(),
    })?;
    if exports.is_empty() {
        context.console.print_result("nothing is sealed yet")?;
        return Ok(ExitStatus::Done);
    }
    let shown = |at: Timestamp| match &args.tz {
        Some(zone) => {
            let local = zone.to_local(at).strftime("%Y-%m-%d %H:%M");
            format!("{local} {}", zone.abbreviation(at))
        }
        None => clock::dated(at),
    };
    let lines: Vec<String> = exports.iter().map(|entry| line(entry, shown)).collect();
    context.console.print_result(&lines.join("\n"))?;
    Ok(ExitStatus::Done)
}

/// Writes sealed export N again.
pub(super) fn write_again(
    args: &Args,
    number: u64,
    context: &Context,
) -> Result<ExitStatus, CommandError> {
    let mut journal = open_journal(args, context, &JournalAccess::Shared)?;
    let mut exports = journal.sealed_exports()?.into_iter();
    let known = exports.find(|export| export.number == number);
    let is_undelivered = known.as_ref().is_some_and(SealedExport::is_undelivered);
    if is_undelivered {
        // It is delivered now, which no other run may do at the same time.
        drop(journal);
        journal = open_journal(args, context, &context.exclusive_access())?;
    }
    match args.overwrite().refuse_protected(args.path(), &journal) {
        // An edited copy in the place of the same sealed export.
        Err(Error::Protected {
            why:
                ProtectedFile::Sealed {
                    number: Some(there),
                    ..
                },
            ..
        }) if there == number
            && (args.force || known.is_some_and(|export| is_as_sealed(args, &export))) => {}
        refused => refused?,
    }
    let export = write_sealed_again(&journal, number, args.path(), clock::now())?;
    context.console.json(&report! {"export", ExitStatus::Done;
        measurements: export.measurements,
        written: args.path().display().to_string(),
        sealed: number,
        sha256: export.sha256,
    })?;
    let adjusted = and_adjustments(export.adjustments);
    let delivered = if is_undelivered {
        "; its own file was never written, and this is it now"
    } else {
        ""
    };
    context.console.print_result(&format!(
        "{}: sealed export {number} again, {}{adjusted}{delivered}",
        args.path().display(),
        pluralize(export.measurements, "measurement")
    ))?;
    if is_undelivered && let Err(error) = journal.record_seals() {
        print_notice(&context.console, &ExportNotice::SealRecordFailed(error));
    }
    Ok(ExitStatus::Done)
}

/// Whether OUT is a sealed export as it was written.
fn is_as_sealed(args: &Args, export: &SealedExport) -> bool {
    file_sha256(args.path()).is_ok_and(|sha256| sha256 == export.sha256)
}

fn entry((export, net): &(SealedExport, Option<FigureTotals>)) -> Value {
    json!({
        "number": export.number,
        "sealed_at": export.known_sealed_at().map(json_time),
        "period": export.period,
        "file": export.path.display().to_string(),
        "format": export.format,
        "measurements": export.measurements,
        "adjustments": export.adjustments,
        "totals": serde_json::from_str::<Value>(&export.totals).ok(),
        "adjustment_totals": net,
        "sha256": export.known_sha256(),
        "delivered_at": export.delivered_at.map(json_time),
    })
}

fn line(
    (export, net): &(SealedExport, Option<FigureTotals>),
    shown: impl Fn(Timestamp) -> String,
) -> String {
    let sealed_at = export
        .known_sealed_at()
        .map_or_else(|| "unknown".to_owned(), shown);
    let is_missing = export.delivered_at.is_none() && !export.is_at_its_path();
    let delivered = if is_missing {
        ", not delivered yet"
    } else {
        ""
    };
    let (measurements, adjustments) = (
        pluralize(export.measurements, "measurement"),
        pluralize(export.adjustments, "adjustment"),
    );
    let file = Some(export.path.display().to_string()).filter(|path| !path.is_empty());
    let digest = export
        .known_sha256()
        .map(|sha256| sha256[..sha256.len().min(12)].to_owned());
    let details = [
        ("billed", Some(figures(export, net.as_ref()))),
        (
            "period",
            Some(
                export
                    .period
                    .clone()
                    .unwrap_or_else(|| "all time".to_owned()),
            ),
        ),
        ("file", file),
        ("sha256", digest),
    ];
    let details = details.into_iter();
    let details = details.filter_map(|(name, value)| Some(format!("\n  {name:<8}{}", value?)));
    format!(
        "sealed export {}  {sealed_at}  {measurements}, {adjustments}{delivered}{}",
        export.number,
        details.collect::<String>()
    )
}

/// Returns what it billed and how it adjusted earlier exports.
fn figures(export: &SealedExport, net: Option<&FigureTotals>) -> String {
    let totals = FigureTotals::billed_by(export);
    let totals = totals.map_or_else(|| "totals unknown".to_owned(), |totals| sums(&totals));
    match (export.adjustments, net) {
        (0, _) => totals,
        (_, Some(net)) => format!("{totals}; adjusted by {}", sums(net)),
        (_, None) => format!("{totals}; adjusted by unknown lengths"),
    }
}
