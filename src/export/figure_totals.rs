//! Sums of the billed figures: of measurements, or of the differences of adjustments.

use std::iter::Sum;
use std::ops::Add;

use serde::{Deserialize, Serialize};

use crate::export::columns::{CORNERS, DOWNSPOUT_LENGTH, DOWNSPOUTS, GUTTER_LENGTH};
use crate::export::result_column::ResultColumn;
use crate::export::{BilledFigures, Feet};

/// Sums of the billed figures that can be summed, under their public keys.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct FigureTotals {
    /// Length of all gutters.
    pub gutter_length_ft: Feet,
    /// Number of corners.
    pub corner_count: i64,
    /// Number of downspouts, according to the service's counts.
    pub downspout_count: i64,
    /// Length of all downspouts, according to the service's totals.
    pub downspout_length_ft: Feet,
}

impl FigureTotals {
    /// Returns the sums that `sum` has for the columns.
    pub(super) fn new(sum: impl Fn(&ResultColumn) -> Feet) -> Self {
        #[expect(clippy::cast_possible_truncation, reason = "a sum of counts of roofs")]
        let count = |column| sum(column).value() as i64;
        Self {
            gutter_length_ft: sum(&GUTTER_LENGTH),
            corner_count: count(&CORNERS),
            downspout_count: count(&DOWNSPOUTS),
            downspout_length_ft: sum(&DOWNSPOUT_LENGTH),
        }
    }
}

impl From<&BilledFigures> for FigureTotals {
    /// A missing figure counts as 0.
    fn from(figures: &BilledFigures) -> Self {
        let figure = |column: &ResultColumn| figures.get(column).copied().flatten();
        Self::new(|column| Feet::from(figure(column).unwrap_or_default()))
    }
}

impl Add for FigureTotals {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            gutter_length_ft: self.gutter_length_ft + other.gutter_length_ft,
            corner_count: self.corner_count.saturating_add(other.corner_count),
            downspout_count: self.downspout_count.saturating_add(other.downspout_count),
            downspout_length_ft: self.downspout_length_ft + other.downspout_length_ft,
        }
    }
}

impl Sum for FigureTotals {
    fn sum<I: Iterator<Item = Self>>(totals: I) -> Self {
        totals.fold(Self::default(), Add::add)
    }
}
