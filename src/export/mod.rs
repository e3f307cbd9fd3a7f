//! The use case `export`: requests measurements again, and writes or seals the results.
//!
//! [`ExportRun`] is a whole export; the other items are its parts.
//!
//! [`ExportResults`] is the input of every format: a stream of [`ResultLine`]s that can be read as often as needed, so
//! that memory does not grow with measurements. The same journal gives the same bytes.

mod adjustment;
mod column_value;
mod columns;
mod csv;
mod customer_sheet;
mod error;
mod feet;
mod format;
mod images;
mod job;
mod json;
mod line;
mod marks;
mod ndjson;
mod options;
mod outcome;
mod output_file;
mod period;
mod protected_file;
mod read_ahead;
mod refresh;
mod render;
mod report;
mod restore;
mod result_column;
mod results;
mod run;
mod sealed;
mod survey;
mod typed;
mod undeclared_billing;
mod unsealed;
mod workbook;

pub use adjustment::{Adjustment, AdjustmentReason, FigureChange};
pub use column_value::ExcelSafe;
pub use customer_sheet::{CustomerRow, CustomerSheet, to_customer_sheet};
pub use error::Error;
pub use feet::Feet;
pub use format::ExportFormat;
pub use images::{FetchedImages, ImageExport, ImageOutcome, ImageRequest};
pub use job::{ExportJob, ExportNotice, ExportTarget, OverwritePolicy};
pub use line::{BilledFigures, BillingState, ResultLine};
pub use marks::{Note, ResultMark, SharedLocations, notes};
pub use options::ExportOptions;
pub use outcome::ExportOutcome;
pub use output_file::{OutputFile, PreparedOutput, WrittenOutput};
pub use period::{CompletionPeriod, ZoneName};
pub use protected_file::{ProtectedFile, REHEARSAL_TEAM, refuse_protected};
pub use refresh::{
    CompletionWait, RefreshCandidate, RefreshConnection, RefreshOutcome, RefreshPolicy,
    RefreshPriority, RefreshProgress, RoundPauses,
};
pub use render::{Rendering, render};
pub use report::{ExportReport, TotalsReport};
pub use restore::{RestoreSummary, restore};
pub use results::{
    BilledLines, ExportContext, ExportResults, LineSelection, LineUse, PartialReason,
};
pub use run::{CompletedExport, ExportRun};
pub use sealed::{
    OutputClaim, PreparedSeal, SealCandidate, SealDelivery, SealedFile, again, deliver_undelivered,
    delivered, prepare,
};
pub use survey::{OtherAddress, ResultSurvey, ResultTotals, StatusCounts};
pub use undeclared_billing::{EarlierMeasurement, ReplacedDeclaration, UndeclaredBilling};
pub use unsealed::{UnsealedExport, to_place, to_stream};
pub use workbook::SheetLimits;
