//! The sheet `Rejected`: one row for each row of the user's files that has no measurement of its own.

use crate::export::column_value::ColumnValue;
use crate::export::columns::{ADDRESS, CUSTOMER, EXTERNAL_ID, SOURCE_FILE, SOURCE_ROW};
use crate::export::result_column::ColumnKind;
use crate::export::workbook::sheet_layout::SheetColumn;
use crate::journal::RejectedRow;

pub(super) const NAME: &str = "Rejected";

pub(super) fn columns() -> Vec<SheetColumn> {
    vec![
        SOURCE_FILE.into(),
        SOURCE_ROW.into(),
        EXTERNAL_ID.into(),
        CUSTOMER.into(),
        SheetColumn::new(ADDRESS.header, ColumnKind::Prose, 44),
        SheetColumn::new("Outcome", ColumnKind::Text, 12),
        SheetColumn::new("Error", ColumnKind::Prose, 60),
    ]
}

/// Returns the row of a rejected row.
pub(super) fn row(rejected: &RejectedRow) -> [ColumnValue<'_>; 7] {
    [
        rejected.source.file_name().into(),
        rejected.row.0.into(),
        rejected.external_id.as_ref().into(),
        rejected.customer.as_ref().into(),
        rejected.address.as_ref().into(),
        rejected.outcome.name().into(),
        (&rejected.error).into(),
    ]
}
