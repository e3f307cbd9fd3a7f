//! Why a sandbox does not start, or does not do what it was asked.

use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;

/// Facts only; sentences for people are made where the program speaks.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The address is not on loopback; this server has no sign-in, so nobody else may reach it.
    #[error("{0} is not a loopback address")]
    NotLoopback(SocketAddr),
    /// The address cannot be listened on.
    #[error("cannot listen on {address}")]
    Listen {
        /// What was asked for.
        address: SocketAddr,
        /// Why not; `AddrInUse` where another program holds the port.
        source: io::Error,
    },
    /// No version at all to serve.
    #[error("no version to serve")]
    NoVersion,
    /// A version that is no date.
    #[error("`{0}` is no version; versions are dates such as 2026-01-15")]
    BadVersion(String),
    /// A redirect URI that the service would not register.
    #[error("`{0}` cannot be a redirect URI; it must be https, or http on localhost or 127.0.0.1")]
    BadRedirectUri(String),
    /// The data folder or its log cannot be read or written.
    #[error("cannot use {}", path.display())]
    Data {
        /// The folder or file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// Another sandbox runs on the same data.
    #[error("{} is in use by another sandbox", .0.display())]
    DataInUse(PathBuf),
    /// A line of the log, other than a torn last one, is not what was written.
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
        /// What the system says.
        source: io::Error,
    },
    /// The faults file is not a list of rules.
    #[error("{} holds no rules: {reason}", path.display())]
    FaultsRules {
        /// The file.
        path: PathBuf,
        /// Line, column and what was expected there.
        reason: String,
    },
    /// No measurement has this id.
    #[error("no measurement `{0}`")]
    UnknownMeasurement(String),
    /// The measurement is complete, and stays so; holds its id.
    #[error("{0} is complete")]
    AlreadyComplete(String),
    /// The measurement was withdrawn; holds its id.
    #[error("{0} was withdrawn")]
    Withdrawn(String),
    /// A length that no house has.
    #[error("{0} feet is no length of a gutter")]
    OutOfRange(f64),
    /// The log can no longer be written.
    #[error("the log cannot be written")]
    NotWritten,
}
