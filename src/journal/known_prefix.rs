//! The prefix of ids with which another sheet of a workbook was imported.

use rusqlite::{OptionalExtension, params};

use crate::journal::{Error, SubmissionIndex};
use crate::model::TableSource;

/// A prefix of ids that another sheet has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownPrefix {
    /// The prefix, which is not empty.
    pub prefix: String,
    /// That sheet.
    pub sheet: String,
    /// Whether the present sheet was never imported.
    pub is_of_new_sheet: bool,
    /// Whether other rows were requested under ids of the present sheet with it. The journal alone does not know that.
    pub is_taken: bool,
}

impl SubmissionIndex {
    /// Returns the prefix with which another sheet of the workbook was imported last.
    ///
    /// # Errors
    /// Returns an [`Error`] if the journal cannot be read.
    pub fn known_prefix(&self, table: &TableSource) -> Result<Option<KnownPrefix>, Error> {
        let sql = "SELECT flags ->> '$.\"id-prefix\"' AS prefix, sheet,
                NOT EXISTS (SELECT 1 FROM sheet_flags WHERE path = ?1 AND sheet = ?2)
            FROM sheet_flags WHERE path = ?1 AND sheet NOT IN ('', ?2) AND prefix <> '' AND rejects_of IS NULL
            ORDER BY imported_at DESC LIMIT 1";
        let sheet = table.sheet.as_deref().unwrap_or_default();
        let values = params![table.path.to_string_lossy(), sheet];
        let known = self.connection().query_row(sql, values, |row| {
            Ok(KnownPrefix {
                prefix: row.get(0)?,
                sheet: row.get(1)?,
                is_of_new_sheet: row.get(2)?,
                is_taken: false,
            })
        });
        Ok(known.optional()?)
    }
}
