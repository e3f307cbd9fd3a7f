//! Every way the journal can fail, as facts.

use std::path::PathBuf;

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
    /// Another run holds it.
    #[error("another run holds the journal {path}: {holder}")]
    Held {
        /// The journal's file.
        path: PathBuf,
        /// Who holds it, as its lock file says: command, process, since when.
        holder: String,
    },
    /// There is no journal yet, where one is needed.
    #[error("there is no journal at {path}")]
    Missing {
        /// The journal's file.
        path: PathBuf,
    },
    /// The file is no journal, or is damaged.
    #[error("{path} is damaged or is no journal: {reason}")]
    Damaged {
        /// The journal's file.
        path: PathBuf,
        /// What SQLite or the check found.
        reason: String,
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
    /// A statement or commit failed, for instance because the disk is full.
    #[error("the journal cannot be written or read: {0}")]
    Sqlite(#[source] rusqlite::Error),
    /// An earlier commit failed, so nothing more is recorded or sent.
    #[error("the journal stopped after a failed commit: {0}")]
    Stopped(String),
}

impl From<rusqlite::Error> for Error {
    fn from(error: rusqlite::Error) -> Self {
        Self::Sqlite(error)
    }
}
