//! Options that override what is detected of a file.

use crate::model::Field;
use crate::sheet::Delimiter;
use crate::table::NameOrder;

/// How a table is read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TableOptions {
    /// The sheet, by its name or by its number from 1; a name wins.
    pub sheet: Option<String>,
    /// The header row.
    pub header_row: HeaderRow,
    /// The delimiter; detected without one.
    pub delimiter: Option<Delimiter>,
    /// The encoding, by a name that the WHATWG's encoding standard knows.
    pub encoding: Option<String>,
    /// Fields that a named column feeds: a header, or a column's letters.
    pub map: Vec<(Field, String)>,
    /// Which of several addresses is meant, by its title or by the letters of a column of it.
    pub address: Option<String>,
    /// How names are written; detected without one.
    pub name_order: Option<NameOrder>,
    /// Whether hidden rows are left out; otherwise they are read like any other, with a warning.
    pub visible_only: bool,
    /// Whether ids are derived from other fields, so that the table needs no id column.
    pub derives_ids: bool,
}

/// The header row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum HeaderRow {
    /// Detected from the first rows.
    #[default]
    Found,
    /// That row, as numbered by Excel or an editor.
    At(u32),
    /// None: columns are named by their letters.
    Absent,
}
