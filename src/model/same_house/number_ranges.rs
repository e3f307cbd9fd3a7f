//! House numbers that contain others: ranges, and numbers whose letter may be a unit.

use crate::model::same_house::StreetAddress;
use crate::model::same_house::street_parts::StreetParts;
use crate::model::{HouseHash, has_only_digits};

impl StreetAddress {
    /// Returns the hashes under which the building is looked up: [`StreetAddress::house_hash`], and those of the other
    /// numbers of a range.
    pub fn house_hashes(&self) -> impl Iterator<Item = HouseHash> {
        self.parts.numbers().map(|number| self.hash_of(number))
    }

    /// Whether both have a number in common, so that they are looked up under one hash if the postal codes agree.
    pub fn shares_number(&self, other: &Self) -> bool {
        self.parts.shares_number(&other.parts)
    }
}

impl StreetParts {
    /// The numbers under which the house is looked up: its own, and the others of its range.
    pub(super) fn numbers(&self) -> impl Iterator<Item = &String> {
        [&self.leading_digits].into_iter().chain(&self.others)
    }

    /// Whether both are looked up under a common number.
    pub(super) fn shares_number(&self, other: &Self) -> bool {
        self.numbers()
            .any(|one| other.numbers().any(|two| one == two))
    }
}

/// Whether the number of one is in the range of the other, or has its unit: `712` or `714` and `712-714`, `12A` and
/// `12 Unit A`.
pub(super) fn shares_range(one: &StreetParts, other: &StreetParts) -> bool {
    let is_in = |one: &StreetParts, range: &StreetParts| {
        range.others.contains(&one.number)
            || one.number == range.leading_digits
                && (!range.others.is_empty()
                    || letter(range).is_some_and(|letter| one.unit.as_deref() == Some(letter)))
    };
    is_in(one, other) || is_in(other, one)
}

/// The letter of `12A`.
fn letter(parts: &StreetParts) -> Option<&str> {
    let letter = parts.number.strip_prefix(&parts.leading_digits)?;
    let is_letter = letter.len() == 1 && letter.bytes().all(|byte| byte.is_ascii_lowercase());
    is_letter.then_some(letter)
}

/// The numbers of `712-714` and `712-14`; none of `712`, `92-10` and `99-123`, which are no ranges.
pub(super) fn range_numbers(text: &str) -> Vec<String> {
    let mut numbers: Vec<String> = Vec::new();
    if !text.contains(['-', '+']) {
        return numbers;
    }
    for part in text.split(['-', '+']) {
        let number = match numbers.last() {
            Some(last) => match last.len().checked_sub(part.len()) {
                Some(from) if last[from..] < *part => format!("{}{part}", &last[..from]),
                _ => return Vec::new(),
            },
            None => part.to_owned(),
        };
        if !has_only_digits(part) {
            return Vec::new();
        }
        numbers.push(number);
    }
    numbers
}

/// The numbers of a range that looks like a unit in front of a number, as `1234-1236` and `1234-36` do in Canada; none of
/// `4-103` and `101-12`, nor if the numbers are too far apart for one building.
pub(super) fn numbers_behind_unit(unit: &str, number: &str) -> Vec<String> {
    let end = number.split('-').next().unwrap_or_default();
    let numbers = range_numbers(&format!("{unit}-{number}"));
    let ends = numbers.first().zip(numbers.last());
    let ends = ends.and_then(|(first, last)| Some((first.parse().ok()?, last.parse().ok()?)));
    let is_near = ends.is_some_and(|(first, last): (u32, u32)| last - first < 100);
    if is_near && (unit.len() == end.len() || unit.len() > 3) {
        numbers
    } else {
        Vec::new()
    }
}
