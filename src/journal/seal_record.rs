//! The record of seals beside the journal: one line of JSON per delivered sealed export.
//!
//! A journal that was restored from a backup does not know the seals made since, and would bill their measurements
//! again under the same numbers. The record is a separate file, so that this is detected, and names the measurements that
//! each export billed or adjusted, so that no declaration bills or adjusts them again.

use std::collections::HashSet;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use rusqlite::{Connection, OpenFlags, params};
use serde::{Deserialize, Serialize};

use crate::journal::journal_file::{connect, path_beside};
use crate::journal::{Error, Journal, JournalSnapshot, SealedExport};
use crate::model::Account;
use crate::sheet;

/// A sealed export that only the record has.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MissingSeal {
    /// The export.
    #[serde(flatten)]
    pub export: SealedExport,
    /// The ids of the measurements that it billed.
    pub billed: Vec<String>,
    /// The ids of the measurements that it adjusted.
    pub adjusted: Vec<String>,
}

/// A line of the record: a sealed export and its account.
#[derive(Serialize, Deserialize)]
struct SealRecordEntry {
    base_url: String,
    client_id: String,
    team_id: String,
    #[serde(flatten)]
    seal: MissingSeal,
}

impl SealRecordEntry {
    fn new(owner: &Account, seal: MissingSeal) -> Self {
        Self {
            base_url: owner.base_url.clone(),
            client_id: owner.client_id.clone(),
            team_id: owner.team_id.clone(),
            seal,
        }
    }

    fn belongs_to(&self, owner: &Account) -> bool {
        self.base_url == owner.base_url
            && self.client_id == owner.client_id
            && self.team_id == owner.team_id
    }

    /// Whether a sealed export is this one. A restored one may have no digest.
    fn matches(&self, export: &SealedExport) -> bool {
        let (recorded, known) = (&self.seal.export.sha256, &export.sha256);
        let is_unknown = recorded.is_empty() || known.is_empty();
        self.seal.export.number == export.number && (is_unknown || recorded == known)
    }
}

impl Journal {
    /// Returns the path of the record.
    pub fn seal_record_path(&self) -> PathBuf {
        seal_record_path(self.path())
    }

    /// Adds all delivered seals to the record, and moves the journal's log into its file, so that a copy of the file
    /// alone is complete.
    ///
    /// # Errors
    /// Returns [`Error::SealRecord`] if the record cannot be read or written, or another [`Error`] if the journal
    /// cannot be. The seals are in the journal in any case.
    pub fn record_seals(&self) -> Result<(), Error> {
        let Some(owner) = self.binding()? else {
            return Ok(());
        };
        let path = self.seal_record_path();
        let mut recorded = read_record(&path)?;
        let before = recorded.len();
        for export in self.sealed_exports()? {
            let is_known = |known: &SealRecordEntry| {
                known.belongs_to(&owner) && known.seal.export.number == export.number
            };
            let is_delivered = export.delivered_at.is_some() || export.is_at_its_path();
            if is_delivered && !recorded.iter().any(is_known) {
                let billed = self.items_of_seal(export.number, "billed")?;
                let adjusted = self.items_of_seal(export.number, "adjusted")?;
                let seal = MissingSeal {
                    export,
                    billed,
                    adjusted,
                };
                recorded.push(SealRecordEntry::new(&owner, seal));
            }
        }
        if recorded.len() > before {
            write_record(&path, &recorded).map_err(|source| Error::SealRecord {
                path,
                reason: source.to_string(),
            })?;
        }
        // If this fails, the log beside the file has the same contents.
        let _ = connect(self.path(), OpenFlags::default())
            .map(|connection| connection.execute_batch("PRAGMA wal_checkpoint(TRUNCATE);"));
        Ok(())
    }

    /// Adds to each seal that was restored from a later workbook, which names only its number, the items in the record of
    /// measurements that the workbook does not show as billed: they would be billed again.
    ///
    /// # Errors
    /// Returns [`Error::SealRecord`] if the record cannot be read, or another [`Error`] if the journal cannot be read or
    /// written.
    pub fn complete_restored_seals(&self) -> Result<(), Error> {
        let Some(owner) = self.binding()? else {
            return Ok(());
        };
        let mut restored = self.sealed_exports()?;
        restored.retain(|export| export.known_sha256().is_none());
        if restored.is_empty() {
            return Ok(());
        }
        let is_restored = |recorded: &SealRecordEntry| {
            let number = recorded.seal.export.number;
            recorded.belongs_to(&owner) && restored.iter().any(|export| export.number == number)
        };
        let mut recorded = read_record(&self.seal_record_path())?;
        recorded.retain(is_restored);
        self.writer.write_blocking(move |connection, _| {
            for recorded in &mut recorded {
                retain_without_items(connection, &mut recorded.seal.billed)?;
                retain_without_items(connection, &mut recorded.seal.adjusted)?;
            }
            let mut seals = recorded.iter();
            seals.try_for_each(|recorded| recorded.seal.insert_items(connection))
        })
    }
}

/// Removes the measurements of which the journal knows what was billed.
fn retain_without_items(connection: &Connection, ids: &mut Vec<String>) -> rusqlite::Result<()> {
    let sql = "SELECT 1 FROM sealed_items WHERE measurement_id = ?1";
    let mut statement = connection.prepare_cached(sql)?;
    let mut known = HashSet::new();
    for id in ids.iter() {
        if statement.exists([id])? {
            known.insert(id.clone());
        }
    }
    ids.retain(|id| !known.contains(id));
    Ok(())
}

impl MissingSeal {
    /// Adds the items to its export, without their figures. The journal may learn of the measurements later.
    pub(super) fn insert_items(&self, connection: &Connection) -> rusqlite::Result<()> {
        let mut statement = connection.prepare_cached(
            "INSERT OR IGNORE INTO sealed_items (number, measurement_id, kind, figures) VALUES (?1, ?2, ?3, '{}')",
        )?;
        for (kind, ids) in [("billed", &self.billed), ("adjusted", &self.adjusted)] {
            for id in ids {
                statement.execute(params![self.export.number, id, kind])?;
            }
        }
        Ok(())
    }
}

/// Returns the seals of the account of `snapshot` that are in the record beside the journal at `path`, but not in it.
///
/// # Errors
/// Returns [`Error::SealRecord`] if the record cannot be read, or another [`Error`] if the journal cannot be.
pub fn missing_seals(snapshot: &JournalSnapshot, path: &Path) -> Result<Vec<MissingSeal>, Error> {
    let Some(owner) = snapshot.binding()? else {
        return Ok(Vec::new());
    };
    let known = snapshot.sealed_exports()?;
    let mut recorded = read_record(&seal_record_path(path))?;
    recorded
        .retain(|seal| seal.belongs_to(&owner) && !known.iter().any(|known| seal.matches(known)));
    Ok(recorded.into_iter().map(|recorded| recorded.seal).collect())
}

/// Returns the path of the record of a journal, whether or not there is one.
pub fn seal_record_path(journal: &Path) -> PathBuf {
    path_beside(journal, ".seals")
}

fn read_record(path: &Path) -> Result<Vec<SealRecordEntry>, Error> {
    let failed = |reason: String| Error::SealRecord {
        path: path.to_owned(),
        reason,
    };
    let text = match sheet::open_regular(path).and_then(io::read_to_string) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        text => text.map_err(|error| failed(error.to_string()))?,
    };
    let line = |(number, line): (usize, &str)| {
        serde_json::from_str(line).map_err(|error| failed(format!("line {}: {error}", number + 1)))
    };
    text.lines().enumerate().map(line).collect()
}

/// Replaces the whole record, so that it is never incomplete. The file is private like the journal.
fn write_record(path: &Path, seals: &[SealRecordEntry]) -> std::io::Result<()> {
    let mut lines = String::new();
    for seal in seals {
        lines += &(serde_json::to_string(seal)? + "\n");
    }
    sheet::replace_file(path, lines.as_bytes())
}
