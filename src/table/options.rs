//! What the user may say about how a file is to be read; everything else is found out.

use crate::model::Field;
use crate::sheet::{Delimiter, HiddenRows};

/// The reading flags, as meant.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TableOptions {
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

/// Whether the table must have an id column.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum IdColumn {
    /// Every row brings its id.
    #[default]
    Required,
    /// Ids are derived from other fields.
    NotNeeded,
}
