//! The states of the rows of one file.

use std::path::Path;

use serde::{Serialize, Serializer};
use serde_json::json;

use crate::cli::CommandError;
use crate::cli::context::Context;
use crate::cli::reading::ReadingArgs;
use crate::import::{self, CheckResult, ImportOptions};
use crate::journal::{self, JournalOverview};
use crate::model::{Outcome, OutcomeCounts, Status, TableSource, nonzero_counts, pluralize};

/// The outcomes of the rows of a file, and the ids to look up in the journal.
#[derive(Debug)]
pub(super) struct FileRows {
    name: String,
    /// The table as the journal knows it.
    pub(super) source: TableSource,
    outcomes: OutcomeCounts,
    pub(super) ids: Vec<String>,
}

/// The number of rows of a file in each state.
#[derive(Debug)]
pub(super) struct RowsReport {
    pub(super) file: String,
    pub(super) outcomes: OutcomeCounts,
    /// Number of rows that the next import sends.
    pub(super) unsent: u64,
    /// Each state as its key in the document, with the number of rows and in words.
    states: Vec<(&'static str, u64, &'static str)>,
}

impl FileRows {
    /// Reads a file with the reading flags of its last import.
    ///
    /// # Errors
    /// As `check`.
    pub(super) fn read(
        file: &Path,
        reading: &mut ReadingArgs,
        context: &Context,
    ) -> Result<Self, CommandError> {
        let input = reading.with_remembered_reading(file, context)?;
        let checked = import::check(&input, |_| {})?;
        let index = journal::read_index(&context.journal_path())?;
        let plan = import::plan(&input, &checked, &index, &ImportOptions::default())?;
        // Each row counts once: the id of a row in conflict belongs to the measurement of another row or house.
        let counts_by_id = |index| {
            matches!(
                plan.rows.outcome(index),
                Outcome::Known | Outcome::Pending | Outcome::Created | Outcome::Existing
            )
        };
        let rows = checked.rows.iter().enumerate();
        let own = rows.filter_map(|(index, row)| match &row.result {
            // A corrected row has the measurement of its correction.
            CheckResult::Valid { external_id, .. }
                if counts_by_id(index) && !plan.rows.corrected().contains_key(&index) =>
            {
                Some(external_id.to_string())
            }
            _ => None,
        });
        let corrected = plan.rows.corrected().values().cloned();
        Ok(Self {
            name: file.display().to_string(),
            source: checked.source,
            outcomes: plan.rows.outcomes(),
            ids: own.chain(corrected).collect(),
        })
    }

    /// Combines the outcomes with the states in the journal.
    pub(super) fn report(&self, overview: &JournalOverview) -> RowsReport {
        let of = |outcome| self.outcomes.count(outcome);
        let unanswered = overview.unanswered;
        let not_sent = of(Outcome::Pending).saturating_sub(unanswered);
        let waiting =
            overview.with_status(Status::Pending) + overview.with_status(Status::InProgress);
        let (complete, canceled) = (Status::Complete, Status::Canceled);
        let mut states = vec![
            ("not_sent", not_sent, "not sent yet"),
            ("unanswered", unanswered, "sent, no response yet"),
            ("waiting", waiting, "waiting at the contractor"),
            ("complete", overview.with_status(complete), "complete"),
            ("canceled", overview.with_status(canceled), "canceled"),
        ];
        let not_requested = Outcome::REJECTED.into_iter().chain([Outcome::Duplicate]);
        states.extend(not_requested.map(|outcome| (outcome.name(), of(outcome), outcome.words())));
        RowsReport {
            file: self.name.clone(),
            outcomes: self.outcomes,
            unsent: not_sent + unanswered,
            states,
        }
    }
}

impl RowsReport {
    /// The report in one line.
    pub(super) fn text(&self) -> String {
        let states = self.states.iter().map(|(_, rows, words)| (*rows, *words));
        format!(
            "rows          {} in {}: {}",
            pluralize(self.outcomes.total(), "row"),
            self.file,
            nonzero_counts(states, ", ")
        )
    }
}

impl Serialize for RowsReport {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let states = self.states.iter().map(|(key, rows, _)| (*key, json!(rows)));
        let table = [
            ("file", json!(self.file)),
            ("total", json!(self.outcomes.total())),
        ];
        serializer.collect_map(table.into_iter().chain(states))
    }
}
