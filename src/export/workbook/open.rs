//! `Open`: what is requested and not final, or canceled, or no longer found.

use crate::export::ResultLine;
use crate::export::marks::{Mark, Note};
use crate::export::workbook::cell::Cell;
use crate::export::workbook::plan::{Column, column};
use crate::export::workbook::row_mark::RowMark;
use crate::export::workbook::style::Kind;

pub(in crate::export) const NAME: &str = "Open";

pub(super) const COLUMNS: [Column; 14] = [
    column("External id", Kind::Prose, 40),
    column("Customer", Kind::Prose, 28),
    column("Address", Kind::Prose, 34),
    column("City", Kind::Prose, 20),
    column("Region", Kind::Text, 8),
    column("Postal code", Kind::Text, 10),
    column("Country", Kind::Text, 8),
    column("Status", Kind::Text, 14),
    column("Requested", Kind::Moment, 22),
    column("Updated", Kind::Moment, 22),
    column("Request", Kind::Link, 44),
    column("Measurement", Kind::Text, 44),
    column("Source file", Kind::Text, 32),
    column("Source row", Kind::Count, 10),
];

const ADDRESS: u16 = 2;
const STATUS: u16 = 7;

/// The row of a line.
pub(super) fn row(line: &ResultLine) -> [Cell<'_>; 14] {
    let address = &line.measurement.address;
    let request = &line.measurement.request;
    [
        Cell::text(&line.external_id),
        Cell::text(line.customer()),
        Cell::text(line.street()),
        Cell::text(&address.city),
        Cell::text(&address.region),
        Cell::text(&address.postal_code),
        Cell::text(&address.country),
        Cell::text(line.status()),
        Cell::Moment(line.measurement.created_at),
        Cell::Moment(line.measurement.updated_at),
        Cell::link(&request.id, request.url.as_deref()),
        Cell::text(&line.measurement.id),
        Cell::text(line.source.file_name()),
        Cell::Count(line.row.0.into()),
    ]
}

/// Where a line's marks show: at the address for a wrong place, else at the status.
pub(super) fn mark(notes: &[Note]) -> Option<RowMark> {
    let of_place = |mark: &Mark| {
        matches!(
            mark,
            Mark::PlacedElsewhere | Mark::SameRoof | Mark::AddressDiffers
        )
    };
    let placed = notes.iter().any(|(mark, _)| of_place(mark));
    RowMark::of(notes, if placed { ADDRESS } else { STATUS })
}
