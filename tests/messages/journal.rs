//! The journal's sentences.

use std::io::ErrorKind;
use std::path::PathBuf;

use gutterbatch::journal::Error;
use insta::assert_snapshot;

use crate::messages::{refused, shown};

#[test]
fn a_journal_that_does_not_answer_says_why_and_that_nothing_is_lost() {
    let path = || PathBuf::from("default.db");
    let errors = [
        Error::Open {
            path: path(),
            source: refused(ErrorKind::PermissionDenied),
        },
        Error::UnreadableLog { path: path() },
        Error::Locked {
            path: path(),
            holder: "gutterbatch import leads.csv, process 12".to_owned(),
        },
        Error::Unusable {
            path: path(),
            reason: "it is not a regular file",
        },
        Error::HardLinks {
            path: path(),
            links: 2,
        },
        Error::Lock {
            lock: PathBuf::from("default.db.lock"),
            source: refused(ErrorKind::PermissionDenied),
        },
        Error::ForeignLock {
            lock: PathBuf::from("default.db.lock"),
            reason: "it is a link",
        },
        Error::Missing { path: path() },
        Error::Damaged {
            path: path(),
            reason: "it is no database".to_owned(),
        },
        Error::Newer {
            path: path(),
            found: 9,
            known: 1,
        },
        Error::OtherAccount {
            what: "the team",
            ours: "Eaves (t1)".to_owned(),
            theirs: "Gables (t2)".to_owned(),
        },
        Error::Full("the disk is full".to_owned()),
        Error::Corrupt("page 7 makes no sense".to_owned()),
        Error::Stopped("the disk is full".to_owned()),
    ];
    assert_snapshot!(shown(errors), @"
    8: error: the journal default.db cannot be opened: permission denied
    8: error: the journal default.db cannot be read where it is: its newest entries are in the log file next to it, and the folder is not writable
    hint: nothing was changed; copy default.db and default.db-wal to a folder of yours, and name the copy with --journal
    7: error: another run uses the journal default.db: gutterbatch import leads.csv, process 12
    hint: to wait until it ends, add --lock-wait 30m to the same command; `gutterbatch status` shows its progress
    8: error: the journal default.db cannot be used: it is not a regular file
    hint: nothing was changed; name a file with --journal, or remove what is there
    8: error: the journal default.db has 2 hard links, and a lock holds for one name only
    hint: nothing was changed; remove its other names, or name another journal with --journal
          find / -xdev -samefile default.db
    8: error: the lock file default.db.lock cannot be used: permission denied
    hint: the lock file is in the folder of the journal; make that folder writable, or name another journal with --journal
    8: error: default.db.lock is not a lock file of this program: it is a link
    hint: nothing was changed; move default.db.lock away, or name another journal with --journal
    8: error: there is no journal at default.db
    hint: import a file first: gutterbatch import leads.csv
    8: error: default.db is damaged or is not a journal: it is no database
    hint: nothing was changed; move default.db aside and import the same files again, which rebuilds it without creating anything twice
    8: error: default.db was written by a newer version (schema 9; this program knows 1)
    hint: nothing was changed; use the newer gutterbatch
    6: error: the journal belongs to the team Eaves (t1), and this connection is to Gables (t2)
    hint: nothing was sent; use the profile that belongs to that team, or another journal with --profile or --journal
    8: error: the journal cannot be written: the disk is full
    hint: nothing was sent that is not recorded; free space on the disk and run the same command again
    8: error: the journal is damaged: page 7 makes no sense
    hint: nothing was changed; move the journal aside and import the same files again, which rebuilds it without creating anything twice
    8: error: the journal stopped after a failed commit: the disk is full
    hint: nothing was sent that is not recorded; run the same command again to resume
    ");
}
