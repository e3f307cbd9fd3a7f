//! Errors of exports and of restoring a journal.

use std::path::{Path, PathBuf};

use crate::dispatch::DispatchError;
use crate::export::{ProtectedFile, UndeclaredBilling};
use crate::journal;
use crate::model::pluralize;
use crate::sheet;

/// Why an export or a restoration fails.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The journal cannot be read or written.
    #[error(transparent)]
    Journal(#[from] journal::Error),
    /// Measurements could not be requested again, for a reason that applies to every request.
    #[error(transparent)]
    Refresh(#[from] DispatchError),
    /// A stored response cannot be parsed.
    #[error("the journal's response for {measurement_id} cannot be read: {reason}")]
    Answer {
        /// `msr_…`
        measurement_id: String,
        /// What is missing or of the wrong type.
        reason: String,
    },
    /// The extension of the file is not that of a format.
    #[error("{0} has no extension of a known format")]
    Extension(PathBuf),
    /// The target is a folder.
    #[error("{0} is a folder")]
    Folder(PathBuf),
    /// The target is neither a file nor a folder, for instance a pipe or a device.
    #[error("{0} is not a regular file, so it is not replaced")]
    NotRegularFile(PathBuf),
    /// The target cannot be written; an existing file is unchanged.
    #[error("cannot write {path}")]
    Write {
        /// The file or its folder.
        path: PathBuf,
        /// The system's error.
        #[source]
        source: std::io::Error,
    },
    /// The library cannot write the temporary files of a workbook.
    #[error("cannot write a temporary file in {path}")]
    Scratch {
        /// The folder.
        path: PathBuf,
        /// The system's error.
        #[source]
        source: std::io::Error,
    },
    /// The file of a sealed export could not be written, and the seal could not be removed.
    #[error("export {number} is sealed, but its file could not be written to {path}")]
    Undelivered {
        /// The sealed export.
        number: u64,
        /// The path of the file.
        path: PathBuf,
        /// Why the seal could not be removed.
        #[source]
        source: journal::Error,
    },
    /// Measurements or adjustments may have been billed from another journal; nothing was sealed.
    #[error("{} may have been billed elsewhere; nothing was sealed", undeclared(.0))]
    Undeclared(UndeclaredBilling),
    /// The existing file may not be replaced.
    #[error("{path} {why}, so it is not replaced")]
    Protected {
        /// As given.
        path: PathBuf,
        /// Why it may not be replaced.
        why: ProtectedFile,
    },
    /// The journal has no rows to export.
    #[error("nothing was imported with the journal {0} yet")]
    NothingImported(PathBuf),
    /// The user stopped the export; an existing file is unchanged.
    #[error("interrupted; nothing was written")]
    Interrupted,
    /// There is no sealed export with this number.
    #[error("--again {number}: there is no sealed export {number}")]
    NoSuchSeal {
        /// The number as given.
        number: u64,
        /// The number of sealed exports.
        known: u64,
    },
    /// A sealed export can only be written in its own format.
    #[error("sealed export {number} is a .{format} file")]
    OtherFormat {
        /// The sealed export.
        number: u64,
        /// The format's name, which is its extension.
        format: String,
    },
    /// The journal does not contain the file of a sealed export.
    #[error("the file of sealed export {0} is not in this journal")]
    SealedFileMissing(u64),
    /// The file is not a results workbook; it may be the user's own sheet with results.
    #[error("{0} is not a results workbook of this program")]
    NotResults(PathBuf),
    /// The workbook is of a rehearsal, whose numbers are invented.
    #[error("{0} was written by a rehearsal, and its numbers are invented")]
    Rehearsed(PathBuf),
    /// The workbook belongs to another service than the settings name.
    #[error("the settings name the service {ours}, and the workbook is of {theirs}")]
    OtherService {
        /// The address in the settings.
        ours: String,
        /// The address in the workbook.
        theirs: String,
    },
    /// The workbook belongs to another service, app or team than the journal.
    #[error("the journal belongs to {what} {ours}, and the workbook to {theirs}")]
    OtherOwner {
        /// `the service`, `the app` or `the team`.
        what: &'static str,
        /// What the journal is bound to.
        ours: String,
        /// What the workbook belongs to.
        theirs: String,
    },
    /// The journal to restore is not empty.
    #[error("the journal {0} is not empty")]
    NotEmpty(PathBuf),
    /// The user's own sheet cannot be read or written.
    #[error(transparent)]
    CustomerSheet(Box<sheet::Error>),
    /// The stream to write to failed.
    #[error("cannot write the export")]
    Stream(#[source] std::io::Error),
    /// The workbook library refused a value, which is an error of the program.
    #[error("the workbook cannot be made: {0}")]
    Workbook(String),
}

impl Error {
    /// Returns what makes an [`Error::Write`] of the system's error about a path.
    pub(super) fn writing(path: &Path) -> impl Fn(std::io::Error) -> Self + Copy {
        |source| Self::Write {
            path: path.to_owned(),
            source,
        }
    }
}

fn undeclared(billing: &UndeclaredBilling) -> String {
    let (measurements, adjusted) = (billing.measurements.len(), billing.adjusted.len());
    let measurements = (measurements > 0).then(|| pluralize(measurements as u64, "measurement"));
    let adjusted = (adjusted > 0).then(|| pluralize(adjusted as u64, "adjustment"));
    let parts: Vec<String> = measurements.into_iter().chain(adjusted).collect();
    parts.join(" and ")
}
