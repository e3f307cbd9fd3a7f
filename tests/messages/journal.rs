//! The journal.

use std::io::ErrorKind;
use std::path::PathBuf;

use gutterbatch::journal::Error;

use crate::messages::refused;

pub(super) fn rows() -> Vec<String> {
    let path = || PathBuf::from("default.db");
    let lock = || PathBuf::from("default.db.lock");
    let seals = || PathBuf::from("default.db.seals");
    sentences! {Error, |error| error;
        Error::Open { .. } => [
            Error::Open { path: path(), source: refused(ErrorKind::PermissionDenied) }
        ],
        Error::Locked { .. } => [Error::Locked {
            path: path(),
            holder: "process 12: gutterbatch import leads.csv".to_owned(),
        }],
        Error::Unusable { .. } => [
            Error::Unusable { path: path(), reason: "it is not a regular file" }
        ],
        Error::HardLinks { .. } => [Error::HardLinks { path: path(), links: 2 }],
        Error::Lock { .. } => [
            Error::Lock { lock: lock(), source: refused(ErrorKind::PermissionDenied) }
        ],
        Error::ForeignLock { .. } => [Error::ForeignLock { lock: lock(), reason: "it is a link" }],
        Error::Missing { .. } => [Error::Missing { path: path() }],
        Error::Damaged { .. } => [
            Error::Damaged { path: path(), reason: "it is no database".to_owned() }
        ],
        Error::StaleLog(_) => [Error::StaleLog(path())],
        Error::Older { .. } => [Error::Older { path: path(), found: 1, known: 9 }],
        Error::Newer { .. } => [Error::Newer { path: path(), found: 9, known: 1 }],
        Error::OtherAccount { .. } => [Error::OtherAccount {
            what: "the team",
            ours: "Eaves (t1)".to_owned(),
            theirs: "Gables (t2)".to_owned(),
        }],
        Error::MissingSeals { .. } => [
            Error::MissingSeals { path: path(), record: seals(), number: 3, is_taken: false },
            Error::MissingSeals { path: path(), record: seals(), number: 1, is_taken: true }
        ],
        Error::SealRecord { .. } => [
            Error::SealRecord { path: seals(), reason: "line 2 is damaged".to_owned() }
        ],
        Error::NotACopy { .. } => [
            Error::NotACopy { path: path(), reason: "it is the journal itself".to_owned() }
        ],
        Error::Copy { .. } => [Error::Copy { path: path(), source: refused(ErrorKind::StorageFull) }],
        Error::Full(_) => [Error::Full("the disk is full".to_owned())],
        Error::Corrupt(_) => [Error::Corrupt("page 7 makes no sense".to_owned())],
        // Both say the same; an error of SQLite can only be made by SQLite.
        Error::Sqlite(_) | Error::Stopped(_) => [Error::Stopped("the disk is full".to_owned())],
    }
}
