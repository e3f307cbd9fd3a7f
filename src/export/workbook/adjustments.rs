//! `Adjustments`: figures that changed after they were billed, old and new side by side.

use crate::export::Adjustment;
use crate::export::columns::{ADDRESS, CUSTOMER, EXTERNAL_ID, MEASUREMENT};
use crate::export::result_column::ColumnKind;
use crate::export::workbook::cell::OutputCell;
use crate::export::workbook::plan::{OutputColumn, column, sheet_column};

pub(super) const NAME: &str = "Adjustments";

pub(super) static COLUMNS: [OutputColumn; 10] = [
    sheet_column(&EXTERNAL_ID),
    sheet_column(&CUSTOMER),
    column(ADDRESS.header, ColumnKind::Prose, 44),
    column("Billed in", ColumnKind::Count, 8),
    column("Reason", ColumnKind::Text, 16),
    column("Figure", ColumnKind::Text, 24),
    column("Old", ColumnKind::Mixed, 12),
    column("New", ColumnKind::Mixed, 12),
    column("Difference", ColumnKind::Mixed, 12),
    sheet_column(&MEASUREMENT),
];

/// One row a figure that changed.
pub(super) fn rows(adjustment: &Adjustment) -> impl Iterator<Item = [OutputCell<'_>; 10]> {
    adjustment.changes().map(|change| {
        [
            OutputCell::text(&adjustment.external_id),
            OutputCell::text(&adjustment.customer),
            OutputCell::text(&adjustment.address),
            OutputCell::Count(adjustment.billed_in),
            OutputCell::text(adjustment.reason.name()),
            OutputCell::text(change.figure),
            OutputCell::number(change.old),
            OutputCell::number(change.new),
            OutputCell::Number(change.difference),
            OutputCell::text(&adjustment.measurement_id),
        ]
    })
}
