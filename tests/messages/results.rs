//! The messages of the errors of `export`.

use std::io::ErrorKind;
use std::path::PathBuf;

use gutterbatch::export::Error;
use insta::assert_snapshot;

use crate::messages::{refused, shown};

#[test]
fn an_export_that_cannot_be_made_says_where_and_what_stands_there_still() {
    let path = || PathBuf::from("results.xlsx");
    let errors = [
        Error::Answer {
            measurement_id: "msr_1".to_owned(),
            reason: "the status is missing".to_owned(),
        },
        Error::Extension {
            path: PathBuf::from("results.pdf"),
        },
        Error::Folder {
            path: PathBuf::from("billing"),
        },
        Error::Write {
            path: path(),
            source: refused(ErrorKind::StorageFull),
        },
        Error::Write {
            path: path(),
            source: refused(ErrorKind::PermissionDenied),
        },
        Error::Scratch {
            path: PathBuf::from("billing"),
            source: refused(ErrorKind::StorageFull),
        },
        Error::Stream(refused(ErrorKind::StorageFull)),
        Error::NoSuchSeal {
            number: 1,
            known: 0,
        },
        Error::NoSuchSeal {
            number: 7,
            known: 3,
        },
        Error::OtherFormat {
            number: 2,
            format: "csv".to_owned(),
        },
        Error::SealedFileMissing { number: 2 },
        Error::DeclaredTooEarly {
            declared: "2026-10-01 (UTC)".to_owned(),
            number: 2,
            sealed_at: "2026-11-01T12:00:00Z".parse().unwrap(),
        },
        Error::NotResults { path: path() },
        Error::NotEmpty {
            path: PathBuf::from("default.db"),
        },
        Error::Workbook("a sheet has no name".to_owned()),
    ];
    assert_snapshot!(shown(errors), @"
    8: error: the journal's answer for msr_1 cannot be read: the status is missing
    hint: another program changed the journal, or its disk is failing; make a copy of it
    2: error: results.pdf has no extension of a known format
    hint: let the name end in .xlsx, .csv, .json or .ndjson
    8: error: billing is a folder
    hint: name a file in it, for instance results.xlsx
    8: error: cannot write results.xlsx: the disk is full
    hint: nothing was sealed, and an existing file is unchanged; choose another path, or close the file in the program that has it open
    8: error: cannot write results.xlsx: permission denied
    hint: nothing was sealed, and an existing file is unchanged; choose another path, or close the file in the program that has it open
    8: error: cannot write a temporary file in billing: the disk is full
    hint: nothing was sealed; free disk space or make that folder writable, and run the same command again
    8: error: cannot write the export: the disk is full
    2: error: --again 1: there is no sealed export 1
    hint: nothing is sealed yet; `gutterbatch export billing.xlsx --new` seals an export
    2: error: --again 7: there is no sealed export 7
    hint: the last one is 3; `gutterbatch export --sealed` lists them
    2: error: sealed export 2 is a .csv file
    hint: it can only be written in the format in which it was sealed; let the name end in .csv
    8: error: the file of sealed export 2 is not in this journal
    hint: the journal was restored from a workbook or is damaged; look for the file that was sent out
    6: error: `--billed-until 2026-10-01 (UTC)` does not cover sealed export 2 of 2026-11-01T12:00:00Z, which this journal does not know; nothing was sealed
    hint: give a day after that seal, or restore the newest journal
    10: error: results.xlsx is not a results workbook of this program
    hint: an older one will do too; the sheets of a results workbook are Summary, Measurements, Open and others. Your own sheet with results, as `--for` writes it, does not contain enough
    6: error: the journal default.db is not empty
    hint: nothing was changed; only an empty journal can be restored: give another one with --journal, or move this one away
    1: error: the workbook cannot be made: a sheet has no name
    ");
}
