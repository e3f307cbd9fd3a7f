//! `Rejected`: rows that became no measurement of theirs.

use crate::export::columns::{ADDRESS, CUSTOMER, EXTERNAL_ID, SOURCE_FILE, SOURCE_ROW};
use crate::export::result_column::ColumnKind;
use crate::export::workbook::cell::OutputCell;
use crate::export::workbook::plan::{OutputColumn, column, sheet_column};
use crate::journal::RejectedRow;

pub(super) const NAME: &str = "Rejected";

pub(super) static COLUMNS: [OutputColumn; 7] = [
    sheet_column(&SOURCE_FILE),
    sheet_column(&SOURCE_ROW),
    sheet_column(&EXTERNAL_ID),
    sheet_column(&CUSTOMER),
    column(ADDRESS.header, ColumnKind::Prose, 44),
    column("Outcome", ColumnKind::Text, 12),
    column("Error", ColumnKind::Prose, 60),
];

/// The row of a rejected row.
pub(super) fn row(rejected: &RejectedRow) -> [OutputCell<'_>; 7] {
    [
        OutputCell::text(rejected.source.file_name()),
        OutputCell::Count(rejected.row.0.into()),
        OutputCell::maybe(rejected.external_id.as_deref()),
        OutputCell::maybe(rejected.customer.as_deref()),
        OutputCell::maybe(rejected.address.as_deref()),
        OutputCell::text(rejected.outcome.name()),
        OutputCell::text(&rejected.error),
    ]
}
