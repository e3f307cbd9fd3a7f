//! `import --restore WORKBOOK` fills an empty journal from an earlier export.

use std::path::Path;

use crate::cli::console::Console;
use crate::cli::context::Context;
use crate::cli::document::report;
use crate::cli::import::flags::Args;
use crate::cli::{CommandError, ExitStatus, clock, shell};
use crate::export::{RestoreSummary, restore};
use crate::journal::Journal;
use crate::model::pluralize;

pub(super) fn run(args: &Args, context: &Context) -> Result<ExitStatus, CommandError> {
    // A workbook can be restored before the profile is connected.
    let service = match &context.common.base_url {
        Some(_) => Some(context.base_url()?.to_string()),
        None => None,
    };
    let journal = Journal::open(&context.journal_path(), &context.exclusive_access())?;
    let file = &args.file.file;
    let restored = restore(&journal, file, service.as_deref(), clock::now())?;
    let exit = if restored.unreadable + restored.missing + restored.unadjusted > 0 {
        ExitStatus::Attention
    } else {
        ExitStatus::Done
    };
    let console = &context.console;
    console.json(&report! {"import", exit;
        profile: context.common.profile,
        file: file.display().to_string(),
        restored: restored.measurements,
        billed: restored.billed,
        sealed: restored.sealed,
        unreadable: restored.unreadable,
        missing: restored.missing,
        altered: restored.altered,
    })?;
    console.print_result(&format!(
        "{}: {} {}, {} of them billed in {}",
        file.display(),
        pluralize(restored.measurements, "measurement"),
        if restored.is_repeated {
            "restored already"
        } else {
            "restored"
        },
        restored.billed,
        pluralize(restored.sealed, "sealed export")
    ))?;
    warn(&restored, console);
    // The workbook that was restored stays as it is.
    let results = shell::free_path(Path::new("results.xlsx"), None);
    let export = shell::command(["export", &results.to_string_lossy()]);
    let next = format!("ask the service for every restored measurement: {export}");
    match exit {
        ExitStatus::Done => console.next(&next),
        _ => console.hint(&next),
    }
    Ok(exit)
}

/// Warns about what the workbook lacks or what was changed in it.
fn warn(restored: &RestoreSummary, console: &Console) {
    if restored.unreadable > 0 {
        console.warn(&format!(
            "{} of the workbook could not be read; importing the original file finds what is missing",
            pluralize(restored.unreadable, "row")
        ));
    }
    if restored.missing > 0 {
        console.warn(&format!(
            "the workbook counts {} more than its sheets show; importing the original files finds them",
            pluralize(restored.missing, "measurement")
        ));
    }
    if restored.unadjusted > 0 {
        console.warn(&format!(
            "the sealed exports of the workbook billed {} more than its sheets show as billed, because the service had withdrawn them, did not find them or gave another address when it was written: they are not adjusted, and are billed again if they are complete; compare the sealed files, and say with --billed-until until which day all was billed",
            pluralize(restored.unadjusted, "measurement")
        ));
    }
    if restored.is_saved_again {
        console.warn("the workbook was saved again since it was exported: its numbers are restored as found, those of sealed exports too; the next sealed export adjusts what was changed");
    }
}
