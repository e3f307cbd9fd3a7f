//! House numbers that contain others: ranges, and numbers whose letter may be a unit.

use crate::model::same_house::street_parts::StreetParts;

/// Whether the number of one begins the range of the other, or has its unit: `712` and `712-714`, `12A` and `12 Unit A`.
pub(super) fn shares_range(one: &StreetParts, other: &StreetParts) -> bool {
    let begins = |one: &StreetParts, range: &StreetParts| {
        one.number == range.leading_digits
            && (range_end(range).is_some()
                || letter(range).is_some_and(|letter| one.unit.as_deref() == Some(letter)))
    };
    begins(one, other) || begins(other, one)
}

/// The letter of `12A`.
fn letter(parts: &StreetParts) -> Option<&str> {
    let letter = parts.number.strip_prefix(&parts.leading_digits)?;
    let is_letter = letter.len() == 1 && letter.bytes().all(|byte| byte.is_ascii_lowercase());
    is_letter.then_some(letter)
}

/// The last number of `712-714` and `712-14`; neither `92-10` nor `99-123` is a range.
fn range_end(parts: &StreetParts) -> Option<&str> {
    let first = parts.leading_digits.as_str();
    let end = parts.number.strip_prefix(first)?;
    let is_number = !end.is_empty() && end.bytes().all(|byte| byte.is_ascii_digit());
    let from = first.len().checked_sub(end.len()).filter(|_| is_number)?;
    (first[from..] < *end).then_some(end)
}
