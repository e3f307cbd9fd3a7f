//! The labels of rows with totals.

use crate::model::{WordList, has_digit};
use crate::sheet::{Cell, CellKind};

static TOTALS: WordList = WordList::new("totals");
static BESIDE_TOTALS: WordList = WordList::new("beside_totals");

/// Maximum number of characters in the label of a total.
const LONGEST_LABEL: usize = 40;

/// The label of a row of totals: the first cell that is not a number, or the first of all for the total of a group. Other
/// such cells are labels too, as in `Total`, `Count`.
pub(crate) fn total_label<'a>(filled: &[Cell<'a>]) -> Option<&'a str> {
    let is_figure =
        |cell: &&Cell<'_>| is_uncalculated(cell) || is_number(cell.text) || is_count(cell.text);
    let labels = filled.iter().filter(|cell| !is_figure(cell));
    let mut labels = labels.map(|label| label.text.trim());
    let first = labels.next()?;
    // A number in front is an id: of a customer such as `Total Roofing`.
    let is_of_group = || filled[0].text.trim() == first && is_total_of_group(first);
    ((is_total(first) || is_of_group()) && labels.all(is_total)).then_some(first)
}

/// Whether a text is the label of the total of a group: `Subtotal: Lead (9 jobs)`, `Maple Court total`.
fn is_total_of_group(text: &str) -> bool {
    let lower = text.to_lowercase();
    let mut words = lower
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty() && !BESIDE_TOTALS.has(word));
    let is_subtotal = |word: &str| matches!(word, "subtotal" | "subtotals");
    // In front, `Total Roofing` is a name.
    let is_in_front = words.next().is_some_and(is_subtotal);
    let is_total = |word: &str| is_subtotal(word) || matches!(word, "total" | "totals");
    let is_behind = words.next_back().is_some_and(is_total);
    text.chars().count() <= LONGEST_LABEL && (is_in_front || is_behind)
}

/// Whether a cell is a formula without a saved result, as some programs write sums.
fn is_uncalculated(cell: &Cell<'_>) -> bool {
    cell.kind == CellKind::Uncalculated
}

fn is_number(text: &str) -> bool {
    has_digit(text)
        && text
            .chars()
            .all(|c| c.is_ascii_digit() || c.is_whitespace() || ".,-+$€%()".contains(c))
}

/// Whether a text is a number of rows, such as `60 customers`.
fn is_count(text: &str) -> bool {
    let Some((number, noun)) = text.trim().split_once(' ') else {
        return false;
    };
    let noun = noun.trim().to_lowercase();
    is_number(number) && (BESIDE_TOTALS.has(&noun) || noun == "rows" || noun == "records")
}

/// Whether a text is the label of a total.
pub(super) fn is_total(text: &str) -> bool {
    if text.chars().count() > LONGEST_LABEL {
        return false;
    }
    let lower = text.to_lowercase();
    let words = || {
        let words = lower.split(|c: char| !c.is_alphanumeric());
        words.filter(|word| word.contains(char::is_alphabetic))
    };
    words().any(|word| TOTALS.has(word))
        && words().all(|word| TOTALS.has(word) || BESIDE_TOTALS.has(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_label_with_numbers_is_a_total_and_a_customer_is_none() {
        for label in [
            "Total",
            "TOTAL:",
            "Count: 80",
            "Grand Totals (80 records)",
            "80 records",
            "Sous-total",
            "Total général",
            "Average",
            "Number of leads: 3 total",
            "Total houses",
        ] {
            assert!(is_total(label), "{label}");
        }
        for name in [
            "Total Roofing",
            "Count Basie",
            "Sum Wong",
            "Summers",
            "",
            "80",
            "Leads",
        ] {
            assert!(!is_total(name), "{name}");
        }
        for label in ["Subtotal: Lead (9 jobs)", "Maple Court total"] {
            assert!(is_total_of_group(label), "{label}");
        }
        for name in ["Sum Wong", "The Total Group", "Total Roofing"] {
            assert!(!is_total_of_group(name), "{name}");
        }
        assert!(is_count("38 houses") && is_count("60 soumissions"));
        assert!(!is_count("38 Houses Lane"));
    }
}
