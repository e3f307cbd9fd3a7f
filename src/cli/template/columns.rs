//! The template's columns: headers, an example, and what may stand in them.

/// What Excel checks in a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Checked {
    /// Nothing.
    Free,
    /// At most so many characters.
    Length(u32),
    /// One of two countries.
    Country,
    /// A province or a state.
    Region,
    /// Something with an @ in it.
    Email,
}

/// One column.
#[derive(Clone, Copy, Debug)]
pub(super) struct Column {
    pub(super) header: &'static str,
    pub(super) example: &'static str,
    /// In characters, as Excel counts widths.
    pub(super) width: u32,
    pub(super) checked: Checked,
    pub(super) help: &'static str,
}

/// Every column, in order.
pub(super) const COLUMNS: [Column; 11] = [
    Column {
        header: "ID",
        example: "LEAD-1001",
        width: 16,
        checked: Checked::Length(128),
        help: "Required. The id of the row in your own system, different in every row and in every file. A second import of the same id never creates a second request.",
    },
    Column {
        header: "Name",
        example: "Ada Lovelace",
        width: 24,
        checked: Checked::Length(120),
        help: "Required. The homeowner.",
    },
    Column {
        header: "Email",
        example: "ada@example.com",
        width: 28,
        checked: Checked::Email,
        help: "Email or phone is required.",
    },
    Column {
        header: "Phone",
        example: "(416) 555-0100",
        width: 18,
        checked: Checked::Free,
        help: "Email or phone is required. Any format; it is kept as written.",
    },
    Column {
        header: "Street Address",
        example: "12 Elm Street",
        width: 32,
        checked: Checked::Length(200),
        help: "Required. House number and street; a PO box has no roof.",
    },
    Column {
        header: "Unit",
        example: "Apt 4",
        width: 12,
        checked: Checked::Free,
        help: "Apartment, unit or suite, where there is one.",
    },
    Column {
        header: "City",
        example: "Toronto",
        width: 20,
        checked: Checked::Free,
        help: "Required.",
    },
    Column {
        header: "Province/State",
        example: "ON",
        width: 15,
        checked: Checked::Region,
        help: "Required. The two letters, from the list.",
    },
    Column {
        header: "Postal Code",
        example: "M5V 1A1",
        width: 13,
        checked: Checked::Free,
        help: "Required. Postal code or ZIP. The column is text, so that 02134 keeps its zero.",
    },
    Column {
        header: "Country",
        example: "CA",
        width: 10,
        checked: Checked::Country,
        help: "CA or US; left empty it is the team's own country.",
    },
    Column {
        header: "Notes",
        example: "Gate code 4471",
        width: 40,
        checked: Checked::Length(2000),
        help: "For the contractor; the homeowner never sees them.",
    },
];

/// What stands above everything.
pub(super) const TITLE: &str = "Fill in the rows below the headers. The line above the headers is an example and is never read.";

/// The template as text, with a byte order mark so that Excel reads accents.
pub(super) fn text() -> String {
    let empty = ",".repeat(COLUMNS.len() - 1);
    let join =
        |cell: fn(&Column) -> &'static str| COLUMNS.iter().map(cell).collect::<Vec<_>>().join(",");
    let (example, headers) = (join(|column| column.example), join(|column| column.header));
    format!("\u{feff}{TITLE}{empty}\r\n{example}\r\n{headers}\r\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_cell_of_the_text_needs_a_quote() {
        let cells = COLUMNS
            .iter()
            .flat_map(|column| [column.header, column.example]);
        for cell in cells.chain([TITLE]) {
            assert!(!cell.contains([',', '"', '\n']), "{cell}");
        }
    }
}
