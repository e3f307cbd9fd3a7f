//! The report of `status`, as JSON and as text.

use std::path::PathBuf;

use jiff::Timestamp;
use serde_json::{Map, Value, json};

use crate::cli::console::Console;
use crate::cli::document::{CommandReport, report};
use crate::cli::settings::EffectiveSetting;
use crate::cli::status::budget::BudgetReport;
use crate::cli::status::rows::{FileRows, RowsReport};
use crate::cli::status::token::TokenReport;
use crate::cli::{ExitStatus, clock};
use crate::journal::{JournalOverview, LastRun, QuotaWindow, RunLimits};
use crate::model::{
    Account, Status, and_more, group_digits, json_time, nonzero_counts, pluralize, printable,
};

/// The maximum number of imports in the text.
const IMPORTS_SHOWN: usize = 5;

/// The maximum number of warnings in the text.
const WARNINGS_SHOWN: usize = 10;

/// The answer of `status`.
#[derive(Debug)]
pub(super) struct StatusReport<'a> {
    pub(super) profile: String,
    /// Without switches that are off by default.
    pub(super) settings: Vec<EffectiveSetting>,
    pub(super) config: PathBuf,
    pub(super) journal: PathBuf,
    pub(super) has_journal: bool,
    pub(super) token: TokenReport,
    pub(super) budget: BudgetReport,
    /// The file that the status is about, and its rows, if one was named.
    pub(super) file_rows: Option<&'a FileRows>,
    pub(super) rows: Option<RowsReport>,
    /// Without a journal, every number is 0.
    pub(super) overview: JournalOverview,
    /// Number of sealed exports that the journal does not know.
    pub(super) missing_seals: u64,
    /// Completes the commands.
    pub(super) console: &'a Console,
    pub(super) window: QuotaWindow,
    /// How fast requests are sent.
    pub(super) limits: RunLimits,
    pub(super) now: Timestamp,
}

impl StatusReport<'_> {
    fn requests(&self) -> [(&'static str, u64); 5] {
        let overview = &self.overview;
        [
            ("created", overview.created),
            ("existing", overview.existing),
            ("refused", overview.refused),
            ("conflict", overview.conflict),
            ("unanswered", overview.unanswered),
        ]
    }

    fn by_status(&self) -> [(&'static str, u64); 5] {
        [
            ("pending", self.overview.with_status(Status::Pending)),
            ("in_progress", self.overview.with_status(Status::InProgress)),
            ("complete", self.overview.with_status(Status::Complete)),
            ("canceled", self.overview.with_status(Status::Canceled)),
            ("not_found", self.overview.not_found),
        ]
    }

    /// Whether other sheets of the workbook were imported.
    pub(super) fn has_other_sheets(&self, run: &LastRun) -> bool {
        let mut runs = self.overview.last_runs.iter();
        runs.any(|other| other.file == run.file && other.sheet != run.sheet)
    }

    /// The sheet of a run, to be put behind the name of its file; empty if no other was imported.
    pub(super) fn sheet_name(&self, run: &LastRun) -> String {
        let sheet = run.sheet.as_deref().filter(|_| self.has_other_sheets(run));
        sheet.map_or_else(String::new, |sheet| format!(", sheet {}", printable(sheet)))
    }

    /// The document of `--json`.
    pub(super) fn document(&self) -> CommandReport {
        let overview = &self.overview;
        let binding = overview.binding.as_ref();
        let billed_elsewhere: Vec<Value> = overview
            .declarations
            .iter()
            .map(|one| json!({"until": one.text, "declared_at": json_time(one.declared_at)}))
            .collect();
        let mut measurements = keyed(&self.by_status());
        measurements.insert("billed".to_owned(), overview.billed.into());
        measurements.insert("unbilled".to_owned(), overview.unbilled.into());
        let needs: Vec<_> = self.needs().into_iter().flatten().collect();
        report! {"status", ExitStatus::Done;
            profile: self.profile,
            done: self.done().0,
            ends_at: self.ends().0.map(json_time),
            needs: needs,
            settings: self.settings,
            config: self.config.display().to_string(),
            journal: json!({"path": self.journal.display().to_string(), "exists": self.has_journal}),
            token: self.token,
            budget: self.budget,
            base_url: binding.map(|binding| &binding.base_url),
            team: binding.map(Account::team),
            app: binding.map(Account::app),
            rows: self.rows,
            requests: keyed(&self.requests()),
            measurements: measurements,
            sealed_exports: overview.sealed,
            billed_elsewhere: billed_elsewhere,
            warnings: overview.warnings,
            last_runs: overview.last_runs,
        }
    }

    /// The report as text; the settings follow separately.
    pub(super) fn text(&self) -> String {
        let overview = &self.overview;
        let mut lines = vec![
            format!("profile       {}", self.profile),
            match overview.binding.as_ref() {
                Some(binding) => format!(
                    "team          {} ({}) at {}",
                    binding.team_name, binding.team_id, binding.base_url
                ),
                None => "team          none yet: nothing was sent from this journal".to_owned(),
            },
        ];
        lines.extend(self.rows.as_ref().map(RowsReport::text));
        lines.push(format!("requests      {}", counts(&self.requests())));
        let of_them = match overview.not_found {
            0 => String::new(),
            not_found => format!("; {} of them not found", group_digits(not_found)),
        };
        let statuses = counts(&self.by_status()[..Status::ALL.len()]);
        lines.push(format!("measurements  {statuses}{of_them}"));
        lines.push(match overview.sealed {
            _ if overview.billed == 0 => "billed        nothing yet".to_owned(),
            sealed => format!(
                "billed        {} in {}",
                pluralize(overview.billed, "measurement"),
                pluralize(sealed, "sealed export")
            ),
        });
        if overview.unbilled > 0 {
            let unbilled = pluralize(overview.unbilled, "complete measurement");
            lines.push(format!("              {unbilled} not billed yet"));
        }
        lines.extend(overview.declarations.last().map(|declared| {
            format!(
                "              {} billed elsewhere; last declared {}: --billed-until {}",
                pluralize(overview.billed_elsewhere, "measurement"),
                clock::dated(declared.declared_at),
                declared.text
            )
        }));
        lines.push(format!("budget        {}", self.budget.text));
        lines.extend(self.warning_lines());
        let runs = &overview.last_runs;
        let shown = runs.iter().take(IMPORTS_SHOWN);
        lines.extend(shown.map(|run| self.last_run_text(run)));
        let more = and_more(runs.len().saturating_sub(IMPORTS_SHOWN) as u64);
        lines.extend(more.map(|more| format!("  {more}; `gutterbatch status --json` lists all")));
        lines.extend(self.places());
        lines.join("\n")
    }

    /// Where files are stored.
    fn places(&self) -> [String; 3] {
        let not_there = if self.has_journal {
            ""
        } else {
            " (not created yet)"
        };
        [
            format!("journal       {}{not_there}", self.journal.display()),
            self.token.text(),
            format!("settings      {}", self.config.display()),
        ]
    }

    /// The settings in effect, as the lines below the place of their file.
    pub(super) fn settings(&self) -> String {
        let settings = self.settings.iter().map(|setting| {
            format!(
                "\n  {:<18}{} ({})",
                setting.key,
                setting.value,
                setting.origin.name()
            )
        });
        settings.collect()
    }

    fn last_run_text(&self, last: &LastRun) -> String {
        let name = self.name(last);
        let Some(outcomes) = last.outcomes else {
            return format!("last import   {name}: {}", unfinished(last));
        };
        let counts = outcomes
            .iter()
            .map(|(outcome, rows)| (rows, outcome.name()));
        let counts = counts.chain([(last.corrected, "corrected since")]);
        format!("last import   {name}: {}", nonzero_counts(counts, ", "))
    }

    /// The number of warnings, and the first ones.
    fn warning_lines(&self) -> Vec<String> {
        let warnings = &self.overview.warnings;
        if warnings.is_empty() {
            return Vec::new();
        }
        let count = warnings.len() as u64;
        let mut lines = vec![format!("warnings      {}", pluralize(count, "row"))];
        let shown = warnings.iter().take(WARNINGS_SHOWN);
        lines.extend(shown.map(|one| format!("  {}: {}", one.external_id, one.message)));
        let more = and_more(count.saturating_sub(WARNINGS_SHOWN as u64));
        lines.extend(more.map(|more| format!("  {more}; `gutterbatch status --json` lists all")));
        lines
    }
}

/// Numbers by their keys, for the document.
fn keyed(counts: &[(&str, u64)]) -> Map<String, Value> {
    let counts = counts.iter();
    counts
        .map(|(key, count)| ((*key).to_owned(), (*count).into()))
        .collect()
}

/// The numbers that are not 0, by their keys, as text: `2 pending, 1 in progress`.
fn counts(counts: &[(&str, u64)]) -> String {
    let counts = counts.iter();
    let text = nonzero_counts(
        counts.map(|(key, count)| (*count, key.replace('_', " "))),
        ", ",
    );
    if text.is_empty() {
        "none".to_owned()
    } else {
        text
    }
}

/// What is known of an import without an end.
pub(super) fn unfinished(run: &LastRun) -> String {
    match run.unfinished.as_ref().and_then(|run| run.holder.as_ref()) {
        Some(holder) => format!("has not ended ({} uses the journal)", printable(holder)),
        None => "was interrupted: run the same command again to resume".to_owned(),
    }
}
