//! What the user may say about how a file is to be read; everything else is found out.

use crate::model::Field;

/// The reading flags, as meant.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// The sheet, by its name or by its number from 1; a name wins.
    pub sheet: Option<String>,
    /// Where the headers stand.
    pub header_row: HeaderRow,
    /// What separates columns.
    pub delimiter: Option<Delimiter>,
    /// The encoding, by a name that the WHATWG's encoding standard knows.
    pub encoding: Option<String>,
    /// Fields that a named column feeds: a header, or a column's letters.
    pub map: Vec<(Field, String)>,
    /// Which of several addresses is meant, by its title or by the letters of a column of it.
    pub address: Option<String>,
    /// What happens to hidden rows.
    pub hidden_rows: HiddenRows,
    /// Whether the table must have an id column.
    pub ids: IdColumn,
}

/// Where the headers stand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum HeaderRow {
    /// Found by what the rows hold.
    #[default]
    Found,
    /// In that row, as Excel or an editor numbers it.
    At(u32),
    /// There are none: columns go by their letters.
    Absent,
}

/// One ASCII character between columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Delimiter(pub u8);

impl Delimiter {
    /// The delimiter that a flag's text means: a character, or `tab`.
    pub fn parse(text: &str) -> Option<Self> {
        match text {
            "tab" | "\\t" | "\t" => Some(Self(b'\t')),
            "comma" => Some(Self(b',')),
            "semicolon" => Some(Self(b';')),
            "pipe" => Some(Self(b'|')),
            _ => match text.as_bytes() {
                [byte] if byte.is_ascii() && !matches!(byte, b'"' | b'\r' | b'\n' | 0) => {
                    Some(Self(*byte))
                }
                _ => None,
            },
        }
    }

    /// The name in a sentence: `semicolons`.
    pub fn plural(self) -> String {
        match self.0 {
            b',' => "commas".to_owned(),
            b';' => "semicolons".to_owned(),
            b'\t' => "tabs".to_owned(),
            b'|' => "pipes".to_owned(),
            other => format!("\"{}\"", char::from(other)),
        }
    }
}

/// What happens to the hidden rows of a sheet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum HiddenRows {
    /// Read like any other, with a warning.
    #[default]
    Included,
    /// Left out.
    LeftOut,
}

/// Whether the table must have an id column.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum IdColumn {
    /// Every row brings its id.
    #[default]
    Required,
    /// Ids are derived from other fields.
    NotNeeded,
}
