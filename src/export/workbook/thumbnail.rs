//! Reducing pictures to the size in which the workbook shows them, so that it can be sent by mail.

use std::io::Cursor;

use jpeg_encoder::{ColorType, Encoder};
use png::{Limits, Transformations};
use zune_jpeg::JpegDecoder;
use zune_jpeg::zune_core::bytestream::ZCursor;
use zune_jpeg::zune_core::colorspace::ColorSpace;
use zune_jpeg::zune_core::options::DecoderOptions;

/// Maximum size on the page, in pixels.
pub(super) const WIDTH: u32 = 320;
pub(super) const HEIGHT: u32 = 240;
/// Empty space around a picture, in pixels.
pub(super) const MARGIN: u32 = 6;

/// Factor of the stored size, so that numbers in drawings are readable in print and on fine screens.
const STORED: u32 = 2;

/// JPEG quality, of 100.
const QUALITY: u8 = 85;

/// Maximum number of pixels to decode, for instance 8,000 × 8,000.
const MAX_PIXELS: usize = 64_000_000;

/// A decoded picture with three bytes per pixel (red, green, blue), row by row.
#[derive(Debug, PartialEq, Eq)]
struct RgbPicture {
    width: usize,
    height: usize,
    pixels: Vec<u8>,
}

/// Returns a picture in the stored size, or the picture itself if it is not larger; `None` if it cannot be decoded.
pub(in crate::export) fn thumbnail(bytes: Vec<u8>) -> Option<Vec<u8>> {
    let picture = decode(&bytes)?;
    let (width, height) = fitting(picture.width, picture.height);
    if (width, height) == (picture.width, picture.height) {
        return Some(bytes);
    }
    encode(&shrink(&picture, width, height))
}

fn decode(bytes: &[u8]) -> Option<RgbPicture> {
    if bytes.starts_with(b"\x89PNG") {
        decode_png(bytes)
    } else {
        decode_jpeg(bytes)
    }
}

fn decode_png(bytes: &[u8]) -> Option<RgbPicture> {
    let limits = Limits {
        bytes: MAX_PIXELS * 4,
    };
    let mut decoder = png::Decoder::new_with_limits(Cursor::new(bytes), limits);
    // Eight bits per channel, without palettes.
    decoder.set_transformations(Transformations::normalize_to_color8());
    let mut reader = decoder.read_info().ok()?;
    let size = reader.output_buffer_size()?;
    if size > MAX_PIXELS * 4 {
        return None;
    }
    let mut buffer = vec![0; size];
    let frame = reader.next_frame(&mut buffer).ok()?;
    buffer.truncate(frame.buffer_size());
    Some(RgbPicture {
        width: frame.width as usize,
        height: frame.height as usize,
        pixels: on_white(&buffer, frame.color_type.samples()),
    })
}

/// Returns red, green and blue of pixels with `channels` samples each. JPEG has no transparency; the background is white.
fn on_white(buffer: &[u8], channels: usize) -> Vec<u8> {
    let blend = |color: u8, alpha: u8| {
        let (color, alpha) = (u32::from(color), u32::from(alpha));
        let mixed = (color * alpha + 255 * (255 - alpha)) / 255;
        u8::try_from(mixed).unwrap_or(u8::MAX)
    };
    let mut pixels = Vec::with_capacity(buffer.len() / channels * 3);
    for pixel in buffer.chunks_exact(channels) {
        match *pixel {
            [grey] => pixels.extend([grey; 3]),
            [grey, alpha] => pixels.extend([blend(grey, alpha); 3]),
            [red, green, blue] => pixels.extend([red, green, blue]),
            [red, green, blue, alpha, ..] => {
                pixels.extend([red, green, blue].map(|color| blend(color, alpha)));
            }
            [] => {}
        }
    }
    pixels
}

fn decode_jpeg(bytes: &[u8]) -> Option<RgbPicture> {
    let options = DecoderOptions::default()
        .set_max_width(MAX_PIXELS / 1000)
        .set_max_height(MAX_PIXELS / 1000)
        .jpeg_set_out_colorspace(ColorSpace::RGB);
    let mut decoder = JpegDecoder::new_with_options(ZCursor::new(bytes), options);
    decoder.decode_headers().ok()?;
    let (width, height) = decoder.dimensions()?;
    if width * height > MAX_PIXELS {
        return None;
    }
    let pixels = decoder.decode().ok()?;
    (pixels.len() == width * height * 3).then_some(RgbPicture {
        width,
        height,
        pixels,
    })
}

/// Returns the stored size: the largest one with the same proportions that is permitted, but never larger than the
/// picture.
fn fitting(width: usize, height: usize) -> (usize, usize) {
    let (most_wide, most_high) = ((WIDTH * STORED) as usize, (HEIGHT * STORED) as usize);
    if width <= most_wide && height <= most_high {
        return (width, height);
    }
    if width * most_high > height * most_wide {
        (most_wide, (height * most_wide / width).max(1))
    } else {
        ((width * most_high / height).max(1), most_high)
    }
}

/// Reduces a picture: each new pixel is the mean of the pixels that it replaces.
fn shrink(picture: &RgbPicture, width: usize, height: usize) -> RgbPicture {
    let mut pixels = Vec::with_capacity(width * height * 3);
    for y in 0..height {
        let rows = span(y, height, picture.height);
        for x in 0..width {
            let columns = span(x, width, picture.width);
            let mut sums = [0_usize; 3];
            for row in rows.clone() {
                let start = row * picture.width;
                let cells = &picture.pixels[(start + columns.start) * 3..(start + columns.end) * 3];
                for pixel in cells.chunks_exact(3) {
                    for (sum, color) in sums.iter_mut().zip(pixel) {
                        *sum += usize::from(*color);
                    }
                }
            }
            let count = rows.len() * columns.len();
            pixels.extend(sums.map(|sum| u8::try_from(sum / count).unwrap_or(u8::MAX)));
        }
    }
    RgbPicture {
        width,
        height,
        pixels,
    }
}

/// Returns the range of `from` pixels that pixel `at` of `to` replaces; not empty if `to` is at most `from`.
fn span(at: usize, to: usize, from: usize) -> std::ops::Range<usize> {
    at * from / to..(at + 1) * from / to
}

fn encode(picture: &RgbPicture) -> Option<Vec<u8>> {
    let mut file = Vec::new();
    let width = u16::try_from(picture.width).ok()?;
    let height = u16::try_from(picture.height).ok()?;
    let encoder = Encoder::new(&mut file, QUALITY);
    encoder
        .encode(&picture.pixels, width, height, ColorType::Rgb)
        .ok()?;
    Some(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn png(width: u32, height: u32, color: png::ColorType, pixel: &[u8]) -> Vec<u8> {
        let mut file = Vec::new();
        let mut encoder = png::Encoder::new(&mut file, width, height);
        encoder.set_color(color);
        let mut writer = encoder.write_header().unwrap();
        let pixels = pixel.repeat((width * height) as usize);
        writer.write_image_data(&pixels).unwrap();
        writer.finish().unwrap();
        file
    }

    #[test]
    fn a_large_picture_is_stored_small_in_its_proportions_and_on_white() {
        let transparent = png(1600, 600, png::ColorType::Rgba, &[0, 0, 0, 0]);
        let small = decode(&thumbnail(transparent).unwrap()).unwrap();
        assert_eq!((small.width, small.height), (640, 240));
        assert!(small.pixels.iter().all(|color| *color == 255));
    }

    #[test]
    fn a_large_jpeg_keeps_its_color() {
        let blue = RgbPicture {
            width: 900,
            height: 1200,
            pixels: [10, 20, 200].repeat(900 * 1200),
        };
        let small = decode(&thumbnail(encode(&blue).unwrap()).unwrap()).unwrap();
        assert_eq!((small.width, small.height), (360, 480));
        let near = |color: u8, wanted: u8| color.abs_diff(wanted) <= 4;
        let kept = |pixel: &[u8]| near(pixel[0], 10) && near(pixel[1], 20) && near(pixel[2], 200);
        assert!(small.pixels.chunks_exact(3).all(kept));
    }

    #[test]
    fn a_grey_picture_is_read_as_colors() {
        let grey = png(700, 100, png::ColorType::Grayscale, &[90]);
        let read = decode(&grey).unwrap();
        assert_eq!(read.pixels, [90; 3].repeat(700 * 100));
    }

    #[test]
    fn a_small_picture_stays_as_it_is_and_a_damaged_one_is_none() {
        let whole = png(300, 200, png::ColorType::Rgba, &[1, 2, 3, 255]);
        assert_eq!(thumbnail(whole.clone()).as_ref(), Some(&whole));
        assert_eq!(thumbnail(whole[..whole.len() / 2].to_vec()), None);
        assert_eq!(thumbnail(b"no picture".to_vec()), None);
    }

    #[test]
    fn a_long_narrow_picture_keeps_at_least_one_pixel() {
        assert_eq!(fitting(100_000, 1), (640, 1));
        assert_eq!(fitting(1, 100_000), (1, 480));
    }
}
