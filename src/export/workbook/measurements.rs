//! `Measurements`: one line a completed measurement.

use crate::export::ResultLine;
use crate::export::marks::{Mark, Note};
use crate::export::workbook::cell::Cell;
use crate::export::workbook::plan::{Column, column};
use crate::export::workbook::row_mark::RowMark;
use crate::export::workbook::style::Kind;

pub(in crate::export) const NAME: &str = "Measurements";

pub(super) const COLUMNS: [Column; 20] = [
    column("External id", Kind::Prose, 40),
    column("Customer", Kind::Prose, 28),
    column("Address", Kind::Prose, 34),
    column("City", Kind::Prose, 20),
    column("Region", Kind::Text, 8),
    column("Postal code", Kind::Text, 10),
    column("Country", Kind::Text, 8),
    column("Completed", Kind::Moment, 22),
    column("Gutter length (ft)", Kind::Feet, 12),
    column("Gutter size (in)", Kind::Plain, 8),
    column("Corners", Kind::Count, 8),
    column("Downspouts", Kind::Count, 8),
    column("Downspout length (ft)", Kind::Feet, 12),
    column("Installer message", Kind::Prose, 44),
    column("Images", Kind::Count, 8),
    column("Measurement", Kind::Text, 44),
    column("Request", Kind::Link, 44),
    column("Source file", Kind::Text, 32),
    column("Source row", Kind::Count, 10),
    column("Sealed", Kind::Count, 8),
];

const ADDRESS: u16 = 2;
const DOWNSPOUT_LENGTH: u16 = 12;

/// The row of a completed line; none for one that is not.
pub(super) fn row(line: &ResultLine) -> Option<[Cell<'_>; 20]> {
    let (result, completed_at) = line.completed()?;
    let address = &line.measurement.address;
    let request = &line.measurement.request;
    Some([
        Cell::text(&line.external_id),
        Cell::text(line.customer()),
        Cell::text(line.street()),
        Cell::text(&address.city),
        Cell::text(&address.region),
        Cell::text(&address.postal_code),
        Cell::text(&address.country),
        Cell::Moment(completed_at),
        Cell::Number(result.gutter_length_ft),
        Cell::number(result.gutter_size_in),
        Cell::Count(result.corner_count.into()),
        Cell::Count(result.downspout_count.into()),
        Cell::Number(result.downspout_length_ft),
        Cell::maybe(result.installer_message.as_deref()),
        Cell::Count(result.asset_pack.len() as u64),
        Cell::text(&line.measurement.id),
        Cell::link(&request.id, request.url.as_deref()),
        Cell::text(line.source.file_name()),
        Cell::Count(line.row.0.into()),
        line.sealed().map_or(Cell::Nothing, Cell::Count),
    ])
}

/// Where a line's marks show: at the total that does not match, else at the address.
pub(super) fn mark(notes: &[Note]) -> Option<RowMark> {
    let mismatch = notes.iter().any(|(mark, _)| *mark == Mark::Mismatch);
    RowMark::of(notes, if mismatch { DOWNSPOUT_LENGTH } else { ADDRESS })
}
