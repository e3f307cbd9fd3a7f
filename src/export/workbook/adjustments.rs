//! `Adjustments`: figures that changed after they were billed, old and new side by side.

use crate::export::Adjustment;
use crate::export::workbook::cell::Cell;
use crate::export::workbook::plan::{Column, column};
use crate::export::workbook::style::Kind;

pub(super) const NAME: &str = "Adjustments";

pub(super) const COLUMNS: [Column; 10] = [
    column("External id", Kind::Prose, 40),
    column("Customer", Kind::Prose, 28),
    column("Address", Kind::Prose, 44),
    column("Billed in", Kind::Count, 8),
    column("Reason", Kind::Text, 16),
    column("Figure", Kind::Text, 24),
    column("Old", Kind::Plain, 12),
    column("New", Kind::Plain, 12),
    column("Difference", Kind::Plain, 12),
    column("Measurement", Kind::Text, 44),
];

/// One row a figure that changed.
pub(super) fn rows(adjustment: &Adjustment) -> impl Iterator<Item = [Cell<'_>; 10]> {
    adjustment.changes().map(|change| {
        [
            Cell::text(&adjustment.external_id),
            Cell::text(&adjustment.customer),
            Cell::text(&adjustment.address),
            Cell::Count(adjustment.billed_in),
            Cell::text(adjustment.reason.name()),
            Cell::text(change.figure),
            Cell::number(change.old),
            Cell::number(change.new),
            Cell::Number(change.difference),
            Cell::text(&adjustment.measurement_id),
        ]
    })
}
