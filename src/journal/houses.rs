//! Houses that were requested before under any id, and people's decisions about rows of the same house.

use crate::journal::{Error, SubmissionIndex, house_column};
use crate::model::{HouseLookup, Request, RowNumber};

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
        Ok(statement.query_row([house_column::from_lookup(house)], |row| row.get(0))?)
    }

    /// Returns the requests for a house that the service has or may have, the oldest first.
    ///
    /// # Errors
    /// Returns an [`Error`] if the journal cannot be read or written.
    pub fn earlier_requests(&self, house: HouseLookup) -> Result<Vec<EarlierRequest>, Error> {
        let mut earlier = Vec::new();
        self.each_request(Some(house), |request| earlier.push(request))?;
        Ok(earlier)
    }

    /// Calls `visit` with each request that the service has or may have, the oldest first; with `house` only with those
    /// for that house.
    ///
    /// # Errors
    /// Returns an [`Error`] if the journal cannot be read or written.
    pub fn each_request(
        &self,
        house: Option<HouseLookup>,
        mut visit: impl FnMut(EarlierRequest),
    ) -> Result<(), Error> {
        let Some(connection) = self.connection_with_houses() else {
            return Ok(());
        };
        // Without a house the condition names no column; with one it uses the index.
        let of_house = house.map_or("?1 IS NULL", |_| "house = ?1");
        let mut statement = connection.prepare_cached(&format!(
            "SELECT request, path, source_row, coalesce(status, 'sent'), intended_at, requests.rowid
             FROM requests JOIN sources ON sources.id = source LEFT JOIN measurements USING (external_id)
             WHERE {of_house} AND (state = 'created' OR state = 'existing' OR state = 'sent')
             UNION ALL
             SELECT request, path, source_row, 'sent', intended_at, unanswered_versions.id
             FROM unanswered_versions JOIN sources ON sources.id = source WHERE {of_house}
             UNION ALL
             SELECT request, NULL, 0, status, learned_at, 0 FROM held_houses WHERE {of_house}
             ORDER BY 5, 6",
        ))?;
        let mut rows = statement.query([house.map(house_column::from_lookup)])?;
        while let Some(row) = rows.next()? {
            // An unreadable request has no house.
            let Ok(request) = serde_json::from_str(row.get_ref(0)?.as_str().unwrap_or_default())
            else {
                continue;
            };
            let file: Option<String> = row.get(1)?;
            let number = RowNumber(row.get(2)?);
            visit(EarlierRequest {
                request,
                origin: file.map(|file| (file, number)),
                state: row.get(3)?,
            });
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use rusqlite::Connection;

    use super::*;
    use crate::journal::{Journal, JournalAccess, schema};
    use crate::model::StreetAddress;

    #[test]
    fn missing_houses_of_an_older_journal_are_computed() {
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
