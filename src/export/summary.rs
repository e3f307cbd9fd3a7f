//! What an export came to, in the public keys of `export --json`.

use serde::Serialize;

use crate::dispatch::RequestCounts;
use crate::export::{ExportOutcome, OtherAddress, PartialReason, ResultTotals, StatusCounts};
use crate::model::Team;

/// An export in numbers.
#[derive(Clone, Debug, Serialize)]
pub struct ExportReport {
    command: &'static str,
    profile: String,
    team: Option<Team>,
    measurements: u64,
    by_status: StatusReportCounts,
    completed: u64,
    open: u64,
    rejected: u64,
    totals: TotalsReport,
    refreshed: u64,
    changed: u64,
    partial: Option<PartialReport>,
    requests: ExportRequestsReport,
    written: Option<String>,
    sealed: Option<u64>,
    billed_elsewhere: u64,
    adjustments: u64,
    adjustments_waiting: u64,
    conflicts: u64,
    other_addresses: Vec<OtherAddress>,
    exit_code: u8,
}

/// What a summary is made of besides the export itself.
#[derive(Clone, Debug)]
pub struct ExportReportContext {
    /// The profile.
    pub profile: String,
    /// The team, where it is known.
    pub team: Option<Team>,
    /// Requests sent.
    pub counts: RequestCounts,
    /// Measurements that were asked for again and answered.
    pub refreshed: u64,
    /// Results that are no longer what they were.
    pub changed: u64,
    /// Why the knowledge is partial, if it is.
    pub partial: Option<PartialReason>,
    /// Rows of the user's own sheet whose ids have the measurement of another house.
    pub conflicts: u64,
    /// How it ends.
    pub exit_code: u8,
}

/// The summary of an export.
pub fn summary(exported: &ExportOutcome, facts: ExportReportContext) -> ExportReport {
    let written = exported.written.as_ref();
    ExportReport {
        command: "export",
        profile: facts.profile,
        team: facts.team,
        measurements: exported.by_status.total(),
        by_status: StatusReportCounts(exported.by_status),
        completed: exported.completed,
        open: exported.open,
        rejected: exported.rejected,
        totals: TotalsReport::of(&exported.totals),
        refreshed: facts.refreshed,
        changed: facts.changed,
        partial: facts.partial.map(|partial| PartialReport {
            not_asked: partial.not_asked,
            reason: partial.reason,
        }),
        requests: ExportRequestsReport::of(facts.counts),
        written: written.map(|path| path.display().to_string()),
        sealed: exported.sealed,
        billed_elsewhere: exported.billed_elsewhere,
        adjustments: exported.adjusted,
        adjustments_waiting: exported.waiting,
        conflicts: facts.conflicts,
        other_addresses: exported.other_addresses.clone(),
        exit_code: facts.exit_code,
    }
}

/// Lines by state, in the order in which they are shown.
#[derive(Clone, Debug)]
struct StatusReportCounts(StatusCounts);

impl Serialize for StatusReportCounts {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter())
    }
}

/// The sums of completed measurements.
#[derive(Clone, Debug, Serialize)]
pub struct TotalsReport {
    gutter_length_ft: f64,
    corner_count: u64,
    downspout_count: u64,
    downspout_length_ft: f64,
}

impl TotalsReport {
    /// The sums under their public names.
    pub fn of(totals: &ResultTotals) -> Self {
        Self {
            gutter_length_ft: totals.gutter_length.value(),
            corner_count: totals.corners,
            downspout_count: totals.downspouts,
            downspout_length_ft: totals.downspout_length.value(),
        }
    }
}

#[derive(Clone, Debug, Serialize)]
struct PartialReport {
    not_asked: u64,
    reason: String,
}

#[derive(Clone, Copy, Debug, Serialize)]
struct ExportRequestsReport {
    total: u64,
    get: u64,
    retried: u64,
    rate_limited: u64,
}

impl ExportRequestsReport {
    fn of(counts: RequestCounts) -> Self {
        Self {
            total: counts.total(),
            get: counts.get,
            retried: counts.retried,
            rate_limited: counts.rate_limited,
        }
    }
}
