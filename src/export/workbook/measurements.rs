//! `Measurements`: one line a completed measurement.

use crate::export::ResultLine;
use crate::export::marks::{Note, ResultMark};
use crate::export::workbook::cell::OutputCell;
use crate::export::workbook::plan::{OutputColumn, column};
use crate::export::workbook::row_mark::RowMark;
use crate::export::workbook::style::ColumnKind;

pub(in crate::export) const NAME: &str = "Measurements";

pub(super) const COLUMNS: [OutputColumn; 20] = [
    column("External id", ColumnKind::Prose, 40),
    column("Customer", ColumnKind::Prose, 28),
    column("Address", ColumnKind::Prose, 34),
    column("City", ColumnKind::Prose, 20),
    column("Region", ColumnKind::Text, 8),
    column("Postal code", ColumnKind::Text, 10),
    column("Country", ColumnKind::Text, 8),
    column("Completed", ColumnKind::Moment, 22),
    column("Gutter length (ft)", ColumnKind::Feet, 12),
    column("Gutter size (in)", ColumnKind::Plain, 8),
    column("Corners", ColumnKind::Count, 8),
    column("Downspouts", ColumnKind::Count, 8),
    column("Downspout length (ft)", ColumnKind::Feet, 12),
    column("Installer message", ColumnKind::Prose, 44),
    column("Images", ColumnKind::Count, 8),
    column("Measurement", ColumnKind::Text, 44),
    column("Request", ColumnKind::Link, 44),
    column("Source file", ColumnKind::Text, 32),
    column("Source row", ColumnKind::Count, 10),
    column("Sealed", ColumnKind::Count, 8),
];

const ADDRESS: u16 = 2;
const DOWNSPOUT_LENGTH: u16 = 12;

/// The row of a completed line; none for one that is not.
pub(super) fn row(line: &ResultLine) -> Option<[OutputCell<'_>; 20]> {
    let (result, completed_at) = line.completed()?;
    let address = &line.measurement.address;
    let request = &line.measurement.request;
    Some([
        OutputCell::text(&line.external_id),
        OutputCell::text(line.customer()),
        OutputCell::text(line.street()),
        OutputCell::text(&address.city),
        OutputCell::text(&address.region),
        OutputCell::text(&address.postal_code),
        OutputCell::text(&address.country),
        OutputCell::Moment(completed_at),
        OutputCell::Number(result.gutter_length_ft),
        OutputCell::number(result.gutter_size_in),
        OutputCell::Count(result.corner_count.into()),
        OutputCell::Count(result.downspout_count.into()),
        OutputCell::Number(result.downspout_length_ft),
        OutputCell::maybe(result.installer_message.as_deref()),
        OutputCell::Count(result.asset_pack.len() as u64),
        OutputCell::text(&line.measurement.id),
        OutputCell::link(&request.id, request.url.as_deref()),
        OutputCell::text(line.source.file_name()),
        OutputCell::Count(line.row.0.into()),
        line.sealed().map_or(OutputCell::Nothing, OutputCell::Count),
    ])
}

/// Where a line's marks show: at the total that does not match, else at the address.
pub(super) fn mark(notes: &[Note]) -> Option<RowMark> {
    let mismatch = notes.iter().any(|(mark, _)| *mark == ResultMark::Mismatch);
    RowMark::of(notes, if mismatch { DOWNSPOUT_LENGTH } else { ADDRESS })
}
