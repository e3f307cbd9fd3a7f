//! The prefix with which the rows of a file were requested before.

use std::collections::BTreeMap;

use crate::import::{CheckResult, CheckedFile, EarlierHouse, RowOutcomes, RowWarning};
use crate::model::{Field, Outcome, pluralize};

/// With fewer rows of one prefix, the others need not have it.
const MIN_ROWS: u64 = 5;

/// The prefix of the earlier ids, if all rows that would be sent were requested before under ids that differ only by a
/// prefix, and no row is known with the present one: it would be asked about with the other.
pub(in crate::import) fn earlier_prefix(
    checked: &CheckedFile,
    rows: &RowOutcomes,
    own_prefix: Option<&str>,
    is_new: &[bool],
) -> Option<String> {
    let held = rows.same_house_rows();
    if held.len() < 2 || held.len() != is_new.iter().filter(|is_new| **is_new).count() {
        return None;
    }
    if (0..checked.rows.len()).any(|row| rows.outcome(row) == Outcome::Known) {
        return None;
    }
    let mut prefixes = held
        .iter()
        .map(|(row, earlier)| other_prefix(checked, own_prefix, (*row, earlier)));
    let first = prefixes.next()??;
    prefixes
        .all(|prefix| prefix == Some(first))
        .then(|| first.to_owned())
}

/// Warns at the first row to send if most of the others were requested before with another prefix, which was probably
/// forgotten.
pub(in crate::import) fn warn_of_forgotten_prefix(
    checked: &CheckedFile,
    rows: &mut RowOutcomes,
    own_prefix: Option<&str>,
    first_sent: usize,
) {
    let held = rows.same_house_rows();
    let mut by_prefix: BTreeMap<&str, u64> = BTreeMap::new();
    for (row, earlier) in held {
        if let Some(prefix) = other_prefix(checked, own_prefix, (*row, earlier)) {
            *by_prefix.entry(prefix).or_default() += 1;
        }
    }
    let most = by_prefix.into_iter().max_by_key(|(_, count)| *count);
    let is_most = |(_, count): &(&str, u64)| *count >= MIN_ROWS && count * 2 > held.len() as u64;
    let Some((prefix, count)) = most.filter(is_most) else {
        return;
    };
    let how = match prefix {
        "" => "without a prefix; if this one should have none, add --id-prefix=".to_owned(),
        prefix => {
            format!("with the prefix {prefix}; if it was forgotten, add --id-prefix {prefix}")
        }
    };
    let message = format!(
        "{} of this file were requested before {how}",
        pluralize(count, "other row")
    );
    rows.warn(RowWarning {
        index: first_sent,
        field: Some(Field::Id),
        message,
    });
}

/// The prefix with which a row was requested before, if that is another one. Digits in front of digits are part of the
/// number, for instance zeros that a spreadsheet removed.
fn other_prefix<'a>(
    checked: &CheckedFile,
    own_prefix: Option<&str>,
    (row, earlier): (usize, &'a EarlierHouse),
) -> Option<&'a str> {
    let CheckResult::Valid { external_id, .. } = &checked.rows[row].result else {
        return None;
    };
    let own_prefix = own_prefix.unwrap_or_default();
    let bare = external_id.strip_prefix(own_prefix)?;
    let prefix = earlier.external_id.strip_suffix(bare)?;
    let ends_in_digit = prefix.ends_with(|last: char| last.is_ascii_digit());
    let is_of_number = ends_in_digit && bare.starts_with(|first: char| first.is_ascii_digit());
    (!is_of_number && prefix != own_prefix).then_some(prefix)
}
