//! The errors of a sandbox.

use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;

/// A sandbox cannot start, or cannot do what it was asked.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The address is not on loopback; the pages have no sign-in.
    #[error("{0} is not a loopback address")]
    NotLoopback(SocketAddr),
    /// The address cannot be listened on.
    #[error("cannot listen on {address}")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// The reason; `AddrInUse` where another program has the port.
        source: io::Error,
    },
    /// The list of versions is empty.
    #[error("no version to serve")]
    NoVersion,
    /// A version is not a date.
    #[error("invalid version `{0}`: versions are dates such as 2026-01-15")]
    BadVersion(String),
    /// A redirect URI that the service would not register.
    #[error("invalid redirect URI `{0}`: it must be https, or http on localhost or 127.0.0.1")]
    BadRedirectUri(String),
    /// The data folder or its log cannot be read or written.
    #[error("cannot use {}", path.display())]
    Data {
        /// The folder or file.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// Another sandbox uses the folder.
    #[error("{} is in use by another sandbox", .0.display())]
    DataInUse(PathBuf),
    /// A line of the log, other than an incomplete last one, is damaged.
    #[error("{} is damaged at line {line}", path.display())]
    Damaged {
        /// The log.
        path: PathBuf,
        /// Counted from 1.
        line: usize,
    },
    /// The faults file cannot be read.
    #[error("cannot read {}", path.display())]
    FaultsFile {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// The faults file is not a list of rules.
    #[error("invalid faults file {}: {reason}", path.display())]
    FaultsRules {
        /// The file.
        path: PathBuf,
        /// Line, column and what was expected there.
        reason: String,
    },
    /// The measurement is unknown or was withdrawn; holds its id.
    #[error("{0} is unknown or was withdrawn")]
    NotCompleted(String),
    /// The log can no longer be written.
    #[error("the log cannot be written")]
    NotWritten,
}
