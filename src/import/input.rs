//! What a run reads and by which rules.

use std::path::Path;

use crate::import::CheckRules;
use crate::sheet::{self, Document};
use crate::table::{IdColumn, TableOptions};

/// A file of rows, how it is to be read, and the rules for its rows.
#[derive(Clone, Debug)]
pub struct ImportInput {
    /// The file, or standard input spooled.
    pub document: Document,
    /// How it is read.
    pub options: TableOptions,
    /// The rules for its rows.
    pub rules: CheckRules,
}

impl ImportInput {
    /// The input at a path; `-` reads standard input to its end, into a private temporary file.
    ///
    /// # Errors
    /// When standard input cannot be spooled. A path is not looked at before it is read.
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
        if rules.ids == crate::import::IdSource::Derived {
            options.ids = IdColumn::NotNeeded;
        }
        Ok(Self {
            document,
            options,
            rules,
        })
    }
}
