//! The report of `export --json`.

use std::path::Path;

use serde::Serialize;

use crate::dispatch::RequestCounts;
use crate::export::{CompletedExport, FigureTotals, OtherAddress, PartialReason, StatusCounts};
use crate::model::Team;

/// An export in numbers. Its fields are the public keys.
#[derive(Clone, Debug, Serialize)]
pub struct ExportReport {
    command: &'static str,
    profile: String,
    team: Option<Team>,
    measurements: u64,
    by_status: StatusCounts,
    completed: u64,
    open: u64,
    rejected: u64,
    totals: FigureTotals,
    refreshed: u64,
    changed: u64,
    partial: Option<PartialReason>,
    requests: RequestCounts,
    written: Option<String>,
    sealed: Option<u64>,
    billed_elsewhere: u64,
    unbilled_earlier: u64,
    unbilled_later: u64,
    adjustments: u64,
    adjustment_totals: Option<FigureTotals>,
    adjustments_waiting: u64,
    conflicts: u64,
    other_addresses: Vec<OtherAddress>,
    exit_code: u8,
}

impl ExportReport {
    /// Creates the report of a finished export to `path`, as typed. `conflicts` is the number of rows of the user's own
    /// sheet whose ids have the measurement of another house.
    pub fn new(
        completed: &CompletedExport,
        (profile, path): (String, &Path),
        conflicts: u64,
        exit_code: u8,
    ) -> Self {
        let outcome = &completed.outcome;
        let statistics = &outcome.statistics;
        let written = outcome.written.as_ref();
        Self {
            command: "export",
            profile,
            team: completed.team.clone(),
            measurements: statistics.selected.total(),
            by_status: statistics.selected,
            completed: statistics.completed,
            open: statistics.all.open(),
            rejected: statistics.rejected(),
            totals: statistics.totals.figures,
            refreshed: completed.refreshed.asked,
            changed: completed.refreshed.changed,
            partial: completed.partial.clone(),
            requests: completed.counts,
            written: written.map(|_| path.display().to_string()),
            sealed: outcome.sealed,
            billed_elsewhere: outcome.billed_elsewhere,
            unbilled_earlier: outcome.unbilled_before_period,
            unbilled_later: outcome.unbilled_after_period,
            adjustments: outcome.adjusted,
            adjustment_totals: outcome.adjustment_totals,
            adjustments_waiting: outcome.waiting,
            conflicts,
            other_addresses: statistics.other_addresses.clone(),
            exit_code,
        }
    }
}
