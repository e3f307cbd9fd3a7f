//! Outlines that stand on most streets: rectangles, and rectangles with one or two wings.

use rand::seq::IndexedRandom as _;
use rand::{Rng, RngExt as _};

use crate::sandbox::roof::{Point, Roof};

/// Draws a house. Lengths are in tenths of a foot.
pub(super) fn plausible(chance: &mut impl Rng) -> Roof {
    let width = chance.random_range(300..=620);
    let depth = chance.random_range(240..=400);
    let outline = match chance.random_range(0..10) {
        0..3 => rectangle(width, depth),
        3..7 => ell(chance, width, depth),
        7..9 => tee(chance, width, depth),
        _ => cup(chance, width, depth),
    };
    let gutters = hang(chance, &outline);
    let spouts = drain(&outline, &gutters);
    let floors = *[1, 1, 2, 2, 2, 3]
        .choose(chance)
        .expect("six to choose from");
    Roof {
        outline,
        gutters,
        spouts,
        floors,
    }
}

/// Clockwise from the top left.
pub(super) fn rectangle(width: i64, depth: i64) -> Vec<Point> {
    points(&[(0, 0), (width, 0), (width, depth), (0, depth)])
}

/// An L: the rectangle with a wing at the bottom left.
fn ell(chance: &mut impl Rng, width: i64, depth: i64) -> Vec<Point> {
    let wing = chance.random_range(120..=width / 2);
    let reach = depth + chance.random_range(80..=240);
    points(&[
        (0, 0),
        (width, 0),
        (width, depth),
        (wing, depth),
        (wing, reach),
        (0, reach),
    ])
}

/// A T: the rectangle with a wing in the middle of its lower side.
fn tee(chance: &mut impl Rng, width: i64, depth: i64) -> Vec<Point> {
    let left = chance.random_range(80..=width / 3);
    let right = width - chance.random_range(80..=width / 3);
    let reach = depth + chance.random_range(80..=200);
    points(&[
        (0, 0),
        (width, 0),
        (width, depth),
        (right, depth),
        (right, reach),
        (left, reach),
        (left, depth),
        (0, depth),
    ])
}

/// A U: two wings with a court between them.
fn cup(chance: &mut impl Rng, width: i64, depth: i64) -> Vec<Point> {
    let left = chance.random_range(90..=width / 3);
    let right = width - chance.random_range(90..=width / 3);
    let reach = depth + chance.random_range(80..=200);
    points(&[
        (0, 0),
        (width, 0),
        (width, reach),
        (right, reach),
        (right, depth),
        (left, depth),
        (left, reach),
        (0, reach),
    ])
}

fn points(plan: &[(i64, i64)]) -> Vec<Point> {
    plan.iter().map(|&(x, y)| Point { x, y }).collect()
}

/// Hipped roofs carry gutters all round; gabled ones none on some of their upright sides.
fn hang(chance: &mut impl Rng, outline: &[Point]) -> Vec<bool> {
    let gabled = chance.random_ratio(2, 5);
    let edge = |index: usize| (outline[index], outline[(index + 1) % outline.len()]);
    (0..outline.len())
        .map(|index| {
            let (start, end) = edge(index);
            let upright = start.x == end.x;
            !(gabled && upright && chance.random_ratio(3, 4))
        })
        .collect()
}

/// The longest stretch of gutter that one downspout drains, in tenths of a foot.
const DRAINED: i64 = 400;

/// A downspout at the end of each gutter, and one more on the way where it is long.
fn drain(outline: &[Point], gutters: &[bool]) -> Vec<Point> {
    let mut spouts = Vec::new();
    for (index, gutter) in gutters.iter().enumerate() {
        let (start, end) = (outline[index], outline[(index + 1) % outline.len()]);
        let length = start.distance(end).tenths();
        // Short sides of a hipped roof run into the next gutter.
        if !gutter || length < 100 {
            continue;
        }
        spouts.push(end);
        if length > DRAINED {
            spouts.push(Point {
                x: i64::midpoint(start.x, end.x),
                y: i64::midpoint(start.y, end.y),
            });
        }
    }
    spouts.dedup();
    spouts
}
