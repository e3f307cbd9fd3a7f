//! Roofs: an outline seen from above, which of its edges carry gutters, and where the water comes down.

mod font;
mod picture;
mod shapes;

use std::iter::Sum;
use std::ops::Add;

use rand::{Rng, RngExt as _};
use serde::{Deserialize, Serialize};

pub(super) use picture::draw;

/// A length in tenths of a foot: small enough for an installer, exact in every sum.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct Feet(i64);

impl Feet {
    pub(super) const fn from_tenths(tenths: i64) -> Self {
        Self(tenths)
    }

    /// From decimal feet, rounded to the nearest tenth; `None` unless it is between 0 and 100,000.
    pub(super) fn from_decimal(feet: f64) -> Option<Self> {
        if !(0.0..=100_000.0).contains(&feet) {
            return None;
        }
        #[expect(clippy::cast_possible_truncation, reason = "at most a million tenths")]
        let tenths = (feet * 10.0).round() as i64;
        Some(Self(tenths))
    }

    pub(super) const fn tenths(self) -> i64 {
        self.0
    }

    /// Decimal feet, as the service writes them.
    #[expect(clippy::cast_precision_loss, reason = "far below 2^52 tenths")]
    pub(super) fn decimal(self) -> f64 {
        self.0 as f64 / 10.0
    }
}

impl Add for Feet {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl Sum for Feet {
    fn sum<I: Iterator<Item = Self>>(lengths: I) -> Self {
        lengths.fold(Self(0), Add::add)
    }
}

/// A point on the plan, in tenths of a foot from the corner at top left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Point {
    pub(super) x: i64,
    pub(super) y: i64,
}

impl Point {
    /// The straight distance, rounded to a tenth of a foot.
    pub(super) fn distance(self, other: Self) -> Feet {
        #[expect(
            clippy::cast_precision_loss,
            reason = "plans are far smaller than 2^52"
        )]
        let (dx, dy) = ((self.x - other.x) as f64, (self.y - other.y) as f64);
        #[expect(clippy::cast_possible_truncation, reason = "rounded on purpose")]
        let tenths = dx.hypot(dy).round() as i64;
        Feet(tenths)
    }
}

/// A roof's outline: a closed line through `outline`, whose edge `i` runs from point `i` to the next.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Roof {
    pub(super) outline: Vec<Point>,
    /// For each edge, whether a gutter hangs there; gable ends have none.
    pub(super) gutters: Vec<bool>,
    pub(super) spouts: Vec<Point>,
    /// Storeys below the eaves, 1 to 3.
    pub(super) floors: u8,
}

impl Roof {
    /// A roof of the kind that stands on most streets.
    pub(super) fn plausible(chance: &mut impl Rng) -> Self {
        shapes::plausible(chance)
    }

    /// A rectangle of this perimeter, for numbers that were taken in by hand.
    pub(super) fn of_perimeter(length: Feet) -> Self {
        let width = length.tenths() * 3 / 10;
        let depth = length.tenths() / 2 - width;
        Self {
            outline: shapes::rectangle(width, depth),
            gutters: vec![true; 4],
            spouts: Vec::new(),
            floors: 1,
        }
    }

    /// The edges, each with its gutter.
    pub(super) fn edges(&self) -> impl Iterator<Item = (Point, Point, bool)> + '_ {
        let ends = self.outline.iter().cycle().skip(1);
        let edges = self.outline.iter().zip(ends).zip(&self.gutters);
        edges.map(|((start, end), gutter)| (*start, *end, *gutter))
    }

    /// The length of all gutters.
    pub(super) fn gutter_length(&self) -> Feet {
        let hung = self.edges().filter(|(_, _, gutter)| *gutter);
        hung.map(|(start, end, _)| start.distance(end)).sum()
    }

    /// Inside and outside corners: points where two gutters meet.
    pub(super) fn corner_count(&self) -> u32 {
        let before = self
            .gutters
            .iter()
            .cycle()
            .skip(self.gutters.len().max(1) - 1);
        let meetings = self.gutters.iter().zip(before);
        let corners = meetings.filter(|(this, before)| **this && **before).count();
        u32::try_from(corners).unwrap_or(u32::MAX)
    }

    /// How long one downspout of this house is, elbows included.
    pub(super) fn drop_length(&self, chance: &mut impl Rng) -> Feet {
        let storeys = i64::from(self.floors) * 98;
        Feet(storeys + chance.random_range(6..=28))
    }
}

/// What a picture shows.
///
/// # Source
/// S2.4, `asset_pack` rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Kind {
    Aerial,
    AerialAnnotated,
    Intro,
    Measurements,
    RiskAnalysis,
    Hangers,
    Certification,
}

impl Kind {
    pub(super) const ALL: [Self; 7] = [
        Self::Aerial,
        Self::AerialAnnotated,
        Self::Intro,
        Self::Measurements,
        Self::RiskAnalysis,
        Self::Hangers,
        Self::Certification,
    ];

    /// The word on the wire and in the picture's address.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Aerial => "aerial",
            Self::AerialAnnotated => "aerial_annotated",
            Self::Intro => "intro",
            Self::Measurements => "measurements",
            Self::RiskAnalysis => "risk_analysis",
            Self::Hangers => "hangers",
            Self::Certification => "certification",
        }
    }

    /// The pictures that a contractor produces: the plans always, the others now and then.
    pub(super) fn some(chance: &mut impl Rng) -> Vec<Self> {
        let always = [Self::Aerial, Self::AerialAnnotated, Self::Measurements];
        Self::ALL
            .into_iter()
            .filter(|kind| chance.random_ratio(2, 5) || always.contains(kind))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sandbox::chance::chance;

    #[test]
    fn a_full_rectangle_has_four_corners_and_its_perimeter() {
        let roof = Roof::of_perimeter(Feet(1_600));
        assert_eq!(roof.gutter_length(), Feet(1_600));
        assert_eq!(roof.corner_count(), 4);
    }

    #[test]
    fn a_gable_house_has_no_corners() {
        let mut roof = Roof::of_perimeter(Feet(1_600));
        roof.gutters = vec![true, false, true, false];
        assert_eq!(roof.corner_count(), 0);
        assert_eq!(roof.gutter_length(), Feet(960));
    }

    #[test]
    fn every_plausible_outline_is_closed_rectilinear_and_of_a_size_that_stands_on_streets() {
        for house in 0..1_000 {
            let roof = Roof::plausible(&mut chance(house, &["roof"]));
            assert_eq!(roof.outline.len(), roof.gutters.len());
            for (start, end, _) in roof.edges() {
                assert!((start.x == end.x) != (start.y == end.y), "{roof:?}");
            }
            let length = roof.gutter_length().decimal();
            assert!((40.0..500.0).contains(&length), "{length} {roof:?}");
            assert!((2..=12).contains(&roof.spouts.len()), "{roof:?}");
        }
    }

    #[test]
    fn decimal_feet_round_to_tenths() {
        assert_eq!(Feet::from_decimal(12.34), Some(Feet(123)));
        assert_eq!(Feet::from_decimal(-1.0), None);
        assert_eq!(Feet::from_decimal(f64::NAN), None);
        assert_eq!(Feet(1234).decimal().to_string(), "123.4");
    }
}
