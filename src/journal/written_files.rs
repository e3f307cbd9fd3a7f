//! The files that the program wrote last, so that files which a person has edited since are recognized.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use rusqlite::{Connection, OptionalExtension, Row, params};

use crate::journal::column_values::query_rows;
use crate::journal::{Error, Journal, SourceId};
use crate::model::{RowNumber, TableSource};

/// The file that the program last wrote at a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrittenFile {
    /// SHA-256 digest of the file, hexadecimal.
    pub sha256: String,
    /// For rejects, the digest of the file that they replaced: if the run was killed, it may still be there.
    pub replaced_sha256: Option<String>,
    /// For rejects, the digest of the file when all of its rows were imported last.
    pub imported_sha256: Option<String>,
    /// For rejects, the file whose import wrote them.
    pub input: Option<PathBuf>,
    /// For rejects, the original table.
    pub original: Option<TableSource>,
}

impl WrittenFile {
    /// Whether a file with this digest was written by the program and not edited since.
    pub fn matches(&self, sha256: &str) -> bool {
        self.sha256 == sha256 || self.replaced_sha256.as_deref() == Some(sha256)
    }
}

/// Rejects that are about to be moved to their path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrittenRejects {
    /// Their absolute path.
    pub path: PathBuf,
    /// SHA-256 digest of the file, hexadecimal.
    pub sha256: String,
    /// SHA-256 digest of the file that they replace; `None` if there is none.
    pub replaced_sha256: Option<String>,
    /// The file whose import writes them.
    pub input: PathBuf,
    /// The original table.
    pub source: SourceId,
    /// The rows, numbered as in the original, each with its cells there by field, as JSON.
    pub rows: Vec<(RowNumber, String)>,
}

impl Journal {
    /// Returns the file that the program last wrote at an absolute path; `None` if there is none.
    ///
    /// # Errors
    /// Returns an [`Error`] if the journal cannot be read.
    pub fn written_file(&self, path: &Path) -> Result<Option<WrittenFile>, Error> {
        let sql = "SELECT sha256, replaced_sha256, input, sources.path, sheet, imported_sha256 FROM written_files
            LEFT JOIN sources ON sources.id = source WHERE written_files.path = ?1";
        let file = |row: &Row<'_>| {
            let path = |index| {
                row.get(index)
                    .map(|path: Option<String>| path.map(PathBuf::from))
            };
            let sheet: Option<String> = row.get(4)?;
            Ok(WrittenFile {
                sha256: row.get(0)?,
                replaced_sha256: row.get(1)?,
                imported_sha256: row.get(5)?,
                input: path(2)?,
                original: path(3)?.map(|path| TableSource {
                    path,
                    sheet: sheet.filter(|sheet| !sheet.is_empty()),
                }),
            })
        };
        let path = path.to_string_lossy();
        self.read(|connection| connection.query_row(sql, [path], file).optional())
    }

    /// Whether a file with this digest was exported, wherever it is now.
    ///
    /// # Errors
    /// Returns an [`Error`] if the journal cannot be read.
    pub fn has_exported(&self, sha256: &str) -> Result<bool, Error> {
        let sql =
            "SELECT EXISTS (SELECT 1 FROM written_files WHERE sha256 = ?1 AND kind = 'export')";
        self.read(|connection| connection.query_row(sql, [sha256], |row| row.get(0)))
    }

    /// Whether any row was ever submitted.
    ///
    /// # Errors
    /// Returns an [`Error`] if the journal cannot be read.
    pub fn has_requests(&self) -> Result<bool, Error> {
        let sql = "SELECT EXISTS (SELECT 1 FROM requests)";
        self.read(|connection| connection.query_row(sql, [], |row| row.get(0)))
    }

    /// Whether all measurements of this journal existed before it requested them, or were restored.
    ///
    /// # Errors
    /// Returns an [`Error`] if the journal cannot be read.
    pub fn has_only_existing(&self) -> Result<bool, Error> {
        let sql = "SELECT EXISTS (SELECT 1 FROM requests WHERE state = 'existing')
            AND NOT EXISTS (SELECT 1 FROM requests WHERE state = 'created')";
        self.read(|connection| connection.query_row(sql, [], |row| row.get(0)))
    }

    /// Whether any row was submitted or rejected.
    ///
    /// # Errors
    /// Returns an [`Error`] if the journal cannot be read.
    pub fn has_rows(&self) -> Result<bool, Error> {
        let sql = "SELECT EXISTS (SELECT 1 FROM requests) OR EXISTS (SELECT 1 FROM rejected)";
        self.read(|connection| connection.query_row(sql, [], |row| row.get(0)))
    }

    /// Records a complete unsealed export at an absolute path.
    ///
    /// # Errors
    /// Returns an [`Error`] if the journal cannot be read or written.
    pub fn record_export(&self, path: PathBuf, sha256: String) -> Result<(), Error> {
        self.writer
            .write_blocking(move |connection, _| insert_export(connection, &path, &sha256))
    }

    /// Records that an unsealed export was renamed.
    ///
    /// # Errors
    /// Returns an [`Error`] if the journal cannot be read or written.
    pub fn record_renamed_export(
        &self,
        from: PathBuf,
        to: PathBuf,
        sha256: String,
    ) -> Result<(), Error> {
        self.writer.write_blocking(move |connection, _| {
            remove_path(connection, &from.to_string_lossy())?;
            insert_export(connection, &to, &sha256)
        })
    }

    /// Records rejects before they are moved to their path. If the process is killed before that, a person may correct
    /// the ones that they replace: until [`Journal::record_rejects_rows`], a row is only recorded if both have it.
    ///
    /// # Errors
    /// Returns an [`Error`] if the journal cannot be read or written.
    pub fn record_rejects(&self, rejects: WrittenRejects) -> Result<(), Error> {
        self.writer.write_blocking(move |connection, _| {
            let path = rejects.path.to_string_lossy();
            let input = rejects.input.to_string_lossy();
            let before: BTreeSet<(RowNumber, String)> = rejects_rows(connection, &path)?;
            remove_path(connection, &path)?;
            let sql =
                "INSERT INTO written_files (path, kind, sha256, replaced_sha256, input, source)
                VALUES (?1, 'rejects', ?2, ?3, ?4, ?5)";
            let is_new = rejects.replaced_sha256.is_none();
            connection.execute(
                sql,
                params![
                    path,
                    rejects.sha256,
                    rejects.replaced_sha256,
                    input,
                    rejects.source.0
                ],
            )?;
            let mut rows = rejects.rows;
            rows.retain(|row| is_new || before.contains(row));
            insert_rejects_rows(connection, &path, &rows)
        })
    }

    /// Records all rows of rejects, after these were moved to their path.
    ///
    /// # Errors
    /// Returns an [`Error`] if the journal cannot be read or written.
    pub fn record_rejects_rows(
        &self,
        path: PathBuf,
        rows: Vec<(RowNumber, String)>,
    ) -> Result<(), Error> {
        self.writer.write_blocking(move |connection, _| {
            let path = path.to_string_lossy();
            let sql = "UPDATE written_files SET replaced_sha256 = NULL WHERE path = ?1";
            connection.execute(sql, [&path])?;
            // What the input asked, its rejects ask too, where a word is mistyped for instance.
            let sql = "INSERT OR IGNORE INTO house_questions
                SELECT external_id, earlier_id, ?1, '' FROM house_questions
                WHERE path = (SELECT input FROM written_files WHERE path = ?1)";
            connection.execute(sql, [&path])?;
            insert_rejects_rows(connection, &path, &rows)
        })
    }

    /// Records which rejects a run left at their path that was killed while it replaced them, the new or the earlier
    /// ones: either may have the only copy of a row that it rejected. Those that were edited since remain as
    /// [`Journal::record_rejects`] leaves them. `sha256` is the digest of the file at a path, hexadecimal.
    ///
    /// # Errors
    /// Returns an [`Error`] if the journal cannot be read or written.
    pub fn record_killed_rejects(
        &self,
        sha256: impl Fn(&Path) -> Option<String>,
    ) -> Result<(), Error> {
        let unfinished = "SELECT path FROM written_files WHERE replaced_sha256 IS NOT NULL";
        let paths: Vec<String> =
            self.read(|connection| query_rows(connection, unfinished, [], |row| row.get(0)))?;
        for path in paths {
            let Some(sha256) = sha256(Path::new(&path)) else {
                continue;
            };
            self.writer.write_blocking(move |connection, _| {
                let rows = "INSERT OR IGNORE INTO rejects_rows (path, source_row, cells)
                    SELECT path, source_row, cells FROM written_files JOIN rejected USING (source)
                    WHERE path = ?1 AND ?2 IN (sha256, replaced_sha256) AND cells IS NOT NULL";
                connection.execute(rows, [&path, &sha256])?;
                let file = "UPDATE written_files SET sha256 = ?2, replaced_sha256 = NULL
                    WHERE path = ?1 AND ?2 IN (sha256, replaced_sha256)";
                connection.execute(file, [&path, &sha256]).map(drop)
            })?;
        }
        Ok(())
    }

    /// Records that all rows of rejects were imported, with the digest of the file then.
    ///
    /// # Errors
    /// Returns an [`Error`] if the journal cannot be written.
    pub fn record_imported_rejects(&self, path: PathBuf, sha256: String) -> Result<(), Error> {
        let sql = "UPDATE written_files SET imported_sha256 = ?2 WHERE path = ?1";
        let path = path.to_string_lossy().into_owned();
        self.writer
            .write_blocking(move |connection, _| connection.execute(sql, [path, sha256]).map(drop))
    }

    /// Records of rejects at absolute paths whether an import of their original found each of their rows there.
    ///
    /// # Errors
    /// Returns an [`Error`] if the journal cannot be written.
    pub fn record_settled_rejects(&self, rejects: Vec<(PathBuf, bool)>) -> Result<(), Error> {
        let sql = "UPDATE written_files SET is_settled = ?2 WHERE path = ?1";
        self.writer.write_blocking(move |connection, _| {
            let mut rejects = rejects.iter();
            rejects.try_for_each(|(path, is_settled)| {
                let values = params![path.to_string_lossy(), is_settled];
                connection.execute(sql, values).map(drop)
            })
        })
    }

    /// Keeps the record of rejects that were printed and whose file is deleted under a name that no file has, so that
    /// files with these rows are recognized.
    ///
    /// # Errors
    /// Returns an [`Error`] if the journal cannot be read or written.
    pub fn keep_printed_rejects(&self, path: &Path) -> Result<(), Error> {
        let path = path.to_string_lossy().into_owned();
        self.writer.write_blocking(move |connection, _| {
            let sql = "SELECT '-' || source FROM written_files WHERE path = ?1";
            let name = connection.query_row(sql, [&path], |row| row.get::<_, String>(0));
            let Some(name) = name.optional()? else {
                return Ok(());
            };
            remove_path(connection, &name)?;
            for table in ["written_files", "rejects_rows", "sheet_flags"] {
                let sql = format!("UPDATE OR REPLACE {table} SET path = ?2 WHERE path = ?1");
                connection.execute(&sql, [&path, &name])?;
            }
            Ok(())
        })
    }

    /// Removes the records of files that the program has deleted.
    ///
    /// # Errors
    /// Returns an [`Error`] if the journal cannot be read or written.
    pub fn remove_written(&self, paths: Vec<PathBuf>) -> Result<(), Error> {
        self.writer.write_blocking(move |connection, _| {
            let mut paths = paths.iter();
            paths.try_for_each(|path| remove_path(connection, &path.to_string_lossy()))
        })
    }
}

fn insert_export(connection: &Connection, path: &Path, sha256: &str) -> rusqlite::Result<()> {
    let path = path.to_string_lossy();
    remove_path(connection, &path)?;
    let sql = "INSERT INTO written_files (path, kind, sha256) VALUES (?1, 'export', ?2)";
    connection.execute(sql, params![path, sha256]).map(drop)
}

/// The rows of rejects, each with its cells in the original by field, as JSON.
pub(super) fn rejects_rows<C: FromIterator<(RowNumber, String)>>(
    connection: &Connection,
    path: &str,
) -> rusqlite::Result<C> {
    let sql = "SELECT source_row, cells FROM rejects_rows WHERE path = ?1";
    query_rows(connection, sql, [path], |row| {
        Ok((RowNumber(row.get(0)?), row.get(1)?))
    })
}

fn insert_rejects_rows(
    connection: &Connection,
    path: &str,
    rows: &[(RowNumber, String)],
) -> rusqlite::Result<()> {
    let sql = "INSERT OR REPLACE INTO rejects_rows (path, source_row, cells) VALUES (?1, ?2, ?3)";
    let mut statement = connection.prepare(sql)?;
    let mut rows = rows.iter();
    rows.try_for_each(|(row, cells)| statement.execute(params![path, row.0, cells]).map(drop))
}

fn remove_path(connection: &Connection, path: &str) -> rusqlite::Result<()> {
    connection.execute("DELETE FROM rejects_rows WHERE path = ?1", [path])?;
    connection.execute("DELETE FROM written_files WHERE path = ?1", [path])?;
    Ok(())
}
