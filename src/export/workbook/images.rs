//! `Images`: one line an image, and its picture where pictures were fetched.

use crate::export::workbook::cell::OutputCell;
use crate::export::workbook::plan::{OutputColumn, column};
use crate::export::workbook::style::ColumnKind;
use crate::export::{FetchedImages, ResultLine};
use crate::model::Asset;

pub(super) const NAME: &str = "Images";

/// The last column is there with pictures alone.
static ALL: [OutputColumn; 6] = [
    column("External id", ColumnKind::Prose, 40),
    column("Kind", ColumnKind::Text, 20),
    column("Link", ColumnKind::Link, 84),
    column("Type", ColumnKind::Text, 14),
    column("Measurement", ColumnKind::Text, 44),
    column("Picture", ColumnKind::Picture, 0),
];

/// The columns, with the picture's where there are pictures.
pub(super) fn columns(pictures: Option<&FetchedImages>) -> &'static [OutputColumn] {
    if pictures.is_some() {
        &ALL
    } else {
        ALL.split_at(5).0
    }
}

/// The images of a completed line.
pub(super) fn assets(line: &ResultLine) -> &[Asset] {
    line.completed()
        .map(|(result, _)| result.asset_pack.as_slice())
        .unwrap_or_default()
}

/// The row of an image.
pub(super) fn row<'a>(line: &'a ResultLine, asset: &'a Asset) -> [OutputCell<'a>; 5] {
    [
        OutputCell::text(&line.external_id),
        OutputCell::text(&asset.kind),
        OutputCell::link(&asset.url, Some(&asset.url)),
        OutputCell::text(&asset.content_type),
        OutputCell::text(&line.measurement.id),
    ]
}
