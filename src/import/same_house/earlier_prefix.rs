//! The prefix with which all rows of a file were requested before.

use crate::import::{CheckResult, CheckedFile, RowOutcomes};
use crate::model::Outcome;

/// The prefix of the earlier ids, if all rows that would be sent were requested before under ids that differ only by a
/// prefix, and no row is known with the present one: it would be asked about with the other. Digits in front of digits
/// are part of the number, for instance zeros that a spreadsheet removed.
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
    let mut prefixes = held.iter().map(|(number, earlier)| {
        let CheckResult::Valid { external_id, .. } = &checked.rows[*number].result else {
            return None;
        };
        let bare = external_id.strip_prefix(own_prefix.unwrap_or_default())?;
        let prefix = earlier.external_id.strip_suffix(bare)?;
        let ends_in_digit = prefix.ends_with(|last: char| last.is_ascii_digit());
        let is_of_number = ends_in_digit && bare.starts_with(|first: char| first.is_ascii_digit());
        (!is_of_number).then_some(prefix)
    });
    let first = prefixes.next()??;
    let is_other = own_prefix.unwrap_or_default() != first;
    (is_other && prefixes.all(|prefix| prefix == Some(first))).then(|| first.to_owned())
}
