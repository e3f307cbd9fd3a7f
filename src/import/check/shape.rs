//! Recognizes rows that are not customers: rows with a wrong number of values, repeated header rows, and section
//! headings.

use crate::import::check::problem_message::ProblemMessage;
use crate::import::check::row_check::RowCheck;
use crate::import::check::trailing::filled_cells;
use crate::model::{Field, HEADING, Severity, excerpt, pluralize};
use crate::sheet::FileFormat;
use crate::table::{fold_cell, known_field, rejects};

/// Minimum number of known headers in a row of headers.
const MIN_HEADERS: usize = 3;

impl RowCheck<'_> {
    pub(super) fn is_ragged(&mut self) -> bool {
        let is_text = self.format == FileFormat::Text;
        // In a workbook, remarks may stand there.
        let has_more = || rejects::has_more_cells(&self.row, self.columns);
        if rejects::has_moved_cells(&self.row, self.columns) || is_text && has_more() {
            let message = message!(
                "correct the row so that each value is below its header, and delete what is behind the last header"
            );
            self.add(Severity::Error, None, None, message);
            return true;
        }
        let columns = self.columns.headers().len();
        let width = self.row.width();
        if !is_text || width == columns {
            return false;
        }
        let cause = match width {
            1 => "a line break without quotes, or a heading to delete?",
            _ if width > columns => "a comma without quotes in the address?",
            _ => "a line break without quotes?",
        };
        let values = pluralize(width as u64, "value");
        let message = message!("{values} for {columns} columns; {cause}");
        self.add(Severity::Error, None, None, message);
        true
    }

    pub(super) fn repeats_the_headers(&mut self) -> bool {
        let repeats = |field: Field| {
            self.columns
                .indexes_of(field)
                .first()
                .is_some_and(|&column| {
                    let header = self.columns.headers()[column].trim();
                    !header.is_empty() && self.row.cell(column).text.trim() == header
                })
        };
        let repeats_address =
            repeats(Field::Address) || repeats(Field::Line1) && repeats(Field::City);
        if !(repeats_address || self.is_another_header_row()) || self.columns.headers()[0] == "A" {
            return false;
        }
        let message = message!("the row repeats the headers; delete it");
        self.add(Severity::Error, None, None, message);
        true
    }

    /// Whether the row has headers of other words or in another order than those of the table: the rows below may
    /// belong to another table.
    pub(super) fn is_another_header_row(&self) -> bool {
        // Nearly all rows of customers end here, so that an invalid one costs little.
        if self.has_values() || self.columns.headers()[0] == "A" {
            return false;
        }
        let cells = self.row.cells().enumerate();
        let known = cells.filter(|(_, cell)| known_field(cell.text).is_some());
        let known: Vec<(usize, String)> = known
            .map(|(column, cell)| (column, fold_cell(cell.text)))
            .collect();
        let own = |column: usize| self.columns.headers().get(column).map(|own| fold_cell(own));
        let differs = |(column, text): &(usize, String)| own(*column).as_ref() != Some(text);
        known.len() >= MIN_HEADERS && known.iter().any(differs)
    }

    /// Whether a cell has an email or a number, as no header does.
    fn has_values(&self) -> bool {
        let digits = |text: &str| text.bytes().filter(u8::is_ascii_digit).count();
        let is_value = |text: &str| digits(text) > 2 || text.contains('@');
        self.row.cells().any(|cell| is_value(cell.text))
    }

    /// Whether only one cell in front of the results is filled, as in a heading between the rows of customers.
    pub(super) fn is_heading(&mut self) -> bool {
        let (row, columns) = (self.row, self.columns);
        let results = columns.before_results();
        let mut filled = filled_cells(&row, columns).filter(|(column, _)| *column < results);
        let (Some((_, only)), None) = (filled.next(), filled.next()) else {
            return false;
        };
        let text = excerpt(only.text.trim());
        let message = ProblemMessage {
            kind: HEADING.into(),
            text: format!("only one cell is filled; delete the row if it is a heading: `{text}`"),
        };
        self.add(Severity::Error, None, None, message);
        true
    }
}
