//! Plausible roofs: rectangles, and rectangles with a wing.

use rand::seq::IndexedRandom as _;
use rand::{Rng, RngExt as _};

use crate::sandbox::roof::{Point, Roof};

/// A random roof. Lengths are in tenths of a foot.
pub(super) fn plausible(rng: &mut impl Rng) -> Roof {
    let width = rng.random_range(300..=620);
    let depth = rng.random_range(240..=400);
    let outline = if rng.random_ratio(2, 5) {
        rectangle(width, depth)
    } else {
        l_shape(rng, width, depth)
    };
    let gutters = gutters(rng, &outline);
    let downspouts = downspouts(&outline, &gutters);
    let floors = *[1, 1, 2, 2, 2, 3].choose(rng).expect("six to choose from");
    Roof {
        outline,
        gutters,
        downspouts,
        floors,
    }
}

/// Clockwise from the top left.
pub(super) fn rectangle(width: i64, depth: i64) -> Vec<Point> {
    points(&[(0, 0), (width, 0), (width, depth), (0, depth)])
}

/// An L: the rectangle with a wing at the bottom left.
fn l_shape(rng: &mut impl Rng, width: i64, depth: i64) -> Vec<Point> {
    let wing = rng.random_range(120..=width / 2);
    let reach = depth + rng.random_range(80..=240);
    points(&[
        (0, 0),
        (width, 0),
        (width, depth),
        (wing, depth),
        (wing, reach),
        (0, reach),
    ])
}

fn points(plan: &[(i64, i64)]) -> Vec<Point> {
    plan.iter().map(|&(x, y)| Point { x, y }).collect()
}

/// Which edges have a gutter: all of a hipped roof, and not all of the short sides of a gabled one.
fn gutters(rng: &mut impl Rng, outline: &[Point]) -> Vec<bool> {
    let gabled = rng.random_ratio(2, 5);
    let edge = |index: usize| (outline[index], outline[(index + 1) % outline.len()]);
    (0..outline.len())
        .map(|index| {
            let (start, end) = edge(index);
            let upright = start.x == end.x;
            !(gabled && upright && rng.random_ratio(3, 4))
        })
        .collect()
}

/// The longest stretch of gutter that one downspout drains, in tenths of a foot.
const DRAINED: i64 = 400;

/// A downspout at the end of each gutter, and one in the middle of a long one.
fn downspouts(outline: &[Point], gutters: &[bool]) -> Vec<Point> {
    let mut downspouts = Vec::new();
    for (index, gutter) in gutters.iter().enumerate() {
        let (start, end) = (outline[index], outline[(index + 1) % outline.len()]);
        let length = start.distance(end).tenths();
        // A short gutter drains into the next one.
        if !gutter || length < 100 {
            continue;
        }
        downspouts.push(end);
        if length > DRAINED {
            downspouts.push(Point {
                x: i64::midpoint(start.x, end.x),
                y: i64::midpoint(start.y, end.y),
            });
        }
    }
    downspouts.dedup();
    downspouts
}
