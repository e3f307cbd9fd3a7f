//! The prefix of ids with which another sheet of a workbook was imported.

use rusqlite::{OptionalExtension, params};

use crate::journal::{Error, SubmissionIndex};
use crate::model::TableSource;

/// A prefix of ids that another sheet has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SheetPrefix {
    /// The prefix, which is not empty.
    pub prefix: String,
    /// That sheet.
    pub sheet: String,
    /// Whether the present sheet was never imported.
    pub is_of_new_sheet: bool,
}

impl SubmissionIndex {
    /// Returns the prefix with which another sheet of the workbook was imported last.
    ///
    /// # Errors
    /// Returns an [`Error`] if the journal cannot be read.
    pub fn prefix_of_other_sheet(&self, table: &TableSource) -> Result<Option<SheetPrefix>, Error> {
        let sql = "SELECT flags ->> '$.\"id-prefix\"' AS prefix, sheet,
                NOT EXISTS (SELECT 1 FROM sheet_flags WHERE path = ?1 AND sheet = ?2)
            FROM sheet_flags WHERE path = ?1 AND sheet NOT IN ('', ?2) AND prefix <> '' AND rejects_of IS NULL
            ORDER BY imported_at DESC LIMIT 1";
        let sheet = table.sheet.as_deref().unwrap_or_default();
        let values = params![table.path.to_string_lossy(), sheet];
        let known = self.connection().query_row(sql, values, |row| {
            Ok(SheetPrefix {
                prefix: row.get(0)?,
                sheet: row.get(1)?,
                is_of_new_sheet: row.get(2)?,
            })
        });
        Ok(known.optional()?)
    }
}
