//! `Downspouts`: one line a downspout of a completed measurement.

use crate::export::ResultLine;
use crate::export::workbook::cell::OutputCell;
use crate::export::workbook::plan::{OutputColumn, column};
use crate::export::workbook::style::ColumnKind;

pub(in crate::export) const NAME: &str = "Downspouts";

pub(super) const COLUMNS: [OutputColumn; 7] = [
    column("External id", ColumnKind::Prose, 40),
    column("Address", ColumnKind::Prose, 44),
    column("No.", ColumnKind::Count, 6),
    column("Length (ft)", ColumnKind::Feet, 12),
    column("Floors", ColumnKind::Count, 8),
    column("Size (in)", ColumnKind::Plain, 8),
    column("Measurement", ColumnKind::Text, 44),
];

/// The rows of a completed line, numbered from 1.
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
