//! Pictures of a roof, drawn dot by dot and packed as PNG. The same roof and kind give the same bytes.

use crate::sandbox::roof::font::glyph;
use crate::sandbox::roof::{Feet, Kind, Point, Roof};

const WIDTH: usize = 480;
const HEIGHT: usize = 360;
/// Dots kept free around the roof.
const MARGIN: i64 = 72;

/// A colour by its place in [`PALETTE`].
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ink {
    Paper,
    Grass,
    Meadow,
    Shingle,
    Shade,
    Line,
    Gutter,
    Water,
    Amber,
    Brand,
}

/// Red, green and blue of each [`Ink`], in its order.
const PALETTE: &[[u8; 3]] = &[
    [250, 249, 245],
    [110, 143, 86],
    [99, 131, 77],
    [112, 104, 100],
    [94, 87, 84],
    [58, 62, 70],
    [206, 64, 48],
    [38, 105, 190],
    [226, 157, 40],
    [24, 94, 84],
];

/// Draws one kind of picture of a roof, as a PNG file.
pub(in crate::sandbox) fn draw(kind: Kind, roof: &Roof, total: Feet) -> Vec<u8> {
    let plan = Plan::fit(roof);
    let mut canvas = match kind {
        Kind::Aerial | Kind::AerialAnnotated => Canvas::lawn(),
        _ => Canvas::paper(),
    };
    match kind {
        Kind::Aerial => canvas.house(&plan, Ink::Shingle),
        Kind::AerialAnnotated => {
            canvas.house(&plan, Ink::Shingle);
            canvas.gutters(&plan, Ink::Gutter);
            canvas.spouts(&plan);
        }
        Kind::Intro => {
            canvas.frame(Ink::Brand, 10);
            canvas.house(&plan, Ink::Brand);
        }
        Kind::Measurements => {
            canvas.outline(&plan, Ink::Shingle);
            canvas.gutters(&plan, Ink::Water);
            canvas.lengths(&plan);
        }
        Kind::RiskAnalysis => {
            canvas.house(&plan, Ink::Shade);
            canvas.outline(&plan, Ink::Amber);
            canvas.spouts(&plan);
        }
        Kind::Hangers => {
            canvas.outline(&plan, Ink::Shingle);
            canvas.hangers(&plan);
        }
        Kind::Certification => {
            canvas.frame(Ink::Brand, 6);
            canvas.house(&plan, Ink::Brand);
            canvas.number(total, (40, 24), 4);
        }
    }
    canvas.pack()
}

/// One edge in dots, with its true length.
struct Edge {
    start: (i64, i64),
    end: (i64, i64),
    length: Feet,
    gutter: bool,
}

/// A roof in dots.
struct Plan {
    edges: Vec<Edge>,
    spouts: Vec<(i64, i64)>,
    /// Dots between two hangers, which stand two feet apart.
    hanger_step: f64,
}

impl Plan {
    fn fit(roof: &Roof) -> Self {
        let (low, high) = bounds(&roof.outline);
        let span = (high.x - low.x).max(1);
        let rise = (high.y - low.y).max(1);
        let (room_x, room_y) = (dots(WIDTH) - 2 * MARGIN, dots(HEIGHT) - 2 * MARGIN);
        // Whichever side is tighter decides the scale, as a fraction of dots to tenths of a foot.
        let (top, bottom) = if room_x * rise < room_y * span {
            (room_x, span)
        } else {
            (room_y, rise)
        };
        let place = |point: Point| {
            let x = (dots(WIDTH) - span * top / bottom) / 2 + (point.x - low.x) * top / bottom;
            let y = (dots(HEIGHT) - rise * top / bottom) / 2 + (point.y - low.y) * top / bottom;
            (x, y)
        };
        let edges = roof.edges().map(|(start, end, gutter)| Edge {
            start: place(start),
            end: place(end),
            length: start.distance(end),
            gutter,
        });
        #[expect(clippy::cast_precision_loss, reason = "dots on a picture")]
        let hanger_step = (20.0 * top as f64 / bottom as f64).max(4.0);
        Self {
            edges: edges.collect(),
            spouts: roof.spouts.iter().map(|spout| place(*spout)).collect(),
            hanger_step,
        }
    }
}

fn dots(size: usize) -> i64 {
    i64::try_from(size).expect("a picture's side is a small number")
}

fn bounds(outline: &[Point]) -> (Point, Point) {
    let start = outline.first().copied().unwrap_or(Point { x: 0, y: 0 });
    outline.iter().fold((start, start), |(low, high), point| {
        let low = Point {
            x: low.x.min(point.x),
            y: low.y.min(point.y),
        };
        let high = Point {
            x: high.x.max(point.x),
            y: high.y.max(point.y),
        };
        (low, high)
    })
}

struct Canvas {
    dots: Vec<u8>,
}

impl Canvas {
    fn paper() -> Self {
        Self {
            dots: vec![Ink::Paper as u8; WIDTH * HEIGHT],
        }
    }

    /// Mown in stripes.
    fn lawn() -> Self {
        let stripe = |dot: usize| match (dot % WIDTH + dot / WIDTH) / 24 % 2 {
            0 => Ink::Grass as u8,
            _ => Ink::Meadow as u8,
        };
        Self {
            dots: (0..WIDTH * HEIGHT).map(stripe).collect(),
        }
    }

    fn dot(&mut self, (x, y): (i64, i64), ink: Ink) {
        let (Ok(x), Ok(y)) = (usize::try_from(x), usize::try_from(y)) else {
            return;
        };
        if x < WIDTH && y < HEIGHT {
            self.dots[y * WIDTH + x] = ink as u8;
        }
    }

    fn square(&mut self, (x, y): (i64, i64), reach: i64, ink: Ink) {
        for dy in -reach..=reach {
            for dx in -reach..=reach {
                self.dot((x + dx, y + dy), ink);
            }
        }
    }

    fn line(&mut self, start: (i64, i64), end: (i64, i64), reach: i64, ink: Ink) {
        let (dx, dy) = (end.0 - start.0, end.1 - start.1);
        let steps = dx.abs().max(dy.abs()).max(1);
        for step in 0..=steps {
            let at = (start.0 + dx * step / steps, start.1 + dy * step / steps);
            self.square(at, reach, ink);
        }
    }

    /// The roof's surface, by the even-odd rule, with courses of shingles and a dark eave.
    fn house(&mut self, plan: &Plan, ink: Ink) {
        for y in 0..dots(HEIGHT) {
            let mut crossings: Vec<i64> = plan
                .edges
                .iter()
                .filter_map(|edge| crossing(edge, y))
                .collect();
            crossings.sort_unstable();
            let course = if y % 12 == 0 { Ink::Shade } else { ink };
            for pair in crossings.chunks_exact(2) {
                for x in pair[0]..pair[1] {
                    self.dot((x, y), course);
                }
            }
        }
        self.outline(plan, Ink::Line);
    }

    fn outline(&mut self, plan: &Plan, ink: Ink) {
        for edge in &plan.edges {
            self.line(edge.start, edge.end, 1, ink);
        }
    }

    fn gutters(&mut self, plan: &Plan, ink: Ink) {
        for edge in plan.edges.iter().filter(|edge| edge.gutter) {
            self.line(edge.start, edge.end, 2, ink);
        }
    }

    fn spouts(&mut self, plan: &Plan) {
        for spout in &plan.spouts {
            self.square(*spout, 6, Ink::Paper);
            self.square(*spout, 5, Ink::Water);
        }
    }

    #[expect(clippy::cast_possible_truncation, reason = "dots on a picture")]
    #[expect(clippy::cast_precision_loss, reason = "dots on a picture")]
    fn hangers(&mut self, plan: &Plan) {
        for edge in plan.edges.iter().filter(|edge| edge.gutter) {
            let (dx, dy) = (edge.end.0 - edge.start.0, edge.end.1 - edge.start.1);
            let count = ((dx as f64).hypot(dy as f64) / plan.hanger_step) as i64;
            for hanger in 0..=count {
                let at = |start: i64, way: i64| start + way * hanger / count.max(1);
                self.square((at(edge.start.0, dx), at(edge.start.1, dy)), 2, Ink::Gutter);
            }
        }
    }

    /// Each edge's length in feet, beside its middle.
    fn lengths(&mut self, plan: &Plan) {
        for edge in &plan.edges {
            let middle = (
                i64::midpoint(edge.start.0, edge.end.0),
                i64::midpoint(edge.start.1, edge.end.1),
            );
            let flat = (edge.end.0 - edge.start.0).abs() > (edge.end.1 - edge.start.1).abs();
            let at = if flat {
                (middle.0 - 30, middle.1 + 8)
            } else {
                (middle.0 + 8, middle.1 - 8)
            };
            self.number(edge.length, at, 3);
        }
    }

    fn number(&mut self, length: Feet, (x, y): (i64, i64), scale: i64) {
        let text = format!("{}.{}'", length.tenths() / 10, length.tenths() % 10);
        for (place, letter) in (0_i64..).zip(text.chars()) {
            self.letter(letter, (x + place * 4 * scale, y), scale);
        }
    }

    fn letter(&mut self, letter: char, (x, y): (i64, i64), scale: i64) {
        for (row, bits) in (0_i64..).zip(glyph(letter)) {
            for column in (0..3_i64).filter(|column| bits & (4 >> column) != 0) {
                for dot in 0..scale * scale {
                    let dx = column * scale + dot % scale;
                    let dy = row * scale + dot / scale;
                    self.dot((x + dx, y + dy), Ink::Line);
                }
            }
        }
    }

    fn frame(&mut self, ink: Ink, thick: i64) {
        let (right, bottom) = (dots(WIDTH) - 1, dots(HEIGHT) - 1);
        self.line((0, 0), (right, 0), thick, ink);
        self.line((right, 0), (right, bottom), thick, ink);
        self.line((right, bottom), (0, bottom), thick, ink);
        self.line((0, bottom), (0, 0), thick, ink);
    }

    fn pack(self) -> Vec<u8> {
        let mut file = Vec::new();
        let side = |size: usize| u32::try_from(size).expect("a picture's side is a small number");
        let mut encoder = png::Encoder::new(&mut file, side(WIDTH), side(HEIGHT));
        encoder.set_color(png::ColorType::Indexed);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_palette(PALETTE.concat());
        let mut writer = encoder.write_header().expect("memory takes every byte");
        writer
            .write_image_data(&self.dots)
            .expect("the picture has as many dots as its header says");
        writer.finish().expect("memory takes every byte");
        file
    }
}

/// Where an edge crosses a line of dots; the lower end belongs to it, the upper one does not.
fn crossing(edge: &Edge, y: i64) -> Option<i64> {
    let (top, bottom) = if edge.start.1 < edge.end.1 {
        (edge.start, edge.end)
    } else {
        (edge.end, edge.start)
    };
    (top.1 <= y && y < bottom.1)
        .then(|| top.0 + (bottom.0 - top.0) * (y - top.1) / (bottom.1 - top.1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_is_a_picture_of_its_own_that_decodes() {
        let roof = Roof::of_perimeter(Feet(1_600));
        let pictures = Kind::ALL.map(|kind| draw(kind, &roof, roof.gutter_length()));
        for (index, picture) in pictures.iter().enumerate() {
            let decoder = png::Decoder::new(std::io::Cursor::new(picture));
            let reader = decoder.read_info().unwrap();
            assert_eq!((reader.info().width, reader.info().height), (480, 360));
            assert!(!pictures[..index].contains(picture), "{index}");
        }
    }

    #[test]
    fn a_roof_of_no_size_draws_without_a_crash() {
        let roof = Roof::of_perimeter(Feet(0));
        assert!(!draw(Kind::Measurements, &roof, Feet::default()).is_empty());
    }
}
