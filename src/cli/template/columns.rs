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

/// Every column, in order.
pub(super) const COLUMNS: [TemplateColumn; 12] = [
    TemplateColumn {
        header: "External ID",
        example: "LEAD-1001",
        width: 16,
        checked: CellValidation::Length(128),
        need: ColumnNeed::Always,
        help: "The id of the row in your own system, different in every row and in every file. The same id never makes a second request.",
    },
    TemplateColumn {
        header: "Name",
        example: "Ada Lovelace",
        width: 24,
        checked: CellValidation::Length(120),
        need: ColumnNeed::Always,
        help: "The homeowner.",
    },
    TemplateColumn {
        header: "Email",
        example: "ada@example.com",
        width: 28,
        checked: CellValidation::Email,
        need: ColumnNeed::EmailOrPhone,
        help: "The homeowner's email. Each row needs an email or a phone.",
    },
    TemplateColumn {
        header: "Phone",
        example: "(416) 555-0100",
        width: 18,
        checked: CellValidation::Free,
        need: ColumnNeed::EmailOrPhone,
        help: "The homeowner's phone, however it is written. Each row needs an email or a phone.",
    },
    TemplateColumn {
        header: "Street address",
        example: "12 Elm Street",
        width: 32,
        checked: CellValidation::Length(200),
        need: ColumnNeed::Always,
        help: "House number and street. A PO box has no roof.",
    },
    TemplateColumn {
        header: "Unit",
        example: "Apt 4",
        width: 12,
        checked: CellValidation::Free,
        need: ColumnNeed::Never,
        help: "Apartment, unit or suite.",
    },
    TemplateColumn {
        header: "City",
        example: "Toronto",
        width: 20,
        checked: CellValidation::Free,
        need: ColumnNeed::Always,
        help: "The city or town.",
    },
    TemplateColumn {
        header: "Province/State",
        example: "ON",
        width: 15,
        checked: CellValidation::Region,
        need: ColumnNeed::Always,
        help: "Two letters, from the list: ON, QC, MA, NY.",
    },
    TemplateColumn {
        header: "Postal/ZIP code",
        example: "M5V 1A1",
        width: 15,
        checked: CellValidation::Free,
        need: ColumnNeed::Always,
        help: "Postal code or ZIP code. The column is text, so that 02134 keeps its zero.",
    },
    TemplateColumn {
        header: "Country",
        example: "CA",
        width: 10,
        checked: CellValidation::Country,
        need: ColumnNeed::Never,
        help: "CA or US. If empty, the team's own country is used.",
    },
    TemplateColumn {
        header: "Notes",
        example: "Gate code 4471",
        width: 40,
        checked: CellValidation::Length(2000),
        need: ColumnNeed::Never,
        help: "What the contractor should know. Keep internal notes of your office out of this column.",
    },
    TemplateColumn {
        header: "Link",
        example: "https://crm.example.com/leads/1001",
        width: 36,
        checked: CellValidation::Link,
        need: ColumnNeed::Never,
        help: "The row's page in your own system.",
    },
];

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
