//! The first three lines of `status`: whether it is done, whether anything needs a person, and when it ends.

use jiff::Timestamp;

use crate::cli::clock;
use crate::cli::console::Console;
use crate::cli::status::rows::RowsReport;
use crate::cli::status::token::TokenReport;
use crate::import::{requests_for, schedule};
use crate::journal::{JournalOverview, QuotaWindow};
use crate::model::{Outcome, QuotaShare, Status, counted, group_digits};

/// What the three lines are made of.
#[derive(Debug)]
pub(super) struct StatusAnswers<'a> {
    /// The journal; none if there is none.
    pub(super) overview: Option<&'a JournalOverview>,
    /// The rows of one file, if a file was named.
    pub(super) rows: Option<&'a RowsReport>,
    /// The token of the profile.
    pub(super) token: &'a TokenReport,
    /// Completes the commands.
    pub(super) console: &'a Console,
    /// Number of sealed exports that the journal does not know.
    pub(super) missing_seals: u64,
    /// The quota window.
    pub(super) window: &'a QuotaWindow,
    /// The share of the quota that this program may use.
    pub(super) share: QuotaShare,
    /// The time.
    pub(super) now: Timestamp,
}

impl StatusAnswers<'_> {
    /// The three lines.
    pub(super) fn text(&self) -> String {
        let (done, needs, ends) = (self.done(), self.needs_you(), self.ends());
        format!("done          {done}\nneeds you     {needs}\nends          {ends}")
    }

    fn done(&self) -> String {
        let Some(overview) = self
            .overview
            .filter(|overview| !overview.last_runs.is_empty())
        else {
            return match self.rows {
                Some(rows) => format!("no: {} not sent yet", counted(rows.total(), "row")),
                None => "nothing was imported yet".to_owned(),
            };
        };
        let unfinished = overview.last_runs.iter().find(|run| run.outcomes.is_none());
        if let Some(run) = unfinished {
            return format!("no: the import of {} runs, or was interrupted", run.file);
        }
        let total: u64 = overview
            .last_runs
            .iter()
            .filter_map(|run| run.outcomes)
            .map(|outcomes| outcomes.total())
            .sum();
        let (pending, total) = match self.rows {
            Some(rows) => (rows.unsent(), rows.total()),
            None => (self.pending(), total),
        };
        if pending > 0 {
            let of = group_digits(total);
            return format!("no: {} of {of} pending", counted(pending, "row"));
        }
        format!("yes: no row is pending of {}", group_digits(total))
    }

    fn needs_you(&self) -> String {
        let of = |outcome| self.of_last_runs(outcome);
        let (of_rows, gone, warnings) = match (self.rows, self.overview) {
            (Some(rows), _) => (rows.rejected(), 0, 0),
            (None, overview) => (
                [
                    (of(Outcome::Invalid), "invalid"),
                    (of(Outcome::Refused), "refused"),
                    (of(Outcome::Conflict), "in conflict"),
                    (of(Outcome::SameHouse), "of the same house as others"),
                ],
                overview.map_or(0, |overview| overview.gone),
                overview.map_or(0, |overview| overview.warnings.len() as u64),
            ),
        };
        let mut parts: Vec<String> = of_rows
            .iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, what)| format!("{} {what}", group_digits(*count)))
            .collect();
        if gone > 0 {
            parts.push(format!("{} not found by the service", group_digits(gone)));
        }
        if warnings > 0 {
            parts.push(counted(warnings, "warning"));
        }
        if self.missing_seals > 0 {
            parts.push(format!(
                "the journal is older than its record of sealed exports: {} missing",
                counted(self.missing_seals, "sealed export")
            ));
        }
        parts.extend(self.token.problem(self.now).map(|problem| {
            let connect = self.console.command(["connect"]);
            format!("{problem}: {connect}")
        }));
        parts.extend(self.resume());
        if parts.is_empty() {
            return "nothing".to_owned();
        }
        parts.join(", ")
    }

    /// The command that submits the pending rows.
    fn resume(&self) -> Option<String> {
        let runs = self
            .overview
            .map_or(&[][..], |overview| &overview.last_runs);
        if let Some(rows) = self.rows.filter(|rows| rows.unsent() > 0) {
            return Some(self.pending_rows(rows.unsent(), rows.file()));
        }
        if self.rows.is_some() {
            return None;
        }
        if let Some(run) = runs.iter().find(|run| run.outcomes.is_none()) {
            let import = self.console.command(["import", &run.file]);
            return Some(format!("unless that import is still running: {import}"));
        }
        let mut pending = runs.iter().filter_map(|run| {
            let rows = run.outcomes?.count(Outcome::Pending);
            (rows > 0).then_some((rows, run.file.as_str()))
        });
        let (rows, file) = pending.next()?;
        let text = self.pending_rows(rows, file);
        Some(match pending.count() as u64 {
            0 => text,
            more => format!("{text}, and rows of {} more", counted(more, "file")),
        })
    }

    fn pending_rows(&self, rows: u64, file: &str) -> String {
        let rows = counted(rows, "row");
        if file == "-" {
            return format!("{rows} pending: pipe the same rows into `gutterbatch import -`");
        }
        format!("{rows} pending: {}", self.console.command(["import", file]))
    }

    fn ends(&self) -> String {
        let pending = self.rows.map_or_else(|| self.pending(), RowsReport::unsent);
        if pending > 0 {
            let requests = requests_for(pending);
            let plan = schedule(requests, &self.window.openings, self.share, self.now);
            return format!(
                "{} if the import resumes now: {} in {}",
                clock::local(plan.finishes_at, self.now),
                counted(requests, "request"),
                counted(plan.windows, "window")
            );
        }
        let by_status = self
            .overview
            .map_or(&[][..], |overview| &overview.by_status);
        let all: u64 = by_status.iter().map(|(_, count)| count).sum();
        let is_open = |status| matches!(status, Status::Pending | Status::InProgress);
        let open: u64 = by_status
            .iter()
            .filter(|(status, _)| is_open(*status))
            .map(|(_, count)| count)
            .sum();
        match (all, open) {
            (0, _) => "nothing was requested yet".to_owned(),
            (all, 0) => format!("nothing is open: {}", counted(all, "measurement")),
            (all, open) => format!(
                "when the contractor is done: {} of {} open",
                group_digits(open),
                counted(all, "measurement")
            ),
        }
    }

    fn pending(&self) -> u64 {
        self.of_last_runs(Outcome::Pending)
    }

    fn of_last_runs(&self, outcome: Outcome) -> u64 {
        let runs = self
            .overview
            .into_iter()
            .flat_map(|overview| &overview.last_runs);
        runs.filter_map(|run| run.outcomes)
            .map(|outcomes| outcomes.count(outcome))
            .sum()
    }
}
