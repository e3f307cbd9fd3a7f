//! The first lines of `status`: whether it is done, when it ends, and what needs a person.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::path::Path;

use crate::cli::clock;
use crate::cli::failure::{RESTORE, lost_journal};
use crate::cli::import::LEFT_ROWS_ADVICE;
use crate::cli::status::report::{StatusReport, unfinished};
use crate::cli::status::{as_of, is_gone};
use crate::import::{requests_for, schedule};
use crate::journal::{LastRun, UnansweredRow, UnfinishedRun};
use crate::model::{
    Outcome, OutcomeCounts, Status, first_of, group_digits, nonzero_counts, pluralize, printable,
};

impl StatusReport<'_> {
    /// The answers; what needs a person is last, because it has a line for each matter.
    pub(super) fn answers(&self) -> String {
        let (done, needs, ends) = (self.done(), self.needs_you(), self.ends());
        let needs = needs.join("\n              ");
        format!("done          {done}\nends          {ends}\nneeds you     {needs}")
    }

    fn done(&self) -> String {
        let runs = self.runs();
        if let Some(run) = runs.iter().find(|run| run.outcomes.is_none()) {
            return format!("no: the import of {} {}", self.name(run), unfinished(run));
        }
        let (pending, total, place) = match (self.rows.as_ref(), self.measurements()) {
            (Some(rows), _) => (rows.unsent, rows.outcomes.total(), rows.file.clone()),
            (None, 0) if runs.is_empty() => return "nothing was imported yet".to_owned(),
            (None, restored) if runs.is_empty() => {
                let restored = pluralize(restored, "measurement");
                return format!(
                    "yes: {restored} in a restored journal, nothing was imported since"
                );
            }
            (None, _) => (self.pending(), self.total(), self.place()),
        };
        if pending > 0 {
            let of = group_digits(total);
            return format!(
                "no: {} of {of} pending in {place}",
                pluralize(pending, "row")
            );
        }
        format!("yes: {} in {place}, none pending", pluralize(total, "row"))
    }

    /// The rows of all files; rejects are rows of their original.
    fn total(&self) -> u64 {
        let outcomes = self.originals().filter_map(|run| run.outcomes);
        outcomes.map(|outcomes| outcomes.total()).sum()
    }

    /// The file, or how many there are.
    fn place(&self) -> String {
        let originals: Vec<&LastRun> = self.originals().collect();
        let files: HashSet<&str> = originals.iter().map(|run| run.file.as_str()).collect();
        match (originals.as_slice(), files.len() as u64) {
            ([run], _) => self.name(run),
            ([run, ..], 1) => {
                let sheets = pluralize(originals.len() as u64, "sheet");
                format!("{sheets} of {}", self.file_name(run))
            }
            (_, files) => pluralize(files, "file"),
        }
    }

    fn originals(&self) -> impl Iterator<Item = &LastRun> {
        let runs = self.runs().iter();
        runs.filter(|run| run.rejects_of.is_none())
    }

    fn runs(&self) -> &[LastRun] {
        &self.overview.last_runs
    }

    /// The name of the file, with its sheet if several were imported.
    fn name(&self, run: &LastRun) -> String {
        format!("{}{}", self.file_name(run), self.sheet_name(run))
    }

    /// The name of a file without its folder, unless another file has the same name.
    fn file_name(&self, run: &LastRun) -> String {
        let name = |run: &LastRun| Path::new(&run.file).file_name().map(OsStr::to_owned);
        let mut others = self.runs().iter().filter(|other| other.file != run.file);
        match name(run) {
            _ if run.file == "-" => "standard input".to_owned(),
            Some(own) if !others.any(|other| name(other).as_ref() == Some(&own)) => {
                own.to_string_lossy().into_owned()
            }
            _ => run.file.clone(),
        }
    }

    /// The rejected rows of each file that has any: `2 invalid, 1 refused in leads.csv`.
    fn rejected(&self) -> Vec<String> {
        let of_run = |run: &LastRun| {
            let rejected = rejected_in(&run.rejected, &self.name(run))?;
            let mut rejects = run.rejects.iter().filter(|path| path.exists());
            match (rejects.next(), rejects.next()) {
                (Some(path), None) => {
                    let import = self.console.command(["import", &path.to_string_lossy()]);
                    Some(format!("{rejected}: correct the rejects, then {import}"))
                }
                _ => Some(rejected),
            }
        };
        match self.rows.as_ref() {
            Some(rows) => Vec::from_iter(rejected_in(&rows.outcomes, &rows.file)),
            None => self.originals().filter_map(of_run).collect(),
        }
    }

    /// The rejects that an import keeps because their rows have left the sheet.
    fn left_rejects(&self) -> impl Iterator<Item = String> {
        let runs = self.runs().iter();
        let left = runs.flat_map(|run| run.left_rejects.iter().map(move |path| (run, path)));
        left.map(|(run, path)| {
            let (path, file) = (path.display(), self.file_name(run));
            format!("{path} has rows that are not in {file} any more: {LEFT_ROWS_ADVICE}")
        })
    }

    /// What needs a person, one line for each matter.
    fn needs_you(&self) -> Vec<String> {
        let overview = &self.overview;
        let mut matters = self.rejected();
        matters.extend(self.left_rejects());
        if overview.gone > 0 {
            let gone = group_digits(overview.gone);
            matters.push(format!("{gone} not found by the service"));
        }
        if !overview.warnings.is_empty() {
            matters.push(pluralize(overview.warnings.len() as u64, "warning"));
        }
        matters.extend(unanswered(&self.lost_rows()));
        let restore = self.console.command(RESTORE);
        matters.extend(lost_journal(&self.journal, &restore));
        if self.missing_seals > 0 {
            matters.push(format!(
                "the journal is older than its record of sealed exports: {} missing",
                pluralize(self.missing_seals, "sealed export")
            ));
        }
        if overview.has_billing_question {
            let export = self.console.command(["export", "billing.xlsx", "--new"]);
            matters.push(format!(
                "nothing is billed before you declare what was billed elsewhere: `{export}` asks about it"
            ));
        }
        let connect = self.console.command(["connect"]);
        matters.extend(self.token.problem(self.now, &connect));
        matters.extend(self.resume());
        if matters.is_empty() {
            let nothing = match self.running() {
                Some(_) => "nothing while that import runs",
                None => "nothing",
            };
            matters.push(nothing.to_owned());
        }
        matters
    }

    /// The rows whose requests have no answer and that no import of their file would send again: they left it.
    fn lost_rows(&self) -> Vec<&UnansweredRow> {
        let unanswered = &self.overview.unanswered_rows;
        let is_resumed = |run: &LastRun| {
            let outcomes = run.outcomes.as_ref();
            outcomes.is_none_or(|outcomes| outcomes.count(Outcome::Pending) > 0)
        };
        let is_lost = |row: &&UnansweredRow| match self.file_rows {
            Some(file) => file.source == row.source && !file.ids.contains(&row.external_id),
            None => !self.runs().iter().any(|run| {
                let is_of_run = Path::new(&run.file) == row.source.path;
                is_of_run && run.sheet == row.source.sheet && is_resumed(run)
            }),
        };
        unanswered.iter().filter(is_lost).collect()
    }

    /// The import that sends rows now: any, or that of the named file.
    fn running(&self) -> Option<&UnfinishedRun> {
        let is_named = |run: &LastRun| {
            self.file_rows.is_none_or(|file| {
                Path::new(&run.file) == file.source.path && run.sheet == file.source.sheet
            })
        };
        let mut runs = self.runs().iter().filter(|run| is_named(run));
        runs.find_map(|run| run.unfinished.as_ref().filter(|run| run.holder.is_some()))
    }

    /// The command that submits the pending rows, unless an import does.
    fn resume(&self) -> Option<String> {
        if self.running().is_some() {
            return None;
        }
        if let Some(rows) = self.rows.as_ref() {
            let import = self.console.command(["import", &rows.file]);
            return (rows.unsent > 0).then(|| pending_rows(rows.unsent, &rows.file, &import));
        }
        let runs = self.runs();
        if let Some(run) = runs.iter().find(|run| run.outcomes.is_none()) {
            return Some(format!("the import was interrupted: {}", self.import(run)));
        }
        let mut pending = runs.iter().filter(|run| run.pending() > 0);
        let run = pending.next()?;
        let text = pending_rows(run.pending(), &run.file, &self.import(run));
        Some(match pending.count() as u64 {
            0 => text,
            more => format!("{text}, and {}", pluralize(more, "more import")),
        })
    }

    /// The command that resumes an import, or that its sheet is gone.
    fn import(&self, run: &LastRun) -> String {
        let sheet = run.sheet.as_deref();
        if let Some(sheet) = sheet.filter(|sheet| is_gone(sheet, Path::new(&run.file))) {
            let file = self.file_name(run);
            return format!(
                "{file} has no sheet {} any more; import a sheet with its rows",
                printable(sheet)
            );
        }
        let named = sheet.filter(|_| self.has_other_sheets(run)).into_iter();
        let flag = named.flat_map(|sheet| ["--sheet", sheet]);
        self.console
            .command(["import", &run.file].into_iter().chain(flag))
    }

    fn ends(&self) -> String {
        if let Some(run) = self.running().filter(|run| run.pending > 0) {
            let plan = schedule(run.pending, &self.window.openings, self.share, self.now);
            return format!(
                "about {}: {} of {} of this import pending",
                clock::local(plan.finishes_at, self.now),
                group_digits(run.pending),
                pluralize(run.rows, "row")
            );
        }
        let pending = self
            .rows
            .as_ref()
            .map_or_else(|| self.pending(), |rows| rows.unsent);
        if pending > 0 {
            let requests = requests_for(pending);
            let plan = schedule(requests, &self.window.openings, self.share, self.now);
            return format!(
                "{} if the import resumes now: {} in {}",
                clock::local(plan.finishes_at, self.now),
                pluralize(requests, "request"),
                pluralize(plan.windows, "window")
            );
        }
        let all = self.measurements();
        let open = self.with_status(Status::Pending) + self.with_status(Status::InProgress);
        match (all, self.overview.open_asked_at) {
            (0, _) if self.overview.unanswered > 0 => {
                let requests = pluralize(self.overview.unanswered, "request");
                format!("not known: {requests} without a response")
            }
            (0, _) => "nothing was requested yet".to_owned(),
            (all, None) => {
                let canceled = match self.with_status(Status::Canceled) {
                    0 => String::new(),
                    canceled => format!(
                        "; {} canceled, listed on the sheet Open of an export",
                        group_digits(canceled)
                    ),
                };
                let all = pluralize(all, "measurement");
                format!("ended: none of {all} is open{canceled}")
            }
            (all, Some(asked_at)) => format!(
                "when the contractor is done: {} of {} open, {}; {} asks again",
                group_digits(open),
                pluralize(all, "measurement"),
                as_of(asked_at, self.now),
                self.console.command(["export", "results.xlsx"])
            ),
        }
    }

    /// The rows of all files that the next imports submit.
    fn pending(&self) -> u64 {
        self.runs().iter().map(LastRun::pending).sum()
    }
}

fn pending_rows(rows: u64, file: &str, import: &str) -> String {
    let rows = pluralize(rows, "row");
    match file {
        "-" => format!("{rows} pending: pipe the same rows into `gutterbatch import -`"),
        _ => format!("{rows} pending: {import}"),
    }
}

/// Maximum number of rows to name.
const NAMED: usize = 3;

/// The requests without an answer whose rows left their file, as text; `None` if there are none.
fn unanswered(rows: &[&UnansweredRow]) -> Option<String> {
    let name = |row: &&UnansweredRow| {
        let (id, file) = (printable(&row.external_id), row.source.file_name());
        format!("ID {id}, {file}, row {}", row.row)
    };
    (!rows.is_empty()).then(|| {
        format!(
            "{} without a response ({}): not billed before its result is known; import the file that has the row again",
            pluralize(rows.len() as u64, "request"),
            first_of(rows.iter().map(name), NAMED, "; ")
        )
    })
}

/// The numbers of invalid, refused, conflicting and same-house rows of a file as text; `None` if all are 0.
fn rejected_in(outcomes: &OutcomeCounts, file: &str) -> Option<String> {
    let counts = [
        (Outcome::Invalid, "invalid"),
        (Outcome::Refused, "refused"),
        (Outcome::Conflict, "in conflict"),
        (Outcome::SameHouse, "with a house known under another id"),
    ]
    .map(|(outcome, words)| (outcomes.count(outcome), words));
    let parts = nonzero_counts(counts, ", ");
    (!parts.is_empty()).then(|| format!("{parts} in {file}"))
}
