//! The sheet `Adjustments`: one row for each figure that changed after it was billed.

use crate::export::Adjustment;
use crate::export::column_value::ColumnValue;
use crate::export::columns::{ADDRESS, CUSTOMER, EXTERNAL_ID, MEASUREMENT};
use crate::export::result_column::ColumnKind;
use crate::export::workbook::sheet_layout::SheetColumn;

pub(super) const NAME: &str = "Adjustments";

pub(super) fn columns() -> Vec<SheetColumn> {
    vec![
        EXTERNAL_ID.into(),
        CUSTOMER.into(),
        SheetColumn::new(ADDRESS.header, ColumnKind::Prose, 44),
        SheetColumn::new("Billed in", ColumnKind::Count, 8),
        SheetColumn::new("Reason", ColumnKind::Text, 16),
        SheetColumn::new("Figure", ColumnKind::Text, 24),
        SheetColumn::new("Old", ColumnKind::Mixed, 12),
        SheetColumn::new("New", ColumnKind::Mixed, 12),
        SheetColumn::new("Difference", ColumnKind::Mixed, 12),
        MEASUREMENT.into(),
    ]
}

/// Returns the rows of an adjusted measurement.
pub(super) fn rows(adjustment: &Adjustment) -> impl Iterator<Item = [ColumnValue<'_>; 10]> {
    adjustment.changes().map(|change| {
        [
            (&adjustment.external_id).into(),
            (&adjustment.customer).into(),
            (&adjustment.address).into(),
            adjustment.billed_in.into(),
            adjustment.reason.name().into(),
            change.figure.into(),
            change.old.into(),
            change.new.into(),
            change.difference.into(),
            (&adjustment.measurement_id).into(),
        ]
    })
}
