//! Lengths in trillionths of a foot, so that sums of decimal feet are exact.

use std::iter::Sum;
use std::ops::{Add, AddAssign, Sub};

use serde::{Deserialize, Serialize};

use crate::model::group_digits;

/// A length or a sum of lengths in feet, in whole trillionths of a foot. In JSON it is decimal feet.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize,
)]
#[serde(from = "f64", into = "f64")]
pub struct Feet(i128);

/// As many as the digits of a double hold, so that a total is the sum of the lengths as they are shown.
const PARTS: f64 = 1e12;
const PARTS_OF_MILLIONTH: i128 = 1_000_000;

impl Feet {
    /// Returns decimal feet with at most six decimals, rounded after the sum and not before it.
    #[expect(
        clippy::cast_precision_loss,
        reason = "the cells of a sheet hold doubles; 2^53 millionths of a foot are 1.7 million miles"
    )]
    pub fn value(self) -> f64 {
        self.millionths() as f64 / 1e6
    }

    /// Whether two lengths have the same value.
    pub fn is_shown_as(self, other: Self) -> bool {
        self.millionths() == other.millionths()
    }

    fn millionths(self) -> i128 {
        let half = self.0.signum() * PARTS_OF_MILLIONTH / 2;
        self.0.saturating_add(half) / PARTS_OF_MILLIONTH
    }
}

/// A length in decimal feet as text, such as `3,187.5 ft` and `21.0 ft`: at least one decimal, as the service gives it.
pub fn feet_text(length: f64) -> String {
    let sign = if length < 0.0 { "-" } else { "" };
    let digits = group_digits(length.abs());
    let decimal = if digits.contains('.') { "" } else { ".0" };
    format!("{sign}{digits}{decimal} ft")
}

impl From<f64> for Feet {
    /// Converts decimal feet, as the service gives them; NaN becomes 0.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "a roof's gutters are far below 2^100 trillionths of a foot; beyond it, the cast saturates"
    )]
    fn from(feet: f64) -> Self {
        Self((feet * PARTS).round() as i128)
    }
}

impl From<Feet> for f64 {
    fn from(feet: Feet) -> Self {
        feet.value()
    }
}

impl Add for Feet {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

impl AddAssign for Feet {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Sub for Feet {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }
}

impl Sum for Feet {
    fn sum<I: Iterator<Item = Self>>(lengths: I) -> Self {
        lengths.fold(Self::default(), Add::add)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tenths_add_up_exactly() {
        let sum: Feet = std::iter::repeat_n(Feet::from(0.1), 1_000_000).sum();
        assert_eq!(sum, Feet::from(100_000.0));
        assert!((sum.value() - 100_000.0).abs() < f64::EPSILON);
    }

    #[test]
    fn a_total_is_the_sum_of_lengths_with_many_digits() {
        for (length, lengths, total) in [(394.0 / 3.0, 3, 394.0), (394.0 / 3.0, 2, 262.666_667)] {
            for sign in [1.0, -1.0] {
                let sum: Feet = std::iter::repeat_n(Feet::from(sign * length), lengths).sum();
                assert!((sum.value() - sign * total).abs() < f64::EPSILON, "{sum:?}");
            }
        }
    }

    #[test]
    fn what_is_no_number_is_nothing() {
        assert_eq!(Feet::from(f64::NAN), Feet::default());
    }
}
