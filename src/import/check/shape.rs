//! Recognizes rows that are not customers: a wrong number of values, repeated headers, headings.

use crate::import::check::row_check::RowCheck;
use crate::import::check::trailing::filled_cells;
use crate::model::{Field, Severity, counted, excerpt};
use crate::sheet::FileFormat;
use crate::table::known_field;

/// Minimum number of known headers in a row that has headers in place of a customer.
const MIN_HEADERS: usize = 3;

impl RowCheck<'_> {
    pub(super) fn is_ragged(&mut self) -> bool {
        let columns = self.columns.headers().len();
        let width = self.row.width();
        if self.format != FileFormat::Text || width == columns {
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
        if !(repeats_address || self.has_other_headers()) || self.columns.headers()[0] == "A" {
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

    /// Whether the row is an example, a line of dashes, or describes the columns: `Text(18), Text(120)`.
    pub(super) fn is_no_customer(&mut self) -> bool {
        if let Some(&id) = self.columns.of(Field::Id).first() {
            let text = self.row.cell(id).text.trim();
            if text.eq_ignore_ascii_case("example") || text.eq_ignore_ascii_case("exemple") {
                let message =
                    format!("the id is `{text}`; delete the row, or give its customer another id");
                self.error(Field::Id, Some(id), message);
                return true;
            }
        }
        let address = [Field::Address, Field::Line1].map(|field| self.columns.of(field).first());
        let Some(&column) = address.into_iter().flatten().next() else {
            return false;
        };
        let row = self.row;
        let street = row.cell(column).text.trim();
        let mut filled = row.cells().filter(|cell| !cell.is_blank());
        let why = if is_line(street) && filled.all(|cell| is_line(cell.text.trim())) {
            "the row is only a line of dashes; delete it"
        } else if is_data_type(street)
            && filled.filter(|cell| is_data_type(cell.text.trim())).count() >= MIN_HEADERS
        {
            "the row describes the columns; delete it"
        } else {
            return false;
        };
        self.add(Severity::Error, None, None, why.to_owned());
        true
    }

    /// Whether the row is headers in another order than those of the table: the rows below belong to another table.
    pub(super) fn heads_another_table(&self) -> bool {
        // Nearly all rows of customers end here, so that an invalid one costs little.
        if self.has_values()
            || self
                .columns
                .headers()
                .first()
                .is_none_or(|first| first == "A")
        {
            return false;
        }
        let cells = self.row.cells().map(|cell| cell.text.trim());
        self.columns.are_headers_of_another_table(cells)
    }

    /// Whether the row has headers of another table, such as `Full Name, Address, Town`, in place of a customer.
    fn has_other_headers(&self) -> bool {
        let address = [Field::Address, Field::Line1].map(|field| self.columns.of(field).first());
        let Some(&column) = address.into_iter().flatten().next() else {
            return false;
        };
        let street = self.row.cell(column).text.trim();
        // Nearly all streets have a number, so that this costs nothing.
        if street.is_empty() || street.bytes().any(|byte| byte.is_ascii_digit()) {
            return false;
        }
        let known = self
            .row
            .cells()
            .filter(|cell| known_field(cell.text).is_some());
        known.count() >= MIN_HEADERS && !self.has_values()
    }

    /// Whether a cell has an email or a number, as no header does.
    fn has_values(&self) -> bool {
        let digits = |text: &str| text.bytes().filter(u8::is_ascii_digit).count();
        let is_value = |text: &str| text.contains('@') || digits(text) > 2;
        self.row.cells().any(|cell| is_value(cell.text))
    }

    /// Whether only one cell is filled, as in a heading between the rows of customers.
    pub(super) fn is_heading(&mut self) -> bool {
        let (row, columns) = (self.row, self.columns);
        let mut filled = filled_cells(&row, columns);
        let (Some(only), None) = (filled.next(), filled.next()) else {
            return false;
        };
        let message = format!(
            "only one cell is filled: `{}`; delete the row if it is a heading",
            excerpt(only.text.trim())
        );
        self.add(Severity::Error, None, None, message);
        true
    }
}

/// Whether a text is a line between rows: `---`, `====`.
fn is_line(text: &str) -> bool {
    text.chars().count() >= 2 && text.chars().all(|c| "-–—=_*~".contains(c))
}

/// Whether a text is a type with its length: `Text(120)`.
fn is_data_type(text: &str) -> bool {
    let length = text.strip_suffix(')').and_then(|text| text.split_once('('));
    length.is_some_and(|(name, length)| {
        !name.is_empty()
            && name.chars().all(|c| c.is_alphabetic() || c == ' ')
            && !length.is_empty()
            && length.bytes().all(|byte| byte.is_ascii_digit())
    })
}
