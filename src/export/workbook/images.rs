//! `Images`: one line an image, and its picture where pictures were fetched.

use crate::export::workbook::cell::Cell;
use crate::export::workbook::plan::{Column, column};
use crate::export::workbook::style::Kind;
use crate::export::{Pictures, ResultLine};
use crate::model::Asset;

pub(super) const NAME: &str = "Images";

/// The last column is there with pictures alone.
static ALL: [Column; 6] = [
    column("External id", Kind::Prose, 40),
    column("Kind", Kind::Text, 20),
    column("Link", Kind::Link, 84),
    column("Type", Kind::Text, 14),
    column("Measurement", Kind::Text, 44),
    column("Picture", Kind::Picture, 0),
];

/// The columns, with the picture's where there are pictures.
pub(super) fn columns(pictures: Option<&Pictures>) -> &'static [Column] {
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
pub(super) fn row<'a>(line: &'a ResultLine, asset: &'a Asset) -> [Cell<'a>; 5] {
    [
        Cell::text(&line.external_id),
        Cell::text(&asset.kind),
        Cell::link(&asset.url, Some(&asset.url)),
        Cell::text(&asset.content_type),
        Cell::text(&line.measurement.id),
    ]
}
