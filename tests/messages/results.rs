//! Exports, and restoring a journal from one.

use std::io::ErrorKind;
use std::path::PathBuf;

use gutterbatch::dispatch::DispatchError;
use gutterbatch::export::{Error, ProtectedFile, UndeclaredBilling, UndeclaredMeasurement};
use gutterbatch::journal;
use gutterbatch::sheet::{self, SheetError};
use jiff::Timestamp;

use crate::messages::refused;

pub(super) fn rows() -> Vec<String> {
    let path = || PathBuf::from("results.xlsx");
    let journal = || PathBuf::from("default.db");
    let protected = |why| Error::Protected { path: path(), why };
    let full = || journal::Error::Full("the disk is full".to_owned());
    let earlier = || UndeclaredMeasurement {
        external_id: "A-1".to_owned(),
        address: "12 Elm St".to_owned(),
        completed_at: Timestamp::UNIX_EPOCH,
        measurement_id: "msr_1".to_owned(),
    };
    let undeclared = |measurements: usize, adjusted: usize| {
        Error::Undeclared(UndeclaredBilling {
            measurements: vec![earlier(); measurements],
            adjusted: vec![earlier(); adjusted],
            own: 0,
        })
    };
    sentences! {Error, |error| error;
        Error::Journal(_) => [Error::Journal(full())],
        Error::Refresh(_) => [Error::Refresh(DispatchError::Closed)],
        Error::Answer { .. } => [Error::Answer {
            measurement_id: "msr_1".to_owned(),
            reason: "the status is missing".to_owned(),
        }],
        Error::Extension(_) => [Error::Extension(PathBuf::from("results.pdf"))],
        Error::Folder(_) => [Error::Folder(PathBuf::from("billing"))],
        Error::NotRegularFile(_) => [Error::NotRegularFile(PathBuf::from("/dev/null"))],
        Error::Write { .. } => [
            Error::Write { path: path(), source: refused(ErrorKind::StorageFull) },
            Error::Write { path: path(), source: refused(ErrorKind::PermissionDenied) },
            Error::Write { path: PathBuf::from("no such folder"), source: refused(ErrorKind::NotFound) },
        ],
        Error::Scratch { .. } => [Error::Scratch {
            path: PathBuf::from("billing"),
            source: refused(ErrorKind::StorageFull),
        }],
        Error::Undelivered { .. } => [
            Error::Undelivered { number: 2, path: path(), source: full() }
        ],
        Error::Undeclared(_) => [undeclared(1, 0), undeclared(1_200, 2), undeclared(0, 1)],
        Error::Protected { .. } => [
            protected(ProtectedFile::Imported),
            protected(ProtectedFile::Sealed { number: None, is_edited: false }),
            protected(ProtectedFile::Sealed { number: Some(2), is_edited: false }),
            protected(ProtectedFile::Sealed { number: Some(2), is_edited: true }),
            protected(ProtectedFile::Edited),
            protected(ProtectedFile::Other),
        ],
        Error::NothingImported(_) => [Error::NothingImported(journal())],
        Error::Interrupted => [Error::Interrupted],
        Error::NoSuchSeal { .. } => [
            Error::NoSuchSeal { number: 1, known: 0 },
            Error::NoSuchSeal { number: 7, known: 3 },
        ],
        Error::OtherFormat { .. } => [Error::OtherFormat { number: 2, format: "csv".to_owned() }],
        Error::SealedFileMissing(_) => [Error::SealedFileMissing(2)],
        Error::NotResults(_) => [Error::NotResults(path())],
        Error::Rehearsed(_) => [Error::Rehearsed(path())],
        Error::OtherService { .. } => [Error::OtherService {
            ours: "https://api.example.com".to_owned(),
            theirs: "https://api.example.org".to_owned(),
        }],
        Error::OtherOwner { .. } => [Error::OtherOwner {
            what: "the team",
            ours: "Eaves (t1)".to_owned(),
            theirs: "Gables (t2)".to_owned(),
        }],
        Error::NotEmpty(_) => [Error::NotEmpty(journal())],
        Error::CustomerSheet(_) => [Error::CustomerSheet(Box::new(sheet::Error {
            file: "leads.xlsx".to_owned(),
            cause: SheetError::Changed,
        }))],
        Error::Stream(_) => [Error::Stream(refused(ErrorKind::StorageFull))],
        Error::Workbook(_) => [Error::Workbook("a sheet has no name".to_owned())],
    }
}
