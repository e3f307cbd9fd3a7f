//! The first lines of `status`: whether it is done, when it ends, and what needs a person.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use serde::Serialize;

use crate::cli::clock;
use crate::cli::failure::{RESTORE, lost_journal};
use crate::cli::import::LEFT_ROWS_ADVICE;
use crate::cli::status::report::{StatusReport, unfinished};
use crate::cli::status::{as_of, is_gone};
use crate::import::{requests_for, schedule};
use crate::journal::{LastRun, UnansweredRow, UnfinishedRun};
use crate::model::{
    Outcome, OutcomeCounts, Status, TableSource, and_more, first_of, group_digits, nonzero_counts,
    pluralize, printable,
};

/// Maximum number of matters of one kind in the text.
const SHOWN: usize = 5;

/// A matter that needs a person. Its fields are public keys.
#[derive(Debug, Serialize)]
pub(super) struct NeededAction {
    text: String,
    /// The command that settles it.
    command: Option<String>,
}

impl NeededAction {
    /// A matter without a command.
    fn new(text: impl Into<String>) -> Self {
        let (text, command) = (text.into(), None);
        Self { text, command }
    }

    fn with_command(text: impl Into<String>, command: String) -> Self {
        Self {
            command: Some(command),
            ..Self::new(text)
        }
    }

    fn line(&self) -> String {
        let command = self.command.as_ref();
        command.map_or_else(
            || self.text.clone(),
            |command| format!("{}: {command}", self.text),
        )
    }
}

impl StatusReport<'_> {
    /// The answers; what needs a person is last, because it has a line for each matter.
    pub(super) fn answers(&self) -> String {
        let ((_, done), (_, ends)) = (self.done(), self.ends());
        let mut lines = Vec::new();
        for kind in self.needs() {
            lines.extend(kind.iter().take(SHOWN).map(NeededAction::line));
            let more = and_more(kind.len().saturating_sub(SHOWN) as u64);
            lines.extend(more.map(|more| format!("{more}; `status --json` lists all")));
        }
        if lines.is_empty() {
            let nothing = match self.running() {
                Some(_) => "nothing while that import runs",
                None => "nothing",
            };
            lines.push(nothing.to_owned());
        }
        let needs = lines.join("\n              ");
        format!("done          {done}\nends          {ends}\nneeds you     {needs}")
    }

    /// Whether every row of every import, or of the named file, is settled; and the same in words.
    pub(super) fn done(&self) -> (bool, String) {
        let runs = self.runs();
        if let Some(run) = runs.iter().find(|run| run.outcomes.is_none()) {
            let ended = unfinished(run);
            return (
                false,
                format!("no: the import of {} {ended}", self.name(run)),
            );
        }
        let (pending, total, place) = match (self.rows.as_ref(), self.measurements()) {
            (Some(rows), _) => (rows.unsent, rows.outcomes.total(), rows.file.clone()),
            (None, 0) if runs.is_empty() => return (false, "nothing was imported yet".to_owned()),
            (None, restored) if runs.is_empty() => {
                let restored = pluralize(restored, "measurement");
                let text =
                    format!("yes: {restored} in a restored journal, nothing was imported since");
                return (true, text);
            }
            (None, _) => (self.pending(), self.total(), self.place()),
        };
        if pending > 0 {
            let of = group_digits(total);
            let pending = pluralize(pending, "row");
            return (false, format!("no: {pending} of {of} pending in {place}"));
        }
        let rows = pluralize(total, "row");
        (true, format!("yes: {rows} in {place}, none left to send"))
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
    fn rejected(&self) -> Vec<NeededAction> {
        let of_run = |run: &LastRun| {
            let rejected = rejected_in(&run.rejected, &self.name(run))?;
            Some(self.correction(&rejected, &run.file, Some(run)))
        };
        let (Some(rows), Some(file)) = (self.rows.as_ref(), self.file_rows) else {
            return self.originals().filter_map(of_run).collect();
        };
        let run = self.runs().iter().find(|run| is_of(run, &file.source));
        let rejected = rejected_in(&rows.outcomes, &rows.file);
        let needed = |rejected: String| self.correction(&rejected, &rows.file, run);
        rejected.map(needed).into_iter().collect()
    }

    /// What to do about rejected rows of a file: correct its rejects, or see the cells.
    fn correction(&self, rejected: &str, file: &str, run: Option<&LastRun>) -> NeededAction {
        let rejects = run.into_iter().flat_map(|run| {
            let is_of_run = |path: &&PathBuf| path.exists() && !run.left_rejects.contains(path);
            run.rejects.iter().filter(is_of_run)
        });
        if let [path] = rejects.collect::<Vec<_>>()[..] {
            let import = self.console.command(["import", &path.to_string_lossy()]);
            let text = format!("{rejected}; correct the rejects and import them");
            return NeededAction::with_command(text, import);
        }
        match file {
            "-" => NeededAction::new(rejected),
            _ => NeededAction::with_command(rejected, self.console.command(["check", file])),
        }
    }

    /// The rejects that an import keeps because their rows have left the sheet.
    fn left_rejects(&self) -> Vec<NeededAction> {
        let runs = self.runs().iter();
        let left = runs.flat_map(|run| run.left_rejects.iter().map(move |path| (run, path)));
        let needed = left.map(|(run, path)| {
            let path = path.to_string_lossy();
            let import = self.console.command(["import", &path]);
            let file = self.file_name(run);
            let text =
                format!("{path} has rows that are not in {file} any more; {LEFT_ROWS_ADVICE}");
            NeededAction::with_command(text, import)
        });
        needed.collect()
    }

    /// What needs a person, by kind.
    pub(super) fn needs(&self) -> Vec<Vec<NeededAction>> {
        let overview = &self.overview;
        let (none, command) = (NeededAction::new, NeededAction::with_command);
        let mut others = Vec::new();
        if overview.gone > 0 {
            let gone = group_digits(overview.gone);
            others.push(none(format!("{gone} not found by the service")));
        }
        if !overview.warnings.is_empty() {
            others.push(none(pluralize(overview.warnings.len() as u64, "warning")));
        }
        others.extend(unanswered(&self.lost_rows()).map(none));
        let restore = self.console.command(RESTORE);
        others.extend(lost_journal(&self.journal).map(|lost| command(lost, restore)));
        if self.missing_seals > 0 {
            others.push(none(format!(
                "the journal is older than its record of sealed exports: {} missing",
                pluralize(self.missing_seals, "sealed export")
            )));
        }
        if overview.has_billing_question {
            others.push(command(
                "nothing is billed before you declare what was billed elsewhere; an export asks about it".to_owned(),
                self.console.command(["export", "billing.xlsx", "--new"]),
            ));
        }
        let connect = self.console.command(["connect"]);
        let problem = self.token.problem(self.now);
        others.extend(problem.map(|problem| command(problem, connect)));
        vec![self.rejected(), self.left_rejects(), others, self.resume()]
    }

    /// The rows whose requests have no answer and that no import of their file would send again: they left it.
    fn lost_rows(&self) -> Vec<&UnansweredRow> {
        let unanswered = &self.overview.unanswered_rows;
        let is_resumed = |run: &LastRun| {
            let outcomes = run.outcomes.as_ref();
            outcomes.is_none_or(|outcomes| outcomes.count(Outcome::Pending) > 0)
        };
        let is_resumed_of = |row: &UnansweredRow| {
            let mut runs = self.runs().iter();
            runs.any(|run| is_of(run, &row.source) && is_resumed(run))
        };
        let is_lost = |row: &&UnansweredRow| match self.file_rows {
            Some(file) => file.source == row.source && !file.ids.contains(&row.external_id),
            None => !is_resumed_of(row),
        };
        unanswered.iter().filter(is_lost).collect()
    }

    /// The import that sends rows now: any, or that of the named file.
    fn running(&self) -> Option<&UnfinishedRun> {
        let file = self.file_rows;
        let is_named = |run: &&LastRun| file.is_none_or(|file| is_of(run, &file.source));
        let mut runs = self.runs().iter().filter(is_named);
        runs.find_map(|run| run.unfinished.as_ref().filter(|run| run.holder.is_some()))
    }

    /// The commands that submit the pending rows, unless an import does.
    fn resume(&self) -> Vec<NeededAction> {
        if self.running().is_some() {
            return Vec::new();
        }
        let pending = |rows| format!("{} pending", pluralize(rows, "row"));
        if let Some(rows) = self.rows.as_ref() {
            let needed =
                (rows.unsent > 0).then(|| self.import(&rows.file, None, &pending(rows.unsent)));
            return needed.into_iter().collect();
        }
        let needed = self.runs().iter().filter_map(|run| {
            let text = match run.pending() {
                _ if run.outcomes.is_none() => "the import was interrupted".to_owned(),
                0 => return None,
                rows => pending(rows),
            };
            let sheet = run.sheet.as_deref();
            if let Some(sheet) = sheet.filter(|sheet| is_gone(sheet, Path::new(&run.file))) {
                let (file, sheet) = (self.file_name(run), printable(sheet));
                return Some(NeededAction::new(format!(
                    "{text}: {file} has no sheet {sheet} any more; import a sheet with its rows"
                )));
            }
            let sheet = sheet.filter(|_| self.has_other_sheets(run));
            Some(self.import(&run.file, sheet, &text))
        });
        needed.collect()
    }

    fn import(&self, file: &str, sheet: Option<&str>, text: &str) -> NeededAction {
        if file == "-" {
            return NeededAction::new(format!(
                "{text}: pipe the same rows into `gutterbatch import -`"
            ));
        }
        let flag = sheet.into_iter().flat_map(|sheet| ["--sheet", sheet]);
        let words = ["import", file].into_iter().chain(flag);
        NeededAction::with_command(text, self.console.command(words))
    }

    /// When the pending rows are sent, if there are any; and in words, when the measurements are final too.
    pub(super) fn ends(&self) -> (Option<Timestamp>, String) {
        if let Some(run) = self.running().filter(|run| run.pending > 0) {
            let plan = schedule(run.pending, &self.window.openings, self.share, self.now);
            let text = format!(
                "about {}: {} of {} of this import pending",
                clock::local(plan.finishes_at, self.now),
                group_digits(run.pending),
                pluralize(run.rows, "row")
            );
            return (Some(plan.finishes_at), text);
        }
        let pending = self
            .rows
            .as_ref()
            .map_or_else(|| self.pending(), |rows| rows.unsent);
        if pending > 0 {
            let requests = requests_for(pending);
            let plan = schedule(requests, &self.window.openings, self.share, self.now);
            let text = format!(
                "{} if the import resumes now: {} in {}",
                clock::local(plan.finishes_at, self.now),
                pluralize(requests, "request"),
                pluralize(plan.windows, "window")
            );
            return (Some(plan.finishes_at), text);
        }
        (None, self.measured())
    }

    /// When the measurements are final, as far as that is known.
    fn measured(&self) -> String {
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
                format!("nothing to wait for: none of {all} is open{canceled}")
            }
            (all, Some(asked_at)) => format!(
                "when the contractor is done: {} of {} open, {}; `{}` asks again",
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

/// Whether a run imported a table.
fn is_of(run: &LastRun, table: &TableSource) -> bool {
    Path::new(&run.file) == table.path && run.sheet == table.sheet
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
