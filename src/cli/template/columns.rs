//! The columns of the template: header, example and validation.

/// What Excel validates in a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CellValidation {
    /// Nothing.
    Free,
    /// A maximum number of characters.
    Length(u32),
    /// One of two countries.
    Country,
    /// A province or a state.
    Region,
    /// A text with an @.
    Email,
    /// An https link.
    Link,
}

/// Whether a row needs the column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ColumnNeed {
    /// In every row.
    Always,
    /// In every row, unless the other of the two has a value.
    EmailOrPhone,
    /// In no row.
    Never,
}

/// One column.
#[derive(Clone, Copy, Debug)]
pub(super) struct TemplateColumn {
    pub(super) header: &'static str,
    pub(super) example: &'static str,
    /// In characters, as Excel counts widths.
    pub(super) width: u32,
    pub(super) checked: CellValidation,
    pub(super) need: ColumnNeed,
    /// The help for the column, at most the 255 characters that Excel shows beside a cell.
    pub(super) help: &'static str,
}

/// One column: its header, its example, its width, its validation, its need and its help.
macro_rules! columns {
    ($($header:literal, $example:literal, $width:literal, $checked:expr, $need:ident, $help:literal;)*) => {
        [$(TemplateColumn {
            header: $header,
            example: $example,
            width: $width,
            checked: $checked,
            need: ColumnNeed::$need,
            help: $help,
        }),*]
    };
}

/// Every column, in order.
pub(super) const COLUMNS: [TemplateColumn; 12] = columns! {
    "External ID", "LEAD-1001", 16, CellValidation::Length(128), Always,
        "The id of the row in your own system, different in every row and in every file. The same id never makes a second request.";
    "Name", "Ada Lovelace", 24, CellValidation::Length(120), Always,
        "The homeowner.";
    "Email", "ada@example.com", 28, CellValidation::Email, EmailOrPhone,
        "The homeowner's email. Each row needs an email or a phone.";
    "Phone", "(416) 555-0100", 18, CellValidation::Free, EmailOrPhone,
        "The homeowner's phone, however it is written. Each row needs an email or a phone.";
    "Street address", "12 Elm Street", 32, CellValidation::Length(200), Always,
        "House number and street. A PO box has no roof.";
    "Unit", "Apt 4", 12, CellValidation::Free, Never,
        "Apartment, unit or suite.";
    "City", "Toronto", 20, CellValidation::Free, Always,
        "The city or town.";
    "Province/State", "ON", 15, CellValidation::Region, Always,
        "Two letters, from the list: ON, QC, MA, NY.";
    "Postal/ZIP code", "M5V 1A1", 15, CellValidation::Free, Always,
        "Postal code or ZIP code. The column is text, so that 02134 keeps its zero.";
    "Country", "CA", 10, CellValidation::Country, Never,
        "CA or US. If empty, the team's own country is used.";
    "Notes", "Gate code 4471", 40, CellValidation::Length(2000), Never,
        "What the contractor should know. Keep internal notes of your office out of this column.";
    "Link", "https://crm.example.com/leads/1001", 36, CellValidation::Link, Never,
        "The row's page in your own system.";
};

impl TemplateColumn {
    /// The documented limit as text.
    pub(super) fn limit(&self) -> String {
        match self.checked {
            CellValidation::Free => String::new(),
            CellValidation::Length(limit) => format!("{limit} characters"),
            CellValidation::Country => "CA or US".to_owned(),
            CellValidation::Region => "one of the list".to_owned(),
            CellValidation::Email => "has an @".to_owned(),
            CellValidation::Link => "begins with https://".to_owned(),
        }
    }

    /// Whether a row needs the column, as text.
    pub(super) fn needed(&self) -> &'static str {
        match self.need {
            ColumnNeed::Always => "required",
            ColumnNeed::EmailOrPhone => "email or phone",
            ColumnNeed::Never => "optional",
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
