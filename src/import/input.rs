//! The file of an import, how it is read, and the rules for its rows.

use std::path::Path;

use crate::import::CheckRules;
use crate::journal::FlagsByName;
use crate::sheet::{self, Document};
use crate::table::TableOptions;

/// A file of rows, how it is read, and the rules for its rows.
#[derive(Clone, Debug)]
pub struct ImportInput {
    /// The file, or standard input in a temporary file.
    pub document: Document,
    /// How it is read.
    pub options: TableOptions,
    /// The rules for its rows.
    pub rules: CheckRules,
    /// If its ids are derived and another address of it is chosen than in its last import: a run then sends nothing.
    pub address_change: Option<AddressChange>,
    /// If its flags are others than those of an earlier import: rows in conflict are then probably read wrongly.
    pub reading_change: Option<ReadingChange>,
}

/// Flags that choose other houses or ids than those of an earlier import.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadingChange {
    /// The remembered flags; empty if there were none.
    pub before: String,
    /// The flags that are given.
    pub now: String,
    /// Which import remembered them.
    pub origin: String,
    /// The other flags of the command line.
    pub others: FlagsByName,
}

/// Two addresses of one file: under derived ids, the rows of the second are other houses of the same customers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AddressChange {
    /// The flags that chose the address in the last import.
    pub before: String,
    /// The flags that choose it now.
    pub now: String,
}

impl ImportInput {
    /// The input at a path; `-` reads standard input to its end, into a private temporary file.
    ///
    /// # Errors
    /// If standard input cannot be copied to a temporary file. A path is not opened here.
    pub fn new(
        path: &Path,
        mut options: TableOptions,
        rules: CheckRules,
    ) -> Result<Self, sheet::Error> {
        let document = if path == Path::new("-") {
            Document::spooled(&mut std::io::stdin().lock())?
        } else {
            Document::at(path)
        };
        options.derives_ids |= rules.derive_ids;
        Ok(Self {
            document,
            options,
            rules,
            address_change: None,
            reading_change: None,
        })
    }
}
