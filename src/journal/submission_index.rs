//! What the journal knows of rows, for planning: digests in memory, everything else on demand.
//!
//! A content digest covers the external id, so that one look tells whether this very row was submitted before. A row
//! that is not found so is new, or was edited: then its id is looked up.
//!
//! A large index takes a while, so it may be read ahead, before the journal is held; whoever holds it then makes sure
//! that nothing was written since.

use std::path::Path;
use std::thread::JoinHandle;

use hashbrown::HashMap;
use rusqlite::{Connection, OptionalExtension};

use crate::journal::{Error, Journal, StoredDecision, houses, journal_file, schema};
use crate::model::{ContentHash, Request, TableSource};

/// Where a submitted row stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SubmissionState {
    /// On the wire, or its answer was never seen.
    Sent,
    /// It has its measurement: made by it, or known to the service before.
    Measured,
    /// The service refused it.
    Refused,
    /// Its id belongs to another house.
    Conflict,
}

/// What the journal knows of one id.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SubmittedRow {
    /// Where it stands.
    pub state: SubmissionState,
    /// The digest of the version last submitted.
    pub content: ContentHash,
    /// That version; none where it cannot be read.
    pub request: Option<Request>,
    /// What the service said against it, a line a message.
    pub message: Option<String>,
}

/// Every submitted row by its digest, and a connection for the rest.
#[derive(Debug)]
pub struct SubmissionIndex {
    connection: Option<Connection>,
    /// Another one means that somebody else has written.
    data_version: i64,
    states: HashMap<ContentHash, SubmissionState>,
    /// Whether the file tells of houses at all.
    has_houses: bool,
    decisions: HashMap<String, StoredDecision>,
}

/// An index that a thread of its own reads.
#[derive(Debug)]
pub struct ReadAhead(JoinHandle<Result<SubmissionIndex, Error>>);

impl ReadAhead {
    /// Starts to read the index of the journal at `path`; none where the system gives no thread.
    pub fn start(path: &Path) -> Option<Self> {
        let path = path.to_owned();
        let thread = std::thread::Builder::new()
            .name("journal index".to_owned())
            .spawn(move || read_index(&path));
        thread.ok().map(Self)
    }

    /// What was read, where it is still all there is. A failure is met again by whoever reads in its stead.
    fn finish(self) -> Option<SubmissionIndex> {
        let index = self.0.join().ok()?.ok()?;
        index.is_current().then_some(index)
    }
}

impl SubmissionIndex {
    /// The index of a journal that is not there yet.
    pub fn empty() -> Self {
        Self {
            connection: None,
            data_version: 0,
            states: HashMap::new(),
            has_houses: false,
            decisions: HashMap::new(),
        }
    }

    /// What a person decided about a row that was held as the same house.
    pub fn decision(&self, external_id: &str) -> Option<&StoredDecision> {
        self.decisions.get(external_id)
    }

    /// Whether anything was decided.
    pub fn has_decisions(&self) -> bool {
        !self.decisions.is_empty()
    }

    /// The connection, where there are houses to be found by it.
    pub(super) fn connection_with_houses(&self) -> Option<&Connection> {
        let is_useful = self.has_houses && !self.states.is_empty();
        self.connection.as_ref().filter(|_| is_useful)
    }

    /// A connection for looking, where the journal has the tables of this version.
    pub(super) fn connection(&self) -> Option<&Connection> {
        let newest = |connection: &&Connection| {
            schema::version(connection).is_ok_and(|version| version == schema::NEWEST)
        };
        self.connection.as_ref().filter(newest)
    }

    /// Whether nobody has written since it was read; unknown of the copy of an older journal.
    fn is_current(&self) -> bool {
        let is_file =
            |connection: &&Connection| connection.path().is_some_and(|path| !path.is_empty());
        let now = self.connection.as_ref().filter(is_file).map(data_version);
        now.is_some_and(|now| now.ok() == Some(self.data_version))
    }

    /// Where exactly this content stands; none where it was never submitted so.
    pub fn state(&self, content: ContentHash) -> Option<SubmissionState> {
        self.states.get(&content).copied()
    }

    /// What is known of an id, whatever its content was.
    ///
    /// # Errors
    /// [`Error::Sqlite`] and its kin.
    pub fn entry(&self, external_id: &str) -> Result<Option<SubmittedRow>, Error> {
        let Some(connection) = self.connection.as_ref().filter(|_| !self.states.is_empty()) else {
            return Ok(None);
        };
        let entry = connection
            .prepare_cached(
                "SELECT state, content, request, message FROM requests WHERE external_id = ?1",
            )?
            .query_row([external_id], |row| {
                let request: String = row.get(2)?;
                Ok(SubmittedRow {
                    state: parse_state(row.get_ref(0)?.as_str()?),
                    content: ContentHash::from_bytes(row.get(1)?),
                    request: serde_json::from_str(&request).ok(),
                    message: row.get(3)?,
                })
            })
            .optional()?;
        Ok(entry)
    }
}

impl SubmissionIndex {
    /// The table that an id was last submitted from.
    ///
    /// # Errors
    /// [`Error::Sqlite`] and its kin.
    pub fn source(&self, external_id: &str) -> Result<Option<TableSource>, Error> {
        let Some(connection) = &self.connection else {
            return Ok(None);
        };
        let sql = "SELECT path, sheet FROM requests JOIN sources ON sources.id = source WHERE external_id = ?1";
        let source = |row: &rusqlite::Row<'_>| {
            let (path, sheet): (String, String) = (row.get(0)?, row.get(1)?);
            Ok(TableSource {
                path: path.into(),
                sheet: Some(sheet).filter(|sheet| !sheet.is_empty()),
            })
        };
        let mut statement = connection.prepare_cached(sql)?;
        Ok(statement.query_row([external_id], source).optional()?)
    }

    /// Visits the id of every request that was ever submitted, in no order.
    ///
    /// # Errors
    /// [`Error::Sqlite`] and its kin.
    pub fn for_each_id(&self, mut visit: impl FnMut(&str)) -> Result<(), Error> {
        let Some(connection) = &self.connection else {
            return Ok(());
        };
        let mut statement = connection.prepare("SELECT external_id FROM requests")?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            visit(row.get_ref(0)?.as_str().map_err(rusqlite::Error::from)?);
        }
        Ok(())
    }
}

impl Journal {
    /// The index: what was read ahead, or else it is read now.
    ///
    /// # Errors
    /// [`Error::Sqlite`] and its kin.
    pub fn submission_index(&self, ahead: Option<ReadAhead>) -> Result<SubmissionIndex, Error> {
        match ahead.and_then(ReadAhead::finish) {
            Some(index) => Ok(index),
            None => load_index(self.reader()?),
        }
    }
}

/// The index of the journal at `path`, for looking alone; empty where there is none.
///
/// # Errors
/// [`Error::Damaged`], [`Error::Newer`] and [`Error::Sqlite`].
pub fn read_index(path: &Path) -> Result<SubmissionIndex, Error> {
    journal_file::open_current_schema(path)?
        .map_or_else(|| Ok(SubmissionIndex::empty()), load_index)
}

fn load_index(connection: Connection) -> Result<SubmissionIndex, Error> {
    // Before the rows: whatever is written while they are read shows later.
    let data_version = data_version(&connection)?;
    let states = states(&connection)?;
    let has_houses = houses::are_stored(&connection)?;
    let decisions = if has_houses {
        houses::decisions(&connection)?
    } else {
        Vec::new()
    };
    let decisions = decisions.into_iter();
    Ok(SubmissionIndex {
        has_houses,
        decisions: decisions
            .map(|stored| (stored.external_id.clone(), stored))
            .collect(),
        connection: Some(connection),
        data_version,
        states,
    })
}

fn data_version(connection: &Connection) -> rusqlite::Result<i64> {
    connection.pragma_query_value(None, "data_version", |row| row.get(0))
}

fn states(connection: &Connection) -> rusqlite::Result<HashMap<ContentHash, SubmissionState>> {
    // As many rows as that, or a few less where some were withdrawn.
    let sql = "SELECT coalesce(max(rowid), 0) FROM requests";
    let rows: i64 = connection.query_row(sql, [], |row| row.get(0))?;
    let mut states = HashMap::with_capacity(usize::try_from(rows).unwrap_or_default());
    let mut statement =
        connection.prepare("SELECT content, state FROM requests INDEXED BY requests_by_source")?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let content = ContentHash::from_bytes(row.get(0)?);
        states.insert(content, parse_state(row.get_ref(1)?.as_str()?));
    }
    Ok(states)
}

fn parse_state(name: &str) -> SubmissionState {
    match name {
        "created" | "existing" => SubmissionState::Measured,
        "refused" => SubmissionState::Refused,
        "conflict" => SubmissionState::Conflict,
        _ => SubmissionState::Sent,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::journal::JournalAccess;

    #[test]
    fn an_index_read_ahead_stands_until_somebody_writes() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal.db");
        let journal = Journal::open(&path, &JournalAccess::Shared).unwrap();
        let insert = "INSERT INTO requests (external_id, source, source_row, content, request, state, intended_at)
            VALUES (?1, 1, 2, ?2, '{}', 'created', 0)";
        let add = |id: &'static str, content: [u8; 16]| {
            journal.write_blocking(move |connection| {
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
