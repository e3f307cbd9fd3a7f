//! Whether the cells of a column are units: a lot has a size too, a building a type, and a floor may be a count.

use crate::model::{WordList, bare_unit, is_unit_text};
use crate::table::analyzed_headers::Headers;
use crate::table::synonyms::fold;

static EMPTY: WordList = WordList::new("empty_units");
static MEASURES: WordList = WordList::new("measures");

/// Marks, folded, as for whether there is a trailer.
const MARKS: [&str; 5] = ["y", "n", "x", "yes", "no"];

/// Kinds of units whose numbers may have four digits; of others such a number is a size.
const LONG_NUMBERS: [&str; 2] = ["Bldg", "Room"];

/// What a filled cell has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum UnitCellKind {
    /// A unit with letters or its word.
    Unit,
    /// A number, which may be a unit or a count.
    Number,
    /// A size or a count.
    Measure,
    Other,
}

/// What the cells of a column have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum UnitCells {
    /// Units, apart from a few.
    Units,
    /// Sizes, types, counts or marks.
    NoUnits,
    /// Units and other text.
    Mixed,
}

/// What the cells of a column have whose header names units with this word in front.
pub(super) fn unit_cells(around: &Headers, column: usize, word: &str) -> UnitCells {
    let filled: Vec<&str> = filled(around, column).collect();
    let is_mark = |cell: &&str| MARKS.contains(&fold(cell).as_str());
    if !filled.is_empty() && filled.iter().all(is_mark) {
        return UnitCells::NoUnits;
    }
    let contents: Vec<UnitCellKind> = filled.iter().map(|cell| content(cell, word)).collect();
    let count = |wanted: UnitCellKind| contents.iter().filter(|one| **one == wanted).count();
    let (units, numbers) = (count(UnitCellKind::Unit), count(UnitCellKind::Number));
    if (units + numbers) * 10 >= filled.len() * 9 {
        UnitCells::Units
    } else if units > 0 || numbers > 0 && count(UnitCellKind::Other) > 0 {
        UnitCells::Mixed
    } else {
        UnitCells::NoUnits
    }
}

/// Whether at least one cell of a column is filled.
pub(super) fn is_filled(around: &Headers, column: usize) -> bool {
    filled(around, column).next().is_some()
}

/// Whether a cell of a column is a unit with its word, such as `2nd floor`.
pub(super) fn has_worded(around: &Headers, column: usize) -> bool {
    filled(around, column).any(is_unit_text)
}

/// Whether at least half of the filled cells of a column are units with their words.
pub(super) fn are_units(around: &Headers, column: usize) -> bool {
    around.are_mostly(column, 5, is_unit_text)
}

fn filled(around: &Headers, column: usize) -> impl Iterator<Item = &str> {
    let cells = around.filled(column);
    cells.filter(|cell| !EMPTY.has(&fold(cell)))
}

fn content(cell: &str, word: &str) -> UnitCellKind {
    // A number in a spreadsheet may be read as `4.0`.
    let cell = cell.strip_suffix(".0").unwrap_or(cell);
    let is_number = cell.bytes().all(|byte| byte.is_ascii_digit());
    if is_measure(cell) || is_number && cell.len() > 3 && !LONG_NUMBERS.contains(&word) {
        return UnitCellKind::Measure;
    }
    if is_number {
        return UnitCellKind::Number;
    }
    let is_short = |name: &str| word != "Bldg" || !is_type(name);
    let is_worded = || {
        let (front, name) = cell.split_once(' ')?;
        (fold(front) == fold(word)).then(|| bare_unit(name))?
    };
    let is_unit = bare_unit(cell).is_some_and(is_short) || is_unit_text(cell);
    if is_unit || is_worded().is_some() {
        UnitCellKind::Unit
    } else {
        UnitCellKind::Other
    }
}

/// Whether a short name is the type of a building, such as `SF`: one of several letters and no digit.
fn is_type(name: &str) -> bool {
    name.chars().count() > 1 && !name.contains(|c: char| c.is_ascii_digit())
}

/// Whether a text is a number with decimals, a size such as `50x100`, or a number with a measure behind it.
pub(crate) fn is_measure(cell: &str) -> bool {
    let is_part_of_number = |c: char| c.is_ascii_digit() || ".,/½¼¾".contains(c);
    let behind = cell.trim_start_matches(|c: char| is_part_of_number(c) || c == ' ' || c == '-');
    let number = cell[..cell.len() - behind.len()].trim();
    if !number.starts_with(|c: char| c.is_ascii_digit() || ".½¼¾".contains(c)) {
        return false;
    }
    let is_whole = number
        .bytes()
        .all(|byte| byte.is_ascii_digit() || byte == b'-');
    if behind.is_empty() {
        return !is_whole;
    }
    let measure = fold(&behind.replace('×', "x").replace('²', "2"));
    let sides = measure.trim_end_matches(|c: char| c.is_ascii_digit());
    // The two sides of a lot: `50x100`, `50' x 100'`.
    MEASURES.has(&measure) || sides == "x" && measure.len() > 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use UnitCellKind::{Measure, Number, Other, Unit};

    #[test]
    fn a_cell_is_a_unit_a_number_a_measure_or_other_text() {
        for (word, cell, expected) in [
            ("Lot", "4", Number),
            ("Lot", "4.0", Number),
            ("Lot", "12A", Unit),
            ("Lot", "3-4", Unit),
            ("Lot", "Lot 4", Unit),
            ("Villa", "Villa 4", Unit),
            ("Lot", "7500", Measure),
            ("Lot", "8500.0", Measure),
            ("Lot", "0.25", Measure),
            ("Lot", "8,500 sqft", Measure),
            ("Lot", "1/4 acre", Measure),
            ("Lot", "50x100", Measure),
            ("Lot", "50' x 100'", Measure),
            ("Lot", "Corner", Other),
            ("Bldg", "1200", Number),
            ("Bldg", "A", Unit),
            ("Bldg", "B2", Unit),
            ("Bldg", "SF", Other),
            ("Bldg", "2 story", Measure),
            ("Floor", "2nd floor", Unit),
        ] {
            assert_eq!(content(cell, word), expected, "{word}: {cell}");
        }
    }
}
