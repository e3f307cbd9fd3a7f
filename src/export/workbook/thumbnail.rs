//! A picture as small as it is shown, so that a workbook of hundreds can still be sent by mail.

use std::io::Cursor;

use image::codecs::jpeg::JpegEncoder;
use image::imageops::FilterType;
use image::{DynamicImage, ImageReader, Limits, Rgb, RgbImage};

/// Pixels on the page, at most.
pub(super) const WIDTH: u32 = 320;
pub(super) const HEIGHT: u32 = 240;
/// Around it.
pub(super) const MARGIN: u32 = 6;

/// Twice as many are stored, so that print and fine screens show the drawing's numbers.
const STORED: u32 = 2;

/// Of 100: where lines of a drawing still have clean edges.
const QUALITY: u8 = 85;

/// Bytes that decoding may take: a hundred megapixels are no roof.
const MOST_MEMORY: u64 = 192 * 1024 * 1024;

/// The picture, made smaller where it is larger than what is stored; none for one that cannot be decoded.
pub(super) fn thumbnail(bytes: Vec<u8>) -> Option<Vec<u8>> {
    let picture = decoded(&bytes)?;
    let (width, height) = (WIDTH * STORED, HEIGHT * STORED);
    if picture.width() <= width && picture.height() <= height {
        return Some(bytes);
    }
    let small = picture.resize(width, height, FilterType::Triangle);
    let mut file = Vec::new();
    JpegEncoder::new_with_quality(&mut file, QUALITY)
        .encode_image(&on_white(&small))
        .ok()?;
    Some(file)
}

fn decoded(bytes: &[u8]) -> Option<DynamicImage> {
    let mut reader = ImageReader::new(Cursor::new(bytes))
        .with_guessed_format()
        .ok()?;
    let mut limits = Limits::default();
    limits.max_alloc = Some(MOST_MEMORY);
    reader.limits(limits);
    reader.decode().ok()
}

/// JPEG knows no transparency; paper is white.
fn on_white(picture: &DynamicImage) -> RgbImage {
    let picture = picture.to_rgba8();
    let mut flat = RgbImage::new(picture.width(), picture.height());
    for (from, to) in picture.pixels().zip(flat.pixels_mut()) {
        let [colours @ .., alpha] = from.0.map(u32::from);
        *to = Rgb(colours.map(|colour| {
            let mixed = (colour * alpha + 255 * (255 - alpha)) / 255;
            u8::try_from(mixed).unwrap_or(u8::MAX)
        }));
    }
    flat
}

#[cfg(test)]
mod tests {
    use super::*;
    use image::{ImageFormat, Rgba, RgbaImage};

    fn png(width: u32, height: u32) -> Vec<u8> {
        let picture = RgbaImage::from_pixel(width, height, Rgba([0, 0, 0, 0]));
        let mut file = Cursor::new(Vec::new());
        picture.write_to(&mut file, ImageFormat::Png).unwrap();
        file.into_inner()
    }

    #[test]
    fn a_large_picture_is_stored_small_in_its_proportions_and_on_white() {
        let small = decoded(&thumbnail(png(1600, 600)).unwrap()).unwrap();
        assert_eq!((small.width(), small.height()), (640, 240));
        assert!(small.to_rgb8().pixels().all(|pixel| pixel.0 == [255; 3]));
    }

    #[test]
    fn a_small_picture_stays_as_it_is_and_a_damaged_one_is_none() {
        let whole = png(300, 200);
        assert_eq!(thumbnail(whole.clone()).as_ref(), Some(&whole));
        assert_eq!(thumbnail(whole[..whole.len() / 2].to_vec()), None);
    }
}
