//! People's decisions about rows whose house was requested before.

use rusqlite::{Connection, params};

use crate::journal::column_values::{column_json, column_name, query_rows};
use crate::journal::{Error, Journal};
use crate::model::{Address, ContentHash, HouseDecision, TableSource};

/// A person's decision about a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredDecision {
    /// The row's external id.
    pub external_id: String,
    /// The digest of the row's content at that time.
    pub content: ContentHash,
    /// Its address at that time.
    pub address: Address,
    /// The decision; `None` if an earlier one was taken back.
    pub decision: Option<HouseDecision>,
}

/// A question to a person: a row was held because an earlier request is for the same house.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HouseQuestion {
    /// The row's external id.
    pub external_id: String,
    /// The external id of the earlier request.
    pub earlier_id: String,
}

impl Journal {
    /// Stores decisions.
    ///
    /// # Errors
    /// Returns an [`Error`] if the journal cannot be written.
    pub async fn store_decisions(&self, decisions: Vec<StoredDecision>) -> Result<(), Error> {
        if decisions.is_empty() {
            return Ok(());
        }
        let stored = self
            .writer
            .write(move |connection, _| insert(connection, &decisions));
        stored.await
    }

    /// As [`Journal::store_decisions`], outside an async runtime.
    ///
    /// # Errors
    /// Returns an [`Error`] if the journal cannot be written.
    pub fn store_decisions_blocking(&self, decisions: Vec<StoredDecision>) -> Result<(), Error> {
        if decisions.is_empty() {
            return Ok(());
        }
        self.writer
            .write_blocking(move |connection, _| insert(connection, &decisions))
    }

    /// Stores that a person was asked in a table, or in rejects, which have no sheet here: `send` there is an answer.
    ///
    /// # Errors
    /// Returns an [`Error`] if the journal cannot be written.
    pub fn record_questions(
        &self,
        place: TableSource,
        questions: Vec<HouseQuestion>,
    ) -> Result<(), Error> {
        if questions.is_empty() {
            return Ok(());
        }
        self.writer.write_blocking(move |connection, _| {
            let (path, sheet) = (
                place.path.to_string_lossy(),
                place.sheet.unwrap_or_default(),
            );
            let sql = "INSERT OR IGNORE INTO house_questions (external_id, earlier_id, path, sheet)
                VALUES (?1, ?2, ?3, ?4)";
            let mut statement = connection.prepare(sql)?;
            questions.iter().try_for_each(|question| {
                let ids = (&question.external_id, &question.earlier_id);
                statement
                    .execute(params![ids.0, ids.1, path, sheet])
                    .map(drop)
            })
        })
    }
}

fn insert(connection: &Connection, decisions: &[StoredDecision]) -> rusqlite::Result<()> {
    let mut statement = connection.prepare(
        "INSERT OR REPLACE INTO house_decisions (external_id, content, address, decision)
         VALUES (?1, ?2, ?3, ?4)",
    )?;
    let mut remove = connection.prepare("DELETE FROM house_decisions WHERE external_id = ?1")?;
    for stored in decisions {
        let Some(decision) = stored.decision else {
            remove.execute([&stored.external_id])?;
            continue;
        };
        let address = serde_json::to_string(&stored.address);
        statement.execute(params![
            stored.external_id,
            stored.content.to_bytes(),
            address.expect("an address has only string keys"),
            decision.name(),
        ])?;
    }
    Ok(())
}

/// Returns all stored decisions.
pub(super) fn decisions(connection: &Connection) -> rusqlite::Result<Vec<StoredDecision>> {
    let sql = "SELECT external_id, content, address, decision FROM house_decisions";
    query_rows(connection, sql, [], |row| {
        Ok(StoredDecision {
            external_id: row.get(0)?,
            content: ContentHash::from_bytes(row.get(1)?),
            address: column_json(row, 2)?,
            decision: Some(column_name(row, 3, HouseDecision::from_name)?),
        })
    })
}
