//! Every way the journal can fail, as facts.

use std::path::{Path, PathBuf};

use rusqlite::ErrorCode;

/// Why the journal did not answer.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The folder or file cannot be made, opened or locked.
    #[error("the journal {path} cannot be opened")]
    Open {
        /// The journal's file.
        path: PathBuf,
        /// What the system said.
        #[source]
        source: std::io::Error,
    },
    /// Its newest entries stand in the log beside it, and cannot be read where nothing can be written.
    #[error(
        "the journal {path} cannot be read where it is: its newest entries stand in the log beside it, and the folder cannot be written"
    )]
    UnreadableLog {
        /// The journal's file.
        path: PathBuf,
    },
    /// Another run holds it.
    #[error("another run holds the journal {path}: {holder}")]
    Locked {
        /// The journal's file.
        path: PathBuf,
        /// Who holds it, as its lock file says: command, process, since when.
        holder: String,
    },
    /// What stands at the path cannot be a journal.
    #[error("the journal {path} cannot be used: {reason}")]
    Unusable {
        /// As it was given.
        path: PathBuf,
        /// What stands there.
        reason: &'static str,
    },
    /// The file has several names, and a run through each would have a lock and a log of its own.
    #[error("the journal {path} has {links} hard links, and a lock holds for one name only")]
    HardLinks {
        /// As it was given.
        path: PathBuf,
        /// How many names the file has.
        links: u64,
    },
    /// The lock file cannot be made, opened or locked.
    #[error("the lock file {lock} cannot be used")]
    Lock {
        /// The lock file.
        lock: PathBuf,
        /// What the system said.
        #[source]
        source: std::io::Error,
    },
    /// Something else stands where the lock file belongs.
    #[error("{lock} is not a lock file of this program: {reason}")]
    ForeignLock {
        /// What stands there.
        lock: PathBuf,
        /// How that shows.
        reason: &'static str,
    },
    /// There is no journal yet, where one is needed.
    #[error("there is no journal at {path}")]
    Missing {
        /// The journal's file.
        path: PathBuf,
    },
    /// The file is no journal, or is damaged.
    #[error("{path} is damaged or is not a journal: {reason}")]
    Damaged {
        /// The journal's file.
        path: PathBuf,
        /// What SQLite or the check found.
        reason: String,
    },
    /// It is a copy that was put in the place of a journal, whose log is still beside it.
    #[error(
        "{path} is a copy of a journal, and the log beside it belongs to the journal that was there before"
    )]
    StaleLog {
        /// The journal's file.
        path: PathBuf,
    },
    /// A newer program wrote it.
    #[error("{path} was written by a newer version (schema {found}; this program knows {known})")]
    Newer {
        /// The journal's file.
        path: PathBuf,
        /// The file's schema number.
        found: u32,
        /// The newest schema number that this program knows.
        known: u32,
    },
    /// It belongs to another service, app or team.
    #[error("the journal belongs to {what} {ours}, and this connection is to {theirs}")]
    OtherAccount {
        /// `the service`, `the app` or `the team`.
        what: &'static str,
        /// What the journal is bound to.
        ours: String,
        /// What the connection proved to be.
        theirs: String,
    },
    /// Seals are recorded beside it that it does not know.
    #[error(
        "the journal {path} is older than the seals recorded beside it: {record} has sealed export {number}, which the journal does not know"
    )]
    MissingSeals {
        /// The journal's file.
        path: PathBuf,
        /// The record's file.
        record: PathBuf,
        /// The newest number that it does not know.
        number: u64,
    },
    /// The record of seals cannot be read or written.
    #[error("the record of seals {path} cannot be used: {reason}")]
    SealRecord {
        /// The record's file.
        path: PathBuf,
        /// What the system said, or the line.
        reason: String,
    },
    /// A copy may not take the place of what is there.
    #[error("{path} is not replaced: {reason}")]
    NotACopy {
        /// Where the copy was to stand.
        path: PathBuf,
        /// What is there.
        reason: &'static str,
    },
    /// A journal that was opened for writing is there, or what one leaves beside it.
    #[error("{path} is not replaced: {}", in_use_reason(.beside.as_deref()))]
    ReplacesJournal {
        /// Where the copy was to stand.
        path: PathBuf,
        /// The file beside it that shows that; none where the journal itself does.
        beside: Option<PathBuf>,
    },
    /// The copy cannot be written; what was there before still is.
    #[error("cannot write {path}")]
    Copy {
        /// Where the copy was to stand.
        path: PathBuf,
        /// What the system said.
        #[source]
        source: std::io::Error,
    },
    /// The disk is full, or the system allows the file no more.
    #[error("the journal cannot be written: {0}")]
    Full(String),
    /// A page of it makes no sense.
    #[error("the journal is damaged: {0}")]
    Corrupt(String),
    /// A statement or commit failed for another reason.
    #[error("the journal cannot be written or read: {0}")]
    Sqlite(#[source] rusqlite::Error),
    /// An earlier commit failed, so nothing more is recorded or sent.
    #[error("the journal stopped after a failed commit: {0}")]
    Stopped(String),
}

fn in_use_reason(beside: Option<&Path>) -> String {
    match beside {
        None => "it is a journal in use, and not an unused copy of one".to_owned(),
        Some(beside) => format!("{} belongs to a journal of that name", beside.display()),
    }
}

impl From<rusqlite::Error> for Error {
    fn from(error: rusqlite::Error) -> Self {
        match error.sqlite_error_code() {
            Some(ErrorCode::DiskFull) => Self::Full("the disk is full".to_owned()),
            Some(ErrorCode::SystemIoFailure) => Self::Full(error.to_string()),
            Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => {
                Self::Corrupt(error.to_string())
            }
            _ => Self::Sqlite(error),
        }
    }
}
