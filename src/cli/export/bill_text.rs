//! The texts about bills: what a bill contains and what it leaves out, and how one comes out next time.

use std::collections::BTreeMap;
use std::path::Path;

use crate::cli::export::args::Args;
use crate::cli::{clock, shell};
use crate::export::{CompletionPeriod, ExportSummary, FigureTotals, ResultStatistics, feet_text};
use crate::journal::LastRun;
use crate::model::{group_digits, nonzero_counts, pluralize};

/// Returns the days on which what a bill contains was completed, with the number of each month.
pub(super) fn days(args: &Args, statistics: &ResultStatistics) -> Option<String> {
    let (first, last) = statistics.completed_days().filter(|_| args.new)?;
    let mut months: BTreeMap<String, u64> = BTreeMap::new();
    for (day, measurements) in &statistics.days {
        let month = day.strftime("in %Y-%m").to_string();
        *months.entry(month).or_default() += measurements;
    }
    let months = months.iter().map(|(month, sum)| (*sum, month));
    Some(format!(
        "completed from {first} to {last} ({}): {}",
        args.zone().name(),
        nonzero_counts(months, ", ")
    ))
}

/// Returns the line that tells an export of a period from a bill.
pub(super) fn not_a_bill(
    args: &Args,
    period: Option<&CompletionPeriod>,
    statistics: &ResultStatistics,
) -> Option<String> {
    period.filter(|_| !args.new && statistics.completed > 0)?;
    let (billed, completed) = (statistics.billed, statistics.completed);
    let next = if billed < completed {
        "; --new makes the bill"
    } else {
        ""
    };
    Some(format!(
        "not a bill: what was completed in the period, {} of {} billed already{next}",
        group_digits(billed),
        group_digits(completed)
    ))
}

/// Returns the warning about a bill whose period has not ended.
pub(super) fn unfinished_period(args: &Args, period: Option<&CompletionPeriod>) -> Option<String> {
    let period = period.filter(|_| args.new)?;
    let (end, now) = (period.end()?, clock::now());
    (end > now).then(|| {
        let state = if period.starts_after(now) {
            "has not begun"
        } else {
            "is not over"
        };
        format!(
            "the period {state}, it ends before {}: what is completed until then needs another bill",
            args.zone().to_local(end).date()
        )
    })
}

/// Returns the warning about a bill of adjustments alone, although measurements were completed after its period.
pub(super) fn only_adjustments(
    period: Option<&CompletionPeriod>,
    summary: &ExportSummary,
) -> Option<String> {
    let has_measurements = summary.statistics.completed > 0;
    let is_likely = summary.sealed.is_some() && summary.unbilled_after_period > 0;
    let period = period.filter(|_| is_likely && !has_measurements)?;
    Some(format!(
        "this bill has only adjustments, and is sealed: nothing new was completed in its period, {}; if its date was mistyped, the next bill has the measurements",
        period.name()
    ))
}

/// Returns the note that an export with `--wait-complete` waits for the end of its period, which may be days away.
pub(super) fn waits_for_end(args: &Args, period: Option<&CompletionPeriod>) -> Option<String> {
    let end = period?.end()?;
    (args.wait_complete && end > clock::now()).then(|| {
        format!(
            "the period ends before {}: this waits until then, or until every measurement is final; without --wait-complete, what is complete is exported now",
            args.zone().to_local(end).date()
        )
    })
}

/// Returns the line about what was completed after the period of a bill; `None` if nothing was.
pub(super) fn left_for_the_next(unbilled: u64) -> Option<String> {
    let left = pluralize(unbilled, "complete measurement");
    (unbilled > 0).then(|| format!("{left} left for the next bill"))
}

/// Returns the warning about measurements that no later month would bill, with the command that bills them.
pub(super) fn unbilled_before_period(args: &Args, summary: &ExportSummary) -> String {
    let first_day = match (&args.month, args.completed_from) {
        (Some(month), _) => format!("{month}-01"),
        (None, Some(from)) => from.to_string(),
        (None, None) => "YYYY-MM-DD".to_owned(),
    };
    let bill = shell::free_path(Path::new("billing.xlsx"), None);
    let command = shell::command([
        "export",
        &bill.to_string_lossy(),
        "--new",
        "--completed-to",
        &first_day,
        "--tz",
        args.zone().name(),
    ]);
    format!(
        "not billed yet, although completed before {first_day}: {}; `{command}` bills what was completed before that day",
        pluralize(summary.unbilled_before_period, "measurement")
    )
}

/// Returns the warning about rows that no bill has because they were not sent, with the command that sends those of the
/// newest import.
pub(super) fn rows_never_sent(runs: &[LastRun]) -> Option<String> {
    let (run, others) = runs.split_first()?;
    let sheet = run.sheet.iter().flat_map(|sheet| ["--sheet", sheet]);
    let import = shell::command(["import", &run.file].into_iter().chain(sheet));
    let others = match others.len() {
        0 => "",
        _ => "; `gutterbatch status` shows other files",
    };
    Some(format!(
        "not billed: {} pending; `{import}` submits the rest{others}",
        pluralize(run.pending(), "row")
    ))
}

/// Returns the number of adjustments behind that of measurements; empty without one.
pub(super) fn and_adjustments(adjustments: u64) -> String {
    match adjustments {
        0 => String::new(),
        adjusted => format!(" and {}", pluralize(adjusted, "adjustment")),
    }
}

/// Returns the sums of figures, which may be negative, as text.
pub(in crate::cli) fn sums(totals: &FigureTotals) -> String {
    let count = |count: i64, noun| {
        let sign = if count < 0 { "-" } else { "" };
        format!("{sign}{}", pluralize(count.unsigned_abs(), noun))
    };
    format!(
        "gutter {}, {}, {} of {}",
        feet_text(totals.gutter_length_ft.value()),
        count(totals.corner_count, "corner"),
        count(totals.downspout_count, "downspout"),
        feet_text(totals.downspout_length_ft.value())
    )
}
