//! A file that cannot be used as a table, and rejects that cannot be written.

use std::io::ErrorKind;
use std::path::PathBuf;

use gutterbatch::model::{Field, RowNumber};
use gutterbatch::sheet::{AddressTitle, Error, Fault, Missing, NearHeader};

use crate::messages::refused;

fn names(names: &[&str]) -> Vec<String> {
    names.iter().map(|&name| name.to_owned()).collect()
}

fn missing(field: Field, near: Option<&str>) -> Missing {
    let near = near.map(|header| NearHeader {
        column: 1,
        header: header.to_owned(),
    });
    Missing {
        field,
        near: near.into_iter().collect(),
    }
}

fn columns(columns: &[(&str, &str)]) -> Vec<(String, String)> {
    let columns = columns.iter();
    columns
        .map(|(header, letters)| ((*header).to_owned(), (*letters).to_owned()))
        .collect()
}

fn titles(titles: &[(&str, &str)]) -> Vec<AddressTitle> {
    let title = |(title, columns): &(&str, &str)| AddressTitle {
        title: (*title).to_owned(),
        columns: (*columns).to_owned(),
        answer: (*title).to_owned(),
    };
    titles.iter().map(title).collect()
}

pub(super) fn rows() -> Vec<String> {
    let full = || refused(ErrorKind::StorageFull);
    let path = || PathBuf::from("leads.rejects.xlsx");
    let headers = || names(&["Customer", "Strasse", "Town"]);
    let row = RowNumber(1);
    let two = || titles(&[("Billing", "columns C to F"), ("Service", "columns G to J")]);
    let of_file = |fault| Error {
        file: "leads.xlsx".to_owned(),
        fault,
    };
    sentences! {Fault, of_file;
        Fault::NotThere => [Fault::NotThere],
        Fault::Folder => [Fault::Folder],
        Fault::NotAFile => [Fault::NotAFile],
        Fault::Read(_) => [Fault::Read(refused(ErrorKind::PermissionDenied))],
        Fault::Findings(_) => [Fault::Findings(full())],
        Fault::Unpacked(_) => [Fault::Unpacked(full())],
        Fault::Spooled(_) => [Fault::Spooled(full())],
        Fault::Empty => [Fault::Empty],
        Fault::HeaderOnly { .. } => [Fault::HeaderOnly { header_row: RowNumber(3) }],
        Fault::NotATable(_) => [Fault::NotATable("a PDF")],
        Fault::LockFile { .. } => [Fault::LockFile { locked: "leads.xlsx".to_owned() }],
        Fault::GoogleSheet => [Fault::GoogleSheet],
        Fault::Numbers => [Fault::Numbers],
        Fault::Exported => [Fault::Exported],
        Fault::NoLineEnd { .. } => [Fault::NoLineEnd { limit_mib: 64 }],
        Fault::Password => [Fault::Password],
        Fault::Damaged(_) => [Fault::Damaged("the list of sheets is missing".to_owned())],
        Fault::Bomb { .. } => [Fault::Bomb { limit_mib: 2048 }],
        Fault::Inflates { .. } => [Fault::Inflates { times: 1000 }],
        Fault::CellTooLarge { .. } => [Fault::CellTooLarge { limit_mib: 64 }],
        Fault::Doctype => [Fault::Doctype],
        Fault::TooManyColumns { .. } => [Fault::TooManyColumns { row, limit: 16384 }],
        Fault::TooManyCells { .. } => [Fault::TooManyCells { limit: 1_000_000 }],
        Fault::TooManyRows { .. } => [Fault::TooManyRows { limit: 1_000_000 }],
        Fault::RowTooLarge { .. } => [Fault::RowTooLarge { row: RowNumber(7), limit_mib: 64 }],
        Fault::UnclosedQuote { .. } => [Fault::UnclosedQuote { line: 41, column: "F".to_owned() }],
        Fault::StrayBytes { .. } => [Fault::StrayBytes { line: 12 }],
        Fault::UnknownEncoding(_) => [Fault::UnknownEncoding("latin-nine".to_owned())],
        Fault::NoHeaders { .. } => [
            Fault::NoHeaders { row, sample: "1001, Ann, 12 Elm St".to_owned() }
        ],
        Fault::NoHeaderRow { .. } => [Fault::NoHeaderRow { row: 90 }],
        Fault::MissingFields { .. } => [
            Fault::MissingFields {
                whole_addresses: Vec::new(),
                missing: vec![
                    missing(Field::Line1, Some("Strasse")),
                    missing(Field::Region, None),
                    missing(Field::Id, None),
                    missing(Field::Email, None),
                ],
                headers: headers(),
                header_row: row,
            },
            Fault::MissingFields {
                whole_addresses: columns(&[("Location", "D")]),
                missing: vec![missing(Field::Name, None)],
                headers: headers(),
                header_row: row,
            },
        ],
        Fault::Ambiguous { .. } => [Fault::Ambiguous {
            field: Field::Phone,
            columns: columns(&[("Phone 1", "H"), ("Phone 2", "I")]),
        }],
        Fault::TwoAddresses { .. } => [
            Fault::TwoAddresses { columns: columns(&[("Street", "C"), ("Site city", "H")]) }
        ],
        Fault::SeveralAddresses { .. } => [
            Fault::SeveralAddresses { blocks: two(), differing: (3, 12), missing: vec![missing(Field::Name, None)] }
        ],
        Fault::NoSuchAddress { .. } => [
            Fault::NoSuchAddress { asked: "Home".to_owned(), blocks: two() },
            Fault::NoSuchAddress { asked: "Home".to_owned(), blocks: Vec::new() },
        ],
        Fault::NoSuchHeader { .. } => [Fault::NoSuchHeader {
            field: Field::City,
            header: "Ville".to_owned(),
            headers: headers(),
        }],
        Fault::NoSuchSheet { .. } => [Fault::NoSuchSheet {
            asked: "Leads".to_owned(),
            sheets: names(&["Sheet1", "Sheet2"]),
        }],
        Fault::TextHasNoSheets { .. } => [Fault::TextHasNoSheets { asked: "Leads".to_owned() }],
        Fault::SeveralSheets { .. } => [Fault::SeveralSheets { sheets: names(&["May", "June"]) }],
        Fault::NoSheet => [Fault::NoSheet],
        Fault::Write { .. } => [
            Fault::Write { path: path(), source: full() },
            Fault::Write { path: path(), source: refused(ErrorKind::PermissionDenied) },
        ],
        Fault::NotOurs { .. } => [Fault::NotOurs { path: path() }],
        Fault::IsInput { .. } => [Fault::IsInput { path: path() }],
        Fault::Extension { .. } => [Fault::Extension { path: path(), extension: "csv" }],
        Fault::Changed => [Fault::Changed],
    }
}
