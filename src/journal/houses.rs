//! Houses that were requested before under any id, and people's decisions about rows of the same house.

use jiff::Timestamp;
use rusqlite::{Connection, params};

use crate::journal::{Error, Journal, SubmissionIndex};
use crate::model::{
    Address, ContentHash, HouseDecision, HouseLookup, Request, RowNumber, StreetAddress,
};

/// An earlier request whose house may be that of a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EarlierRequest {
    /// The version that was submitted.
    pub request: Request,
    /// The path of its file and its row there; `None` if only the service has it, under an id whose row is in conflict.
    pub origin: Option<(String, RowNumber)>,
    /// The measurement's newest status, or `sent` if no response was received.
    pub state: String,
}

/// A person's decision about a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredDecision {
    /// The row's external id.
    pub external_id: String,
    /// The digest of the row's content at that time.
    pub content: ContentHash,
    /// Its address at that time.
    pub address: Address,
    /// The decision.
    pub decision: HouseDecision,
}

impl SubmissionIndex {
    /// Whether the journal may contain a request for a house.
    ///
    /// # Errors
    /// Returns an [`Error`] if the journal cannot be read or written.
    pub fn has_house(&self, house: HouseLookup) -> Result<bool, Error> {
        let Some(connection) = self.connection_with_houses() else {
            return Ok(false);
        };
        let sql = "SELECT EXISTS (SELECT 1 FROM requests WHERE house = ?1)
            OR EXISTS (SELECT 1 FROM unanswered_versions WHERE house = ?1)
            OR EXISTS (SELECT 1 FROM held_houses WHERE house = ?1)";
        let mut statement = connection.prepare_cached(sql)?;
        Ok(statement.query_row([lookup_column(house)], |row| row.get(0))?)
    }

    /// Returns the requests for a house that the service has or may have, the oldest first.
    ///
    /// # Errors
    /// Returns an [`Error`] if the journal cannot be read or written.
    pub fn earlier_requests(&self, house: HouseLookup) -> Result<Vec<EarlierRequest>, Error> {
        let Some(connection) = self.connection_with_houses() else {
            return Ok(Vec::new());
        };
        let mut statement = connection.prepare_cached(
            "SELECT request, path, source_row, coalesce(status, 'sent'), intended_at, requests.rowid
             FROM requests JOIN sources ON sources.id = source LEFT JOIN measurements USING (external_id)
             WHERE house = ?1 AND (state = 'created' OR state = 'existing' OR state = 'sent')
             UNION ALL
             SELECT request, path, source_row, 'sent', intended_at, unanswered_versions.id
             FROM unanswered_versions JOIN sources ON sources.id = source WHERE house = ?1
             UNION ALL
             SELECT request, NULL, 0, status, learned_at, 0 FROM held_houses WHERE house = ?1
             ORDER BY 5, 6",
        )?;
        let mut rows = statement.query([lookup_column(house)])?;
        let mut earlier = Vec::new();
        while let Some(row) = rows.next()? {
            // An unreadable request has no house.
            let Ok(request) = serde_json::from_str(row.get_ref(0)?.as_str().unwrap_or_default())
            else {
                continue;
            };
            let file: Option<String> = row.get(1)?;
            let number = RowNumber(row.get(2)?);
            earlier.push(EarlierRequest {
                request,
                origin: file.map(|file| (file, number)),
                state: row.get(3)?,
            });
        }
        Ok(earlier)
    }
}

impl Journal {
    /// Stores decisions.
    ///
    /// # Errors
    /// Returns an [`Error`] if the journal cannot be read or written.
    ///
    /// # Panics
    /// Never: an address serializes to JSON.
    pub fn store_decisions(
        &self,
        decisions: &[StoredDecision],
        now: Timestamp,
    ) -> Result<(), Error> {
        if decisions.is_empty() {
            return Ok(());
        }
        let decisions = decisions.to_vec();
        self.write_blocking(move |connection| {
            let mut statement = connection.prepare(
                "INSERT OR REPLACE INTO house_decisions (external_id, content, address, decision, decided_at)
                 VALUES (?1, ?2, ?3, ?4, ?5)",
            )?;
            for stored in &decisions {
                let address = serde_json::to_string(&stored.address);
                statement.execute(params![
                    stored.external_id,
                    stored.content.to_bytes(),
                    address.expect("an address has string keys alone"),
                    stored.decision.name(),
                    now.as_millisecond(),
                ])?;
            }
            Ok(())
        })
    }
}

/// Returns all stored decisions.
pub(super) fn decisions(connection: &Connection) -> rusqlite::Result<Vec<StoredDecision>> {
    let mut statement = connection
        .prepare("SELECT external_id, content, address, decision FROM house_decisions")?;
    let mut rows = statement.query([])?;
    let mut decisions = Vec::new();
    while let Some(row) = rows.next()? {
        let address = serde_json::from_str(row.get_ref(2)?.as_str()?);
        let decision = HouseDecision::from_name(row.get_ref(3)?.as_str()?);
        let (Ok(address), Some(decision)) = (address, decision) else {
            continue;
        };
        decisions.push(StoredDecision {
            external_id: row.get(0)?,
            content: ContentHash::from_bytes(row.get(1)?),
            address,
            decision,
        });
    }
    Ok(decisions)
}

/// Whether the journal has the table of houses, which a migration added.
pub(super) fn are_stored(connection: &Connection) -> rusqlite::Result<bool> {
    let sql = "SELECT EXISTS (SELECT 1 FROM sqlite_master WHERE name = 'held_houses')";
    connection.query_row(sql, [], |row| row.get(0))
}

/// Computes the houses of requests that were stored without them.
pub(super) fn fill_missing(connection: &Connection) -> rusqlite::Result<()> {
    let mut missing =
        connection.prepare("SELECT rowid, request FROM requests WHERE house IS NULL")?;
    let mut update = connection.prepare("UPDATE requests SET house = ?2 WHERE rowid = ?1")?;
    let missing = missing
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?
        .collect::<rusqlite::Result<Vec<(i64, String)>>>()?;
    for (row, request) in missing {
        let request: Option<Request> = serde_json::from_str(&request).ok();
        update.execute([row, request.map_or(0, |request| house_column(&request))])?;
    }
    Ok(())
}

/// Returns the house of a request as a column value.
pub(super) fn house_column(request: &Request) -> i64 {
    lookup_column(StreetAddress::new(&request.address).lookup())
}

fn lookup_column(house: HouseLookup) -> i64 {
    house.0.cast_signed()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::journal::{JournalAccess, schema};

    #[test]
    fn houses_of_a_journal_from_before_they_were_kept_are_filled_in() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal.db");
        let request = Request::example();
        let lookup = StreetAddress::new(&request.address).lookup();
        let json = serde_json::to_string(&request).unwrap();
        let journal = Journal::open(&path, &JournalAccess::Shared).unwrap();
        journal
            .write_blocking(move |connection| {
                connection.execute("INSERT INTO sources (id, path, sheet) VALUES (1, '/leads.csv', '')", [])?;
                let insert = "INSERT INTO requests (external_id, source, source_row, content, request, state,
                    intended_at) VALUES (?1, 1, 2, ?2, ?3, 'created', 0)";
                connection.execute(insert, (&request.external_id, [1; 16], &json))?;
                connection.execute(insert, ("unreadable", [2; 16], "?"))
            })
            .unwrap();
        assert!(
            !journal
                .submission_index(None)
                .unwrap()
                .has_house(lookup)
                .unwrap()
        );
        drop(journal);
        let journal = Journal::open(&path, &JournalAccess::Shared).unwrap();
        let earlier = journal
            .submission_index(None)
            .unwrap()
            .earlier_requests(lookup)
            .unwrap();
        assert_eq!(earlier.len(), 1);
        let place = ("/leads.csv".to_owned(), RowNumber(2));
        assert_eq!(earlier[0].origin, Some(place));
        assert_eq!(earlier[0].state, "sent");
    }
    #[test]
    fn the_houses_of_an_older_journal_are_found_and_its_file_stays_as_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal.db");
        let request = Request::example();
        let lookup = StreetAddress::new(&request.address).lookup();
        let json = serde_json::to_string(&request).unwrap();
        schema::write_first(&Connection::open(&path).unwrap()).unwrap();
        let connection = Connection::open(&path).unwrap();
        let source = "INSERT INTO sources (id, path, sheet) VALUES (1, '/leads.csv', '')";
        connection.execute(source, []).unwrap();
        let insert = "INSERT INTO requests (external_id, source, source_row, content, request, state, intended_at)
            VALUES (?1, 1, 2, ?2, ?3, 'created', 0)";
        let values = (&request.external_id, [1; 16], &json);
        connection.execute(insert, values).unwrap();
        drop(connection);
        let before = std::fs::read(&path).unwrap();
        let index = crate::journal::read_index(&path).unwrap();
        assert_eq!(index.earlier_requests(lookup).unwrap().len(), 1);
        assert_eq!(std::fs::read(&path).unwrap(), before);
    }
}
