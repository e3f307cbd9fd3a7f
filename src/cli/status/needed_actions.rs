//! What needs a person: rows to correct, requests without an answer, imports to resume; each with its command.

use std::path::Path;

use serde::Serialize;

use crate::cli::failure::{RESTORE, lost_journal};
use crate::cli::import::LEFT_ROWS_ADVICE;
use crate::cli::reading::ReadingArgs;
use crate::cli::shell;
use crate::cli::status::report::StatusReport;
use crate::journal::{LastRun, RejectedRowsPlace, UnansweredRow};
use crate::model::{
    Outcome, OutcomeCounts, first_of, group_digits, nonzero_counts, pluralize, printable,
};

/// A matter that needs a person. Its fields are public keys.
#[derive(Debug, Serialize)]
pub(super) struct NeededAction {
    kind: NeedKind,
    text: String,
    /// The command that settles it.
    command: Option<String>,
}

/// What needs a person, for programs. The names are public.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
enum NeedKind {
    RejectedRows,
    KeptRejects,
    NotFound,
    Warnings,
    UnansweredRequests,
    LostJournal,
    OutdatedJournal,
    UndeclaredBilling,
    UndeliveredBill,
    AdjustmentsWaiting,
    NotConnected,
    PendingRows,
}

impl NeededAction {
    /// A matter without a command.
    fn new(kind: NeedKind, text: impl Into<String>) -> Self {
        let (text, command) = (text.into(), None);
        Self {
            kind,
            text,
            command,
        }
    }

    fn with_command(kind: NeedKind, text: impl Into<String>, command: String) -> Self {
        Self {
            command: Some(command),
            ..Self::new(kind, text)
        }
    }

    /// The matter, and its command, in one line.
    pub(super) fn line(&self) -> String {
        let command = self.command.as_ref();
        command.map_or_else(
            || self.text.clone(),
            |command| format!("{}: {command}", self.text),
        )
    }
}

impl StatusReport<'_> {
    /// What needs a person, by kind.
    pub(super) fn needs(&self) -> Vec<Vec<NeededAction>> {
        let overview = &self.overview;
        let (none, command) = (NeededAction::new, NeededAction::with_command);
        let bill = || {
            let path = shell::free_path(Path::new("billing.xlsx"), None);
            let words = ["export", &path.to_string_lossy(), "--new"];
            self.console.command(words)
        };
        let mut others = Vec::new();
        if overview.not_found > 0 {
            let not_found = group_digits(overview.not_found);
            others.push(none(
                NeedKind::NotFound,
                format!("{not_found} not found by the service"),
            ));
        }
        if !overview.warnings.is_empty() {
            let warnings = pluralize(overview.warnings.len() as u64, "warning");
            others.push(none(NeedKind::Warnings, warnings));
        }
        let unanswered = unanswered(&self.lost_rows());
        others.extend(unanswered.map(|text| none(NeedKind::UnansweredRequests, text)));
        let restore = self.console.command(RESTORE);
        others.extend(
            lost_journal(&self.journal).map(|lost| command(NeedKind::LostJournal, lost, restore)),
        );
        if self.missing_seals > 0 {
            others.push(none(
                NeedKind::OutdatedJournal,
                format!(
                    "the journal is older than its record of sealed exports: {} missing",
                    pluralize(self.missing_seals, "sealed export")
                ),
            ));
        }
        if overview.has_billing_question {
            others.push(command(
                NeedKind::UndeclaredBilling,
                "nothing is billed before you declare what was billed elsewhere; an export asks about it".to_owned(),
                bill(),
            ));
        }
        others.extend(overview.undelivered.iter().map(|seal| {
            let again = shell::export_again_words(seal.number, &seal.path);
            let file = seal.path.display();
            command(
                NeedKind::UndeliveredBill,
                format!("sealed export {} was never written to {file}", seal.number),
                self.console.command(again),
            )
        }));
        if overview.waiting_adjustments > 0 {
            let changed = pluralize(overview.waiting_adjustments, "measurement");
            others.push(command(
                NeedKind::AdjustmentsWaiting,
                format!("{changed} changed after billing, which only a bill in a workbook lists"),
                bill(),
            ));
        }
        // Nothing else can be done before.
        let connect = || self.console.command(["connect"]);
        let problem = self.token.problem(self.now).into_iter();
        let problem = problem.map(|problem| command(NeedKind::NotConnected, problem, connect()));
        vec![
            problem.collect(),
            self.rejected(),
            self.left_rejects(),
            others,
            self.resume(),
        ]
    }

    /// The rejected rows of each file that has any: `2 invalid, 1 refused in leads.csv`.
    fn rejected(&self) -> Vec<NeededAction> {
        let of_run = |run: &LastRun| {
            let rejected = rejected_in(&run.rejected, &self.name(run))?;
            Some(self.correction(&rejected, &run.file, Some(run)))
        };
        let Some(rows) = self.rows.as_ref() else {
            return self.originals().filter_map(of_run).collect();
        };
        let run = self.run_of_file();
        let rejected = rejected_in(&rows.outcomes, &rows.file);
        let needed = |rejected: String| self.correction(&rejected, &rows.file, run);
        rejected.map(needed).into_iter().collect()
    }

    /// The newest run of the file that the user named.
    fn run_of_file(&self) -> Option<&LastRun> {
        let file = self.file_rows?;
        self.runs().iter().find(|run| run.is_of(&file.source))
    }

    /// What to do about rejected rows of a file: correct its rejects, or see the cells.
    fn correction(&self, rejected: &str, file: &str, run: Option<&LastRun>) -> NeededAction {
        let kind = NeedKind::RejectedRows;
        match run.map(|run| run.rejected_rows_place(self.runs())) {
            Some(RejectedRowsPlace::Rejects(path)) => {
                let import = self.console.command(["import", &path.to_string_lossy()]);
                let text = format!("{rejected}; correct the rejects and import them");
                return NeededAction::with_command(kind, text, import);
            }
            Some(RejectedRowsPlace::Nowhere(_)) if file != "-" => {
                let import = self.command_of("import", file, run);
                let text = format!("{rejected}, {NOT_IN_REJECTS}");
                return NeededAction::with_command(kind, text, import);
            }
            _ => {}
        }
        if file == "-" {
            return NeededAction::new(kind, rejected);
        }
        NeededAction::with_command(kind, rejected, self.command_of("check", file, run))
    }

    /// The rejects that an import keeps because their rows have left the sheet.
    fn left_rejects(&self) -> Vec<NeededAction> {
        let runs = self.runs().iter();
        let left = runs.flat_map(|run| run.left_rejects.iter().map(move |path| (run, path)));
        let needed = left.map(|(run, path)| {
            let path = path.to_string_lossy();
            let import = self.console.command(["import", &path]);
            let file = self.file_name(run);
            let text = format!(
                "{path} has rows that are not in {file} any more and were never requested; {LEFT_ROWS_ADVICE}"
            );
            NeededAction::with_command(NeedKind::KeptRejects, text, import)
        });
        needed.collect()
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
            runs.any(|run| run.is_of(&row.source) && is_resumed(run))
        };
        let is_lost = |row: &&UnansweredRow| match self.file_rows {
            Some(file) => file.source == row.source && !file.ids.contains(&row.external_id),
            None => !is_resumed_of(row),
        };
        unanswered.iter().filter(is_lost).collect()
    }

    /// The commands that submit the pending rows, unless an import does.
    fn resume(&self) -> Vec<NeededAction> {
        if self.running().is_some() {
            return Vec::new();
        }
        let pending = |rows| format!("{} pending", pluralize(rows, "row"));
        if let Some(rows) = self.rows.as_ref() {
            let run = self.run_of_file();
            let needed =
                (rows.unsent > 0).then(|| self.import(&rows.file, run, &pending(rows.unsent)));
            return needed.into_iter().collect();
        }
        let needed = self.runs().iter().filter_map(|run| {
            let text = match run.pending() {
                _ if run.outcomes.is_none() => "the import was interrupted".to_owned(),
                0 => return None,
                rows => pending(rows),
            };
            Some(self.import(&run.file, Some(run), &text))
        });
        needed.collect()
    }

    fn import(&self, file: &str, run: Option<&LastRun>, text: &str) -> NeededAction {
        if file == "-" {
            return NeededAction::new(
                NeedKind::PendingRows,
                format!("{text}: pipe the same rows into `gutterbatch import -`"),
            );
        }
        let command = self.command_of("import", file, run);
        NeededAction::with_command(NeedKind::PendingRows, text, command)
    }

    /// A command for the file of a run, with the flags that it needs to read the file as the run did.
    fn command_of(&self, name: &str, file: &str, run: Option<&LastRun>) -> String {
        let reading = run
            .map(|run| reading_of(run, self.runs()))
            .unwrap_or_default();
        let words = [name.to_owned(), file.to_owned()].into_iter();
        self.console.command(words.chain(reading.words()))
    }
}

/// The flags that the next import of a file needs to read it as a run did, of the newest runs of all files.
pub(in crate::cli) fn reading_of(run: &LastRun, runs: &[LastRun]) -> ReadingArgs {
    let mut reading = ReadingArgs::from_flags(run.unproven_flags.clone()).unwrap_or_default();
    let is_other_sheet = |other: &LastRun| other.file == run.file && other.sheet != run.sheet;
    if runs.iter().any(is_other_sheet) && run.sheet.is_some() {
        reading.sheet.clone_from(&run.sheet);
    }
    reading
}

/// What to do about rejected rows that their rejects do not have any more; the command that imports their sheet follows.
pub(in crate::cli) const NOT_IN_REJECTS: &str =
    "not in the rejects any more; delete such rows from the sheet, or write rejects again";

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
    let counts = Outcome::REJECTED.map(|outcome| (outcomes.count(outcome), outcome.words()));
    let parts = nonzero_counts(counts, ", ");
    (!parts.is_empty()).then(|| format!("{parts} in {file}"))
}
