//! The tables of the workbook except `Summary`: their names, columns and rows.

use crate::export::column_value::ColumnValue;
use crate::export::columns::{
    ADDRESS, CUSTOMER, DOWNSPOUT_LENGTH, EXTERNAL_ID, MEASUREMENT, MEASUREMENTS_COLUMNS,
    OPEN_COLUMNS, SOURCE_FILE, SOURCE_ROW,
};
use crate::export::result_column::ColumnKind;
use crate::export::review::{ReviewNote, ReviewReason};
use crate::export::workbook::table_definition::{CellHighlight, SheetColumn};
use crate::export::{Adjustment, FetchedImages, ResultRecord};
use crate::journal::RejectedRow;
use crate::model::Asset;

pub(in crate::export) const MEASUREMENTS: &str = "Measurements";
pub(in crate::export) const DOWNSPOUTS: &str = "Downspouts";
pub(super) const IMAGES: &str = "Images";
pub(in crate::export) const OPEN: &str = "Open";
pub(super) const REJECTED: &str = "Rejected";
pub(in crate::export) const ADJUSTMENTS: &str = "Adjustments";

/// Headers of `Downspouts` by which a restored journal finds its columns.
pub(in crate::export) const LENGTH: &str = "Length (ft)";
pub(in crate::export) const FLOORS: &str = "Floors";
pub(in crate::export) const SIZE: &str = "Size (in)";
/// Headers of `Adjustments` by which it finds what was billed.
pub(in crate::export) const BILLED_IN: &str = "Billed in";
pub(in crate::export) const FIGURE: &str = "Figure";
pub(in crate::export) const OLD: &str = "Old";

/// The index of the column of `Images` with addresses.
pub(super) const LINK_COLUMN: u16 = 2;
/// The index of the column of `Images` with pictures.
pub(super) const PICTURE_COLUMN: u16 = 5;

/// An address in one line.
const FULL_ADDRESS: (&str, ColumnKind, u16) = (ADDRESS.header, ColumnKind::WrappedText, 44);

/// Returns the row of a completed measurement in `Measurements`; `None` for any other.
pub(super) fn measurement(
    record: &ResultRecord,
) -> Option<[ColumnValue<'_>; MEASUREMENTS_COLUMNS.len()]> {
    record.valid_result()?;
    Some(MEASUREMENTS_COLUMNS.map(|column| column.value(record)))
}

/// Returns the highlight of a row of `Measurements`: the total that differs from the sum of its downspouts, otherwise the
/// address.
pub(super) fn measurement_highlight(notes: &[ReviewNote]) -> Option<CellHighlight> {
    let mut reasons = notes.iter().map(|(reason, _)| *reason);
    let column = if reasons.any(|reason| reason == ReviewReason::TotalMismatch) {
        DOWNSPOUT_LENGTH
    } else {
        ADDRESS
    };
    CellHighlight::new(notes, column.index_in(&MEASUREMENTS_COLUMNS))
}

/// Returns the row of a measurement in `Open`.
pub(super) fn open(record: &ResultRecord) -> [ColumnValue<'_>; OPEN_COLUMNS.len()] {
    OPEN_COLUMNS.map(|column| column.value(record))
}

/// Returns the highlight of a row of `Open`: its address.
pub(super) fn open_highlight(notes: &[ReviewNote]) -> Option<CellHighlight> {
    CellHighlight::new(notes, ADDRESS.index_in(&OPEN_COLUMNS))
}

pub(super) fn downspout_columns() -> Vec<SheetColumn> {
    vec![
        EXTERNAL_ID.into(),
        FULL_ADDRESS.into(),
        ("No.", ColumnKind::Count, 6).into(),
        (LENGTH, ColumnKind::Feet, 12).into(),
        (FLOORS, ColumnKind::Count, 8).into(),
        (SIZE, ColumnKind::Inches, 8).into(),
        MEASUREMENT.into(),
    ]
}

/// Returns the rows of a completed measurement in `Downspouts`, numbered from 1; none for any other.
pub(super) fn downspouts(record: &ResultRecord) -> impl Iterator<Item = [ColumnValue<'_>; 7]> {
    let result = record.valid_result().map(|(result, _)| result);
    let downspouts = result.into_iter().flat_map(|result| &result.downspouts);
    downspouts.zip(1_u64..).map(|(downspout, number)| {
        [
            (&record.external_id).into(),
            record.street().into(),
            number.into(),
            downspout.length_ft.into(),
            downspout.floors.into(),
            downspout.size_in.into(),
            (&record.measurement.id).into(),
        ]
    })
}

/// Returns the columns of `Images`; the last one only if there are pictures.
pub(super) fn image_columns(images: Option<&FetchedImages>) -> Vec<SheetColumn> {
    let mut columns = vec![
        EXTERNAL_ID.into(),
        ("Kind", ColumnKind::Text, 20).into(),
        ("Link", ColumnKind::Link, 84).into(),
        ("Type", ColumnKind::Text, 14).into(),
        MEASUREMENT.into(),
    ];
    columns.extend(images.map(|_| SheetColumn::from(("Picture", ColumnKind::Picture, 0))));
    columns
}

/// Returns the row of an image.
pub(super) fn image<'a>(record: &'a ResultRecord, asset: &'a Asset) -> [ColumnValue<'a>; 5] {
    [
        (&record.external_id).into(),
        (&asset.kind).into(),
        ColumnValue::Link {
            text: &asset.url,
            url: Some(&asset.url),
        },
        (&asset.content_type).into(),
        (&record.measurement.id).into(),
    ]
}

pub(super) fn rejected_columns() -> Vec<SheetColumn> {
    vec![
        SOURCE_FILE.into(),
        SOURCE_ROW.into(),
        EXTERNAL_ID.into(),
        CUSTOMER.into(),
        FULL_ADDRESS.into(),
        ("Outcome", ColumnKind::Text, 12).into(),
        ("Error", ColumnKind::WrappedText, 60).into(),
    ]
}

/// Returns the row of a rejected row in `Rejected`.
pub(super) fn rejected(rejected: &RejectedRow) -> [ColumnValue<'_>; 7] {
    [
        (&rejected.source_name).into(),
        rejected.row.0.into(),
        rejected.external_id.as_ref().into(),
        rejected.customer.as_ref().into(),
        rejected.address.as_ref().into(),
        rejected.outcome.name().into(),
        (&rejected.error).into(),
    ]
}

pub(super) fn adjustment_columns() -> Vec<SheetColumn> {
    vec![
        EXTERNAL_ID.into(),
        CUSTOMER.into(),
        FULL_ADDRESS.into(),
        (BILLED_IN, ColumnKind::Count, 8).into(),
        ("Reason", ColumnKind::Text, 16).into(),
        (FIGURE, ColumnKind::Text, 24).into(),
        (OLD, ColumnKind::Mixed, 12).into(),
        ("New", ColumnKind::Mixed, 12).into(),
        ("Difference", ColumnKind::Mixed, 12).into(),
        MEASUREMENT.into(),
    ]
}

/// Returns the rows of an adjusted measurement in `Adjustments`.
pub(super) fn adjustments(adjustment: &Adjustment) -> impl Iterator<Item = [ColumnValue<'_>; 10]> {
    adjustment.changes().map(|change| {
        [
            (&adjustment.external_id).into(),
            (&adjustment.customer).into(),
            (&adjustment.address).into(),
            adjustment.billed_in.into(),
            adjustment.reason.into(),
            change.figure.into(),
            change.old.into(),
            change.new.into(),
            change.difference.into(),
            (&adjustment.measurement_id).into(),
        ]
    })
}

/// Returns the row below `Adjustments` with the sum of a figure's differences.
pub(super) fn adjustment_total(figure: &'static str, net: f64) -> [ColumnValue<'static>; 10] {
    let mut cells = [const { ColumnValue::Empty }; 10];
    cells[0] = "Total".into();
    cells[5] = figure.into();
    cells[8] = net.into();
    cells
}
