//! The outcome of an export.

use std::path::PathBuf;

use crate::export::{OtherAddress, ResultSurvey, ResultTotals, StatusCounts, WrittenOutput};
use crate::sheet::UnsyncedFolder;

/// What came of it.
#[derive(Clone, Debug, PartialEq)]
pub struct ExportOutcome {
    /// The lines of the file, by state.
    pub by_status: StatusCounts,
    /// The completed ones.
    pub completed: u64,
    /// Their sums.
    pub totals: ResultTotals,
    /// What is not final, or canceled.
    pub open: u64,
    /// Rows that became no measurement of theirs.
    pub rejected: u64,
    /// Lines that the service no longer finds, in the file or not.
    pub not_found: u64,
    /// Lines whose newest answer has another house's address, in the file or not.
    pub address_differs: u64,
    /// The first of them.
    pub other_addresses: Vec<OtherAddress>,
    /// The file; none where the export went to a stream, or nothing was written.
    pub written: Option<PathBuf>,
    /// The file's folder, where it could not be synced.
    pub unsynced: Option<UnsyncedFolder>,
    /// Why the journal could not note that the sealed file is in its place, if it could not. The next run does.
    pub unnoted: Option<String>,
    /// The number, for a sealed export.
    pub sealed: Option<u64>,
    /// Measurements that a sealed export leaves out, since the user said that they were billed elsewhere.
    pub billed_elsewhere: u64,
    /// Measurements that were completed before the period of a sealed export and are not billed.
    pub unbilled_before_period: u64,
    /// How many billed measurements it adjusts.
    pub adjusted: u64,
    /// Billed measurements that changed and wait for a sealed workbook, since other formats have no place for them.
    pub waiting: u64,
}

impl ExportOutcome {
    /// The outcome of an export whose file has not been written yet.
    pub(super) fn new(survey: &ResultSurvey) -> Self {
        Self {
            by_status: survey.selected,
            completed: survey.measured,
            totals: survey.totals,
            open: survey.open,
            rejected: survey.rejected(),
            not_found: survey.all.not_found(),
            address_differs: survey.all.address_differs(),
            other_addresses: survey.other_addresses.clone(),
            written: None,
            unsynced: None,
            unnoted: None,
            sealed: None,
            billed_elsewhere: 0,
            unbilled_before_period: 0,
            adjusted: 0,
            waiting: 0,
        }
    }

    /// Adds the written file.
    pub(super) fn placed(self, placed: WrittenOutput) -> Self {
        Self {
            written: Some(placed.path),
            unsynced: placed.unsynced,
            ..self
        }
    }
}
