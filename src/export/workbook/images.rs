//! The sheet `Images`: one row for each image, with the picture if images were downloaded for the workbook.

use crate::export::column_value::ColumnValue;
use crate::export::columns::{EXTERNAL_ID, MEASUREMENT};
use crate::export::result_column::ColumnKind;
use crate::export::workbook::sheet_layout::SheetColumn;
use crate::export::{FetchedImages, ResultRecord};
use crate::model::Asset;

pub(super) const NAME: &str = "Images";

/// The index of the column with addresses.
pub(super) const LINK_COLUMN: u16 = 2;

/// The index of the column with pictures.
pub(super) const PICTURE_COLUMN: u16 = 5;

/// Returns the columns; the last one only if there are pictures.
pub(super) fn columns(images: Option<&FetchedImages>) -> Vec<SheetColumn> {
    let mut columns = vec![
        EXTERNAL_ID.into(),
        SheetColumn::new("Kind", ColumnKind::Text, 20),
        SheetColumn::new("Link", ColumnKind::Link, 84),
        SheetColumn::new("Type", ColumnKind::Text, 14),
        MEASUREMENT.into(),
    ];
    columns.extend(images.map(|_| SheetColumn::new("Picture", ColumnKind::Picture, 0)));
    columns
}

/// Returns the images of a completed measurement.
pub(super) fn assets(record: &ResultRecord) -> &[Asset] {
    record
        .valid_result()
        .map(|(result, _)| result.asset_pack.as_slice())
        .unwrap_or_default()
}

/// Returns the row of an image.
pub(super) fn row<'a>(record: &'a ResultRecord, asset: &'a Asset) -> [ColumnValue<'a>; 5] {
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
