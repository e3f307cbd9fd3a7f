//! `Rejected`: rows that became no measurement of theirs.

use crate::export::workbook::cell::Cell;
use crate::export::workbook::plan::{Column, column};
use crate::export::workbook::style::Kind;
use crate::journal::RejectedRow;

pub(super) const NAME: &str = "Rejected";

pub(super) const COLUMNS: [Column; 7] = [
    column("Source file", Kind::Text, 32),
    column("Source row", Kind::Count, 10),
    column("External id", Kind::Prose, 40),
    column("Customer", Kind::Prose, 28),
    column("Address", Kind::Prose, 44),
    column("Outcome", Kind::Text, 12),
    column("Error", Kind::Prose, 60),
];

/// The row of a rejected row.
pub(super) fn row(rejected: &RejectedRow) -> [Cell<'_>; 7] {
    [
        Cell::text(rejected.source.file_name()),
        Cell::Count(rejected.row.0.into()),
        Cell::maybe(rejected.external_id.as_deref()),
        Cell::maybe(rejected.customer.as_deref()),
        Cell::maybe(rejected.address.as_deref()),
        Cell::text(rejected.outcome.name()),
        Cell::text(&rejected.error),
    ]
}
