//! Recognizes rows that are not customers: a wrong number of values, repeated headers, headings, totals.

use crate::import::check::row_check::RowCheck;
use crate::model::{Field, Severity, counted, excerpt};
use crate::sheet::{Cell, FileFormat};

impl RowCheck<'_> {
    pub(super) fn is_ragged(&mut self) -> bool {
        let columns = self.columns.headers().len();
        let width = self.row.width();
        if self.form != FileFormat::Text || width == columns {
            return false;
        }
        let cause = match width {
            1 => "a line break without quotes, or a heading to delete?",
            _ if width > columns => "a comma without quotes in the address?",
            _ => "a line break without quotes?",
        };
        let values = counted(width as u64, "value");
        let message = format!("{values} for {columns} columns; {cause}");
        self.add(Severity::Error, None, None, message);
        true
    }

    pub(super) fn repeats_the_headers(&mut self) -> bool {
        let repeats = |field: Field| {
            self.columns.of(field).first().is_some_and(|&column| {
                let header = self.columns.headers()[column].trim();
                !header.is_empty() && self.row.cell(column).text.trim() == header
            })
        };
        let repeats_address =
            repeats(Field::Address) || repeats(Field::Line1) && repeats(Field::City);
        if !repeats_address || self.columns.headers()[0] == "A" {
            return false;
        }
        self.add(
            Severity::Error,
            None,
            None,
            "the row repeats the headers; delete it".to_owned(),
        );
        true
    }

    /// Whether only one cell is filled, as in a heading between the rows of customers.
    pub(super) fn is_heading(&mut self) -> bool {
        let row = self.row;
        let mut filled = row.cells().filter(|cell| !cell.is_blank());
        let (Some(only), None) = (filled.next(), filled.next()) else {
            return false;
        };
        let message = if is_total(only.text) {
            LOOKS_LIKE_A_TOTAL.to_owned()
        } else {
            format!(
                "only one cell is filled: `{}`; delete the row if it is a heading",
                excerpt(only.text.trim())
            )
        };
        self.add(Severity::Error, None, None, message);
        true
    }

    /// Replaces the findings of an invalid row that looks like a total by one that says so.
    pub(super) fn recognize_total(&mut self) {
        let filled: Vec<Cell<'_>> = self.row.cells().filter(|cell| !cell.is_blank()).collect();
        if filled.len() <= 4 && filled.iter().any(|cell| is_total(cell.text)) {
            self.findings.clear();
            let message = LOOKS_LIKE_A_TOTAL.to_owned();
            self.add(Severity::Error, None, None, message);
        }
    }
}

const LOOKS_LIKE_A_TOTAL: &str = "the row looks like a total; delete it";

fn is_total(text: &str) -> bool {
    const WORDS: [&str; 7] = [
        "total",
        "grand total",
        "subtotal",
        "totals",
        "totaux",
        "sum",
        "count",
    ];
    let text = text.trim();
    let begins = |word: &&str| {
        let start = text.get(..word.len());
        start.is_some_and(|start| start.eq_ignore_ascii_case(word))
    };
    text.len() < 24 && WORDS.iter().any(begins)
}
