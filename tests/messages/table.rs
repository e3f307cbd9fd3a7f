//! A file that cannot be used as a table, and rejects that cannot be written.

use std::io::ErrorKind;
use std::path::PathBuf;

use gutterbatch::model::{Country, Field, RowNumber};
use gutterbatch::sheet::{Error, SheetError};
use gutterbatch::table::{self, AddressTitle, MissingField, SuggestedHeader, TableError};

use crate::messages::refused;

fn names(names: &[&str]) -> Vec<String> {
    names.iter().map(|&name| name.to_owned()).collect()
}

fn missing(field: Field, near: Option<&str>) -> MissingField {
    let near = near.map(|header| SuggestedHeader {
        column: 1,
        header: header.to_owned(),
    });
    MissingField {
        field,
        suggestions: near.into_iter().collect(),
        refused: Vec::new(),
    }
}

fn columns(columns: &[(&str, &str)]) -> Vec<(String, String)> {
    let columns = columns.iter();
    columns
        .map(|(header, letters)| ((*header).to_owned(), (*letters).to_owned()))
        .collect()
}

fn parts(column: &str) -> Vec<(Field, String)> {
    let parts = [Field::Line1, Field::City, Field::Region, Field::PostalCode];
    parts.map(|part| (part, column.to_owned())).to_vec()
}

fn titles(titles: &[(&str, &str)]) -> Vec<AddressTitle> {
    let title = |(title, columns): &(&str, &str)| AddressTitle {
        title: (*title).to_owned(),
        columns: (*columns).to_owned(),
        flag_value: (*title).to_owned(),
    };
    titles.iter().map(title).collect()
}

pub(super) fn rows() -> Vec<String> {
    let full = || refused(ErrorKind::StorageFull);
    let path = || PathBuf::from("leads.rejects.xlsx");
    let row = RowNumber(1);
    let of_file = |cause| Error {
        file: "leads.xlsx".to_owned(),
        cause,
    };
    sentences! {SheetError, of_file;
        SheetError::NotThere => [SheetError::NotThere],
        SheetError::Folder => [SheetError::Folder],
        SheetError::NotAFile => [SheetError::NotAFile],
        SheetError::Read(_) => [SheetError::Read(refused(ErrorKind::PermissionDenied))],
        SheetError::ProblemStore(_) => [SheetError::ProblemStore(full())],
        SheetError::Unpacked(_) => [SheetError::Unpacked(full())],
        SheetError::Spooled(_) => [SheetError::Spooled(full())],
        SheetError::Empty => [SheetError::Empty],
        SheetError::HiddenOnly { .. } => [SheetError::HiddenOnly { rows: 20 }],
        SheetError::HeaderOnly { .. } => [SheetError::HeaderOnly { header_row: RowNumber(3) }],
        SheetError::LockFile => [SheetError::LockFile],
        SheetError::Archive(_) => [SheetError::Archive("a ZIP archive")],
        SheetError::NotATable(_) => [SheetError::NotATable("a PDF")],
        SheetError::Exported => [SheetError::Exported],
        SheetError::NoLineEnd { .. } => [SheetError::NoLineEnd { limit_mib: 64 }],
        SheetError::Password => [SheetError::Password],
        SheetError::Damaged(_) => [SheetError::Damaged("the list of sheets is missing".to_owned())],
        SheetError::Bomb { .. } => [SheetError::Bomb { limit_mib: 2048 }],
        SheetError::Inflates { .. } => [SheetError::Inflates { times: 1000 }],
        SheetError::CellTooLarge { .. } => [SheetError::CellTooLarge { limit_mib: 64 }],
        SheetError::Doctype => [SheetError::Doctype],
        SheetError::TooManyColumns { .. } => [SheetError::TooManyColumns(row)],
        SheetError::TooManyCells { .. } => [SheetError::TooManyCells { limit: 1_000_000 }],
        SheetError::TooManyRows { .. } => [SheetError::TooManyRows { limit: 1_000_000 }],
        SheetError::RowTooLarge { .. } => [SheetError::RowTooLarge { row: RowNumber(7), limit_mib: 64 }],
        SheetError::UnclosedQuote { .. } => [SheetError::UnclosedQuote { line: 41, column: "F".to_owned() }],
        SheetError::SpacedQuote { .. } => [SheetError::SpacedQuote { line: 2, column: "C".to_owned() }],
        SheetError::StrayQuote { .. } => [
            SheetError::StrayQuote { line: 6, column: "H".to_owned(), last: 36 }
        ],
        SheetError::StrayBytes { .. } => [SheetError::StrayBytes { line: 12, text: "A-9,Zo\u{fffd},14 rue Côté".to_owned() }],
        SheetError::UnknownEncoding(_) => [SheetError::UnknownEncoding("latin-nine".to_owned())],
        SheetError::OtherEncoding { .. } => [
            SheetError::OtherEncoding { cell: "E2".to_owned(), text: "12 rue C™tŽ".to_owned() },
            SheetError::OtherEncoding { cell: "E2".to_owned(), text: "12 rue Zo‚".to_owned() }
        ],
        SheetError::NoSuchSheet { .. } => [SheetError::NoSuchSheet {
            wanted: "Leads".to_owned(),
            sheets: names(&["Sheet1", "Sheet2"]),
        }],
        SheetError::TextHasNoSheets { .. } => [SheetError::TextHasNoSheets { wanted: "Leads".to_owned() }],
        SheetError::NoSheet => [SheetError::NoSheet],
        SheetError::Write { .. } => [
            SheetError::Write { path: path(), source: full() },
            SheetError::Write { path: path(), source: refused(ErrorKind::PermissionDenied) },
        ],
        SheetError::NotOurs(_) => [SheetError::NotOurs(path())],
        SheetError::IsInput(_) => [SheetError::IsInput(path())],
        SheetError::Extension { .. } => [SheetError::Extension { path: path(), extension: "csv" }],
        SheetError::Changed => [SheetError::Changed],
    }
}

/// The sentences about a file that cannot be used as a table.
pub(super) fn of_tables() -> Vec<String> {
    let headers = || names(&["Customer", "Strasse", "Town"]);
    let row = RowNumber(1);
    let two = || titles(&[("Billing", "columns C to F"), ("Service", "columns G to J")]);
    let of_file = |cause| table::Error {
        file: "leads.xlsx".to_owned(),
        cause,
    };
    sentences! {TableError, of_file;
        TableError::Sheet(_) => [TableError::Sheet(SheetError::Empty)],
        TableError::NoHeaders { .. } => [
            TableError::NoHeaders {
                row,
                sample: "1001, Ann, 12 Elm St".to_owned(),
            }
        ],
        TableError::SeveralTables { .. } => [
            TableError::SeveralTables { rows: (RowNumber(1), RowNumber(40)) }
        ],
        TableError::CustomerAboveHeaders { .. } => [TableError::CustomerAboveHeaders {
            row: RowNumber(2),
            sample: "1001, Ann, 12 Elm St".to_owned(),
            header_row: RowNumber(40),
        }],
        TableError::NoHeaderRow { .. } => [TableError::NoHeaderRow { row: 90 }],
        TableError::MissingFields { .. } => [
            TableError::MissingFields {
                whole_addresses: Box::default(), street: None, differing: (0, 0),
                missing: vec![
                    missing(Field::Line1, Some("Strasse")),
                    missing(Field::Region, None),
                    missing(Field::Id, None),
                    missing(Field::Email, None),
                ],
                headers: headers(),
                header_row: row,
                country: Country::UnitedStates,
            },
            TableError::MissingFields {
                whole_addresses: columns(&[("Location", "D"), ("Office", "E")]).into(), street: None, differing: (3, 12),
                missing: vec![missing(Field::Name, None)],
                headers: headers(),
                header_row: row,
                country: Country::UnitedStates,
            },
            TableError::MissingFields {
                whole_addresses: columns(&[("Service Address", "D")]).into(), street: Some(Box::new(("Street".to_owned(), "E".to_owned()))), differing: (3, 12),
                missing: Vec::new(),
                headers: headers(),
                header_row: row,
                country: Country::UnitedStates,
            },
        ],
        TableError::Ambiguous { .. } => [TableError::Ambiguous {
            field: Field::Phone,
            columns: columns(&[("Phone 1", "H"), ("Phone 2", "I")]),
        }],
        TableError::TwoParts { .. } => [
            TableError::TwoParts { parts: (Field::Line1, Field::Region), header: "Adress".to_owned() }
        ],
        TableError::TwoAddresses { .. } => [
            TableError::TwoAddresses { columns: columns(&[("Street", "C"), ("Site city", "H")]), addresses: vec![parts("HEADER")] },
            TableError::TwoAddresses { columns: columns(&[("Street", "C"), ("City", "H")]), addresses: vec![parts("C"), parts("H")] }
        ],
        TableError::SeveralAddresses { .. } => [
            TableError::SeveralAddresses { blocks: two(), differing: (3, 12), missing: vec![missing(Field::Name, None)] }
        ],
        TableError::NoSuchAddress { .. } => [
            TableError::NoSuchAddress { wanted: "Home".to_owned(), blocks: two() },
            TableError::NoSuchAddress { wanted: "Home".to_owned(), blocks: Vec::new() },
        ],
        TableError::NoSuchHeader { .. } => [TableError::NoSuchHeader {
            field: Field::City,
            header: "Ville".to_owned(),
            headers: headers(),
        }],
        TableError::SeveralSheets(_) => [TableError::SeveralSheets(names(&["May", "June"]))],
        TableError::HiddenSheets(_) => [TableError::HiddenSheets(names(&["Leads"]))],
    }
}
