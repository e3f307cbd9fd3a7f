//! The columns of the template: header, example and validation.

use crate::import::{ID_LIMIT, LINE1_LIMIT, NAME_LIMIT, NOTES_LIMIT};
use crate::model::group_digits;

/// What Excel validates in a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CellValidation {
    /// Nothing.
    Free,
    /// A maximum number of characters.
    Length(usize),
    /// One of two countries.
    Country,
    /// A province or a state.
    Region,
    /// A text with an @.
    Email,
    /// An https link.
    Link,
}

/// One column.
#[derive(Clone, Copy, Debug)]
pub(super) struct TemplateColumn {
    pub(super) header: &'static str,
    pub(super) example: &'static str,
    /// In characters, as Excel counts widths.
    pub(super) width: u32,
    pub(super) checked: CellValidation,
    /// Which rows need the column, as text.
    pub(super) need: &'static str,
    /// The help for the column, at most the 255 characters that Excel shows beside a cell.
    pub(super) help: &'static str,
}

/// One column: its header, its example, its width, its validation, its need and its help.
macro_rules! columns {
    ($($header:literal, $example:literal, $width:literal, $checked:expr, $need:literal, $help:literal;)*) => {
        [$(TemplateColumn {
            header: $header,
            example: $example,
            width: $width,
            checked: $checked,
            need: $need,
            help: $help,
        }),*]
    };
}

/// Every column, in order.
pub(super) const COLUMNS: [TemplateColumn; 12] = columns! {
    "External ID", "LEAD-1001", 16, CellValidation::Length(ID_LIMIT), "required",
        "The id of the row in your own system, different in every row and in every file. The same id never makes a second request. Without ids of your own, import the sheet with --derive-id.";
    "Name", "Ada Lovelace", 24, CellValidation::Length(NAME_LIMIT), "required",
        "The homeowner.";
    "Email", "ada@example.com", 28, CellValidation::Email, "email or phone",
        "The homeowner's email. Each row needs an email or a phone.";
    "Phone", "(416) 555-0100", 18, CellValidation::Free, "email or phone",
        "The homeowner's phone, however it is written. Each row needs an email or a phone.";
    "Street address", "12 Elm Street", 32, CellValidation::Length(LINE1_LIMIT), "required",
        "House number and street, not a PO box.";
    "Unit", "Apt 4", 12, CellValidation::Free, "optional",
        "Apartment, unit or suite.";
    "City", "Toronto", 20, CellValidation::Free, "required",
        "The city or town.";
    "Province/State", "ON", 15, CellValidation::Region, "required",
        "Two letters, such as ON, QC, MA or NY; the cell has a list of all.";
    "Postal/ZIP code", "M5V 1A1", 15, CellValidation::Free, "required",
        "Postal code or ZIP code. The column is text, so that 02134 keeps its zero.";
    "Country", "CA", 10, CellValidation::Country, "optional",
        "CA or US. If empty, it follows from province or state and postal code.";
    "Notes", "Gate code 4471", 40, CellValidation::Length(NOTES_LIMIT), "optional",
        "What the contractor should know. Keep internal notes of your office out of this column.";
    "Link", "https://crm.example.com/leads/1001", 36, CellValidation::Link, "optional",
        "The row's page in your own system.";
};

impl TemplateColumn {
    /// The documented limit as text.
    pub(super) fn limit(&self) -> String {
        match self.checked {
            CellValidation::Free => String::new(),
            CellValidation::Length(limit) => format!("{} characters", group_digits(limit)),
            CellValidation::Country => "CA or US".to_owned(),
            CellValidation::Region => "one of the list".to_owned(),
            CellValidation::Email => "has an @".to_owned(),
            CellValidation::Link => "begins with https://".to_owned(),
        }
    }
}

/// The template as CSV: a header line, with a byte order mark so that Excel reads accents.
pub(super) fn text() -> String {
    let headers = COLUMNS.map(|column| column.header);
    format!("\u{feff}{}\r\n", headers.join(","))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_header_of_the_text_needs_a_quote() {
        for column in COLUMNS {
            assert!(
                !column.header.contains([',', '"', '\n']),
                "{}",
                column.header
            );
        }
    }

    #[test]
    fn excel_has_room_for_what_it_shows_beside_a_cell() {
        for column in COLUMNS {
            assert!(column.header.len() <= 32, "{}", column.header);
            assert!(column.help.len() <= 255, "{}", column.header);
        }
    }
}
