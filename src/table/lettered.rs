//! Columns that options name by their letters, and what names them after columns were inserted or removed.

use std::collections::BTreeMap;

use crate::model::{ContentHash, hexadecimal};
use crate::sheet::column_of;
use crate::table::analyzed_headers::Headers;
use crate::table::columns::repeated;
use crate::table::options::{HeaderRow, TableOptions};
use crate::table::rejects_columns::{DECISION, HEADERS};
use crate::table::synonyms::fold;

/// The columns that the options of a table name by their letters.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LetteredColumns {
    /// The header of each column, by its letters; none if it has none of its own.
    headers: BTreeMap<String, Option<String>>,
    /// The name of the address that has the column of `--address`, and whether no other has that name.
    address: Option<(String, bool)>,
    /// The digest of the headers in their order.
    header_row: String,
}

impl LetteredColumns {
    pub(super) fn find(headers: &Headers, options: &TableOptions) -> Self {
        let names = &headers.names;
        let is_absent = options.header_row == HeaderRow::Absent;
        let repeated = repeated(names);
        let is_header = |text: &str| names.iter().any(|name| fold(name) == fold(text));
        let asked = options.map.iter().map(|(_, asked)| asked.as_str());
        let lettered = asked.filter_map(|asked| {
            let column = column_of(asked).filter(|column| *column < names.len())?;
            if is_absent {
                return Some((asked.to_owned(), None));
            }
            let header = names[column].trim();
            let is_own = !fold(header).is_empty() && !repeated.contains(&column);
            let words: Vec<&str> = header.split_whitespace().collect();
            let header = is_own.then(|| words.join(" "));
            (!is_header(asked)).then(|| (asked.to_owned(), header))
        });
        let address = options.address.as_deref();
        Self {
            headers: lettered.collect(),
            address: address.and_then(|asked| headers.blocks().name_by_letters(asked)),
            header_row: digest(names),
        }
    }

    /// The header of the column with these letters, if no other column has it.
    pub fn header_of(&self, letters: &str) -> Option<&str> {
        self.headers.get(letters)?.as_deref()
    }

    /// The name of the address that was named by the letters of a column, if no other address has it.
    pub fn address(&self) -> Option<&str> {
        self.address
            .as_ref()
            .filter(|(_, is_own)| *is_own)
            .map(|(name, _)| name.as_str())
    }

    /// Whether the options name a column by its letters.
    pub fn has_any(&self) -> bool {
        !self.headers.is_empty() || self.address.is_some()
    }

    /// Whether only its letters name one of the columns.
    pub fn has_unnamed(&self) -> bool {
        let is_shared = |(_, is_own): &(String, bool)| !is_own;
        self.headers.values().any(Option::is_none) || self.address.as_ref().is_some_and(is_shared)
    }

    /// The digest of the headers in their order: where it is equal, letters name the same columns.
    pub fn header_row(&self) -> &str {
        &self.header_row
    }
}

/// The columns that rejects add do not count.
fn digest(names: &[String]) -> String {
    let added = |name: &&str| HEADERS.contains(name) || *name == DECISION;
    let names = names.iter().map(|name| name.trim());
    let mut names: Vec<&str> = names.filter(|name| !added(name)).collect();
    while names.last().is_some_and(|name| name.is_empty()) {
        names.pop();
    }
    let hash = ContentHash::from_fields(names.into_iter().map(Some));
    hexadecimal(&hash.to_bytes())
}
