//! Columns and cells as Excel names them: `F`, `F22`.

use crate::model::RowNumber;

/// The letters of a zero-based column: `A`, `Z`, `AA`.
pub fn column_letters(column: usize) -> String {
    let mut letters = Vec::new();
    let mut left = column + 1;
    while left > 0 {
        letters.extend(('A'..='Z').nth((left - 1) % 26));
        left = (left - 1) / 26;
    }
    letters.iter().rev().collect()
}

/// The cell of a zero-based column in a row: `F22`.
pub fn cell_address(column: usize, row: RowNumber) -> String {
    format!("{}{row}", column_letters(column))
}

/// The zero-based column of its letters; `None` if no sheet has such a column.
pub fn column_of(letters: &str) -> Option<usize> {
    if letters.is_empty() || letters.len() > 3 || !letters.bytes().all(|b| b.is_ascii_uppercase()) {
        return None;
    }
    let number = letters
        .bytes()
        .fold(0, |sum, letter| sum * 26 + usize::from(letter - b'A') + 1);
    Some(number - 1)
}

/// The zero-based column and the row of a cell: `F22`; `None` for what names none.
pub(crate) fn place_of(cell: &str) -> Option<(usize, RowNumber)> {
    let letters = cell.find(|c: char| c.is_ascii_digit())?;
    let (column, row) = cell.split_at(letters);
    Some((column_of(column)?, RowNumber(row.parse().ok()?)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_lettered_as_in_excel() {
        for (column, letters) in [
            (0, "A"),
            (25, "Z"),
            (26, "AA"),
            (701, "ZZ"),
            (16_383, "XFD"),
        ] {
            assert_eq!(column_letters(column), letters);
            assert_eq!(column_of(letters), Some(column));
        }
    }

    #[test]
    fn a_header_is_no_column_letter() {
        for text in ["", "a", "A1", "PHONE", "É"] {
            assert_eq!(column_of(text), None, "{text}");
        }
    }
}
