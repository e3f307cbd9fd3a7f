//! Recognises rows that are not customers: a wrong number of values, repeated headers, totals.

use crate::import::check::row_check::RowCheck;
use crate::model::{Field, Severity};
use crate::sheet::{Cell, FileFormat};

impl RowCheck<'_> {
    pub(super) fn is_ragged(&mut self) -> bool {
        let columns = self.columns.headers().len();
        let width = self.row.width();
        if self.form != FileFormat::Text || width == columns {
            return false;
        }
        let cause = if width > columns {
            "a comma without quotes in the address?"
        } else {
            "a line break without quotes?"
        };
        let message = format!("{width} values for {columns} columns; {cause}");
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

    /// Replaces the findings of an invalid row that looks like a total by one that says so.
    pub(super) fn recognise_total(&mut self) {
        let is_total = |text: &str| {
            let text = text.trim();
            [
                "total",
                "grand total",
                "subtotal",
                "totals",
                "totaux",
                "sum",
                "count",
            ]
            .iter()
            .any(|word| {
                text.get(..word.len())
                    .is_some_and(|start| start.eq_ignore_ascii_case(word))
            }) && text.len() < 24
        };
        let filled: Vec<Cell<'_>> = self.row.cells().filter(|cell| !cell.is_blank()).collect();
        if filled.len() <= 4 && filled.iter().any(|cell| is_total(cell.text)) {
            self.findings.clear();
            self.add(
                Severity::Error,
                None,
                None,
                "the row looks like a total; delete it".to_owned(),
            );
        }
    }
}
