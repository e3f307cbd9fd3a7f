//! Rows that the user corrected in a rejects file, and the rows of the original file that they replace.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use rusqlite::{Connection, Row, params};

use crate::journal::column_values::query_rows;
use crate::journal::rejects_copies::find_rejects;
use crate::journal::remembered_flags::own_flags;
use crate::journal::written_files::rejects_rows;
use crate::journal::{Error, FlagsByName, Journal, SourceId, SubmissionIndex};
use crate::model::{Outcome, RowNumber, SampledRows, TableSource, is_derived_id};

/// A row that was rejected, corrected in the rejects file and then accepted by the service.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Correction {
    /// The original table.
    pub source: SourceId,
    /// The row number in the original when the rejects were written.
    pub row: RowNumber,
    /// The cells of the original row by field, as JSON.
    pub cells: String,
    /// The external id of the corrected row; of a row that was skipped, that of the request for its house.
    pub external_id: String,
    /// The corrected row, if it was skipped.
    pub skipped: Option<SkippedCorrection>,
}

/// A corrected row whose house was requested before, and that a person decided to skip.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SkippedCorrection {
    /// The external id of the row itself.
    pub external_id: String,
    /// Whether its unit differs from that of the earlier request, or one has none.
    pub has_other_unit: bool,
}

impl Correction {
    /// The external id that the corrected row itself has.
    pub fn own_id(&self) -> &str {
        let skipped = self.skipped.as_ref();
        skipped.map_or(&self.external_id, |skipped| &skipped.external_id)
    }
}

/// Corrections, from the view of a table.
#[derive(Clone, Debug, Default)]
pub struct TableCorrections {
    /// Those of its rows.
    pub own: Vec<Correction>,
    /// Those of the rows of all other files and sheets.
    pub of_others: Vec<Correction>,
}

/// The original of a rejects file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OriginalTable {
    /// The original table.
    pub source: SourceId,
    /// The original file.
    pub path: PathBuf,
    /// Whether the file is a copy of the rejects, which may be older than they are.
    pub is_copy: bool,
    /// The flags with which the rejects are read.
    pub flags: Option<FlagsByName>,
    /// The rows of the original that the rejects contain, each with its cells there by field, as JSON.
    pub rows: BTreeMap<RowNumber, String>,
}

impl Journal {
    /// Returns the original of a rejects file at an absolute path; `None` if the file is not one. Copies are recognized
    /// by their name or their rows, which `sample` reads if the file has the columns of rejects.
    ///
    /// # Errors
    /// Returns an [`Error`] if the journal cannot be read.
    pub fn original_of_rejects(
        &self,
        path: &Path,
        sample: impl FnOnce() -> Option<SampledRows>,
    ) -> Result<Option<OriginalTable>, Error> {
        self.read(|connection| {
            let Some(rejects) = find_rejects(connection, path, sample)?.one() else {
                return Ok(None);
            };
            Ok(Some(OriginalTable {
                source: rejects.source,
                path: rejects.original.into(),
                is_copy: Path::new(&rejects.path) != path,
                flags: own_flags(connection, Path::new(&rejects.path), rejects.source)?
                    .map(|of_rejects| of_rejects.flags),
                rows: rejects_rows(connection, &rejects.path)?,
            }))
        })
    }

    /// The cells of the rows of a table that are in conflict, as JSON, each with its external id.
    ///
    /// # Errors
    /// Returns an [`Error`] if the journal cannot be read.
    pub fn conflicts(&self, source: SourceId) -> Result<BTreeMap<String, String>, Error> {
        let sql = "SELECT cells, external_id FROM rejected
            WHERE source = ?1 AND outcome = 'conflict' AND cells IS NOT NULL AND external_id IS NOT NULL";
        self.read(|connection| {
            query_rows(connection, sql, [source.0], |row| {
                Ok((row.get(0)?, row.get(1)?))
            })
        })
    }

    /// The cells of the rows of a table that the service refused, as JSON.
    ///
    /// # Errors
    /// Returns an [`Error`] if the journal cannot be read.
    pub fn refused_cells(&self, source: SourceId) -> Result<BTreeSet<String>, Error> {
        let sql = "SELECT cells FROM rejected
            WHERE source = ?1 AND outcome = 'refused' AND cells IS NOT NULL";
        self.read(|connection| query_rows(connection, sql, [source.0], |row| row.get(0)))
    }

    /// The external ids that runs of a table requested since the last one that was not killed.
    ///
    /// # Errors
    /// Returns an [`Error`] if the journal cannot be read.
    pub fn requests_of_unfinished_runs(&self, source: SourceId) -> Result<BTreeSet<String>, Error> {
        let sql = "SELECT external_id FROM requests WHERE source = ?1 AND intended_at >
            (SELECT coalesce(max(ended_at), 0) FROM runs WHERE source = ?1)";
        self.read(|connection| query_rows(connection, sql, [source.0], |row| row.get(0)))
    }

    /// Whether rows of a table itself were requested, not of its rejects.
    ///
    /// # Errors
    /// Returns an [`Error`] if the journal cannot be read.
    pub fn has_requests_of(&self, source: SourceId) -> Result<bool, Error> {
        let sql = "SELECT 1 FROM requests WHERE source = ?1";
        self.read(|connection| connection.prepare(sql)?.exists([source.0]))
    }

    /// Whether the newest run of a table rejected the rows with these cells, and all of these external ids were requested
    /// when it ended: then the table is still the one that had the rows.
    ///
    /// # Errors
    /// Returns an [`Error`] if the journal cannot be read.
    pub fn is_same_table(
        &self,
        source: SourceId,
        cells: &[&str],
        ids: &[&str],
    ) -> Result<bool, Error> {
        let rejected = "SELECT 1 FROM rejected WHERE source = ?1 AND cells = ?2";
        let requested = "SELECT 1 FROM requests WHERE external_id = ?2
            AND intended_at <= (SELECT max(ended_at) FROM runs WHERE source = ?1)";
        self.read(|connection| {
            for (sql, values) in [(rejected, cells), (requested, ids)] {
                let mut statement = connection.prepare(sql)?;
                for value in values {
                    if !statement.exists(params![source.0, value])? {
                        return Ok(false);
                    }
                }
            }
            Ok(true)
        })
    }

    /// Whether a rejected row with these cells needs no request any more: it was corrected in the rejects of its table
    /// and accepted, or it was rejected by the newest run because its house was requested before: a derived id is in
    /// conflict only with the address that the service gave for the row itself.
    ///
    /// # Errors
    /// Returns an [`Error`] if the journal cannot be read.
    pub fn needs_no_request(&self, source: SourceId, cells: &str) -> Result<bool, Error> {
        let sql = "SELECT 'same_house', '' FROM corrections WHERE source = ?1 AND cells = ?2
            UNION ALL SELECT outcome, coalesce(external_id, '') FROM rejected WHERE source = ?1 AND cells = ?2";
        let is_requested = |row: &Row<'_>| {
            let (outcome, id): (String, String) = (row.get(0)?, row.get(1)?);
            Ok(outcome == "same_house" || outcome == "conflict" && is_derived_id(&id))
        };
        self.read(|connection| {
            let parameters = params![source.0, cells];
            let found: Vec<bool> = query_rows(connection, sql, parameters, is_requested)?;
            Ok(found.contains(&true))
        })
    }

    /// Records corrections and removes their rows from the rejected ones. `remaining` are rows of the rejects file that
    /// were rejected again or skipped: their cells in the original, and the outcome and message that they get there.
    ///
    /// # Errors
    /// Returns an [`Error`] if the journal cannot be read or written.
    pub fn record_corrections(
        &self,
        source: SourceId,
        corrections: Vec<Correction>,
        remaining: Vec<(String, Outcome, String)>,
    ) -> Result<(), Error> {
        self.writer.write_blocking(move |connection, _| {
            for correction in &corrections {
                store_correction(connection, correction)?;
            }
            let sql =
                "UPDATE rejected SET outcome = ?3, error = ?4 WHERE source = ?1 AND cells = ?2";
            let mut statement = connection.prepare(sql)?;
            for (cells, outcome, error) in &remaining {
                statement.execute(params![source.0, cells, outcome.name(), error])?;
            }
            Ok(())
        })
    }
}

fn store_correction(connection: &Connection, correction: &Correction) -> rusqlite::Result<()> {
    let Correction {
        source, row, cells, ..
    } = correction;
    // The first correction is kept if it has a request: a later one is of another house, or of one that was measured
    // already. A row that was skipped may be sent after all.
    let sql = "INSERT INTO corrections (source, source_row, cells, external_id, skipped_id, has_other_unit)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6)
        ON CONFLICT DO UPDATE SET external_id = excluded.external_id, skipped_id = excluded.skipped_id,
            has_other_unit = excluded.has_other_unit
        WHERE external_id = excluded.external_id OR skipped_id IS NOT NULL AND excluded.skipped_id IS NULL
            OR NOT EXISTS (SELECT 1 FROM requests WHERE requests.external_id = corrections.external_id)";
    let (id, skipped) = (&correction.external_id, correction.skipped.as_ref());
    let skipped_id = skipped.map(|skipped| &skipped.external_id);
    let has_other_unit = skipped.is_some_and(|skipped| skipped.has_other_unit);
    let stored = params![source.0, row.0, cells, id, skipped_id, has_other_unit];
    if connection.execute(sql, stored)? == 0 {
        return Ok(());
    }
    // The original may have been sorted and imported since, so that the row has another number there.
    let sql =
        "DELETE FROM rejected WHERE source = ?1 AND source_row = (SELECT source_row FROM rejected
        WHERE source = ?1 AND cells = ?2 ORDER BY source_row = ?3 DESC LIMIT 1)";
    connection.execute(sql, params![source.0, cells, row.0])?;
    Ok(())
}

impl SubmissionIndex {
    /// Returns the corrections of the rows of a table, and those of all other files and sheets; without rows that were
    /// skipped for a measurement which is canceled now.
    ///
    /// # Errors
    /// Returns an [`Error`] if the journal cannot be read.
    pub fn corrections(&self, source: &TableSource) -> Result<TableCorrections, Error> {
        let path = source.path.to_string_lossy();
        let sheet = source.sheet.as_deref().unwrap_or_default();
        let connection = self.connection();
        let sql = "SELECT source, source_row, cells, external_id, skipped_id, has_other_unit
             FROM corrections JOIN sources ON sources.id = source
             WHERE (path = ?1 AND sheet = ?2) = ?3
                AND (skipped_id IS NULL OR NOT EXISTS (SELECT 1 FROM measurements
                    WHERE measurements.external_id = corrections.external_id AND status = 'canceled'))";
        let of = |is_own: bool| {
            query_rows(connection, sql, params![path, sheet, is_own], |row| {
                let (skipped_id, has_other_unit): (Option<_>, _) = (row.get(4)?, row.get(5)?);
                Ok(Correction {
                    source: SourceId(row.get(0)?),
                    row: RowNumber(row.get(1)?),
                    cells: row.get(2)?,
                    external_id: row.get(3)?,
                    skipped: skipped_id.map(|external_id| SkippedCorrection {
                        external_id,
                        has_other_unit,
                    }),
                })
            })
        };
        Ok(TableCorrections {
            own: of(true)?,
            of_others: of(false)?,
        })
    }

    /// Whether all rows of a table that were submitted have an id that `is_in_file` accepts; `None` if there are none.
    ///
    /// # Errors
    /// Returns an [`Error`] if the journal cannot be read.
    pub fn has_all_rows(
        &self,
        source: SourceId,
        is_in_file: impl Fn(&str) -> bool,
    ) -> Result<Option<bool>, Error> {
        let sql = "SELECT external_id FROM requests WHERE source = ?1";
        let mut statement = self.connection().prepare_cached(sql)?;
        let mut rows = statement.query([source.0])?;
        let mut all = None;
        while let Some(row) = rows.next()? {
            let id: String = row.get(0)?;
            if !is_in_file(&id) {
                return Ok(Some(false));
            }
            all = Some(true);
        }
        Ok(all)
    }
}
