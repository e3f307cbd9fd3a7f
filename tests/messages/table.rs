//! The sentences of a file that cannot be used as a table.

use std::io::ErrorKind;
use std::path::PathBuf;

use gutterbatch::model::{Field, RowNumber};
use gutterbatch::sheet::{Error, Fault, Missing, NearHeader};
use insta::assert_snapshot;

use crate::messages::{refused, shown};

fn of_file(faults: impl IntoIterator<Item = Fault>) -> String {
    let error = |fault| Error {
        file: "leads.xlsx".to_owned(),
        fault,
    };
    shown(faults.into_iter().map(error))
}

fn names(names: &[&str]) -> Vec<String> {
    names.iter().map(|&name| name.to_owned()).collect()
}

#[test]
fn a_file_that_is_no_table_says_what_it_is_and_what_to_export() {
    let faults = [
        Fault::NotThere,
        Fault::Folder,
        Fault::Read(refused(ErrorKind::PermissionDenied)),
        Fault::Empty,
        Fault::HeaderOnly {
            header_row: RowNumber(3),
        },
        Fault::NotATable("a PDF"),
        Fault::Password,
        Fault::Damaged("the list of sheets is missing".to_owned()),
        Fault::NoSheet,
        Fault::Changed,
    ];
    assert_snapshot!(of_file(faults), @"
    10: error: leads.xlsx: there is no such file
    hint: give the path of the spreadsheet, or - for standard input
    10: error: leads.xlsx: it is a folder
    hint: give a file in that folder
    8: error: leads.xlsx: cannot be read: permission denied
    10: error: leads.xlsx: the file is empty
    hint: check that it is the right file; gutterbatch template leads.xlsx writes one to fill in
    10: error: leads.xlsx: no rows to import: nothing stands below the headers in row 3
    hint: check that it is the right file; gutterbatch template leads.xlsx writes one to fill in
    10: error: leads.xlsx: it is a PDF, not a table
    hint: export the rows from your CRM as CSV or XLSX
    10: error: leads.xlsx: the workbook is protected by a password
    hint: open it in Excel, remove the password (File, Info, Protect Workbook), save it and try again
    10: error: leads.xlsx: the workbook is damaged: the list of sheets is missing
    hint: open it in Excel or LibreOffice, save it as a new .xlsx and try again
    10: error: leads.xlsx: the workbook has no visible sheet
    hint: unhide the sheet in Excel, or name it with --sheet
    10: error: leads.xlsx: the file changed since it was opened
    hint: close it in other programs and run the same command again
    ");
}

#[test]
fn a_file_made_to_harm_is_refused_by_the_limit_that_it_breaks() {
    let faults = [
        Fault::Bomb { limit_mib: 2048 },
        Fault::Doctype,
        Fault::TooManyColumns {
            row: RowNumber(1),
            limit: 16384,
        },
        Fault::TooManyCells { limit: 1000 },
        Fault::TooManyRows { limit: 1000 },
        Fault::RowTooLarge {
            row: RowNumber(7),
            limit_mib: 64,
        },
        Fault::UnclosedQuote {
            line: 41,
            column: "F".to_owned(),
        },
        Fault::StrayBytes { line: 12 },
    ];
    assert_snapshot!(of_file(faults), @r#"
    10: error: leads.xlsx: refused: it unpacks to more than 2048 MiB
    hint: no spreadsheet program wrote this file; export the rows again, as CSV
    10: error: leads.xlsx: refused: the workbook holds a DOCTYPE, which no spreadsheet program writes
    hint: no spreadsheet program wrote this file; export the rows again, as CSV
    10: error: leads.xlsx: row 1 has more than 16384 columns
    hint: save only the columns that contain data, or give the right --delimiter
    10: error: leads.xlsx: the sheets span more than 1000 cells
    hint: delete the cells far from the rows, or save the sheet as .xlsx or CSV
    10: error: leads.xlsx: the file has more than 1000 rows
    hint: split the file
    10: error: leads.xlsx: row 7 is larger than 64 MiB
    hint: look at the file there; a quote may be missing, or the file may not be a table
    10: error: leads.xlsx: a quote opened at line 41, column F, is never closed
    hint: close the quote there, or double it if it is part of the text
    10: error: leads.xlsx: line 12 is not UTF-8 while the rest is
    hint: gutterbatch check leads.xlsx --encoding windows-1252
          this names the encoding, if it is the right one; or save the file again as "CSV UTF-8"
    "#);
}

#[test]
fn headers_that_do_not_fit_come_with_the_flag_to_type() {
    let headers = || names(&["Customer", "Strasse", "Town"]);
    let faults = [
        Fault::NoHeaders {
            row: RowNumber(1),
            sample: "1001, Ann, 12 Elm St".to_owned(),
        },
        Fault::NoHeaderRow { row: 90 },
        Fault::MissingFields {
            whole_addresses: Vec::new(),
            missing: vec![
                Missing {
                    field: Field::Line1,
                    near: vec![NearHeader {
                        column: 1,
                        header: "Strasse".to_owned(),
                    }],
                },
                Missing {
                    field: Field::Region,
                    near: Vec::new(),
                },
                Missing {
                    field: Field::Id,
                    near: Vec::new(),
                },
                Missing {
                    field: Field::Email,
                    near: Vec::new(),
                },
            ],
            headers: headers(),
            header_row: RowNumber(1),
        },
        Fault::Ambiguous {
            field: Field::Phone,
            columns: vec![
                ("Phone 1".to_owned(), "H".to_owned()),
                ("Phone 2".to_owned(), "I".to_owned()),
            ],
        },
        Fault::NoSuchHeader {
            field: Field::City,
            header: "Ville".to_owned(),
            headers: headers(),
        },
    ];
    assert_snapshot!(of_file(faults), @r#"
    10: error: leads.xlsx: no headers found: row 1 looks like data (1001, Ann, 12 Elm St)
    hint: gutterbatch check leads.xlsx --header-row 0 --map id=A --map name=B --map line1=C --map city=D --map region=E --map postal_code=F --map phone=G
          this names the columns by their letters; or put headers above the rows
    10: error: leads.xlsx: there is no row 90 to take headers from
    hint: count rows as Excel or your editor numbers them
    10: error: leads.xlsx: no columns for line1, region, id and email
    hint: gutterbatch check leads.xlsx --map line1=Strasse --map region=HEADER --derive-id --map email=HEADER
          line1: did you mean Strasse?
          region: it needs a column of its own; put its header in the place of HEADER
          id: no column looks like ids, and --derive-id makes them from address and customer; --id-column HEADER names a column instead
          email: put its header in the place of HEADER, or write --map phone=HEADER; one of them is needed
          the headers found are Customer, Strasse, Town
    10: error: leads.xlsx: `Phone 1` (column H) and `Phone 2` (column I) could feed phone
    hint: gutterbatch check leads.xlsx --map 'phone=Phone 1'
          or gutterbatch check leads.xlsx --map 'phone=Phone 2'
          choose one
    10: error: leads.xlsx: there is no column `Ville` for city
    hint: the headers are Customer, Strasse, Town
    "#);
}

#[test]
fn a_flag_that_does_not_fit_the_file_names_what_would() {
    let faults = [
        Fault::UnknownEncoding("latin-nine".to_owned()),
        Fault::NoSuchSheet {
            asked: "Leads".to_owned(),
            sheets: names(&["Sheet1", "Sheet2"]),
        },
        Fault::TextHasNoSheets {
            asked: "Leads".to_owned(),
        },
        Fault::SeveralSheets {
            sheets: names(&["May", "June"]),
        },
    ];
    assert_snapshot!(of_file(faults), @"
    2: error: leads.xlsx: there is no encoding called `latin-nine`
    hint: for instance --encoding utf-8, windows-1252, utf-16le or macintosh
    10: error: leads.xlsx: there is no sheet `Leads`
    hint: the sheets are Sheet1, Sheet2
    10: error: leads.xlsx: there is no sheet `Leads`: the file is text
    hint: leave --sheet out
    10: error: leads.xlsx: sheets `May` and `June` fit
    hint: gutterbatch check leads.xlsx --sheet May
          or gutterbatch check leads.xlsx --sheet June
          choose one
    ");
}

#[test]
fn rejects_that_cannot_be_written_say_where_else_they_could_be() {
    let path = || PathBuf::from("leads.rejects.xlsx");
    let faults = [
        Fault::Write {
            path: path(),
            source: refused(ErrorKind::StorageFull),
        },
        Fault::Write {
            path: path(),
            source: refused(ErrorKind::PermissionDenied),
        },
        Fault::NotOurs { path: path() },
        Fault::IsInput { path: path() },
        Fault::Extension {
            path: path(),
            extension: "csv",
        },
    ];
    assert_snapshot!(of_file(faults), @"
    8: error: cannot write leads.rejects.xlsx: the disk is full
    hint: free space on the disk, or give another path with --rejects PATH
    8: error: cannot write leads.rejects.xlsx: permission denied
    hint: make the folder and the file writable, or give another path with --rejects PATH
    8: error: leads.rejects.xlsx is not a file of rejected rows, so it is not replaced
    hint: move it away, or give another path with --rejects PATH
    2: error: leads.rejects.xlsx is the input itself
    hint: give another path with --rejects PATH
    2: error: leads.rejects.xlsx cannot hold what is written as .csv
    hint: rejects are written in the format of the input: give a name that ends in .csv
    ");
}
