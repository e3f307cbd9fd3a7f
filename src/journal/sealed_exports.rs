//! Sealed exports: each is stored with its file in the transaction that bills its measurements, and never changed.

use std::fs::File;
use std::io::Read;
use std::path::PathBuf;

use jiff::Timestamp;
use rusqlite::{Connection, Row, params};
use serde::{Deserialize, Serialize};

use crate::journal::column_values::{column_optional_time, column_time, invalid_value, query_rows};
use crate::journal::{Error, Journal, JournalSnapshot, metadata};
use crate::sheet;

/// A sealed export, without its file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SealedExport {
    /// The number.
    pub number: u64,
    /// When it was sealed; 1970 if that is not known.
    pub sealed_at: Timestamp,
    /// The requested period, for display.
    pub period: Option<String>,
    /// The absolute path to which the file was written.
    #[serde(rename = "file")]
    pub path: PathBuf,
    /// The name of the file format.
    pub format: String,
    /// Number of measurements billed.
    pub measurements: u64,
    /// Number of measurements adjusted.
    pub adjustments: u64,
    /// The totals, as JSON; `null` if they are not known.
    pub totals: String,
    /// SHA-256 digest of the file, hexadecimal; empty if it was restored from another workbook.
    pub sha256: String,
    /// When the run that wrote the file to its path had reported it; `None` after a crash before that.
    #[serde(skip)]
    pub delivered_at: Option<Timestamp>,
    /// Whether the journal contains the file. It does not if the export was restored from a later workbook.
    #[serde(skip)]
    pub is_stored: bool,
}

/// A new sealed export.
#[derive(Debug)]
pub struct NewSeal {
    /// The export. Its number is that of the newest one plus 1; the first is 1.
    pub export: SealedExport,
    /// The complete file, positioned at its start; it may be larger than memory.
    pub file: File,
    /// The measurements that it bills.
    pub billed: Vec<SealedItem>,
    /// The measurements that it adjusts.
    pub adjusted: Vec<SealedItem>,
    /// Number of measurements whose adjustments wait for the next workbook.
    pub waiting: u64,
}

/// One measurement of a sealed export.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SealedItem {
    /// The measurement id, `msr_…`.
    pub measurement_id: Box<str>,
    /// The billed figures, as JSON.
    pub figures: Box<str>,
}

impl SealedExport {
    /// Returns when it was sealed; `None` if it was restored from a workbook that does not tell.
    pub fn known_sealed_at(&self) -> Option<Timestamp> {
        Some(self.sealed_at).filter(|at| *at != Timestamp::UNIX_EPOCH)
    }

    /// Returns the digest of the file; `None` if it was restored from another workbook.
    pub fn known_sha256(&self) -> Option<&str> {
        Some(self.sha256.as_str()).filter(|sha256| !sha256.is_empty())
    }

    /// Whether no run has reported it, although the journal has its file.
    pub fn is_unreported(&self) -> bool {
        self.delivered_at.is_none() && self.is_stored
    }

    /// Whether the journal has the file, which was never written to its path.
    pub fn is_undelivered(&self) -> bool {
        self.is_unreported() && !self.is_at_its_path()
    }

    /// Whether its path has the file, as it was sealed.
    pub fn is_at_its_path(&self) -> bool {
        sheet::file_sha256(&self.path).is_ok_and(|sha256| sha256 == self.sha256)
    }

    /// Returns the name of the file.
    pub fn file_name(&self) -> String {
        let name = self.path.file_name().unwrap_or_default();
        name.to_string_lossy().into_owned()
    }

    /// Stores the export, without its file and its measurements.
    pub(super) fn insert(&self, connection: &Connection) -> rusqlite::Result<()> {
        connection
            .prepare_cached(
                "INSERT INTO sealed (number, sealed_at, period, file_name, format, measurements, adjustments, totals,
                 sha256, delivered_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
            )?
            .execute(params![
                self.number,
                self.sealed_at.as_millisecond(),
                self.period,
                self.path.to_string_lossy(),
                self.format,
                self.measurements,
                self.adjustments,
                self.totals,
                self.sha256,
                self.delivered_at.map(Timestamp::as_millisecond),
            ])
            .map(drop)
    }
}

impl Journal {
    /// Returns all sealed exports, in ascending order.
    ///
    /// # Errors
    /// Returns an [`Error`] if the file cannot be read.
    pub fn sealed_exports(&self) -> Result<Vec<SealedExport>, Error> {
        self.read(sealed_exports)
    }

    /// Returns the ids of the measurements that a sealed export `billed` or `adjusted`, which `kind` names.
    ///
    /// # Errors
    /// Returns an [`Error`] if the file cannot be read.
    pub(super) fn items_of_seal(&self, number: u64, kind: &str) -> Result<Vec<String>, Error> {
        let sql = "SELECT measurement_id FROM sealed_items WHERE number = ?1 AND kind = ?2";
        self.read(|connection| query_rows(connection, sql, params![number, kind], |row| row.get(0)))
    }

    /// Stores a sealed export with its file, bills and adjusts its measurements, in one transaction.
    ///
    /// # Errors
    /// Returns [`Error::Sqlite`] if a measurement was billed before or the number is taken, or another [`Error`] if the
    /// journal cannot be written.
    pub fn seal_export(&self, seal: NewSeal) -> Result<(), Error> {
        self.writer
            .write_blocking(move |connection, _| insert_seal(connection, &seal))
    }

    /// Stores the number of measurements whose adjustments wait for the next workbook, if it is another one.
    ///
    /// # Errors
    /// Returns an [`Error`] if the journal cannot be read or written.
    pub fn record_waiting_adjustments(&self, waiting: u64) -> Result<(), Error> {
        if self.read(waiting_adjustments)? == waiting {
            return Ok(());
        }
        self.writer
            .write_blocking(move |connection, _| write_waiting(connection, waiting))
    }

    /// Removes the newest sealed export if its file was not delivered.
    ///
    /// # Errors
    /// Returns [`Error::Sqlite`] if it is not the newest or was delivered.
    pub fn unseal(&self, number: u64) -> Result<(), Error> {
        self.writer.write_blocking(move |connection, _| {
            let newest = "SELECT 1 FROM sealed WHERE number = ?1 AND delivered_at IS NULL
                AND number = (SELECT max(number) FROM sealed)";
            connection.query_row(newest, [number], |_| Ok(()))?;
            connection.execute("DELETE FROM sealed_items WHERE number = ?1", [number])?;
            connection.execute("DELETE FROM sealed_files WHERE number = ?1", [number])?;
            connection.execute("DELETE FROM sealed WHERE number = ?1", [number])?;
            Ok(())
        })
    }

    /// Records that the file was written to a path, which is its own from now on, and that this was reported.
    ///
    /// # Errors
    /// Returns an [`Error`] if the journal cannot be written.
    pub fn mark_delivered(&self, number: u64, path: PathBuf, now: Timestamp) -> Result<(), Error> {
        self.writer.write_blocking(move |connection, _| {
            let sql = "UPDATE sealed SET delivered_at = ?2, file_name = ?3 WHERE number = ?1";
            let path = path.to_string_lossy();
            connection.execute(sql, params![number, now.as_millisecond(), path])?;
            Ok(())
        })
    }
}

impl JournalSnapshot {
    /// Returns all sealed exports, in ascending order.
    ///
    /// # Errors
    /// Returns an [`Error`] if the file cannot be read.
    pub fn sealed_exports(&self) -> Result<Vec<SealedExport>, Error> {
        Ok(sealed_exports(&self.connection())?)
    }

    /// Returns the number of measurements whose adjustments wait for the next workbook, as the last bill counted them.
    ///
    /// # Errors
    /// Returns an [`Error`] if the file cannot be read.
    pub fn waiting_adjustments(&self) -> Result<u64, Error> {
        Ok(waiting_adjustments(&self.connection())?)
    }

    /// Returns the figures that a sealed export adjusted: as billed or last adjusted before, and as adjusted, both as
    /// JSON.
    ///
    /// # Errors
    /// Returns an [`Error`] if the file cannot be read.
    pub fn adjusted_figures(&self, number: u64) -> Result<Vec<(String, String)>, Error> {
        let sql = "SELECT old.figures, new.figures FROM sealed_items new
            JOIN sealed_items old ON old.measurement_id = new.measurement_id
            WHERE new.number = ?1 AND new.kind = 'adjusted' AND old.number = (
                SELECT max(number) FROM sealed_items
                WHERE measurement_id = new.measurement_id AND number < new.number
            )";
        let figures = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?));
        Ok(query_rows(&self.connection(), sql, [number], figures)?)
    }

    /// Calls `read` with the file of a sealed export that the journal contains; it may be larger than memory.
    ///
    /// # Errors
    /// Returns an [`Error`], converted to `E`, if it cannot be read, and any error of `read`.
    pub fn read_sealed_file<T, E: From<Error>>(
        &self,
        number: u64,
        read: impl FnOnce(&mut dyn Read) -> Result<T, E>,
    ) -> Result<T, E> {
        let connection = self.connection();
        let row = i64::try_from(number).unwrap_or(i64::MAX);
        let file = connection.blob_open("main", "sealed_files", "file", row, true);
        read(&mut file.map_err(Error::from)?)
    }
}

const SEALED_EXPORTS: &str = "SELECT number, sealed_at, period, file_name, format, measurements, adjustments, totals, sha256,
    delivered_at, EXISTS (SELECT 1 FROM sealed_files f WHERE f.number = sealed.number) FROM sealed ORDER BY number";

pub(super) fn sealed_exports(connection: &Connection) -> rusqlite::Result<Vec<SealedExport>> {
    query_rows(connection, SEALED_EXPORTS, [], sealed_export_row)
}

fn sealed_export_row(row: &Row<'_>) -> rusqlite::Result<SealedExport> {
    let path: String = row.get(3)?;
    Ok(SealedExport {
        number: row.get(0)?,
        sealed_at: column_time(row, 1)?,
        period: row.get(2)?,
        path: path.into(),
        format: row.get(4)?,
        measurements: row.get(5)?,
        adjustments: row.get(6)?,
        totals: row.get(7)?,
        sha256: row.get(8)?,
        delivered_at: column_optional_time(row, 9)?,
        is_stored: row.get(10)?,
    })
}

/// The name of the number of measurements whose adjustments wait.
const WAITING: &str = "waiting_adjustments";

pub(super) fn waiting_adjustments(connection: &Connection) -> rusqlite::Result<u64> {
    let stored = metadata::read_metadata(connection, WAITING)?;
    Ok(stored.and_then(|waiting| waiting.parse().ok()).unwrap_or(0))
}

fn write_waiting(connection: &Connection, waiting: u64) -> rusqlite::Result<()> {
    metadata::write_metadata(connection, WAITING, Some(&waiting.to_string()))
}

fn insert_seal(connection: &Connection, seal: &NewSeal) -> rusqlite::Result<()> {
    let number = seal.export.number;
    let next = "SELECT coalesce(max(number), 0) + 1 FROM sealed";
    let next: u64 = connection.query_row(next, [], |row| row.get(0))?;
    if next != number {
        let reason = format!("the next sealed export is {next}");
        return Err(invalid_value(0, reason));
    }
    seal.export.insert(connection)?;
    insert_file(connection, seal)?;
    let kinds = [("billed", &seal.billed), ("adjusted", &seal.adjusted)];
    for (kind, items) in kinds {
        for item in items {
            insert_item(connection, number, kind, item)?;
        }
    }
    write_waiting(connection, seal.waiting)
}

/// Stores the file in a blob of its size, so that memory needs a buffer only.
fn insert_file(connection: &Connection, seal: &NewSeal) -> rusqlite::Result<()> {
    let length = seal.file.metadata().map_err(read_error)?.len();
    connection.execute(
        "INSERT INTO sealed_files (number, file) VALUES (?1, zeroblob(?2))",
        params![seal.export.number, length],
    )?;
    let row = connection.last_insert_rowid();
    let mut room = connection.blob_open("main", "sealed_files", "file", row, false)?;
    std::io::copy(&mut &seal.file, &mut room).map_err(read_error)?;
    room.close()
}

/// Converts an error of reading the file or of writing the blob.
fn read_error(error: std::io::Error) -> rusqlite::Error {
    rusqlite::Error::ToSqlConversionFailure(error.into())
}

fn insert_item(
    connection: &Connection,
    number: u64,
    kind: &str,
    item: &SealedItem,
) -> rusqlite::Result<()> {
    let inserted = connection
        .prepare_cached(
            "INSERT INTO sealed_items (number, measurement_id, kind, figures)
             SELECT ?1, id, ?3, ?4 FROM measurements WHERE id = ?2",
        )?
        .execute(params![number, item.measurement_id, kind, item.figures])?;
    if inserted == 0 {
        return Err(rusqlite::Error::QueryReturnedNoRows);
    }
    connection
        .prepare_cached("UPDATE measurements SET unchanged_at = NULL WHERE id = ?1")?
        .execute([&item.measurement_id])
        .map(drop)
}
