//! The sheet `Images`: one row for each image, with the picture if pictures were fetched.

use crate::export::columns::{EXTERNAL_ID, MEASUREMENT};
use crate::export::result_column::ColumnKind;
use crate::export::workbook::cell::OutputCell;
use crate::export::workbook::plan::{OutputColumn, column, index_of, sheet_column};
use crate::export::{FetchedImages, ResultLine};
use crate::model::Asset;

pub(super) const NAME: &str = "Images";

const LINK: &str = "Link";
const PICTURE: &str = "Picture";

/// Every column; the last one is written only with pictures.
static ALL: [OutputColumn; 6] = [
    sheet_column(&EXTERNAL_ID),
    column("Kind", ColumnKind::Text, 20),
    column(LINK, ColumnKind::Link, 84),
    column("Type", ColumnKind::Text, 14),
    sheet_column(&MEASUREMENT),
    column(PICTURE, ColumnKind::Picture, 0),
];

/// Returns the columns; the last one only if there are pictures.
pub(super) fn columns(pictures: Option<&FetchedImages>) -> &'static [OutputColumn] {
    if pictures.is_some() {
        &ALL
    } else {
        &ALL[..ALL.len() - 1]
    }
}

/// Returns the index of the column with addresses.
pub(super) fn link_column() -> u16 {
    index_of(&ALL, LINK)
}

/// Returns the index of the column with pictures.
pub(super) fn picture_column() -> u16 {
    index_of(&ALL, PICTURE)
}

/// Returns the images of a completed measurement.
pub(super) fn assets(line: &ResultLine) -> &[Asset] {
    line.completed()
        .map(|(result, _)| result.asset_pack.as_slice())
        .unwrap_or_default()
}

/// Returns the row of an image.
pub(super) fn row<'a>(line: &'a ResultLine, asset: &'a Asset) -> [OutputCell<'a>; 5] {
    [
        OutputCell::text(&line.external_id),
        OutputCell::text(&asset.kind),
        OutputCell::link(&asset.url, Some(&asset.url)),
        OutputCell::text(&asset.content_type),
        OutputCell::text(&line.measurement.id),
    ]
}
