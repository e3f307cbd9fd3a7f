//! The report of a check as text.

use jiff::Timestamp;

use crate::cli::check::mapping_text::{address_samples, mapping};
use crate::cli::check::report::CheckReport;
use crate::cli::clock;
use crate::cli::problem_lines::ProblemLines;
use crate::import::CheckedFile;
use crate::model::{Outcome, Severity, group_digits, pluralize};
use crate::sheet;

/// The whole report: the verdict, errors, warnings, normalized values, which column feeds which field, and what an import
/// would do.
///
/// # Errors
/// If the problems of the check cannot be read.
pub(super) fn report_text(
    checked: &CheckedFile,
    report: &CheckReport<'_>,
    max: Option<usize>,
    now: Timestamp,
) -> Result<String, sheet::Error> {
    let lines = ProblemLines::from_rows(checked, report.problems.rows(), max)?;
    let [errors, warnings, tidied] = [
        (Severity::Error, "errors: these rows are not sent"),
        (
            Severity::Warning,
            "warnings: these do not stop a row from being sent",
        ),
        (
            Severity::Tidied,
            "tidied: values cleaned up before they are sent (--as-is sends them as they are)",
        ),
    ]
    .map(|severity| section(&lines, checked, severity));
    let sections = [
        verdict(checked, report),
        errors,
        warnings,
        tidied,
        mapping(checked),
        address_samples(&checked.address_samples),
        plan(report, now),
    ];
    let filled = sections.iter().filter(|section| !section.is_empty());
    Ok(filled.map(String::as_str).collect::<Vec<_>>().join("\n"))
}

/// How many rows may be sent, which were skipped, and how the file was read.
fn verdict(checked: &CheckedFile, report: &CheckReport<'_>) -> String {
    let mut lines = vec![counts(report)];
    lines.extend(checked.skipped_sentences());
    lines.push(format!("read {}", checked.layout.sentence()));
    if report.invalid + report.warnings > 0 {
        lines.extend(checked.row_numbering().map(str::to_owned));
    }
    lines.join("\n") + "\n"
}

/// The problems of a severity below a title.
fn section(
    lines: &ProblemLines,
    checked: &CheckedFile,
    (severity, title): (Severity, &str),
) -> String {
    let omitted = lines.omitted(severity);
    let omitted = omitted.map(|more| format!("  {more}; -v or --json lists all\n"));
    let lines = lines.with_severity(severity);
    let lines = lines.map(|line| format!("  {:<7}  {}\n", line.places(), line.message(checked)));
    let lines: String = lines.chain(omitted).collect();
    if lines.is_empty() {
        return lines;
    }
    format!("{title}\n{lines}")
}

fn counts(report: &CheckReport<'_>) -> String {
    let (same_house, conflict) = (report.plan.same_house, report.plan.conflict);
    let valid = report.valid - same_house - conflict;
    let mut parts = vec![format!("{} valid", group_digits(valid))];
    let numbered =
        |rows, outcome: Outcome| (rows, format!("{} {}", group_digits(rows), outcome.words()));
    let tidied = pluralize(report.tidied, "value") + " cleaned up";
    let others = [
        (report.invalid, group_digits(report.invalid) + " invalid"),
        numbered(same_house, Outcome::SameHouse),
        numbered(conflict, Outcome::Conflict),
        (
            report.corrected,
            group_digits(report.corrected) + " corrected in rejects",
        ),
        (report.duplicate, pluralize(report.duplicate, "duplicate")),
        (report.warnings, pluralize(report.warnings, "warning")),
        (report.tidied, tidied),
    ];
    let others = others.into_iter().filter(|(rows, _)| *rows > 0);
    parts.extend(others.map(|(_, text)| text));
    let blank = match report.blank_skipped - report.other_skipped() {
        0 => String::new(),
        count => format!("; {} skipped", pluralize(count, "blank row")),
    };
    format!(
        "{}: {}{blank}",
        pluralize(report.rows, "row"),
        parts.join(", ")
    )
}

fn plan(report: &CheckReport<'_>, now: Timestamp) -> String {
    let plan = &report.plan;
    let in_file = report.problems.rows().same_house_in_file();
    let others = [
        (plan.known, "known already"),
        (
            plan.same_house.saturating_sub(in_file),
            "whose house was requested before",
        ),
        (in_file, "with the same house as another row"),
        (plan.conflict, "in conflict"),
        (plan.decided_skip, "not sent because you decided `skip`"),
    ];
    let others = others.into_iter().filter(|(rows, _)| *rows > 0);
    let mut requests = others.fold(String::new(), |text, (rows, what)| {
        text + &format!("{} {what}; ", pluralize(rows, "row"))
    });
    if plan.requests == 0 {
        return format!("plan: {requests}nothing to send");
    }
    requests += &pluralize(plan.requests, "request");
    let rows = pluralize(plan.requests - 1, "row");
    if plan.seconds == 0 {
        return format!(
            "plan: {requests} ({rows}, 1 to verify the team); the quota allows all of them at once"
        );
    }
    format!(
        "plan: {requests} ({rows}, 1 to verify the team); the quota allows all of them within {}, by {} if started now",
        clock::duration(plan.seconds),
        clock::local(plan.finishes_at, now)
    )
}
