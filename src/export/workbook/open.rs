//! `Open`: what is requested and not final, or canceled, or no longer found.

use crate::export::ResultLine;
use crate::export::marks::{Note, ResultMark};
use crate::export::workbook::cell::OutputCell;
use crate::export::workbook::plan::{OutputColumn, column};
use crate::export::workbook::row_mark::RowMark;
use crate::export::workbook::style::ColumnKind;

pub(in crate::export) const NAME: &str = "Open";

pub(super) const COLUMNS: [OutputColumn; 14] = [
    column("External id", ColumnKind::Prose, 40),
    column("Customer", ColumnKind::Prose, 28),
    column("Address", ColumnKind::Prose, 34),
    column("City", ColumnKind::Prose, 20),
    column("Region", ColumnKind::Text, 8),
    column("Postal code", ColumnKind::Text, 10),
    column("Country", ColumnKind::Text, 8),
    column("Status", ColumnKind::Text, 14),
    column("Requested", ColumnKind::Moment, 22),
    column("Updated", ColumnKind::Moment, 22),
    column("Request", ColumnKind::Link, 44),
    column("Measurement", ColumnKind::Text, 44),
    column("Source file", ColumnKind::Text, 32),
    column("Source row", ColumnKind::Count, 10),
];

const ADDRESS: u16 = 2;
const STATUS: u16 = 7;

/// The row of a line.
pub(super) fn row(line: &ResultLine) -> [OutputCell<'_>; 14] {
    let address = &line.measurement.address;
    let request = &line.measurement.request;
    [
        OutputCell::text(&line.external_id),
        OutputCell::text(line.customer()),
        OutputCell::text(line.street()),
        OutputCell::text(&address.city),
        OutputCell::text(&address.region),
        OutputCell::text(&address.postal_code),
        OutputCell::text(&address.country),
        OutputCell::text(line.status()),
        OutputCell::Moment(line.measurement.created_at),
        OutputCell::Moment(line.measurement.updated_at),
        OutputCell::link(&request.id, request.url.as_deref()),
        OutputCell::text(&line.measurement.id),
        OutputCell::text(line.source.file_name()),
        OutputCell::Count(line.row.0.into()),
    ]
}

/// Where a line's marks show: at the address for a wrong place, else at the status.
pub(super) fn mark(notes: &[Note]) -> Option<RowMark> {
    let of_place = |mark: &ResultMark| {
        matches!(
            mark,
            ResultMark::PlacedElsewhere | ResultMark::SameRoof | ResultMark::AddressDiffers
        )
    };
    let placed = notes.iter().any(|(mark, _)| of_place(mark));
    RowMark::of(notes, if placed { ADDRESS } else { STATUS })
}
