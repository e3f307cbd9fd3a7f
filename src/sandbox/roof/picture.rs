//! The picture of a roof as a PNG file: its outline, gutters and downspouts from above.

use crate::sandbox::roof::Roof;

const WIDTH: i64 = 480;
const HEIGHT: i64 = 360;
/// Pixels around the roof.
const MARGIN: i64 = 40;

/// A color by its place in [`PALETTE`].
#[derive(Clone, Copy)]
enum Ink {
    Paper,
    Outline,
    Gutter,
    Downspout,
}

/// Red, green and blue of each [`Ink`], in its order.
const PALETTE: [u8; 12] = [250, 249, 245, 58, 62, 70, 206, 64, 48, 38, 105, 190];

/// Draws a roof.
pub(in crate::sandbox) fn draw(roof: Roof) -> Vec<u8> {
    let mut canvas = Canvas {
        pixels: vec![Ink::Paper as u8; usize::try_from(WIDTH * HEIGHT).expect("both are positive")],
    };
    let corners = corners(roof);
    for (edge, start) in corners.into_iter().enumerate() {
        let end = corners[(edge + 1) % corners.len()];
        // Every second edge is on the left or right.
        let (ink, radius) = if roof.is_gabled && edge % 2 == 1 {
            (Ink::Outline, 1)
        } else {
            (Ink::Gutter, 3)
        };
        canvas.fill(start, end, radius, ink);
    }
    for corner in corners.into_iter().take(roof.downspouts) {
        canvas.fill(corner, corner, 6, Ink::Downspout);
    }
    canvas.encode()
}

/// The pixels of the corners, clockwise from the top left: the roof fills its part of the picture and keeps its
/// proportions.
fn corners(roof: Roof) -> [(i64, i64); 4] {
    let (width, depth) = (roof.width.tenths().max(1), roof.depth.tenths().max(1));
    let (room_x, room_y) = (WIDTH - 2 * MARGIN, HEIGHT - 2 * MARGIN);
    // Pixels for tenths of a foot, as a fraction; the tighter side decides.
    let (pixels, tenths) = if room_x * depth < room_y * width {
        (room_x, width)
    } else {
        (room_y, depth)
    };
    let (half_x, half_y) = (width * pixels / tenths / 2, depth * pixels / tenths / 2);
    let (left, right) = (WIDTH / 2 - half_x, WIDTH / 2 + half_x);
    let (top, bottom) = (HEIGHT / 2 - half_y, HEIGHT / 2 + half_y);
    [(left, top), (right, top), (right, bottom), (left, bottom)]
}

struct Canvas {
    pixels: Vec<u8>,
}

impl Canvas {
    /// Fills the rectangle between two corners, and that number of pixels around it.
    fn fill(&mut self, start: (i64, i64), end: (i64, i64), around: i64, ink: Ink) {
        let span = |a: i64, b: i64, size: i64| {
            (a.min(b) - around).max(0)..=(a.max(b) + around).min(size - 1)
        };
        for y in span(start.1, end.1, HEIGHT) {
            for x in span(start.0, end.0, WIDTH) {
                let index = usize::try_from(y * WIDTH + x).expect("both were clipped");
                self.pixels[index] = ink as u8;
            }
        }
    }

    fn encode(self) -> Vec<u8> {
        let mut file = Vec::new();
        let side = |size: i64| u32::try_from(size).expect("a picture's side is a small number");
        let mut encoder = png::Encoder::new(&mut file, side(WIDTH), side(HEIGHT));
        encoder.set_color(png::ColorType::Indexed);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_palette(PALETTE.as_slice());
        let mut writer = encoder.write_header().expect("memory takes every byte");
        writer
            .write_image_data(&self.pixels)
            .expect("there are as many pixels as the header says");
        writer.finish().expect("memory takes every byte");
        file
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sandbox::roof::Feet;

    /// Width, height and the number of pixels that are not paper.
    fn decoded(file: &[u8]) -> (u32, u32, usize) {
        let decoder = png::Decoder::new(std::io::Cursor::new(file));
        let mut reader = decoder.read_info().unwrap();
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        let frame = reader.next_frame(&mut pixels).unwrap();
        let drawn = pixels.iter().filter(|ink| **ink != Ink::Paper as u8);
        (frame.width, frame.height, drawn.count())
    }

    #[test]
    fn the_picture_shows_the_roof_and_its_downspouts() {
        let mut roof = Roof::from_figures(Feet(1_600), 4, 0);
        let picture = draw(roof);
        let (width, height, drawn) = decoded(&picture);
        assert_eq!((width, height), (480, 360));
        assert!(drawn > 5_000, "{drawn}");
        roof.downspouts = 1;
        assert_ne!(draw(roof), picture);
    }

    #[test]
    fn a_roof_of_no_size_is_drawn() {
        let roof = Roof::from_figures(Feet(0), 4, 0);
        assert_eq!(decoded(&draw(roof)).0, 480);
    }
}
