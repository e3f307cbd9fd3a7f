//! The states of the rows of one file.

use std::path::Path;

use serde::Serialize;

use crate::cli::CommandError;
use crate::cli::context::Context;
use crate::cli::reading::{FileArgs, ReadingArgs};
use crate::cli::status::report::StatusReport;
use crate::import::{self, CheckResult, ImportOptions};
use crate::journal;
use crate::model::{Outcome, Outcomes, Status, TableSource, counted, nonzero_counts};

/// The outcomes of the rows of a file, and the ids to look up in the journal.
#[derive(Debug)]
pub(super) struct FileRows {
    name: String,
    /// The table as the journal knows it.
    pub(super) source: TableSource,
    outcomes: Outcomes,
    pub(super) ids: Vec<String>,
}

/// The number of rows of a file in each state.
#[derive(Debug, Serialize)]
pub(super) struct RowsReport {
    pub(super) file: String,
    pub(super) total: u64,
    /// Not sent; the next import sends them.
    not_sent: u64,
    /// Sent, without a recorded response.
    unanswered: u64,
    /// Requested and not yet measured.
    waiting: u64,
    complete: u64,
    canceled: u64,
    invalid: u64,
    refused: u64,
    conflict: u64,
    /// Not sent, because the house was requested under another id.
    same_house: u64,
    duplicate: u64,
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
        let file = FileArgs {
            file: file.to_owned(),
        };
        let input = reading.with_remembered_reading(&file, context)?;
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
            name: file.file.display().to_string(),
            source: checked.source,
            outcomes: plan.rows.outcomes(),
            ids: own.chain(corrected).collect(),
        })
    }

    /// Combines the outcomes with the states in the journal.
    pub(super) fn report(&self, report: &StatusReport) -> RowsReport {
        let of = |outcome| self.outcomes.count(outcome);
        let unanswered = report.overview.unanswered;
        RowsReport {
            file: self.name.clone(),
            total: self.outcomes.total(),
            not_sent: of(Outcome::Pending).saturating_sub(unanswered),
            unanswered,
            waiting: report.with_status(Status::Pending) + report.with_status(Status::InProgress),
            complete: report.with_status(Status::Complete),
            canceled: report.with_status(Status::Canceled),
            invalid: of(Outcome::Invalid),
            refused: of(Outcome::Refused),
            conflict: of(Outcome::Conflict),
            same_house: of(Outcome::SameHouse),
            duplicate: of(Outcome::Duplicate),
        }
    }
}

impl RowsReport {
    /// Number of rows that the next import sends.
    pub(super) fn unsent(&self) -> u64 {
        self.not_sent + self.unanswered
    }

    /// Numbers of rows that a person must look at: invalid, refused, in conflict, of the same house.
    pub(super) fn rejected(&self) -> [u64; 4] {
        [self.invalid, self.refused, self.conflict, self.same_house]
    }

    /// The report in one line.
    pub(super) fn text(&self) -> String {
        let parts = [
            (self.not_sent, "not sent yet"),
            (self.unanswered, "sent and not answered yet"),
            (self.waiting, "waiting at the contractor"),
            (self.complete, "complete"),
            (self.canceled, "canceled"),
            (self.invalid, "invalid"),
            (self.refused, "refused"),
            (self.conflict, "in conflict"),
            (self.same_house, "of the same house as another, not sent"),
            (self.duplicate, "duplicate"),
        ];
        format!(
            "rows          {} in {}: {}",
            counted(self.total, "row"),
            self.file,
            nonzero_counts(parts, ", ")
        )
    }
}
