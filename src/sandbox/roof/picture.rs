//! The picture of a roof as a PNG file: its outline, gutters and downspouts from above, and the figures of the result.

use crate::sandbox::roof::{Feet, Point, Roof};

const WIDTH: i64 = 480;
const HEIGHT: i64 = 360;
/// Pixels around the roof; the figures are below it.
const MARGIN: i64 = 40;
const CAPTION: i64 = 80;
/// Pixels for one dot of a glyph.
const SCALE: i64 = 3;

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

/// Draws a roof with the length, corners and downspouts of its result.
pub(in crate::sandbox) fn draw(
    roof: &Roof,
    length: Feet,
    corners: u32,
    downspouts: usize,
) -> Vec<u8> {
    let mut canvas = Canvas {
        pixels: vec![Ink::Paper as u8; usize::try_from(WIDTH * HEIGHT).expect("both are positive")],
    };
    let place = placement(roof);
    for (start, end, gutter) in roof.edges() {
        let (ink, radius) = if gutter {
            (Ink::Gutter, 3)
        } else {
            (Ink::Outline, 1)
        };
        canvas.line(place(start), place(end), radius, ink);
    }
    for downspout in &roof.downspouts {
        canvas.square(place(*downspout), 6, Ink::Downspout);
    }
    let figures = [
        (format!("GUTTER {:.1} FT", length.decimal()), Ink::Gutter),
        (format!("CORNERS {corners}"), Ink::Outline),
        (format!("DOWNSPOUTS {downspouts}"), Ink::Downspout),
    ];
    for (row, (text, ink)) in (0_i64..).zip(&figures) {
        let top = HEIGHT - CAPTION + row * 7 * SCALE;
        canvas.square((MARGIN / 2, top + 2 * SCALE), 6, *ink);
        canvas.text(text, (MARGIN, top));
    }
    canvas.encode()
}

/// The pixel of each point: the roof fills its part of the picture and keeps its proportions.
fn placement(roof: &Roof) -> impl Fn(Point) -> (i64, i64) {
    let range = |part: fn(&Point) -> i64| {
        let low = roof.outline.iter().map(part).min().unwrap_or(0);
        let high = roof.outline.iter().map(part).max().unwrap_or(0);
        (low, (high - low).max(1))
    };
    let ((left, width), (top, depth)) = (range(|point| point.x), range(|point| point.y));
    let (room_x, room_y) = (WIDTH - 2 * MARGIN, HEIGHT - 2 * MARGIN - CAPTION);
    // Pixels for tenths of a foot, as a fraction; the tighter side decides.
    let (pixels, tenths) = if room_x * depth < room_y * width {
        (room_x, width)
    } else {
        (room_y, depth)
    };
    move |point| {
        let x = MARGIN + (room_x - width * pixels / tenths) / 2;
        let y = MARGIN + (room_y - depth * pixels / tenths) / 2;
        (
            x + (point.x - left) * pixels / tenths,
            y + (point.y - top) * pixels / tenths,
        )
    }
}

struct Canvas {
    pixels: Vec<u8>,
}

impl Canvas {
    fn square(&mut self, (x, y): (i64, i64), radius: i64, ink: Ink) {
        for y in (y - radius).max(0)..=(y + radius).min(HEIGHT - 1) {
            for x in (x - radius).max(0)..=(x + radius).min(WIDTH - 1) {
                let index = usize::try_from(y * WIDTH + x).expect("both were clipped");
                self.pixels[index] = ink as u8;
            }
        }
    }

    fn line(&mut self, start: (i64, i64), end: (i64, i64), radius: i64, ink: Ink) {
        let (dx, dy) = (end.0 - start.0, end.1 - start.1);
        let steps = dx.abs().max(dy.abs()).max(1);
        for step in 0..=steps {
            let pixel = (start.0 + dx * step / steps, start.1 + dy * step / steps);
            self.square(pixel, radius, ink);
        }
    }

    fn text(&mut self, text: &str, (left, top): (i64, i64)) {
        for (column, letter) in (0_i64..).zip(text.chars()) {
            for (row, bits) in (0_i64..).zip(glyph(letter)) {
                for dot in (0..3_i64).filter(|dot| bits & (4 >> dot) != 0) {
                    let x = left + (column * 4 + dot) * SCALE;
                    self.square((x, top + row * SCALE), SCALE / 2, Ink::Outline);
                }
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

/// The rows of a glyph, three dots wide, top first; the bit worth 4 is the left dot.
fn glyph(letter: char) -> [u8; 5] {
    match letter {
        '0' | 'O' => [7, 5, 5, 5, 7],
        '1' => [2, 6, 2, 2, 7],
        '2' => [7, 1, 7, 4, 7],
        '3' => [7, 1, 7, 1, 7],
        '4' => [5, 5, 7, 1, 1],
        '5' | 'S' => [7, 4, 7, 1, 7],
        '6' => [7, 4, 7, 5, 7],
        '7' => [7, 1, 2, 2, 2],
        '8' => [7, 5, 7, 5, 7],
        '9' => [7, 5, 7, 1, 7],
        '.' => [0, 0, 0, 0, 2],
        'C' => [7, 4, 4, 4, 7],
        'D' => [6, 5, 5, 5, 6],
        'E' => [7, 4, 6, 4, 7],
        'F' => [7, 4, 6, 4, 4],
        'G' => [7, 4, 5, 5, 7],
        'N' => [6, 5, 5, 5, 5],
        'P' => [7, 5, 7, 4, 4],
        'R' => [6, 5, 6, 5, 5],
        'T' => [7, 2, 2, 2, 2],
        'U' => [5, 5, 5, 5, 7],
        'W' => [5, 5, 7, 7, 5],
        _ => [0; 5],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
    fn the_picture_shows_the_roof_and_its_figures() {
        let roof = Roof::of_perimeter(Feet(1_600));
        let picture = draw(&roof, Feet(1_600), 4, 2);
        let (width, height, drawn) = decoded(&picture);
        assert_eq!((width, height), (480, 360));
        assert!(drawn > 5_000, "{drawn}");
        for (length, corners, downspouts) in [(1_601, 4, 2), (1_600, 5, 2), (1_600, 4, 3)] {
            assert_ne!(draw(&roof, Feet(length), corners, downspouts), picture);
        }
    }

    #[test]
    fn a_roof_of_no_size_is_drawn() {
        let roof = Roof::of_perimeter(Feet(0));
        assert_eq!(decoded(&draw(&roof, Feet(0), 0, 0)).0, 480);
    }
}
