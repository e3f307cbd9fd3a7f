//! `Downspouts`: one line a downspout of a completed measurement.

use crate::export::ResultLine;
use crate::export::workbook::cell::Cell;
use crate::export::workbook::plan::{Column, column};
use crate::export::workbook::style::Kind;

pub(in crate::export) const NAME: &str = "Downspouts";

pub(super) const COLUMNS: [Column; 7] = [
    column("External id", Kind::Prose, 40),
    column("Address", Kind::Prose, 44),
    column("No.", Kind::Count, 6),
    column("Length (ft)", Kind::Feet, 12),
    column("Floors", Kind::Count, 8),
    column("Size (in)", Kind::Plain, 8),
    column("Measurement", Kind::Text, 44),
];

/// The rows of a completed line, numbered from 1.
pub(super) fn rows(line: &ResultLine) -> impl Iterator<Item = [Cell<'_>; 7]> {
    let downspouts = line
        .completed()
        .map(|(result, _)| result.downspouts.as_slice())
        .unwrap_or_default();
    downspouts.iter().zip(1..).map(|(downspout, number)| {
        [
            Cell::text(&line.external_id),
            Cell::text(line.street()),
            Cell::Count(number),
            Cell::Number(downspout.length_ft),
            Cell::Count(downspout.floors.into()),
            Cell::number(downspout.size_in),
            Cell::text(&line.measurement.id),
        ]
    })
}
