//! `check`: reads and checks a file, and prints what an import would do; sends nothing.

mod mapping_text;
mod report;
mod text;

use crate::cli::context::Context;
use crate::cli::network::QuotaArgs;
use crate::cli::progress::ProgressLine;
use crate::cli::reading::{FileArgs, ReadingArgs};
use crate::cli::reading_change::warn_of_stop;
use crate::cli::row_hints::{RowHints, conflict_cause, with_unused_contact};
use crate::cli::{CommandError, ExitStatus, clock};
use crate::import::{self, CheckProgress, CheckedFile, ImportInput, SubmissionPlan};
use crate::journal;
use crate::model::pluralize;

/// Maximum number of lines with problems, by severity, without `-v`.
const MAX_PROBLEMS: usize = 20;

/// Validate a file: print every problem by cell, and what an import would do
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  gutterbatch check leads.csv
  gutterbatch check leads.xlsx --sheet Leads --map line1=\"Property address\"
  gutterbatch check leads.csv --json > problems.json")]
pub(super) struct Args {
    #[command(flatten)]
    file: FileArgs,

    #[command(flatten)]
    reading: ReadingArgs,

    #[command(flatten)]
    quota: QuotaArgs,
}

pub(super) fn run(mut args: Args, context: &Context) -> Result<ExitStatus, CommandError> {
    let input = args
        .reading
        .with_remembered_reading(&args.file.file, context)?;
    let mut shown = ProgressLine::start(&context.console, None);
    let checked = import::check(&input, |progress| {
        shown.update(progress.rows, &progress_text(progress));
    })?;
    drop(shown);
    for line in details(&checked) {
        context.console.verbose(&line);
    }
    let index = journal::read_index(&context.journal_path())?;
    let plan = import::plan(&input, &checked, &index, &import::ImportOptions::default())?;
    let now = clock::now();
    let window = journal::window(&context.journal_path(), now, args.quota.share())?;
    let report = report::CheckReport::new(&checked, &plan, &args, (&window, now));
    context.console.json(&report)?;
    let max = (!context.console.is_verbose()).then_some(MAX_PROBLEMS);
    let text = text::report_text(&checked, &report, max, now)?;
    context.console.print_result(&text)?;
    let file = &args.file.file;
    let import = args.reading.command("import", file);
    if let Some(cause) = conflict_cause(&plan.rows, &input) {
        context.console.warn(&cause);
    }
    let hints = RowHints {
        command: "check",
        file,
        reading: &args.reading,
        input: &input,
        rows: &plan.rows,
        has_derived_ids: !checked.derived_ids.is_empty(),
        earlier_prefix: plan.earlier_prefix.as_deref(),
        known_prefix: plan.known_prefix.as_ref(),
        rejects: None,
        saved_rejects: None,
    };
    let hints: Vec<String> = hints.all().collect();
    for hint in &hints {
        context.console.hint(hint);
    }
    let rejected = plan.rows.rejected().count() as u64;
    if report.invalid > 0 || rejected > 0 && hints.is_empty() {
        let hint = with_unused_contact(&checked, &context.arguments);
        let hint = hint.unwrap_or_else(|| correct_cells(&input, &plan, &import));
        context.console.hint(&hint);
    }
    let is_stopped = warn_of_stop(&plan, context);
    if plan.rows.rejected().next().is_some() {
        return Ok(ExitStatus::Attention);
    }
    if is_stopped {
        return Ok(ExitStatus::Done);
    }
    let rows = plan.send.len() as u64;
    let steps = next(rows, report.warnings, &import, context);
    context.console.next(&steps);
    Ok(ExitStatus::Done)
}

/// What to do about invalid cells: correct them here, or in the rejects that an import writes.
fn correct_cells(input: &ImportInput, plan: &SubmissionPlan, import: &str) -> String {
    if plan.stop.is_some() {
        return "correct the cells above and check again".to_owned();
    }
    let sends = if plan.send.is_empty() {
        ""
    } else {
        "sends the other rows and "
    };
    let beside = if input.file.is_spooled() {
        "stdin.rejects.csv in this folder"
    } else {
        "a file beside the input"
    };
    format!(
        "correct the cells above and check again; `{import}` {sends}writes {} to {beside}",
        pluralize(plan.rows.rejected().count() as u64, "rejected row")
    )
}

/// What to do after a check without errors, given the numbers of rows to send and of warnings.
fn next(rows: u64, warnings: u64, import: &str, context: &Context) -> String {
    if rows == 0 {
        return "write the results: gutterbatch export results.xlsx".to_owned();
    }
    let mut steps = Vec::new();
    if warnings > 0 {
        steps.push(format!("read the {} above", pluralize(warnings, "warning")));
    }
    if context.base_url().is_err() {
        steps.push("connect with `gutterbatch connect`".to_owned());
    }
    let then = if steps.is_empty() { "" } else { ", then " };
    let submit = pluralize(rows, "row");
    format!("{}{then}submit {submit}: {import}", steps.join(", "))
}

/// The lines that only `-v` prints: why the file was read as it was.
fn details(checked: &CheckedFile) -> Vec<String> {
    let mut lines = checked.layout.evidence();
    if checked.saved_formulas > 0 {
        let formulas = pluralize(checked.saved_formulas, "formula");
        lines.push(format!("{formulas}: the values saved in the file are used"));
    }
    lines
}

fn progress_text(progress: CheckProgress) -> String {
    match (progress.bytes * 100).checked_div(progress.of_bytes) {
        Some(percent) if progress.bytes > 0 => format!("rows read, {percent} %"),
        _ => "rows read".to_owned(),
    }
}
