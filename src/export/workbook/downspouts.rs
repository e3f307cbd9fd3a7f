//! The sheet `Downspouts`: one row for each downspout of a completed measurement.

use crate::export::ResultRecord;
use crate::export::column_value::ColumnValue;
use crate::export::columns::{ADDRESS, EXTERNAL_ID, MEASUREMENT};
use crate::export::result_column::ColumnKind;
use crate::export::workbook::sheet_layout::SheetColumn;

pub(in crate::export) const NAME: &str = "Downspouts";

/// Headers by which a restored journal finds its columns.
pub(in crate::export) const LENGTH: &str = "Length (ft)";
pub(in crate::export) const FLOORS: &str = "Floors";
pub(in crate::export) const SIZE: &str = "Size (in)";

pub(super) fn columns() -> Vec<SheetColumn> {
    vec![
        EXTERNAL_ID.into(),
        SheetColumn::new(ADDRESS.header, ColumnKind::Prose, 44),
        SheetColumn::new("No.", ColumnKind::Count, 6),
        SheetColumn::new(LENGTH, ColumnKind::Feet, 12),
        SheetColumn::new(FLOORS, ColumnKind::Count, 8),
        SheetColumn::new(SIZE, ColumnKind::Inches, 8),
        MEASUREMENT.into(),
    ]
}

/// Returns the rows of a completed measurement, numbered from 1; none for any other.
pub(super) fn rows(record: &ResultRecord) -> impl Iterator<Item = [ColumnValue<'_>; 7]> {
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
