//! What the journal knows of rows, for planning: digests in memory, everything else on demand.
//!
//! A content digest covers the external id, so that one look tells whether this very row was submitted before. A row
//! that is not found so is new, or was edited: then its id is looked up.

use hashbrown::HashMap;
use rusqlite::{Connection, OptionalExtension};

use crate::journal::{Error, Journal};
use crate::model::{ContentHash, Request};

/// Where a submitted row stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum State {
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
pub struct Entry {
    /// Where it stands.
    pub state: State,
    /// The digest of the version last submitted.
    pub content: ContentHash,
    /// That version; none where it cannot be read.
    pub request: Option<Request>,
    /// What the service said against it, a line a message.
    pub message: Option<String>,
}

/// Every submitted row by its digest, and a connection for the rest.
#[derive(Debug)]
pub struct Index {
    connection: Option<Connection>,
    states: HashMap<ContentHash, State>,
}

impl Index {
    /// The index of a journal that is not there yet.
    pub fn empty() -> Self {
        Self {
            connection: None,
            states: HashMap::new(),
        }
    }

    /// Where exactly this content stands; none where it was never submitted so.
    pub fn state(&self, content: ContentHash) -> Option<State> {
        self.states.get(&content).copied()
    }

    /// What is known of an id, whatever its content was.
    ///
    /// # Errors
    /// [`Error::Sqlite`] and its kin.
    pub fn entry(&self, external_id: &str) -> Result<Option<Entry>, Error> {
        let Some(connection) = self.connection.as_ref().filter(|_| !self.states.is_empty()) else {
            return Ok(None);
        };
        let entry = connection
            .prepare_cached(
                "SELECT state, content, request, message FROM requests WHERE external_id = ?1",
            )?
            .query_row([external_id], |row| {
                let request: String = row.get(2)?;
                Ok(Entry {
                    state: state(row.get_ref(0)?.as_str()?),
                    content: ContentHash::from_bytes(row.get(1)?),
                    request: serde_json::from_str(&request).ok(),
                    message: row.get(3)?,
                })
            })
            .optional()?;
        Ok(entry)
    }
}

impl Journal {
    /// Reads the index.
    ///
    /// # Errors
    /// [`Error::Sqlite`] and its kin.
    pub fn index(&self) -> Result<Index, Error> {
        read(self.reader()?)
    }
}

/// The index of the journal at `path`, for looking alone; empty where there is none.
///
/// # Errors
/// [`Error::Damaged`], [`Error::Newer`] and [`Error::Sqlite`].
pub fn index(path: &std::path::Path) -> Result<Index, Error> {
    crate::journal::file::look(path)?.map_or_else(|| Ok(Index::empty()), read)
}

fn read(connection: Connection) -> Result<Index, Error> {
    let rows: i64 = connection.query_row("SELECT count(*) FROM requests", [], |row| row.get(0))?;
    let mut states = HashMap::with_capacity(usize::try_from(rows).unwrap_or_default());
    {
        let mut statement = connection.prepare("SELECT content, state FROM requests")?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let content = ContentHash::from_bytes(row.get(0)?);
            let name = row.get_ref(1)?.as_str().map_err(rusqlite::Error::from)?;
            states.insert(content, state(name));
        }
    }
    Ok(Index {
        connection: Some(connection),
        states,
    })
}

fn state(name: &str) -> State {
    match name {
        "created" | "existing" => State::Measured,
        "refused" => State::Refused,
        "conflict" => State::Conflict,
        _ => State::Sent,
    }
}
