//! Digests of headers, by which a file is recognized as one that has the headers of an earlier one.

use crate::model::ContentHash;
use crate::table::options::{HeaderRow, TableOptions};
use crate::table::rejects_columns::{columns_before_results, is_added_header};
use crate::table::synonyms::fold_cell;
use crate::table::table_head::TableHead;

/// The headers of a table as digests. They do not depend on case, spacing, or the columns that rejects and results add,
/// so that rejects and a sheet with results have the layout of their original.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HeaderDigest {
    in_any_order: ContentHash,
    in_order: ContentHash,
    has_letters: bool,
}

impl HeaderDigest {
    pub(super) fn new(head: &TableHead, options: &TableOptions) -> Self {
        let names = &head.names[..columns_before_results(&head.names)];
        let names = names.iter().filter(|name| !is_added_header(name));
        let names = names.map(|name| name.split_whitespace().collect::<Vec<_>>().join(" "));
        let mut names: Vec<String> = names.map(|name| name.to_lowercase()).collect();
        let digest =
            |names: &[String]| ContentHash::from_fields(names.iter().map(|name| Some(&**name)));
        let end = names.iter().rposition(|name| !name.is_empty());
        names.truncate(end.map_or(0, |last| last + 1));
        let in_order = digest(&names);
        names.retain(|name| !name.is_empty());
        names.sort_unstable();
        Self {
            in_any_order: digest(&names),
            in_order,
            has_letters: has_letters(head, options),
        }
    }

    /// Whether the options name columns by their letters, which are those of the same columns only where the headers
    /// are in the same order.
    pub fn has_letters(&self) -> bool {
        self.has_letters
    }

    /// The digest to be stored for these headers and the options with which they were read.
    pub fn stored(&self) -> ContentHash {
        if self.has_letters {
            self.in_order
        } else {
            self.in_any_order
        }
    }

    /// Whether these are the headers that were stored as `stored`.
    pub fn is_same(&self, stored: ContentHash) -> bool {
        [self.in_any_order, self.in_order].contains(&stored)
    }
}

fn has_letters(head: &TableHead, options: &TableOptions) -> bool {
    let is_header = |wanted: &str| {
        head.names
            .iter()
            .any(|name| fold_cell(name) == fold_cell(wanted))
    };
    options.header_row == HeaderRow::Absent
        || options.map.iter().any(|(_, wanted)| !is_header(wanted))
        || options
            .address
            .iter()
            .any(|wanted| head.groups().by_name(wanted).is_none())
}
