//! Every way an export can fail, as facts.

use std::path::PathBuf;

use crate::dispatch::DispatchError;
use crate::export::{ProtectedFile, UndeclaredBilling};
use crate::journal;
use crate::model::counted;
use crate::sheet;

/// Why there is no export, or none that is whole.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The journal did not answer.
    #[error(transparent)]
    Journal(#[from] journal::Error),
    /// Measurements could not be requested again, for a reason that makes every further request useless.
    #[error(transparent)]
    Refresh(#[from] DispatchError),
    /// The journal holds an answer that is not the service's.
    #[error("the journal's answer for {measurement_id} cannot be read: {reason}")]
    Answer {
        /// `msr_…`
        measurement_id: String,
        /// What is missing or of the wrong type.
        reason: String,
    },
    /// The file's name says no format that there is.
    #[error("{path} names no format of an export")]
    Extension {
        /// As given.
        path: PathBuf,
    },
    /// The target is a folder.
    #[error("{path} is a folder")]
    Folder {
        /// As given.
        path: PathBuf,
    },
    /// The target is neither a file nor a folder, for instance a pipe or a device.
    #[error("{path} is not a regular file, so it is not replaced")]
    NotRegular {
        /// As given.
        path: PathBuf,
    },
    /// The target cannot be written; what was there before is still there.
    #[error("cannot write {path}")]
    Write {
        /// The file, or the folder that it was to stand in.
        path: PathBuf,
        /// What the system said.
        #[source]
        source: std::io::Error,
    },
    /// The sheets of a workbook cannot be kept in a temporary file while it is made.
    #[error("cannot write a temporary file in {path}")]
    Scratch {
        /// The folder.
        path: PathBuf,
        /// What the system said.
        #[source]
        source: std::io::Error,
    },
    /// The file of a sealed export could not be put into its place, and the seal could not be taken back.
    #[error("export {number} is sealed, but its file could not be put into {path}")]
    Undelivered {
        /// The sealed export.
        number: u64,
        /// Where the file was to stand.
        path: PathBuf,
        /// Why the seal could not be taken back.
        #[source]
        source: journal::Error,
    },
    /// Measurements may have been billed from another journal; nothing was sealed.
    #[error("{} may have been billed elsewhere", counted(.0.measurements, "measurement"))]
    Undeclared(Box<UndeclaredBilling>),
    /// What stands there is no unsealed export of the program, and stays.
    #[error("{path} is not replaced")]
    Protected {
        /// As given.
        path: PathBuf,
        /// What it is.
        why: ProtectedFile,
    },
    /// Nothing was imported, so that there is nothing to export.
    #[error("nothing was imported with the journal {path} yet")]
    NothingImported {
        /// The journal's file.
        path: PathBuf,
    },
    /// The user stopped the export; what stood in its place still does.
    #[error("interrupted; nothing was written")]
    Interrupted,
    /// There is no sealed export of that number.
    #[error("--again {number}: there is no sealed export {number}")]
    NoSuchSeal {
        /// As given.
        number: u64,
        /// How many there are.
        known: u64,
    },
    /// A sealed export keeps the format that it was sealed in.
    #[error("sealed export {number} is a .{format} file")]
    OtherFormat {
        /// The sealed export.
        number: u64,
        /// The format's name, which is its extension.
        format: String,
    },
    /// The journal does not have the bytes that were sealed.
    #[error("the file of sealed export {number} is not in this journal")]
    LostFile {
        /// The sealed export.
        number: u64,
    },
    /// The workbook was not written by `export`.
    #[error("{path} is not a workbook that `gutterbatch export` wrote")]
    NoMap {
        /// As given.
        path: PathBuf,
    },
    /// The workbook belongs to another service than the settings name.
    #[error("the settings name the service {ours}, and the workbook is of {theirs}")]
    OtherService {
        /// The address in the settings.
        ours: String,
        /// What the workbook shows.
        theirs: String,
    },
    /// The workbook belongs to another service, app or team than the journal.
    #[error("the journal belongs to {what} {ours}, and the workbook to {theirs}")]
    OtherOwner {
        /// `the service`, `the app` or `the team`.
        what: &'static str,
        /// What the journal is bound to.
        ours: String,
        /// What the workbook shows.
        theirs: String,
    },
    /// Only an empty journal is restored.
    #[error("the journal {path} is not empty")]
    NotEmpty {
        /// The journal's file.
        path: PathBuf,
    },
    /// The user's own sheet cannot be read or written.
    #[error(transparent)]
    Own(Box<sheet::Error>),
    /// The stream that takes the file failed.
    #[error("cannot write the export")]
    Stream(#[source] std::io::Error),
    /// The workbook library refused; the program handed it something that no sheet can hold.
    #[error("the workbook cannot be made: {0}")]
    Workbook(String),
}

impl From<std::io::Error> for Error {
    fn from(error: std::io::Error) -> Self {
        Self::Stream(error)
    }
}
