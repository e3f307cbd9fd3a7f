//! The texts of an export: summary, warnings and hints.

use std::path::Path;

use crate::cli::export::args::Args;
use crate::cli::export::bill_text;
use crate::cli::export::bill_text::{and_adjustments, sums};
use crate::cli::export::customer_sheet::CustomerSheetFindings;
use crate::cli::export::has_questioned;
use crate::cli::export::values::BilledUntil;
use crate::cli::failure::{SuggestedFlag, command_with, dispatch_sentence};
use crate::cli::shell;
use crate::dispatch::DispatchError;
use crate::export::{CompletionPeriod, ExportSummary, ImageSummary, RowCounts};
use crate::import::with_or_without;
use crate::model::{RowNumber, first_of, group_digits, nonzero_counts, pluralize};

/// Returns the summary, line by line.
pub(super) fn summary_text(
    args: &Args,
    period: Option<&CompletionPeriod>,
    summary: &ExportSummary,
) -> String {
    let mut lines = vec![first_line(args, period, summary)];
    lines.extend(bill_text::days(args, &summary.statistics));
    lines.extend(bill_text::not_a_bill(args, period, &summary.statistics));
    if summary.statistics.completed > 0 {
        lines.push(sums(&summary.statistics.totals.figures));
    }
    if let Some(net) = summary.adjustment_totals {
        let to_bill = net + summary.statistics.totals.figures;
        lines.push(format!("adjustments, net: {}", sums(&net)));
        lines.push(format!("to bill: {}", sums(&to_bill)));
    }
    let states = summary.statistics.selected.iter();
    let states = states.map(|(name, lines)| (lines, name.replace('_', " ")));
    lines.extend(Some(nonzero_counts(states, ", ")).filter(|states| !states.is_empty()));
    lines.extend(without_numbers(&summary.row_counts));
    if summary.billed_elsewhere > 0 {
        let correction = match args.billed_until {
            Some(_) => "; if an earlier one was mistaken, add --redeclare",
            None => "",
        };
        lines.push(format!(
            "{} left out as billed elsewhere, according to --billed-until{correction}",
            pluralize(summary.billed_elsewhere, "measurement")
        ));
    } else if let Some(BilledUntil::Day(day)) = args.billed_until {
        lines.push(format!(
            "no measurement left out: none that another journal may have billed was completed before {day}, the day of --billed-until"
        ));
    }
    lines.extend(bill_text::left_for_the_next(summary.unbilled_after_period));
    if summary.refreshed.read > 0 {
        let changed = match summary.refreshed.changed {
            0 => String::new(),
            changed => format!(", {} changed", pluralize(changed, "result")),
        };
        let read = pluralize(summary.refreshed.read, "measurement");
        lines.push(format!("requested {read} again{changed}"));
    }
    if let Some(pictures) = &summary.images {
        let place = pictures.folder.as_ref();
        let place = place.map_or("in the workbook".to_owned(), |folder| {
            format!("in {}", folder.display())
        });
        lines.push(format!("{} {place}", pluralize(pictures.fetched, "image")));
    }
    lines.join("\n")
}

/// Returns how many rows of the user's own sheet got no numbers, by reason.
fn without_numbers(counts: &RowCounts) -> Option<String> {
    let reasons = counts.without_numbers.iter();
    let reasons = reasons.map(|(reason, rows)| (*rows, reason));
    let without: u64 = counts.without_numbers.values().sum();
    let verb = if without == 1 { "has" } else { "have" };
    (without > 0).then(|| {
        format!(
            "{} of {} {verb} no numbers: {}",
            group_digits(without),
            pluralize(counts.rows, "row"),
            nonzero_counts(reasons, ", ")
        )
    })
}

fn first_line(args: &Args, period: Option<&CompletionPeriod>, summary: &ExportSummary) -> String {
    let is_partial = summary.partial.is_some();
    let measurements = pluralize(summary.statistics.completed, "completed measurement");
    let Some(number) = summary.sealed else {
        return match &summary.written {
            None if args.new => {
                let period =
                    period.map_or_else(String::new, |one| format!(", period {}", one.name()));
                let so_far = if is_partial { " so far" } else { "" };
                format!("nothing new to bill{so_far}{period}; nothing was written")
            }
            None => measurements,
            Some(_) => format!("{}: {measurements}", args.path().display()),
        };
    };
    let adjusted = and_adjustments(summary.adjusted);
    format!(
        "{}: sealed export {number}, {measurements}{adjusted}",
        args.path().display()
    )
}

/// Returns the warnings about an export.
pub(super) fn warnings(
    args: &Args,
    period: Option<&CompletionPeriod>,
    summary: &ExportSummary,
    findings: &CustomerSheetFindings,
) -> Vec<String> {
    let mut warnings = customer_sheet_warnings(args, findings);
    let notes = summary.notes.iter();
    warnings.extend(notes.map(|note| format!("{}: {}", args.path().display(), note.sentence())));
    if let Some(partial) = &summary.partial {
        let error = summary.refreshed.error.as_ref().map(dispatch_sentence);
        warnings.push(format!(
            "partial: {} could not be requested again: {}",
            pluralize(partial.not_asked, "measurement"),
            error.as_ref().unwrap_or(&partial.reason)
        ));
    }
    let not_found = summary.statistics.all.not_found();
    if not_found > 0 {
        warnings.push(format!(
            "the service no longer finds {}; see the sheet Open, or the status not_found",
            pluralize(not_found, "measurement")
        ));
    }
    warnings.extend(other_addresses(summary));
    warnings.extend(summary.images.iter().flat_map(images_missing));
    warnings.extend(bill_text::unfinished_period(args, period));
    warnings.extend(bill_text::only_adjustments(period, summary));
    if summary.unbilled_before_period > 0 {
        warnings.push(bill_text::unbilled_before_period(args, summary));
    }
    warnings.extend(bill_text::rows_never_sent(&summary.pending));
    if summary.unanswered > 0 {
        warnings.push(format!(
            "not billed: {} without a response; only importing the same row again shows its result",
            pluralize(summary.unanswered, "request")
        ));
    }
    if summary.waiting > 0 {
        warnings.push(format!(
            "{} changed after billing; only a workbook lists adjustments: seal the next export as .xlsx",
            pluralize(summary.waiting, "measurement")
        ));
    }
    warnings
}

/// Returns the warnings about images that could not be downloaded: their number, and a line for each of the first.
fn images_missing(pictures: &ImageSummary) -> Vec<String> {
    let missing = pictures.failed.len();
    if missing == 0 {
        return Vec::new();
    }
    let named = pictures.failed.iter().map(|(image, reason)| {
        format!(
            "image not downloaded: {} {} {}: {reason}",
            image.external_id, image.kind, image.url
        )
    });
    let more = missing.saturating_sub(NAMED_IMAGES) as u64;
    let more = (more > 0).then(|| format!("and {} more", pluralize(more, "image")));
    let all = format!(
        "{} could not be downloaded; the export contains their links",
        pluralize(missing as u64, "image")
    );
    let lines = [all].into_iter().chain(named.take(NAMED_IMAGES));
    lines.chain(more).collect()
}

/// The number of images that warnings name.
const NAMED_IMAGES: usize = 20;

/// Returns warnings about measurements whose newest response has another house's address.
fn other_addresses(summary: &ExportSummary) -> Vec<String> {
    let statistics = &summary.statistics;
    let named = statistics.other_addresses.iter().map(|one| {
        format!(
            "{}: requested for {}, but the service's last response has another address: {}; its numbers are left out and not billed until the two agree",
            one.external_id, one.requested, one.answered
        )
    });
    let mut lines: Vec<String> = named.collect();
    let more = statistics.all.address_differs() - statistics.other_addresses.len() as u64;
    if more > 0 {
        lines.push(format!(
            "{} more have another address in the service's last response; see the sheet Open, or the status address_differs",
            pluralize(more, "measurement")
        ));
    }
    lines
}

/// The number of rows that a warning names.
const NAMED_ROWS: usize = 10;

/// Returns warnings about rows of the user's own sheet.
fn customer_sheet_warnings(args: &Args, findings: &CustomerSheetFindings) -> Vec<String> {
    let found = [
        (
            &findings.in_conflict,
            ": the id has the measurement of another house, so the row gets no numbers; the column Why no result names that house",
        ),
        (
            &findings.invalid_since,
            ": submitted, but invalid now, so the row gets no numbers; the column Why no result names what to correct",
        ),
        (
            &findings.of_other_ids,
            ": the house was requested under another id, so the row gets no numbers; the column Why no result names that id",
        ),
        (
            &findings.repeated,
            ": the same numbers as an earlier row: a sum of the column counts that measurement more than once",
        ),
    ];
    let found = found.into_iter().filter(|(rows, _)| !rows.is_empty());
    let mut warnings: Vec<String> = found.map(|(rows, text)| numbered(rows) + text).collect();
    if findings.has_semicolons {
        warnings.push(
            "lengths have a decimal point; a spreadsheet program with decimal commas reads them as text and leaves them out of sums: save your sheet as .xlsx and name that with --for".to_owned(),
        );
    }
    if let (Some(prefix), Some(file)) = (&findings.earlier_prefix, &args.own) {
        let how = with_or_without(prefix);
        warnings.push(format!(
            "{}: no id of the file is known as it was read; its rows were requested {how}",
            file.display()
        ));
    }
    warnings
}

/// Returns `rows 2, 5, 9`, or the first of them and the number of others.
fn numbered(rows: &[RowNumber]) -> String {
    let noun = if rows.len() == 1 { "row" } else { "rows" };
    format!("{noun} {}", first_of(rows, NAMED_ROWS, ", "))
}

/// Returns this command with the prefix with which the rows were requested. `words` are its arguments as typed.
pub(super) fn prefix_hint(findings: &CustomerSheetFindings, words: &[String]) -> Option<String> {
    let prefix = findings.earlier_prefix.as_ref()?;
    Some(command_with(
        words,
        &[SuggestedFlag::new("--id-prefix", prefix)],
    ))
}

/// Returns the hint for rows and measurements that a person must look at; `None` for a missing bill, whose warning has
/// its own.
pub(super) fn attention_hint(
    args: &Args,
    summary: &ExportSummary,
    findings: &CustomerSheetFindings,
) -> Option<String> {
    let own = args.own.as_deref().unwrap_or(Path::new("-")).display();
    if findings.has_other_ids_only {
        return Some(format!(
            "no row of {own} has the id under which its house was requested; add the flags with which it was imported, such as --map, --id-prefix or --derive-id"
        ));
    }
    if findings.is_unknown {
        return Some(format!(
            "no row of {own} was imported with this journal; another profile? `gutterbatch status --all` shows them"
        ));
    }
    if findings.need_attention() {
        let written = args.path().display();
        return Some(format!(
            "the column Why no result of {written} says what to do about each row"
        ));
    }
    let hint = if has_questioned(summary) {
        "ask the team about these measurements; `gutterbatch status --id ID` shows the history of one, and the next export asks for each again"
    } else if summary.unanswered > 0 {
        "import the file that has the rows without a response again; `gutterbatch status` shows the command"
    } else {
        return None;
    };
    Some(hint.to_owned())
}

/// Returns the hint for measurements that could not be requested again. `words` are the arguments as typed. A billing
/// export whose name a file has needs another one, and can wait, so that the next one is not partial.
pub(super) fn partial_hint(args: &Args, summary: &ExportSummary, words: &[String]) -> String {
    let mut words = words.to_vec();
    // A longer pause of the service ends a waiting export as well.
    let is_short = |error: &DispatchError| !matches!(error, DispatchError::RateLimited { .. });
    let error = summary.refreshed.error.as_ref();
    let could_wait = args.new && !args.wait_complete && error.is_some_and(is_short);
    if could_wait {
        words = shell::with_words(&words, ["--wait-complete".to_owned()]);
    }
    let waits = match summary.sealed {
        _ if !could_wait => "",
        Some(_) => " and waits for the quota",
        None => " and waits for the quota, for a single bill",
    };
    let once = match summary.sealed {
        Some(_) => "each measurement is billed once; ",
        None => "",
    };
    let after = match summary.refreshed.error {
        Some(DispatchError::QuotaUsedUp { .. } | DispatchError::RateLimited { .. })
            if !could_wait =>
        {
            "after that, "
        }
        _ => "",
    };
    let command = if args.new && args.path().exists() {
        under_free_name(args.path(), &words, None)
    } else {
        shell::command(&words)
    };
    format!("{once}{after}this command exports the rest{waits}: {command}")
}

/// Returns the command with a free name in place of its output, as [`shell::free_path`].
pub(super) fn under_free_name(path: &Path, words: &[String], other: Option<u64>) -> String {
    with_output(path, &shell::free_path(path, other), words)
}

/// Returns the command with another output in place of the one that was typed; the file of `--for` may have its name.
pub(super) fn with_output(typed: &Path, out: &Path, words: &[String]) -> String {
    let (typed, out) = (typed.to_string_lossy(), out.to_string_lossy());
    let mut before = "";
    shell::command(words.iter().map(|word| {
        let is_output = *word == typed && before != "--for";
        before = word;
        if is_output { &*out } else { word.as_str() }
    }))
}
