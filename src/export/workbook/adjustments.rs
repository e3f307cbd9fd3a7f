//! `Adjustments`: figures that changed after they were billed, old and new side by side.

use crate::export::Adjustment;
use crate::export::workbook::cell::OutputCell;
use crate::export::workbook::plan::{OutputColumn, column};
use crate::export::workbook::style::ColumnKind;

pub(super) const NAME: &str = "Adjustments";

pub(super) const COLUMNS: [OutputColumn; 10] = [
    column("External id", ColumnKind::Prose, 40),
    column("Customer", ColumnKind::Prose, 28),
    column("Address", ColumnKind::Prose, 44),
    column("Billed in", ColumnKind::Count, 8),
    column("Reason", ColumnKind::Text, 16),
    column("Figure", ColumnKind::Text, 24),
    column("Old", ColumnKind::Plain, 12),
    column("New", ColumnKind::Plain, 12),
    column("Difference", ColumnKind::Plain, 12),
    column("Measurement", ColumnKind::Text, 44),
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
