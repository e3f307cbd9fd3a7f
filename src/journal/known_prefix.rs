//! The prefix of ids with which another sheet of a workbook was imported, or another file with the same headers.

use rusqlite::{OptionalExtension, params};

use crate::journal::{Error, SubmissionIndex};
use crate::model::{ContentHash, TableSource};

/// A prefix of ids that another table has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownPrefix {
    /// The prefix, which is not empty.
    pub prefix: String,
    /// That table.
    pub table: TableSource,
    /// Whether it is another sheet of the workbook, and the present sheet was never imported.
    pub is_of_new_sheet: bool,
}

impl KnownPrefix {
    /// The sheet or the file that has it, as text.
    pub fn owner(&self) -> String {
        match &self.table.sheet {
            Some(sheet) if self.is_of_new_sheet => format!("the sheet `{sheet}`"),
            _ => self.table.file_name(),
        }
    }
}

impl SubmissionIndex {
    /// Returns the prefix with which another sheet of the workbook was imported last, or else another file with these
    /// headers.
    ///
    /// # Errors
    /// Returns an [`Error`] if the journal cannot be read.
    pub fn known_prefix(
        &self,
        table: &TableSource,
        headers: Option<ContentHash>,
    ) -> Result<Option<KnownPrefix>, Error> {
        let sql = "SELECT flags ->> '$.\"id-prefix\"' AS prefix, path, nullif(sheet, ''), path = ?1
                AND NOT EXISTS (SELECT 1 FROM sheet_flags WHERE path = ?1 AND sheet = ?2)
            FROM sheet_flags WHERE prefix <> '' AND rejects_of IS NULL
                AND (path = ?1 AND sheet <> ?2 OR path <> ?1 AND headers = ?3)
            ORDER BY path = ?1 DESC, imported_at DESC LIMIT 1";
        let sheet = table.sheet.as_deref().unwrap_or_default();
        let path = table.path.to_string_lossy();
        let values = params![path, sheet, headers.map(ContentHash::to_bytes)];
        let known = self.connection().query_row(sql, values, |row| {
            Ok(KnownPrefix {
                prefix: row.get(0)?,
                table: TableSource {
                    path: row.get::<_, String>(1)?.into(),
                    sheet: row.get(2)?,
                },
                is_of_new_sheet: row.get(3)?,
            })
        });
        Ok(known.optional()?)
    }
}
