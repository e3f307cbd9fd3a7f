//! The pictures of the sheet `Images`: each over its own cell, at a size that can be read.

use rust_xlsxwriter::{Image, ObjectMovement, Worksheet};

use crate::export::workbook::images::{link_column, picture_column};
use crate::export::workbook::row_mark::RowMark;
use crate::export::workbook::thumbnail::{HEIGHT, MARGIN, WIDTH, thumbnail};
use crate::export::{Error, FetchedImages};
use crate::model::Asset;

/// Bytes: the library keeps pictures in memory until the workbook is written.
const MOST: u64 = 120 * 1024 * 1024;

/// How much has been put into the workbook.
#[derive(Debug, Default)]
pub(super) struct EmbeddedImages {
    bytes: u64,
    left_out: u64,
}

impl EmbeddedImages {
    /// Lays a picture over its cell, on the row that comes next; where there is none, says why.
    pub(super) fn add(
        &mut self,
        (sheet, row): (&mut Worksheet, u32),
        asset: &Asset,
        pictures: &FetchedImages,
    ) -> Result<Option<RowMark>, Error> {
        let Some(path) = pictures.file(&asset.url) else {
            return Ok(missing(pictures.failure(&asset.url)));
        };
        let Some(bytes) = thumbnail(std::fs::read(path)?) else {
            return Ok(missing(Some("it is damaged")));
        };
        self.bytes += bytes.len() as u64;
        if self.bytes > MOST {
            self.left_out += 1;
            return Ok(None);
        }
        let Ok(image) = Image::new_from_buffer(&bytes) else {
            return Ok(missing(Some("it is damaged")));
        };
        let image = image
            .set_scale_to_size(WIDTH, HEIGHT, true)
            .set_object_movement(ObjectMovement::MoveButDontSizeWithCells)
            .set_alt_text(&asset.kind);
        sheet.set_row_height_pixels(row, shown_height(&image) + 2 * MARGIN)?;
        sheet.insert_image_with_offset(row, picture_column(), &image, MARGIN, MARGIN)?;
        Ok(None)
    }

    /// What a reader should know, if anything.
    pub(super) fn remark(&self) -> Option<String> {
        (self.left_out > 0).then(|| {
            format!(
                "{} pictures would have made the workbook too large; their links are there",
                self.left_out
            )
        })
    }
}

/// Pixels, once the picture fits its column.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a height between 1 and the highest that is shown"
)]
fn shown_height(image: &Image) -> u32 {
    let height = f64::from(WIDTH) * image.height() / image.width();
    height.ceil().clamp(1.0, f64::from(HEIGHT)) as u32
}

fn missing(reason: Option<&str>) -> Option<RowMark> {
    let reason = reason?;
    Some(RowMark {
        column: link_column(),
        note: format!("The picture could not be fetched: {reason}."),
    })
}
