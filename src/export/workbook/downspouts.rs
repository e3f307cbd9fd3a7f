//! The sheet `Downspouts`: one row for each downspout of a completed measurement.

use crate::export::ResultLine;
use crate::export::columns::{ADDRESS, EXTERNAL_ID, MEASUREMENT};
use crate::export::result_column::ColumnKind;
use crate::export::workbook::cell::OutputCell;
use crate::export::workbook::plan::{OutputColumn, column, sheet_column};

pub(in crate::export) const NAME: &str = "Downspouts";

/// Headers that a restored journal finds its columns by.
pub(in crate::export) const LENGTH: &str = "Length (ft)";
pub(in crate::export) const FLOORS: &str = "Floors";
pub(in crate::export) const SIZE: &str = "Size (in)";

pub(super) static COLUMNS: [OutputColumn; 7] = [
    sheet_column(&EXTERNAL_ID),
    column(ADDRESS.header, ColumnKind::Prose, 44),
    column("No.", ColumnKind::Count, 6),
    column(LENGTH, ColumnKind::Feet, 12),
    column(FLOORS, ColumnKind::Count, 8),
    column(SIZE, ColumnKind::Inches, 8),
    sheet_column(&MEASUREMENT),
];

/// Returns the rows of a completed measurement, numbered from 1; none for any other.
pub(super) fn rows(line: &ResultLine) -> impl Iterator<Item = [OutputCell<'_>; 7]> {
    let downspouts = line
        .completed()
        .map(|(result, _)| result.downspouts.as_slice())
        .unwrap_or_default();
    downspouts.iter().zip(1..).map(|(downspout, number)| {
        [
            OutputCell::text(&line.external_id),
            OutputCell::text(line.street()),
            OutputCell::Count(number),
            OutputCell::Number(downspout.length_ft),
            OutputCell::Count(downspout.floors.into()),
            OutputCell::number(downspout.size_in),
            OutputCell::text(&line.measurement.id),
        ]
    })
}
