//! Columns that options name by their letters, and whether the letters still name the same columns.

use crate::model::{ContentHash, hexadecimal};
use crate::sheet::column_of;
use crate::table::options::{HeaderRow, TableOptions};
use crate::table::rejects_columns::{DECISION, HEADERS, columns_before_results};
use crate::table::synonyms::fold;
use crate::table::table_head::TableHead;

/// Whether the options of a table name columns by their letters.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LetteredColumns {
    has_any: bool,
    /// The digest of the headers in their order.
    header_row: String,
}

impl LetteredColumns {
    pub(super) fn find(headers: &TableHead, options: &TableOptions) -> Self {
        let is_absent = options.header_row == HeaderRow::Absent;
        let is_header = |text: &str| {
            let mut names = headers.names.iter();
            !is_absent && names.any(|name| fold(name) == fold(text))
        };
        let is_address = |text: &&String| headers.groups().by_name(text).is_none();
        let columns = options.map.iter().map(|(_, asked)| asked);
        let columns = columns.filter(|asked| !is_header(asked));
        let mut asked = columns.chain(options.address.iter().filter(is_address));
        Self {
            has_any: asked.any(|asked| column_of(asked).is_some()),
            header_row: digest(&headers.names),
        }
    }

    /// Whether the options name a column by its letters.
    pub fn has_any(&self) -> bool {
        self.has_any
    }

    /// The digest of the headers in their order: where it is equal, letters name the same columns.
    pub fn header_row(&self) -> &str {
        &self.header_row
    }
}

/// The columns that rejects add do not count.
fn digest(names: &[String]) -> String {
    let added = |name: &&str| HEADERS.contains(name) || *name == DECISION;
    let names = &names[..columns_before_results(names)];
    let names = names.iter().map(|name| name.trim());
    let mut names: Vec<&str> = names.filter(|name| !added(name)).collect();
    while names.last().is_some_and(|name| name.is_empty()) {
        names.pop();
    }
    let hash = ContentHash::from_fields(names.into_iter().map(Some));
    hexadecimal(&hash.to_bytes())
}
