//! The headers of the columns that a rejects file adds, and the first of those with results.

/// The headers of the two columns that every rejects file has; they are ignored where it is read.
pub(super) const HEADERS: [&str; 2] = ["error", "source_row"];

/// The header of the column in which a person decides about rows of the same house.
pub(super) const DECISION: &str = "same_house";

/// Whether a header is that of the column of decisions.
pub fn is_decision_header(header: &str) -> bool {
    header.trim() == DECISION
}

/// Whether a header is that of a column that rejects add.
pub(super) fn is_added_header(header: &str) -> bool {
    HEADERS.contains(&header.trim()) || is_decision_header(header)
}

/// The header of the first of the columns with results that are appended to a customer's own sheet.
pub const FIRST_RESULT: &str = "Measurement status";
/// The header of the second.
pub const SECOND_RESULT: &str = "Why no result";

/// The number of columns in front of those with results, among which the user may have inserted others.
pub(super) fn columns_before_results(headers: &[String]) -> usize {
    // Asked for every row, and nearly all headers are shorter.
    let is = |header: &String, name: &str| header.len() >= name.len() && header.trim() == name;
    let position = |name: &str| headers.iter().position(|header| is(header, name));
    position(FIRST_RESULT)
        .filter(|first| position(SECOND_RESULT).is_some_and(|second| *first < second))
        .unwrap_or(headers.len())
}
