//! The journal becomes results: refreshed, rendered, written, sealed.
//!
//! [`ExportResults`] is what every format renders: a stream of [`ResultLine`]s that can be walked as often as needed, so that
//! memory does not grow with measurements. What a file holds is a pure function of it: the same journal gives the same
//! bytes.

mod adjustment;
mod column_value;
mod columns;
mod csv;
mod customer_sheet;
mod error;
mod feet;
mod format;
mod images;
mod json;
mod line;
mod marks;
mod ndjson;
mod output_file;
mod period;
mod protected_file;
mod read_ahead;
mod refresh;
mod render;
mod restore;
mod result_column;
mod results;
mod run;
mod sealed;
mod summary;
mod survey;
mod typed;
mod undeclared_billing;
mod workbook;

pub use adjustment::{Adjustment, AdjustmentReason, FigureChange};
pub use column_value::ExcelSafe;
pub use customer_sheet::{CustomerRow, CustomerSheet, to_customer_sheet};
pub use error::Error;
pub use feet::Feet;
pub use format::ExportFormat;
pub use images::{FetchedImages, ImageFetching, ImageRequest, fetch, pictures_of};
pub use line::{BilledFigures, BillingState, ResultLine};
pub use marks::{Note, ResultMark, SharedLocations, notes};
pub use output_file::{OutputFile, PreparedOutput, WrittenOutput};
pub use period::{CompletionPeriod, ZoneName};
pub use protected_file::{ProtectedFile, REHEARSAL_TEAM, refuse_protected};
pub use refresh::{
    RefreshCandidate, RefreshOutcome, RefreshPolicy, RefreshPriority, RoundPauses, ask,
    refresh_candidates, wait_complete, wanted,
};
pub use render::{Rendering, render};
pub use restore::{RestoreSummary, restore};
pub use results::{
    BilledLines, ExportContext, ExportResults, LineSelection, LineUse, PartialReason,
};
pub use run::{ExportOptions, ExportOutcome, UnsealedExport, pictures_wanted, to_place, to_stream};
pub use sealed::{
    OutputClaim, PreparedSeal, SealCandidate, SealDelivery, SealedFile, again, deliver_undelivered,
    delivered, prepare,
};
pub use summary::{ExportReport, ExportReportContext, TotalsReport, summary};
pub use survey::{OtherAddress, ResultSurvey, ResultTotals, StatusCounts};
pub use undeclared_billing::{EarlierMeasurement, ReplacedDeclaration, UndeclaredBilling};
pub use workbook::SheetLimits;
