//! Errors of the journal.

use std::path::{Path, PathBuf};

use rusqlite::ErrorCode;

/// Why an operation of the journal failed.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The folder or file cannot be created, opened or locked.
    #[error("the journal {path} cannot be opened")]
    Open {
        /// The journal's file.
        path: PathBuf,
        /// The system's error.
        #[source]
        source: std::io::Error,
    },
    /// Another run has locked the journal.
    #[error("another run uses the journal {path}: {holder}")]
    Locked {
        /// The journal's file.
        path: PathBuf,
        /// The other run, as its lock file describes it: command, process and start.
        holder: String,
    },
    /// The object at the path cannot be a journal.
    #[error("the journal {path} cannot be used: {reason}")]
    Unusable {
        /// The path as the user gave it.
        path: PathBuf,
        /// What is there.
        reason: &'static str,
    },
    /// The file has several hard links, and a run through each would have its own lock and log.
    #[error("the journal {path} has {links} hard links, and a lock protects only one of them")]
    HardLinks {
        /// The path as the user gave it.
        path: PathBuf,
        /// The number of hard links.
        links: u64,
    },
    /// The lock file cannot be created, opened or locked.
    #[error("the lock file {lock} cannot be used")]
    Lock {
        /// The lock file.
        lock: PathBuf,
        /// The system's error.
        #[source]
        source: std::io::Error,
    },
    /// The file at the lock file's path is not a lock file of this program.
    #[error("{lock} is not a lock file of this program: {reason}")]
    ForeignLock {
        /// What is there.
        lock: PathBuf,
        /// How that was detected.
        reason: &'static str,
    },
    /// There is no journal, but the operation needs one.
    #[error("there is no journal at {path}")]
    Missing {
        /// The journal's file.
        path: PathBuf,
    },
    /// The file is not a journal, or is damaged.
    #[error("{path} is damaged or is not a journal: {reason}")]
    Damaged {
        /// The journal's file.
        path: PathBuf,
        /// The error found.
        reason: String,
    },
    /// The file is a copy that replaced a journal, whose log is still beside it.
    #[error(
        "{0} is a copy of a journal, and the log beside it belongs to the journal that was there before"
    )]
    StaleLog(PathBuf),
    /// An earlier version of the program wrote the file.
    #[error(
        "{path} was made by an earlier version of gutterbatch (schema {found}; this program knows {known})"
    )]
    Older {
        /// The journal's file.
        path: PathBuf,
        /// The file's schema number.
        found: u32,
        /// The only schema number that this program knows.
        known: u32,
    },
    /// A newer version of the program wrote the file.
    #[error("{path} was written by a newer version (schema {found}; this program knows {known})")]
    Newer {
        /// The journal's file.
        path: PathBuf,
        /// The file's schema number.
        found: u32,
        /// The only schema number that this program knows.
        known: u32,
    },
    /// The journal is bound to another service, app or team.
    #[error("the journal belongs to {what} {ours}, and this connection is to {theirs}")]
    OtherAccount {
        /// `the service`, `the app` or `the team`.
        what: &'static str,
        /// What the journal is bound to.
        ours: String,
        /// What the connection belongs to.
        theirs: String,
    },
    /// The record beside the journal lists seals that the journal does not know.
    #[error(
        "the journal {path} is outdated: {record} lists {}sealed export {number}, which the journal does not have",
        if *is_taken { "another " } else { "" }
    )]
    MissingSeals {
        /// The journal's file.
        path: PathBuf,
        /// The record's file.
        record: PathBuf,
        /// The highest number that the journal does not know, or the first one that it gave to another export.
        number: u64,
        /// Whether the journal has another export of that number, so that it cannot take over the record's.
        is_taken: bool,
    },
    /// The record of seals cannot be read or written.
    #[error("the record of seals {path} cannot be used: {reason}")]
    SealRecord {
        /// The record's file.
        path: PathBuf,
        /// The system's error, or the invalid line.
        reason: String,
    },
    /// A copy may not replace the existing file.
    #[error("{path} is not replaced: {reason}")]
    NotACopy {
        /// The path of the copy.
        path: PathBuf,
        /// What the existing file is.
        reason: String,
    },
    /// The copy cannot be written. An existing file is unchanged.
    #[error("cannot write {path}")]
    Copy {
        /// The path of the copy.
        path: PathBuf,
        /// The system's error.
        #[source]
        source: std::io::Error,
    },
    /// The disk is full, or the system refuses to write the file. It holds the reason.
    #[error("the journal cannot be written: {0}")]
    Full(String),
    /// The file's contents are invalid. It holds SQLite's message.
    #[error("the journal is damaged: {0}")]
    Corrupt(String),
    /// A statement or commit failed for another reason.
    #[error("the journal cannot be written or read: {0}")]
    Sqlite(#[source] rusqlite::Error),
    /// An earlier commit failed, so nothing more is recorded or sent. It holds the reason.
    #[error("the journal stopped after a failed commit: {0}")]
    Stopped(String),
}

impl Error {
    /// Returns what makes an [`Error::Open`] of the system's error about the journal at a path.
    pub(super) fn opening(path: &Path) -> impl Fn(std::io::Error) -> Self + Copy {
        |source| Self::Open {
            path: path.to_owned(),
            source,
        }
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
