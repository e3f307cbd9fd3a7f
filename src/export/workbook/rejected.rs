//! `Rejected`: rows that became no measurement of theirs.

use crate::export::workbook::cell::OutputCell;
use crate::export::workbook::plan::{OutputColumn, column};
use crate::export::workbook::style::ColumnKind;
use crate::journal::RejectedRow;

pub(super) const NAME: &str = "Rejected";

pub(super) const COLUMNS: [OutputColumn; 7] = [
    column("Source file", ColumnKind::Text, 32),
    column("Source row", ColumnKind::Count, 10),
    column("External id", ColumnKind::Prose, 40),
    column("Customer", ColumnKind::Prose, 28),
    column("Address", ColumnKind::Prose, 44),
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
