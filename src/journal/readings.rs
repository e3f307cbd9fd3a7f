//! How files were read when they were imported, so that the next command reads them the same way.
//!
//! The flags are JSON by name; what they mean is none of this room's business.

use std::path::{Path, PathBuf};

use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, Row, params};

use crate::journal::{Error, Journal, corrections, journal_file};
use crate::model::ContentHash;

/// The flags by which a file was imported.
pub type FlagsByName = serde_json::Map<String, serde_json::Value>;

/// Layouts that are compared with a file that was never imported; the newest first.
const MAX_LAYOUTS: u32 = 50;

/// How a file was read when it was imported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RememberedReading {
    /// The file, absolute; `-` for standard input.
    pub path: PathBuf,
    /// The reading flags.
    pub flags: FlagsByName,
    /// When.
    pub imported_at: Timestamp,
    /// The digest of the headers; none where there are none, and where the file is known by its path.
    pub headers: Option<ContentHash>,
}

/// What is remembered that may concern one file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KnownReadings {
    /// The reading of this very file.
    pub file_reading: Option<RememberedReading>,
    /// The readings of files with headers, the newest first.
    pub layout_readings: Vec<RememberedReading>,
}

/// What the journal at `journal` remembers for `file`; nothing where there is no journal. A copy of rejects has to look
/// like rejects.
///
/// # Errors
/// [`Error::Damaged`], [`Error::Newer`] and [`Error::Sqlite`].
pub fn known_readings(
    journal: &Path,
    file: &Path,
    looks_like_rejects: impl FnOnce(&Path) -> bool,
) -> Result<KnownReadings, Error> {
    let Some(connection) = journal_file::open_read_only(journal)? else {
        return Ok(KnownReadings::default());
    };
    // A journal that no import has migrated yet remembers nothing.
    let sql = "SELECT 1 FROM sqlite_master WHERE name = 'file_readings'";
    if connection
        .query_row(sql, [], |_| Ok(()))
        .optional()?
        .is_none()
    {
        return Ok(KnownReadings::default());
    }
    let of_file = match file_reading(&connection, file)? {
        None => match corrections::find_rejects(&connection, file, looks_like_rejects)? {
            Some(rejects) => file_reading(&connection, Path::new(&rejects.path))?,
            None => None,
        },
        known => known,
    };
    Ok(KnownReadings {
        file_reading: of_file,
        layout_readings: layout_readings(&connection)?,
    })
}

fn file_reading(
    connection: &Connection,
    file: &Path,
) -> rusqlite::Result<Option<RememberedReading>> {
    let sql = "SELECT path, flags, imported_at, NULL FROM file_readings WHERE path = ?1";
    connection
        .query_row(sql, [file.to_string_lossy()], parse_reading)
        .optional()
}

fn layout_readings(connection: &Connection) -> rusqlite::Result<Vec<RememberedReading>> {
    let sql = "SELECT path, flags, imported_at, headers FROM layout_readings ORDER BY imported_at DESC LIMIT ?1";
    let mut statement = connection.prepare(sql)?;
    statement.query_map([MAX_LAYOUTS], parse_reading)?.collect()
}

fn parse_reading(row: &Row<'_>) -> rusqlite::Result<RememberedReading> {
    let (path, flags): (String, String) = (row.get(0)?, row.get(1)?);
    Ok(RememberedReading {
        path: path.into(),
        flags: serde_json::from_str(&flags).unwrap_or_default(),
        imported_at: Timestamp::from_millisecond(row.get(2)?).unwrap_or(Timestamp::UNIX_EPOCH),
        headers: row.get::<_, Option<_>>(3)?.map(ContentHash::from_bytes),
    })
}

impl Journal {
    /// Remembers how a file is read, and the same for its headers where they are known.
    ///
    /// # Errors
    /// [`Error::Sqlite`] and its kin.
    pub async fn remember_reading(&self, reading: &RememberedReading) -> Result<(), Error> {
        let reading = reading.clone();
        self.write(move |connection| store_reading(connection, &reading))
            .await
    }

    /// As [`Journal::remember_reading`], outside a runtime.
    ///
    /// # Errors
    /// [`Error::Sqlite`] and its kin.
    pub fn remember_reading_blocking(&self, reading: &RememberedReading) -> Result<(), Error> {
        let reading = reading.clone();
        self.write_blocking(move |connection| store_reading(connection, &reading))
    }
}

fn store_reading(connection: &Connection, reading: &RememberedReading) -> rusqlite::Result<()> {
    let path = reading.path.to_string_lossy();
    let flags = serde_json::Value::Object(reading.flags.clone()).to_string();
    let at = reading.imported_at.as_millisecond();
    // Standard input has no name by which the next file could be told from this one.
    if path != "-" {
        let sql =
            "INSERT OR REPLACE INTO file_readings (path, flags, imported_at) VALUES (?1, ?2, ?3)";
        connection.execute(sql, params![path, flags, at])?;
    }
    if let Some(headers) = reading.headers {
        let sql = "INSERT OR REPLACE INTO layout_readings (headers, path, flags, imported_at)
            VALUES (?1, ?2, ?3, ?4)";
        connection.execute(sql, params![headers.to_bytes(), path, flags, at])?;
    }
    Ok(())
}
