//! The flags with which files were imported, so that the next command reads them in the same way.
//!
//! The flags are stored as JSON by name; this module does not interpret them.

use std::cell::LazyCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, Row, params};
use serde_json::Value;

use crate::journal::column_values::{column_json, column_time, query_rows};
use crate::journal::rejects_copies::{
    FoundRejects, KnownRejects, find_rejects, is_rejects_path, rows_with_zeros,
};
use crate::journal::{Error, Journal, SourceId, journal_file};
use crate::model::{ContentHash, RowNumber, SampledRows};

/// Reading flags by name.
pub type FlagsByName = serde_json::Map<String, serde_json::Value>;

/// The flags that choose ids and addresses.
const OF_ROWS: [&str; 4] = ["id-prefix", "id-column", "derive-id", "address"];

/// Maximum number of layouts that are compared with a new file, the newest first.
const MAX_LAYOUTS: u32 = 50;

/// The flags with which a file was imported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RememberedFlags {
    /// The file's absolute path; `-` for standard input.
    pub path: PathBuf,
    /// The sheet that was read; `None` for a text file, for rejects, and for the flags of headers.
    pub sheet: Option<String>,
    /// The reading flags.
    pub flags: FlagsByName,
    /// When the file was imported.
    pub imported_at: Timestamp,
    /// The digest of the headers; `None` for rejects of a table without headers.
    pub headers: Option<ContentHash>,
    /// Whether the flags are those of every file with these headers; otherwise they are those of this file alone.
    pub is_of_headers: bool,
    /// The original, if the file has rejects of it.
    pub rejects_of: Option<SourceId>,
    /// The flags of these rejects as the file, a copy of them, was imported.
    pub flags_of_rejects: Option<FlagsByName>,
}

/// The flags that may apply to one file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StoredFlags {
    /// The flags of the sheets of the file itself, the newest first.
    pub file_flags: Vec<RememberedFlags>,
    /// The flags of other files with headers, the newest first.
    pub header_flags: Vec<RememberedFlags>,
    /// Whether the file has rows of the rejects of several tables, or a few of those of one; or was imported with other
    /// flags than its rejects have now.
    pub has_unclear_rejects: bool,
    /// For rejects, the cells of those rows of the original whose ids begin with zeros, by field.
    pub rows_with_zeros: Vec<(RowNumber, BTreeMap<String, String>)>,
}

/// Returns the flags that the journal at `journal` has for `file`; none if there is no journal. Copies of rejects
/// are recognized as by [`Journal::original_of_rejects`].
///
/// # Errors
/// Returns [`Error::Damaged`], [`Error::Newer`] or [`Error::Older`] for a file that cannot be used, or another
/// [`Error`] if it cannot be read.
pub fn stored_flags(
    journal: &Path,
    file: &Path,
    sample: impl FnOnce() -> Option<SampledRows>,
) -> Result<StoredFlags, Error> {
    let Some(connection) = journal_file::open_read_only(journal)? else {
        return Ok(StoredFlags::default());
    };
    let sample = LazyCell::new(sample);
    let rejects = find_rejects(&connection, file, || sample.clone())?;
    let are_mixed = matches!(rejects, FoundRejects::Several | FoundRejects::Few);
    let rejects = rejects.one();
    let of_file = match &rejects {
        Some(rejects) => flags_of_rejects(&connection, file, rejects)?,
        // The path of rejects has those of another journal.
        None if is_rejects_path(&connection, file)? => None,
        None => {
            let mut flags = file_flags(&connection, file)?;
            // A copy of rejects may have been there. One whose rejects are gone still has their columns.
            flags.retain(|one| one.rejects_of.is_none() || !are_mixed && sample.is_some());
            Some(flags)
        }
    };
    let rows = rejects.map(|rejects| rows_with_zeros(&connection, &rejects));
    Ok(StoredFlags {
        has_unclear_rejects: are_mixed || of_file.is_none(),
        file_flags: of_file.unwrap_or_default(),
        header_flags: header_flags(&connection)?,
        rows_with_zeros: rows.transpose()?.unwrap_or_default(),
    })
}

/// The flags of rejects, or of this copy of them if it was imported with others; `None` if the rejects have had new ones
/// since, or if the file was a list then: another one may have been at its path.
fn flags_of_rejects(
    connection: &Connection,
    file: &Path,
    rejects: &KnownRejects,
) -> rusqlite::Result<Option<Vec<RememberedFlags>>> {
    let of_rejects = own_flags(connection, Path::new(&rejects.path), rejects.source)?;
    let mut of_file = file_flags(connection, file)?.into_iter();
    let of_copy = of_file.find(|one| one.rejects_of.is_none_or(|of| of == rejects.source));
    let (of_rejects, of_copy) = match (of_rejects, of_copy) {
        (Some(of_rejects), Some(of_copy)) => (of_rejects, of_copy),
        (of_rejects, of_copy) => return Ok(Some(of_rejects.or(of_copy).into_iter().collect())),
    };
    let mut may_be = vec![of_rejects.flags.clone()];
    for path in &rejects.others {
        let of_other = own_flags(connection, Path::new(path), rejects.source)?;
        may_be.extend(of_other.map(|other| other.flags));
    }
    let Some(before) = of_copy
        .flags_of_rejects
        .as_ref()
        .filter(|_| of_copy.rejects_of.is_some())
    else {
        return Ok(have_same_rows(&of_copy, &of_rejects).then_some(vec![of_rejects]));
    };
    Ok(
        if may_be.contains(before) || of_copy.imported_at >= of_rejects.imported_at {
            Some(vec![of_copy])
        } else if have_same_rows(&of_copy, &of_rejects) || of_copy.flags == *before {
            Some(vec![of_rejects])
        } else {
            None
        },
    )
}

/// Whether a file has the same ids and houses with either of these flags.
fn have_same_rows(one: &RememberedFlags, other: &RememberedFlags) -> bool {
    OF_ROWS
        .iter()
        .all(|name| one.flags.get(*name) == other.flags.get(*name))
}

/// The flags of rejects of a table, or of a copy of them, at a path.
pub(super) fn own_flags(
    connection: &Connection,
    file: &Path,
    original: SourceId,
) -> rusqlite::Result<Option<RememberedFlags>> {
    let mut flags = file_flags(connection, file)?.into_iter();
    Ok(flags.find(|one| one.rejects_of == Some(original)))
}

fn file_flags(connection: &Connection, file: &Path) -> rusqlite::Result<Vec<RememberedFlags>> {
    let sql = "SELECT path, flags, imported_at, headers, nullif(sheet, ''), 0, rejects_of, flags_of_rejects
        FROM sheet_flags WHERE path = ?1
        ORDER BY imported_at DESC";
    query_rows(connection, sql, [file.to_string_lossy()], parse_flags)
}

fn header_flags(connection: &Connection) -> rusqlite::Result<Vec<RememberedFlags>> {
    let sql = "SELECT path, flags, imported_at, headers, NULL, 1, NULL, NULL FROM header_flags
        ORDER BY imported_at DESC LIMIT ?1";
    query_rows(connection, sql, [MAX_LAYOUTS], parse_flags)
}

fn parse_flags(row: &Row<'_>) -> rusqlite::Result<RememberedFlags> {
    Ok(RememberedFlags {
        path: row.get::<_, String>(0)?.into(),
        sheet: row.get(4)?,
        flags: column_json(row, 1)?,
        imported_at: column_time(row, 2)?,
        headers: row.get::<_, Option<_>>(3)?.map(ContentHash::from_bytes),
        is_of_headers: row.get(5)?,
        rejects_of: row.get::<_, Option<_>>(6)?.map(SourceId),
        flags_of_rejects: match row.get_ref(7)? {
            ValueRef::Null => None,
            _ => Some(column_json(row, 7)?),
        },
    })
}

impl Journal {
    /// Stores the flags of a file, and of its headers if they are theirs.
    ///
    /// # Errors
    /// Returns an [`Error`] if the journal cannot be written.
    pub async fn remember_flags(&self, remembered: &RememberedFlags) -> Result<(), Error> {
        let remembered = remembered.clone();
        self.writer
            .write(move |connection, _| store_flags(connection, &remembered))
            .await
    }

    /// As [`Journal::remember_flags`], outside an async runtime.
    ///
    /// # Errors
    /// Returns an [`Error`] if the journal cannot be written.
    pub fn remember_flags_blocking(&self, remembered: &RememberedFlags) -> Result<(), Error> {
        let remembered = remembered.clone();
        self.writer
            .write_blocking(move |connection, _| store_flags(connection, &remembered))
    }

    /// Stores the flags of the newest run of a table, whose rejects were accepted with these, if they have the same prefix
    /// and no flags are stored for its file.
    ///
    /// # Errors
    /// Returns an [`Error`] if the journal cannot be written.
    pub fn remember_flags_of_original(
        &self,
        source: SourceId,
        rejects: &RememberedFlags,
    ) -> Result<(), Error> {
        let prefix = rejects.flags.get("id-prefix").and_then(Value::as_str);
        let Some(prefix) = prefix.map(str::to_owned) else {
            return Ok(());
        };
        let at = rejects.imported_at.as_millisecond();
        let headers = rejects.headers.map(ContentHash::to_bytes);
        let sql = "INSERT INTO sheet_flags (path, sheet, flags, imported_at, headers)
            SELECT path, sheet, flags, ?3, ?4 FROM sources JOIN runs ON source = sources.id
            WHERE runs.id = (SELECT max(id) FROM runs WHERE source = ?1) AND flags ->> '$.\"id-prefix\"' = ?2
                AND path <> '-' AND path NOT IN (SELECT path FROM sheet_flags)";
        self.writer.write_blocking(move |connection, _| {
            connection.execute(sql, params![source.0, prefix, at, headers])?;
            Ok(())
        })
    }
}

fn store_flags(connection: &Connection, remembered: &RememberedFlags) -> rusqlite::Result<()> {
    let path = remembered.path.to_string_lossy();
    let flags = Value::Object(remembered.flags.clone()).to_string();
    let at = remembered.imported_at.as_millisecond();
    let headers = remembered.headers.map(ContentHash::to_bytes);
    // Standard input has no path that identifies it. A copy of rejects remains one after these are deleted.
    if path != "-" {
        let sql = "INSERT INTO sheet_flags (path, sheet, flags, imported_at, headers, rejects_of, flags_of_rejects)
            VALUES (?1, coalesce(?2, ''), ?3, ?4, ?5, ?6, ?7)
            ON CONFLICT (path, sheet) DO UPDATE SET
                flags = excluded.flags, imported_at = excluded.imported_at, headers = excluded.headers,
                rejects_of = iif(flags = excluded.flags, coalesce(excluded.rejects_of, rejects_of), excluded.rejects_of),
                flags_of_rejects = coalesce(excluded.flags_of_rejects, flags_of_rejects)";
        let of = remembered.rejects_of.map(|source| source.0);
        let flags_of_rejects = remembered.flags_of_rejects.clone();
        let flags_of_rejects = flags_of_rejects.map(|flags| Value::Object(flags).to_string());
        connection.execute(
            sql,
            params![
                path,
                remembered.sheet,
                flags,
                at,
                headers,
                of,
                flags_of_rejects
            ],
        )?;
    }
    if remembered.is_of_headers {
        let sql = "INSERT OR REPLACE INTO header_flags (headers, path, flags, imported_at)
            VALUES (?1, ?2, ?3, ?4)";
        connection.execute(sql, params![headers, path, flags, at])?;
    }
    Ok(())
}
