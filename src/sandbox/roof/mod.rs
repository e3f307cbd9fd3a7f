//! Roofs: a rectangle from above, the edges that have gutters, and the downspouts.

mod picture;

use std::iter::Sum;

use rand::{Rng, RngExt as _};
use serde::{Deserialize, Serialize};

pub(super) use picture::draw;

/// A length in tenths of a foot, so that sums are exact; in JSON decimal feet, as the service writes them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(into = "f64", try_from = "f64")]
pub(super) struct Feet(i64);

impl Feet {
    pub(super) const fn tenths(self) -> i64 {
        self.0
    }

    /// Decimal feet.
    #[expect(clippy::cast_precision_loss, reason = "far below 2^52 tenths")]
    pub(super) fn decimal(self) -> f64 {
        self.0 as f64 / 10.0
    }
}

impl TryFrom<f64> for Feet {
    type Error = &'static str;

    /// From decimal feet, rounded to the nearest tenth.
    fn try_from(feet: f64) -> Result<Self, Self::Error> {
        if !(0.0..=100_000.0).contains(&feet) {
            return Err("a length is between 0 and 100,000 feet");
        }
        #[expect(clippy::cast_possible_truncation, reason = "at most a million tenths")]
        let tenths = (feet * 10.0).round() as i64;
        Ok(Self(tenths))
    }
}

impl From<Feet> for f64 {
    fn from(feet: Feet) -> Self {
        feet.decimal()
    }
}

impl Sum for Feet {
    fn sum<I: Iterator<Item = Self>>(lengths: I) -> Self {
        Self(lengths.map(Self::tenths).sum())
    }
}

/// A rectangular roof.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Roof {
    width: Feet,
    depth: Feet,
    /// Whether the left and right edges are gable ends, which have no gutters.
    is_gabled: bool,
    /// Number of downspouts, the first four of them at the corners.
    pub(super) downspouts: usize,
}

impl Roof {
    /// A random roof of a usual size.
    pub(super) fn plausible(rng: &mut impl Rng) -> Self {
        Self {
            width: Feet(rng.random_range(300..=620)),
            depth: Feet(rng.random_range(240..=400)),
            is_gabled: rng.random_ratio(2, 5),
            downspouts: rng.random_range(2..=4),
        }
    }

    /// A rectangle with gutters of this length, for numbers that a person typed: without corners a gable house, which has
    /// gutters on two sides.
    pub(super) fn from_figures(length: Feet, corners: u32, downspouts: usize) -> Self {
        let is_gabled = corners == 0;
        let half = length.0 / 2;
        let (width, depth) = if is_gabled {
            (half, half * 2 / 3)
        } else {
            let width = half * 3 / 5;
            (width, half - width)
        };
        Self {
            width: Feet(width),
            depth: Feet(depth),
            is_gabled,
            downspouts,
        }
    }

    /// The length of all gutters.
    pub(super) fn gutter_length(self) -> Feet {
        let sides = if self.is_gabled { 0 } else { self.depth.0 };
        Feet(2 * (self.width.0 + sides))
    }

    /// Points where two gutters meet.
    pub(super) fn corner_count(self) -> u32 {
        if self.is_gabled { 0 } else { 4 }
    }
}

/// A plausible length of one downspout of a house with this number of storeys, elbows included.
pub(super) fn downspout_length(floors: u8, rng: &mut impl Rng) -> Feet {
    Feet(i64::from(floors) * 98 + rng.random_range(6..=28))
}

/// The kinds of images in an asset pack, in presentation order.
///
/// # Source
/// S2.4, `asset_pack` rules.
const KINDS: [&str; 7] = [
    "aerial",
    "aerial_annotated",
    "intro",
    "measurements",
    "risk_analysis",
    "hangers",
    "certification",
];

/// The kinds of images of one measurement: three always, the others at random.
pub(super) fn image_kinds(rng: &mut impl Rng) -> Vec<String> {
    let always = ["aerial", "aerial_annotated", "measurements"];
    let kinds = KINDS.into_iter();
    kinds
        .filter(|kind| rng.random_ratio(2, 5) || always.contains(kind))
        .map(str::to_owned)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sandbox::random::seeded_rng;

    #[test]
    fn a_full_rectangle_has_four_corners_and_its_perimeter() {
        let roof = Roof::from_figures(Feet(1_600), 4, 0);
        assert_eq!(roof.gutter_length(), Feet(1_600));
        assert_eq!(roof.corner_count(), 4);
    }

    #[test]
    fn a_gable_house_has_no_corners() {
        let roof = Roof::from_figures(Feet(1_600), 0, 0);
        assert_eq!(roof.corner_count(), 0);
        assert_eq!(roof.gutter_length(), Feet(1_600));
    }

    #[test]
    fn every_plausible_roof_is_of_a_size_that_stands_on_streets() {
        for house in 0..1_000 {
            let roof = Roof::plausible(&mut seeded_rng(house, &["roof"]));
            let length = roof.gutter_length().decimal();
            assert!((40.0..500.0).contains(&length), "{length} {roof:?}");
            assert!((2..=12).contains(&roof.downspouts), "{roof:?}");
        }
    }

    #[test]
    fn decimal_feet_round_to_tenths() {
        assert_eq!(Feet::try_from(12.34), Ok(Feet(123)));
        assert!(Feet::try_from(-1.0).is_err());
        assert!(Feet::try_from(f64::NAN).is_err());
        assert_eq!(Feet(1234).decimal().to_string(), "123.4");
    }
}
