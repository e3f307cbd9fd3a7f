//! What an export did.

use std::path::PathBuf;

use crate::dispatch::RequestCounts;
use crate::export::{
    FigureTotals, ImageSummary, PartialReason, RefreshSummary, ResultStatistics, RowCounts,
    UnreportedSeal,
};
use crate::journal::LastRun;
use crate::model::Team;
use crate::sheet::rewrite::RewriteNote;

/// What an export did.
#[derive(Debug, Default)]
pub struct ExportSummary {
    /// The team that the measurements belong to, if it is known.
    pub team: Option<Team>,
    /// What was requested again.
    pub refreshed: RefreshSummary,
    /// Why some measurements may be out of date, if any.
    pub partial: Option<PartialReason>,
    /// Requests sent.
    pub counts: RequestCounts,
    /// Images that were downloaded; `None` if the export has links only.
    pub images: Option<ImageSummary>,
    /// Counts and totals of its measurements.
    pub statistics: ResultStatistics,
    /// The file; `None` if the export was written to a stream, or nothing was written.
    pub written: Option<PathBuf>,
    /// The number of a sealed export.
    pub sealed: Option<u64>,
    /// The sealed exports of earlier runs that ended before they reported them, and whose files are there now.
    pub delivered: Vec<UnreportedSeal>,
    /// The sealed exports of earlier runs whose files were never written.
    pub undelivered: Vec<UnreportedSeal>,
    /// Measurements that a sealed export does not bill because the user stated that they were billed elsewhere.
    pub billed_elsewhere: u64,
    /// Measurements that were completed before the period of a sealed export and are not billed.
    pub unbilled_before_period: u64,
    /// Measurements that were completed after it and are not billed.
    pub unbilled_after_period: u64,
    /// The newest imports that left rows to the next one, which a sealed export cannot bill.
    pub pending: Vec<LastRun>,
    /// Requests without an answer, of which a sealed export bills nothing.
    pub unanswered: u64,
    /// The number of billed measurements that it adjusts.
    pub adjusted: u64,
    /// The net of those adjustments.
    pub adjustment_totals: Option<FigureTotals>,
    /// Billed measurements that changed and that this export does not adjust, because only workbooks list adjustments.
    pub waiting: u64,
    /// The rows of the user's own sheet.
    pub row_counts: RowCounts,
    /// Where the copy of the user's own sheet differs from it.
    pub notes: Vec<RewriteNote>,
}

impl ExportSummary {
    /// What an export did whose file has not been written yet.
    pub(super) fn new(statistics: ResultStatistics) -> Self {
        Self {
            statistics,
            ..Self::default()
        }
    }
}
