//! Rows that were corrected in the rejects of a file: which rows of the original they stand for.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use rusqlite::{Connection, params};

use crate::journal::{Error, Journal, NewRejection, SourceId, SubmissionIndex};
use crate::model::{RowNumber, TableSource};

/// A row of an original that was corrected in its rejects and accepted by the service.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Correction {
    /// The row of the original, as it was numbered when the rejects were written.
    pub row: RowNumber,
    /// Its cells there by field, as JSON.
    pub cells: String,
    /// The id under which the corrected row was sent.
    pub external_id: String,
}

/// Rows that were corrected in rejects and accepted.
#[derive(Clone, Debug, Default)]
pub struct Corrections {
    /// Those of the table itself.
    pub own: Vec<Correction>,
    /// Those of other tables, of which it may be a copy.
    pub others: Vec<Correction>,
}

/// Whose rejects a file holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RejectsOrigin {
    /// The original table.
    pub source: SourceId,
    /// The original file.
    pub path: PathBuf,
    /// The rows of the original that the rejects hold, with their cells there by field, as JSON.
    pub rows: BTreeMap<RowNumber, String>,
}

impl Journal {
    /// Whose rejects the file at an absolute path holds; none where it is no such file. A copy is known by its name, which
    /// begins like that of the rejects, and has to look like rejects.
    ///
    /// # Errors
    /// [`Error::Sqlite`] and its kin.
    pub fn rejects_origin(
        &self,
        path: &Path,
        looks_like_rejects: impl FnOnce(&Path) -> bool,
    ) -> Result<Option<RejectsOrigin>, Error> {
        let connection = self.reader()?;
        let Some(rejects) = find_rejects(&connection, path, looks_like_rejects)? else {
            return Ok(None);
        };
        let sql = "SELECT source_row, cells FROM rejects_rows WHERE path = ?1";
        let mut statement = connection.prepare(sql)?;
        let rows = statement.query_map([rejects.path], |row| {
            Ok((RowNumber(row.get(0)?), row.get(1)?))
        })?;
        Ok(Some(RejectsOrigin {
            source: rejects.source,
            path: rejects.original.into(),
            rows: rows.collect::<rusqlite::Result<_>>()?,
        }))
    }

    /// Takes a row from those that became no measurement, and keeps its correction, where another table's row with its id
    /// was accepted since and `corrects` it: the rows of copies of a table. It is given the cells of the row by field, as
    /// JSON, and what was requested.
    ///
    /// # Errors
    /// [`Error::Sqlite`] and its kin.
    pub fn correct_in_copies(
        &self,
        corrects: fn(&str, &crate::model::Request) -> bool,
    ) -> Result<(), Error> {
        self.write_blocking(move |connection| {
            for (source, correction, request) in corrected_copies(connection)? {
                let request = serde_json::from_str(&request);
                if request.is_ok_and(|request| corrects(&correction.cells, &request)) {
                    store_correction(connection, source, &correction)?;
                }
            }
            Ok(())
        })
    }

    /// Keeps corrections, and takes their rows from those that became no measurement. `remaining` are rows of the rejects
    /// that became none again, with their cells in the original, where their reasons are brought up to date.
    ///
    /// # Errors
    /// [`Error::Sqlite`] and its kin.
    pub fn record_corrections(
        &self,
        source: SourceId,
        corrections: Vec<Correction>,
        remaining: Vec<(String, NewRejection)>,
    ) -> Result<(), Error> {
        self.write_blocking(move |connection| {
            for correction in &corrections {
                store_correction(connection, source, correction)?;
            }
            let sql =
                "UPDATE rejected SET outcome = ?3, error = ?4 WHERE source = ?1 AND cells = ?2";
            let mut statement = connection.prepare(sql)?;
            for (cells, rejected) in &remaining {
                let (outcome, error) = (rejected.outcome.name(), &rejected.error);
                statement.execute(params![source.0, cells, outcome, error])?;
            }
            Ok(())
        })
    }
}

/// Rejects that the program wrote, and whose.
pub(super) struct KnownRejects {
    pub(super) path: String,
    source: SourceId,
    original: String,
}

/// The rejects that stand at a path, or that a file there is a copy of: its name begins alike, and it looks like rejects.
pub(super) fn find_rejects(
    connection: &Connection,
    path: &Path,
    looks_like_rejects: impl FnOnce(&Path) -> bool,
) -> rusqlite::Result<Option<KnownRejects>> {
    let sql = "SELECT written_files.path, source, sources.path FROM written_files
        JOIN sources ON sources.id = source WHERE kind = 'rejects'";
    let mut statement = connection.prepare(sql)?;
    let all = statement.query_map([], |row| {
        Ok(KnownRejects {
            path: row.get(0)?,
            source: SourceId(row.get(1)?),
            original: row.get(2)?,
        })
    })?;
    let all: Vec<KnownRejects> = all.collect::<rusqlite::Result<_>>()?;
    let nearest = all
        .into_iter()
        .filter_map(|rejects| Some((name_similarity(Path::new(&rejects.path), path)?, rejects)))
        .max_by_key(|(likeness, _)| *likeness);
    let nearest = nearest.map(|(_, rejects)| rejects);
    Ok(nearest.filter(|rejects| Path::new(&rejects.path) == path || looks_like_rejects(path)))
}

/// Rejected rows whose ids were accepted since their tables were imported last, from another table; with what was
/// requested, as JSON. A row in conflict is of another house, and which row a row of the rejects corrects is decided by more
/// than its id.
fn corrected_copies(
    connection: &Connection,
) -> rusqlite::Result<Vec<(SourceId, Correction, String)>> {
    let mut statement = connection.prepare(
        "SELECT r.source, r.source_row, r.cells, q.external_id, q.request
         FROM rejected r JOIN requests q ON q.external_id = r.external_id
         WHERE r.outcome <> 'conflict' AND r.cells IS NOT NULL AND q.source <> r.source
         AND (q.state = 'created' OR q.state = 'existing')
         AND q.answered_at > (SELECT max(ended_at) FROM runs WHERE runs.source = r.source)
         AND NOT EXISTS (SELECT 1 FROM sources s JOIN written_files w ON w.path = s.path
             WHERE s.id = q.source AND w.source = r.source)",
    )?;
    let rows = statement.query_map([], |row| {
        let correction = Correction {
            row: RowNumber(row.get(1)?),
            cells: row.get(2)?,
            external_id: row.get(3)?,
        };
        Ok((SourceId(row.get(0)?), correction, row.get(4)?))
    })?;
    rows.collect()
}

fn store_correction(
    connection: &Connection,
    source: SourceId,
    correction: &Correction,
) -> rusqlite::Result<()> {
    let (row, cells) = (correction.row.0, &correction.cells);
    // The first stays: whatever claims the row later is another house, or a house that was measured already.
    let sql = "INSERT INTO corrections (source, source_row, cells, external_id) VALUES (?1, ?2, ?3, ?4)
        ON CONFLICT DO UPDATE SET external_id = excluded.external_id WHERE external_id = excluded.external_id";
    if connection.execute(sql, params![source.0, row, cells, correction.external_id])? == 0 {
        return Ok(());
    }
    // The original may have been sorted and imported since: then the row has another number there.
    let sql =
        "DELETE FROM rejected WHERE source = ?1 AND source_row = (SELECT source_row FROM rejected
        WHERE source = ?1 AND cells = ?2 ORDER BY source_row = ?3 DESC LIMIT 1)";
    connection.execute(sql, params![source.0, cells, row])?;
    Ok(())
}

/// How well the name of a file says that it holds these rejects: it is their path, or begins with it, in whatever form.
fn name_similarity(rejects: &Path, file: &Path) -> Option<usize> {
    if rejects == file {
        return Some(usize::MAX);
    }
    let stem = |path: &Path| Some(path.file_stem()?.to_string_lossy().into_owned());
    let (rejects_stem, file_stem) = (stem(rejects)?, stem(file)?);
    let is_copy = rejects.parent() == file.parent() && file_stem.starts_with(&rejects_stem);
    is_copy.then_some(rejects_stem.len())
}

impl SubmissionIndex {
    /// The corrected rows, those of this table apart.
    ///
    /// # Errors
    /// [`Error::Sqlite`] and its kin.
    pub fn corrections(&self, source: &TableSource) -> Result<Corrections, Error> {
        let Some(connection) = self.connection() else {
            return Ok(Corrections::default());
        };
        let path = source.path.to_string_lossy();
        let sheet = source.sheet.as_deref().unwrap_or_default();
        let mut statement = connection.prepare(
            "SELECT source_row, cells, external_id, path = ?1 AND sheet = ?2
             FROM corrections JOIN sources ON sources.id = source",
        )?;
        let rows = statement.query_map(params![path, sheet], |row| {
            let correction = Correction {
                row: RowNumber(row.get(0)?),
                cells: row.get(1)?,
                external_id: row.get(2)?,
            };
            Ok((correction, row.get(3)?))
        })?;
        let mut corrections = Corrections::default();
        for row in rows {
            match row? {
                (correction, true) => corrections.own.push(correction),
                (correction, false) => corrections.others.push(correction),
            }
        }
        Ok(corrections)
    }
}
