//! Recognizes totals and footers that a report prints below its table. Such rows are skipped only below the last address;
//! elsewhere they are errors.

use crate::import::{SkippedRowReason, SkippedRows};
use crate::model::{Field, RowNumber, WordList, excerpt};
use crate::sheet::{Cell, Row};
use crate::table::{Columns, total_label};

/// A row without an address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum TrailingRow {
    /// A label such as `Total` or `Count: 80`, and numbers.
    Total(String),
    /// A line that only occurs in reports, such as a copyright notice.
    Notice(String),
    /// A single text, such as the report's title.
    SingleCell,
    /// Any other row: a customer whose address is missing.
    Other,
}

/// Maximum number of filled cells in a row without an address.
const MAX_FOOTER_CELLS: usize = 2;

/// The kind of a row without an address; `None` for a row with an address.
pub(super) fn classify_trailing_row(row: &Row<'_>, columns: &Columns) -> Option<TrailingRow> {
    let filled: Vec<Cell<'_>> = filled_cells(row, columns).map(|(_, cell)| cell).collect();
    let first = filled.first()?.text.trim();
    let has_contact = has_contact(row, columns);
    if let Some(label) = total_label(&filled).filter(|_| !has_contact) {
        return Some(TrailingRow::Total(excerpt(label).into_owned()));
    }
    if filled.len() > MAX_FOOTER_CELLS && columns.has_address(row) {
        return None;
    }
    // A customer may be called `Sum` or `Confidential (call Bob)`; who can be reached is not a line of a report.
    if has_contact {
        return Some(TrailingRow::Other);
    }
    Some(match filled.len() {
        1..=MAX_FOOTER_CELLS if is_notice(first) => {
            TrailingRow::Notice(excerpt(first).into_owned())
        }
        1 => TrailingRow::SingleCell,
        _ => TrailingRow::Other,
    })
}

/// Whether a row has neither address nor contact, but a cell in a column without a field, for instance a calculation
/// below the results of an earlier export.
pub(super) fn is_note(row: &Row<'_>, columns: &Columns) -> bool {
    let is_mapped = |index: &usize| columns.mapped().any(|(_, column)| column.index == *index);
    let is_filled = |column: &usize| !row.cell(*column).is_blank();
    let filled = (0..row.width()).filter(is_filled);
    let (mapped, others): (Vec<usize>, Vec<usize>) = filled.partition(is_mapped);
    // A customer has a name besides the id.
    mapped.len() < 2
        && !others.is_empty()
        && !columns.has_address(row)
        && !has_contact(row, columns)
}

/// The filled cells of a row with their columns, without those that a rejects file adds.
pub(super) fn filled_cells<'a>(
    row: &Row<'a>,
    columns: &Columns,
) -> impl Iterator<Item = (usize, Cell<'a>)> {
    let cells = row.cells().enumerate();
    let filled = cells.filter(|(_, cell)| !cell.is_blank());
    filled.filter(|(column, _)| !columns.is_of_rejects(*column))
}

/// Minimum number of digits of a phone; fewer are a count.
const PHONE_DIGITS: usize = 7;

/// Whether a row has an email or a phone. A total may have its label or number in their columns.
fn has_contact(row: &Row<'_>, columns: &Columns) -> bool {
    let contacts = [Field::Email, Field::Phone].into_iter();
    let mut cells = contacts.flat_map(|field| columns.indexes_of(field));
    cells.any(|&column| has_contact_in(row.cell(column).text))
}

/// Whether a text has an email or a phone number.
pub(super) fn has_contact_in(text: &str) -> bool {
    let digits = text.bytes().filter(u8::is_ascii_digit);
    text.contains('@') || digits.count() >= PHONE_DIGITS
}

static FOOTER_STARTS: WordList = WordList::new("footer_starts");
static INSIDE_FOOTERS: WordList = WordList::new("inside_footers");
static DAYS: WordList = WordList::new("days");

fn is_notice(text: &str) -> bool {
    let lower = text.to_lowercase();
    let first_word = lower.split([',', ' ']).next().unwrap_or_default();
    FOOTER_STARTS.iter().any(|start| lower.starts_with(start))
        // A program may write its name in front: `Jobber · Generated on Nov 1`.
        || INSIDE_FOOTERS.iter().any(|inside| format!(" {lower}").contains(&format!(" {inside}")))
        || is_page_number(&lower)
        // QuickBooks prints the day and the time below each report.
        || DAYS.has(first_word) && lower.contains("20") && lower.contains(':')
}

/// Whether a line is `page 1`, `page 1/3`, `page 1 of 3` or `page 1 sur 3`.
fn is_page_number(line: &str) -> bool {
    let Some(rest) = line.strip_prefix("page ") else {
        return false;
    };
    let mut words = rest.split([' ', '/']).filter(|word| !word.is_empty());
    rest.starts_with(|c: char| c.is_ascii_digit())
        && words.all(|word| word == "of" || word == "sur" || word.parse::<u32>().is_ok())
}

/// Why each of the rows below the last address is skipped; `None` for a row that is not. A footer is the lines with known
/// wording, and a single line of any text directly above and below them: the report's title and the company's name.
pub(super) fn skip_reasons(trailing: &[&TrailingRow]) -> Vec<Option<SkippedRowReason>> {
    let row_at = |at: Option<usize>| at.and_then(|at| trailing.get(at));
    let is_notice = |at| matches!(row_at(at), Some(TrailingRow::Notice(_)));
    let each = trailing.iter().enumerate().map(|(at, row)| match row {
        TrailingRow::Total(_) => Some(SkippedRowReason::Total),
        TrailingRow::Notice(_) => Some(SkippedRowReason::Footer),
        TrailingRow::SingleCell if is_notice(at.checked_sub(1)) || is_notice(Some(at + 1)) => {
            Some(SkippedRowReason::Footer)
        }
        TrailingRow::SingleCell | TrailingRow::Other => None,
    });
    each.collect()
}

/// Adds a skipped row to its group.
pub(super) fn add(
    groups: &mut Vec<SkippedRows>,
    row: RowNumber,
    reason: SkippedRowReason,
    trailing: TrailingRow,
) {
    let text = match trailing {
        TrailingRow::Total(text) | TrailingRow::Notice(text) => text,
        TrailingRow::SingleCell | TrailingRow::Other => String::new(),
    };
    match groups.last_mut() {
        Some(group) if group.reason == reason => {
            group.rows.push(row);
            if group.text.is_empty() {
                group.text = text;
            }
        }
        _ => groups.push(SkippedRows {
            rows: vec![row],
            reason,
            text,
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_footer_is_known_by_its_wording() {
        for line in [
            "Copyright (c) 2000-2026 salesforce.com, inc. All rights reserved.",
            "Confidential Information - Do Not Distribute",
            "Generated By:  Jane Doe  11/21/2026 3:15 PM",
            "Saturday, Nov 21, 2026 03:15:02 PM GMT-5",
            "Jobber · Generated on Nov 1, 2026",
            "Filters: Status = Open",
            "Page 1 of 3",
            "page 2/3",
        ] {
            assert!(is_notice(line), "{line}");
        }
        for line in [
            "Acme Roofing",
            "Monday Smith",
            "Generous Gutters",
            "Filters Direct",
            "Page Turner",
            "Page 3 Studios",
            "12 Elm Street",
        ] {
            assert!(!is_notice(line), "{line}");
        }
    }

    #[test]
    fn a_lone_text_belongs_to_a_footer_only_next_to_its_wording() {
        let lone = TrailingRow::SingleCell;
        let notice = TrailingRow::Notice("Copyright".to_owned());
        let footer = Some(SkippedRowReason::Footer);
        assert_eq!(
            skip_reasons(&[&lone, &notice, &lone]),
            [footer, footer, footer]
        );
        assert_eq!(
            skip_reasons(&[&lone, &lone, &notice, &TrailingRow::Other]),
            [None, footer, footer, None]
        );
        assert_eq!(skip_reasons(&[&lone]), [None]);
    }
}
