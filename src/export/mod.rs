//! The use case `export`: requests measurements again, and writes or seals the results.
//!
//! [`ExportRun`] is a whole export; the other items are its parts.
//!
//! [`ExportResults`] is the input of every format: a stream of [`ResultRecord`]s that can be read as often as needed, so
//! that memory does not grow with measurements. The same journal gives the same bytes.

mod adjustment;
mod column_value;
mod columns;
mod csv;
mod customer_sheet;
mod error;
mod export_format;
mod export_summary;
mod feet;
mod figure_totals;
mod images;
mod job;
mod json;
mod options;
mod output_file;
mod period;
mod protected_file;
mod read_ahead;
mod record_parser;
mod refresh;
mod render;
mod restore;
mod result_column;
mod result_record;
mod results;
mod review;
mod run;
mod sealed;
mod statistics;
mod undeclared_billing;
mod unsealed_export;
mod workbook;

pub use adjustment::{Adjustment, FigureChange};
pub use column_value::FormulaEscaping;
pub use customer_sheet::{CustomerRow, CustomerSheet, RowCounts, to_customer_sheet};
pub use error::Error;
pub use export_format::ExportFormat;
pub use export_summary::ExportSummary;
pub use feet::{Feet, feet_text};
pub use figure_totals::FigureTotals;
pub use images::{ExportedImage, FetchedImages, ImageExport, ImageSummary};
pub use job::{ExportJob, ExportNotice, ExportTarget, OverwritePolicy, UnreportedSeal};
pub use options::ExportOptions;
pub use output_file::{OutputFile, PreparedOutput};
pub use period::{CompletionPeriod, TimeZoneName};
pub use protected_file::{ProtectedFile, REHEARSAL_TEAM, is_of_a_rehearsal, refuse_protected};
pub use refresh::{CompletionWait, RefreshPolicy, RefreshProgress, RefreshSummary};
pub use render::{RenderOptions, render};
pub use restore::{RestoreSummary, restore};
pub use result_record::{BilledFigures, BillingState, ResultRecord};
pub use results::{
    BillingFilter, ExportContext, ExportResults, FilteredRecord, PartialReason, RecordFilter,
};
pub use review::{ReviewNote, ReviewReason, SharedLocations, review_notes};
pub use run::{ExportRun, WrittenExport};
pub use sealed::{
    PreparedSeal, SealPreparation, SealedFile, prepare_sealed_export, write_sealed_again,
};
pub use statistics::{OtherAddress, ResultStatistics, ResultTotals, StatusCounts};
pub use undeclared_billing::{UndeclaredBilling, UndeclaredMeasurement};
pub use unsealed_export::{UnsealedExport, to_file, to_stream};
pub use workbook::SheetLimits;
