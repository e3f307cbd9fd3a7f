//! The pictures of the sheet `Images`, each over the cell of its row.

use rust_xlsxwriter::{Image, ObjectMovement, Worksheet};

use crate::export::workbook::table_definition::CellHighlight;
use crate::export::workbook::table_rows::{LINK_COLUMN, PICTURE_COLUMN};
use crate::export::workbook::thumbnail::{HEIGHT, MARGIN, WIDTH};
use crate::export::{Error, FetchedImages};
use crate::model::Asset;

/// Maximum size of all pictures in bytes, since they are in memory until the workbook is written.
const MAX_BYTES: u64 = 120 * 1024 * 1024;

/// The size of the pictures so far.
#[derive(Debug, Default)]
pub(super) struct EmbeddedImages {
    bytes: u64,
    omitted: u64,
}

impl EmbeddedImages {
    /// Adds a picture to a row of the sheet; returns a highlight that explains a missing one.
    pub(super) fn add(
        &mut self,
        (sheet, row): (&mut Worksheet, u32),
        asset: &Asset,
        fetched: &FetchedImages,
    ) -> Result<Option<CellHighlight>, Error> {
        let Some(path) = fetched.file(&asset.url) else {
            return Ok(missing(fetched.failure(&asset.url)));
        };
        let Ok(bytes) = std::fs::read(path) else {
            return Ok(missing(Some("its file cannot be read")));
        };
        self.bytes += bytes.len() as u64;
        if self.bytes > MAX_BYTES {
            self.omitted += 1;
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
        sheet.insert_image_with_offset(row, PICTURE_COLUMN, &image, MARGIN, MARGIN)?;
        Ok(None)
    }

    /// Returns what a reader should know about omitted pictures.
    pub(super) fn remark(&self) -> Option<String> {
        (self.omitted > 0).then(|| {
            format!(
                "{} pictures are omitted, since the workbook would be too large; their links are there",
                self.omitted
            )
        })
    }
}

/// Returns the displayed height of a picture in pixels.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a height between 1 and the maximum"
)]
fn shown_height(image: &Image) -> u32 {
    let height = f64::from(WIDTH) * image.height() / image.width();
    height.ceil().clamp(1.0, f64::from(HEIGHT)) as u32
}

fn missing(reason: Option<&str>) -> Option<CellHighlight> {
    let reason = reason?;
    Some(CellHighlight {
        column: LINK_COLUMN,
        note: format!("The picture could not be downloaded: {reason}."),
    })
}
