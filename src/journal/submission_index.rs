//! The submitted rows of a journal, for planning: digests in memory, everything else on demand.
//!
//! A content digest includes the external id, so that one look-up shows whether this row was submitted before. A row
//! that is not found is new or was edited; then its id is looked up.
//!
//! Reading a large index takes time, so it may be read in advance, before the journal is locked. It is used only if
//! nothing was written since.

use std::path::Path;
use std::thread::JoinHandle;

use hashbrown::HashMap;
use rusqlite::{Connection, OptionalExtension, Row, params};

use crate::journal::column_values::{
    column_json, column_optional_json, column_optional_name, invalid_value,
};
use crate::journal::{
    Error, HouseQuestion, Journal, StoredDecision, StoredHouseKey, house_decisions, journal_file,
    schema,
};
use crate::model::{ContentHash, FieldError, FieldNames, Request, Status, TableSource};

/// The state of a submitted row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SubmissionState {
    /// It is being sent, or its response was not received.
    Sent,
    /// It has a measurement, created by it or known to the service before.
    Measured,
    /// The service refused it.
    Refused,
    /// Its id belongs to another house.
    Conflict,
}

/// The journal's record of an external id.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SubmittedRow {
    /// The state.
    pub state: SubmissionState,
    /// The last submitted version.
    pub request: Request,
    /// That version with the address that the service gave for it, if it created the measurement and this is no other
    /// spelling of the submitted one.
    pub normalized: Option<Request>,
    /// The service's messages, if it was refused or is in conflict.
    pub messages: Vec<FieldError>,
}

/// All submitted rows by digest, and a connection for other queries.
#[derive(Debug)]
pub struct SubmissionIndex {
    /// That of an empty journal in memory if there is none.
    connection: Connection,
    /// SQLite's data version when the index was read; it changes when another process writes.
    data_version: i64,
    states: HashMap<ContentHash, SubmissionState>,
    decisions: HashMap<String, StoredDecision>,
}

/// An index that is being read by a thread.
#[derive(Debug)]
pub struct ReadAhead(JoinHandle<Result<SubmissionIndex, Error>>);

impl ReadAhead {
    /// Starts a thread that reads the index of the journal at `path`; `None` if the system refuses.
    pub fn start(path: &Path) -> Option<Self> {
        let path = path.to_owned();
        let thread = std::thread::Builder::new()
            .name("journal index".to_owned())
            .spawn(move || read_index_file(&path));
        thread.ok().map(Self)
    }

    /// Returns the index if it is still current. An error is ignored, because reading again meets it too.
    fn finish(self) -> Option<SubmissionIndex> {
        let index = self.0.join().ok()?.ok()?;
        index.is_current().then_some(index)
    }
}

impl SubmissionIndex {
    /// Returns the decision about a row whose house was requested before.
    pub fn decision(&self, external_id: &str) -> Option<&StoredDecision> {
        self.decisions.get(external_id)
    }

    /// Whether a person was asked in a table if a row is to be sent although an earlier request is for the same house, so
    /// that `send` in it is an answer; anywhere without a table.
    ///
    /// # Errors
    /// Returns an [`Error`] if the journal cannot be read.
    pub fn is_asked(
        &self,
        question: &HouseQuestion,
        table: Option<&TableSource>,
    ) -> Result<bool, Error> {
        let sql = "SELECT 1 FROM house_questions WHERE external_id = ?1 AND earlier_id = ?2
            AND (?3 IS NULL OR path = ?3 AND sheet IN ('', ?4))";
        let path = table.map(|table| table.path.to_string_lossy());
        let sheet = table.and_then(|table| table.sheet.as_deref());
        let mut statement = self.connection.prepare_cached(sql)?;
        let HouseQuestion {
            external_id,
            earlier_id,
        } = question;
        Ok(statement.exists(params![external_id, earlier_id, path, sheet])?)
    }

    /// Whether there are decisions.
    pub fn has_decisions(&self) -> bool {
        !self.decisions.is_empty()
    }

    /// Whether nothing was submitted: a check without a journal looks up each of its rows.
    pub(super) fn is_empty(&self) -> bool {
        self.states.is_empty()
    }

    /// The connection, for other queries.
    pub(super) fn connection(&self) -> &Connection {
        &self.connection
    }

    /// Lets all further queries of this index share a transaction, so that none of them takes the file's locks again.
    fn in_one_transaction(self) -> Result<Self, Error> {
        self.connection.execute_batch("BEGIN")?;
        Ok(self)
    }

    /// Whether no process has written since the index was read. False for the copy of an older journal.
    fn is_current(&self) -> bool {
        let connection = &self.connection;
        let is_file = connection.path().is_some_and(|path| !path.is_empty());
        is_file && data_version(connection).ok() == Some(self.data_version)
    }

    /// Returns the state of this exact content; `None` if it was never submitted.
    pub fn state(&self, content: ContentHash) -> Option<SubmissionState> {
        self.states.get(&content).copied()
    }

    /// Returns the record of an external id, whatever its content.
    ///
    /// # Errors
    /// Returns an [`Error`] if the journal cannot be read.
    pub fn entry(&self, external_id: &str) -> Result<Option<SubmittedRow>, Error> {
        if self.is_empty() {
            return Ok(None);
        }
        let connection = self.connection();
        let entry = connection
            .prepare_cached(
                // That of an existing measurement may be what the row was edited to.
                "SELECT state, request, messages, iif(state = 'created', normalized, NULL) FROM requests
                 WHERE external_id = ?1",
            )?
            .query_row([external_id], |row| {
                Ok(SubmittedRow {
                    state: parse_state(row, 0)?,
                    request: column_json(row, 1)?,
                    messages: column_optional_json(row, 2)?,
                    normalized: column_optional_json(row, 3)?,
                })
            })
            .optional()?;
        Ok(entry)
    }

    /// Whether the first external id was requested before the other.
    ///
    /// # Errors
    /// Returns an [`Error`] if the journal cannot be read.
    pub fn is_requested_before(&self, external_id: &str, other: &str) -> Result<bool, Error> {
        let sql = "SELECT 1 FROM requests, requests AS other WHERE requests.external_id = ?1
            AND other.external_id = ?2 AND requests.intended_at < other.intended_at";
        let mut statement = self.connection().prepare_cached(sql)?;
        Ok(statement.exists([external_id, other])?)
    }

    /// Returns the user's names for the fields of a table at its last import, if rows of it were submitted.
    ///
    /// # Errors
    /// Returns an [`Error`] if the journal cannot be read.
    pub fn submitted_field_names(&self, source: &TableSource) -> Result<Option<FieldNames>, Error> {
        let path = source.path.to_string_lossy();
        let sheet = source.sheet.as_deref().unwrap_or_default();
        let sql = "SELECT field_names FROM sources WHERE path = ?1 AND sheet = ?2
            AND EXISTS (SELECT 1 FROM requests WHERE requests.source = sources.id)";
        let mut statement = self.connection().prepare(sql)?;
        let names = statement.query_row([&*path, sheet], |row| column_optional_json(row, 0));
        Ok(names.optional()?.flatten())
    }

    /// Returns the requests that the service has or may have, of the houses and customers that `is_wanted` selects, each
    /// with the newest status of its measurement; `None` if no response was received.
    ///
    /// # Errors
    /// Returns an [`Error`] if the journal cannot be read.
    pub fn requests_of(
        &self,
        is_wanted: impl Fn(StoredHouseKey) -> bool,
    ) -> Result<Vec<(Request, Option<Status>)>, Error> {
        let connection = self.connection();
        let mut customers = connection
            .prepare("SELECT rowid, house, customer FROM requests INDEXED BY requests_by_house")?;
        let mut rows = customers.query([])?;
        let mut wanted: Vec<i64> = Vec::new();
        while let Some(row) = rows.next()? {
            let house = StoredHouseKey::from_row(row, 1)?;
            wanted.extend(is_wanted(house).then(|| row.get::<_, i64>(0)).transpose()?);
        }
        let mut query = connection.prepare(
            "SELECT request, iif(state = 'sent', NULL, status) FROM requests LEFT JOIN measurements USING (external_id)
             WHERE requests.rowid = ?1 AND state IN ('created', 'existing', 'sent')",
        )?;
        let mut requests = Vec::new();
        for rowid in wanted {
            let request = query.query_row([rowid], |row| {
                let status = column_optional_name(row, 1, Status::from_name)?;
                Ok((column_json(row, 0)?, status))
            });
            requests.extend(request.optional()?);
        }
        Ok(requests)
    }
}

impl Journal {
    /// Returns the index: the one read in advance if it is current, otherwise a new one.
    ///
    /// # Errors
    /// Returns an [`Error`] if the journal cannot be read.
    pub fn submission_index(&self, ahead: Option<ReadAhead>) -> Result<SubmissionIndex, Error> {
        match ahead.and_then(ReadAhead::finish) {
            Some(index) => index.in_one_transaction(),
            None => load_index(self.reader()?)?.in_one_transaction(),
        }
    }
}

/// Reads the index of the journal at `path` without opening it for writing; empty if there is none.
///
/// # Errors
/// Returns [`Error::Damaged`], [`Error::Newer`] or [`Error::Older`] for a file that cannot be used, or another
/// [`Error`] if it cannot be read.
pub fn read_index(path: &Path) -> Result<SubmissionIndex, Error> {
    read_index_file(path)?.in_one_transaction()
}

fn read_index_file(path: &Path) -> Result<SubmissionIndex, Error> {
    if let Some(connection) = journal_file::open_read_only(path)? {
        return load_index(connection);
    }
    let mut empty = Connection::open_in_memory()?;
    schema::create(&mut empty)?;
    load_index(empty)
}

fn load_index(connection: Connection) -> Result<SubmissionIndex, Error> {
    // Before the rows, so that later writes are detected.
    let data_version = data_version(&connection)?;
    let states = states(&connection)?;
    let decisions = house_decisions::decisions(&connection)?.into_iter();
    Ok(SubmissionIndex {
        decisions: decisions
            .map(|stored| (stored.external_id.clone(), stored))
            .collect(),
        connection,
        data_version,
        states,
    })
}

fn data_version(connection: &Connection) -> rusqlite::Result<i64> {
    connection.pragma_query_value(None, "data_version", |row| row.get(0))
}

fn states(connection: &Connection) -> rusqlite::Result<HashMap<ContentHash, SubmissionState>> {
    // The number of rows, or a few more if some were withdrawn.
    let sql = "SELECT coalesce(max(rowid), 0) FROM requests";
    let rows: i64 = connection.query_row(sql, [], |row| row.get(0))?;
    let mut states = HashMap::with_capacity(usize::try_from(rows).unwrap_or_default());
    let mut statement =
        connection.prepare("SELECT content FROM requests INDEXED BY requests_by_source")?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let content = ContentHash::from_bytes(row.get(0)?);
        states.insert(content, SubmissionState::Measured);
    }
    // Nearly all were created, so that the index has no state, which would be written again with each answer.
    let mut statement = connection.prepare(
        "SELECT content, state FROM requests INDEXED BY requests_not_created WHERE state <> 'created'",
    )?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let content = ContentHash::from_bytes(row.get(0)?);
        states.insert(content, parse_state(row, 1)?);
    }
    Ok(states)
}

fn parse_state(row: &Row<'_>, column: usize) -> rusqlite::Result<SubmissionState> {
    match row.get_ref(column)?.as_str()? {
        "sent" => Ok(SubmissionState::Sent),
        "created" | "existing" => Ok(SubmissionState::Measured),
        "refused" => Ok(SubmissionState::Refused),
        "conflict" => Ok(SubmissionState::Conflict),
        other => Err(invalid_value(column, format!("unknown word `{other}`"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::journal::JournalAccess;

    #[test]
    fn an_index_read_in_advance_is_valid_until_a_write() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal.db");
        let journal = Journal::open(&path, &JournalAccess::Shared).unwrap();
        let insert = "INSERT INTO requests (external_id, source, source_row, content, request, state, intended_at)
            VALUES (?1, 1, 2, ?2, '{}', 'created', 0)";
        let add = |id: &'static str, content: [u8; 16]| {
            journal.writer.write_blocking(move |connection, _| {
                let source = "INSERT INTO sources (id, path, sheet) VALUES (1, '', '') ON CONFLICT DO NOTHING";
                connection.execute(source, [])?;
                connection.execute(insert, (id, content))
            })
        };
        add("one", [1; 16]).unwrap();
        let known = |index: &SubmissionIndex| index.state(ContentHash::from_bytes([2; 16]));
        let ahead = ReadAhead::start(&path).unwrap().finish().unwrap();
        assert_eq!(ahead.states.len(), 1);
        assert!(ahead.is_current());

        add("two", [2; 16]).unwrap();
        assert!(!ahead.is_current());
        assert_eq!(known(&ahead), None);
        let ahead = ReadAhead::start(&path);
        assert_eq!(
            known(&journal.submission_index(ahead).unwrap()),
            Some(SubmissionState::Measured)
        );
    }
}
