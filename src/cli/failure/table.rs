//! Messages for a file that cannot be used as a table.

use std::path::Path;

use crate::cli::failure::file_names::similar_file;
use crate::cli::failure::table_flags::{flags, is_no_header};
use crate::cli::failure::{io_hint, io_reason};
use crate::cli::shell::quoted;
use crate::cli::wrap::in_one_line;
use crate::cli::{CommandError, ErrorKind};
use crate::model::{Field, excerpt, first_of};
use crate::sheet::{Error, MissingField, SheetError, SuggestedHeader};

/// The maximum number of headers in a hint.
const LISTED: usize = 30;

impl From<Error> for CommandError {
    fn from(error: Error) -> Self {
        let sentence = match &error.cause {
            SheetError::Read(source)
            | SheetError::ProblemStore(source)
            | SheetError::Unpacked(source)
            | SheetError::Spooled(source) => format!("{error}: {}", io_reason(source)),
            SheetError::Write { source, .. } => format!("{}: {}", error.cause, io_reason(source)),
            SheetError::NotOurs { .. }
            | SheetError::IsInput { .. }
            | SheetError::UnknownEncoding(_)
            | SheetError::Extension { .. } => error.cause.to_string(),
            _ => error.to_string(),
        };
        let mut failure = Self::new(kind(&error.cause), sentence);
        failure.flags = flags(&error.cause);
        match hint(&error) {
            Some(hint) => failure.hinted(hint),
            None => failure,
        }
    }
}

/// The kind; `hint` names every variant.
fn kind(cause: &SheetError) -> ErrorKind {
    match cause {
        SheetError::Read(_)
        | SheetError::ProblemStore(_)
        | SheetError::Unpacked(_)
        | SheetError::Spooled(_)
        | SheetError::Write { .. }
        | SheetError::NotOurs { .. } => ErrorKind::File,
        SheetError::UnknownEncoding(_)
        | SheetError::TwoParts { .. }
        | SheetError::IsInput { .. }
        | SheetError::Extension { .. } => ErrorKind::Usage,
        _ => ErrorKind::Input,
    }
}

/// What to do about the folder for temporary files.
pub(in crate::cli) const TEMPORARY_FOLDER: &str =
    "free space in the folder for temporary files, or set TMPDIR to another folder";

/// What makes a path writable, as the start of a hint; nothing if that is not known.
fn remedy(kind: std::io::ErrorKind) -> &'static str {
    use std::io::ErrorKind;
    match kind {
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => "free space on the disk, or ",
        ErrorKind::PermissionDenied if cfg!(windows) => {
            "close the file in the program that has it open, "
        }
        ErrorKind::PermissionDenied => "make the folder and the file writable, or ",
        _ => "",
    }
}

fn hint(error: &Error) -> Option<String> {
    let hint = match &error.cause {
        SheetError::HeaderOnly { .. } if error.file.contains(".rejects") => {
            "if you deleted its rows because they are not to be imported, delete the file too; an import of the original sheet writes the rows that are still rejected".to_owned()
        }
        SheetError::Read(source) => return io_hint(source).map(str::to_owned),
        SheetError::ProblemStore(_) | SheetError::Unpacked(_) | SheetError::Spooled(_) => TEMPORARY_FOLDER.to_owned(),
        SheetError::Write { source, .. } => format!("{}give another path with --rejects PATH, or write none with --no-rejects", remedy(source.kind())),
        SheetError::NotOurs { .. } => "move it away, or give another path with --rejects PATH".to_owned(),
        SheetError::IsInput { .. } => "give another path with --rejects PATH".to_owned(),
        SheetError::Extension { extension, .. } => {
            format!("give a name that ends in .{extension} with --rejects PATH")
        }
        SheetError::NotThere => match similar_file(Path::new(&error.file)) {
            Some(similar) => format!("did you mean {}?", quoted(&similar.to_string_lossy())),
            None => "give the path of the spreadsheet, or - for standard input".to_owned(),
        },
        SheetError::Folder => "give a file in that folder".to_owned(),
        SheetError::NotAFile => "to read from a pipe, connect it to standard input and give - as the file".to_owned(),
        SheetError::Empty | SheetError::HeaderOnly { .. } => {
            "check that it is the right file; gutterbatch template leads.xlsx writes one to fill in".to_owned()
        }
        SheetError::HiddenOnly { .. } => "clear the filter that hides them and save the file; to read hidden rows too, leave --visible-only out, and add --forget-reading if an earlier import used it".to_owned(),
        SheetError::NotATable(what) if what.ends_with("archive") => {
            "unpack it, and give the file that it contains".to_owned()
        }
        SheetError::NotATable(_) | SheetError::NoLineEnd { .. } => {
            "export the rows from your CRM as CSV or XLSX".to_owned()
        }
        SheetError::LockFile { locked } => format!("close the program and give {}", quoted(locked)),
        SheetError::GoogleSheet => {
            "open it in the browser, choose File, Download, Comma-separated values, and give that file".to_owned()
        }
        SheetError::Numbers => "open it in Numbers, choose File, Export To, CSV, and give that file".to_owned(),
        SheetError::Exported => {
            "give the sheet that was imported; to fill an empty journal from this workbook, use gutterbatch import --restore".to_owned()
        }
        SheetError::Password => {
            "open it in Excel, remove the password (File, Info, Protect Workbook), save it and try again".to_owned()
        }
        SheetError::Damaged(_) => "open it in Excel or LibreOffice, save it as a new .xlsx and try again".to_owned(),
        SheetError::Bomb { .. } | SheetError::Inflates { .. } | SheetError::CellTooLarge { .. } | SheetError::Doctype => {
            "no spreadsheet program writes such a file; export the rows again as CSV".to_owned()
        }
        SheetError::TooManyColumns { .. } => "save only the columns that contain data, or give the right --delimiter".to_owned(),
        SheetError::TooManyCells { .. } => "delete the cells far from the rows, or save the sheet as .xlsx or CSV".to_owned(),
        SheetError::TooManyRows { .. } => "split the file into smaller ones".to_owned(),
        SheetError::RowTooLarge { .. } => "look at the file there; a quote may be missing, or the file may not be a table".to_owned(),
        SheetError::UnclosedQuote { .. } => "close the quote there, or double it if it is part of the text".to_owned(),
        SheetError::StrayQuote { .. } => "remove the quote there if it means inches or ditto; a quote that belongs to the text is doubled, in a cell in quotes".to_owned(),
        SheetError::StrayBytes { line, text } => format!(
            "type line {line} again in a text editor (`{}`) and save the file as UTF-8; or export it again as \"CSV UTF-8\", or name the encoding of the whole file with --encoding",
            excerpt(&in_one_line(text))
        ),
        SheetError::UnknownEncoding(_) => "without --encoding, `check` finds it; others are utf-8, windows-1252, utf-16le or macintosh".to_owned(),
        SheetError::NoHeaders { .. } => {
            "replace each LETTER with a column letter of your sheet; or put headers above the rows".to_owned()
        }
        SheetError::OtherEncoding { .. } => "or save the file as CSV UTF-8".to_owned(),
        SheetError::SeveralTables { rows: (_, second) } => {
            format!("move row {second} and the rows below it into a file of their own")
        }
        SheetError::CustomerAboveHeaders { .. } => {
            "this leaves out the rows above the headers; if they are customers, put the headers above them".to_owned()
        }
        SheetError::NoHeaderRow { .. } => "use the row number that Excel or your editor shows".to_owned(),
        SheetError::MissingFields { headers, header_row, .. } if is_no_header(&error.cause) => format!(
            "row {header_row} was read as the headers: {}\nif they are in another row, add --header-row N; gutterbatch template leads.xlsx writes a sheet with headers",
            listed(headers)
        ),
        SheetError::MissingFields { missing, headers, whole_addresses, street, .. } => {
            let is_choice = whole_addresses.len() + usize::from(street.is_some()) > 1;
            let mut lines: Vec<String> = is_choice.then(|| ADDRESS_CHOICE.to_owned()).into_iter().collect();
            lines.extend(missing.iter().map(reason));
            lines.push(format!("the headers found are {}", listed(headers)));
            lines.join("\n")
        }
        SheetError::SeveralAddresses { missing, .. } => {
            let mut lines = vec![ADDRESS_CHOICE.to_owned()];
            lines.extend(missing.iter().map(reason));
            lines.join("\n")
        }
        SheetError::NoSuchAddress { blocks, .. } if blocks.len() < 2 => {
            "remove --address: the sheet has one address, or its columns must be named with --map".to_owned()
        }
        SheetError::NoSuchAddress { .. } => ADDRESS_CHOICE.to_owned(),
        SheetError::Ambiguous { .. } | SheetError::SeveralSheets { .. } => "choose one".to_owned(),
        SheetError::TwoParts { .. } => "give each part of the address a column of its own".to_owned(),
        SheetError::TwoAddresses { addresses, .. } => {
            let is_choice = addresses.len() > 1;
            let is_open = addresses.iter().flatten().any(|(_, column)| column == "HEADER");
            let lines = [is_choice.then_some(ADDRESS_CHOICE), is_open.then_some(HEADERS_OF_HOUSE)];
            lines.into_iter().flatten().collect::<Vec<_>>().join("\n")
        }
        SheetError::NoSuchHeader { headers, .. } => format!("the headers are {}", listed(headers)),
        SheetError::NoSuchSheet { sheets, .. } => format!("the sheets are {}; name one with --sheet", listed(sheets)),
        SheetError::TextHasNoSheets { .. } => "leave --sheet out".to_owned(),
        SheetError::NoSheet => "unhide the sheet in Excel, or name it with --sheet".to_owned(),
        SheetError::Changed => "close it in other programs and run the same command again".to_owned(),
    };
    Some(hint)
}

const ADDRESS_CHOICE: &str = "choose the address of the house";
const HEADERS_OF_HOUSE: &str = "replace each HEADER with a header of the house's address";

/// Why the command has the flag for a missing field, and what to write if it is not the right one.
fn reason(missing: &MissingField) -> String {
    let field = missing.field;
    if let Some(SuggestedHeader { header, .. }) = missing.suggestions.first() {
        let header = in_one_line(header);
        let header = excerpt(&header);
        return match field {
            Field::Address => format!("address: {header} has a part of it"),
            Field::HouseNumber => format!(
                "house_number: {header} has numbers in front of streets without any; if they are others, map it to notes"
            ),
            field => format!("{field}: did you mean {header}?"),
        };
    }
    let advice = match field {
        Field::Id => "id: no column looks like ids (a value in each row, and none twice), and --derive-id makes them from address and customer; --id-column HEADER names a column instead".to_owned(),
        field if missing.refused.is_empty() => add_a_column(field),
        Field::Email => "email: put its header in the place of HEADER, or write --map phone=HEADER; one of them is needed".to_owned(),
        field => format!("{field}: put its header in the place of HEADER"),
    };
    let refused = missing.refused.iter().map(|refused| format!("\n{refused}"));
    refused.fold(advice, |lines, line| lines + &line)
}

/// What to do about a field that no column is like.
fn add_a_column(field: Field) -> String {
    let (header, value) = match field {
        Field::Region => ("State", "`OH`"),
        Field::City => ("City", "`Columbus`"),
        Field::PostalCode => ("Zip", "`43215`"),
        Field::Name => ("Name", "the customer"),
        Field::Email => ("Email", "an email, or `Phone` with a number"),
        _ => ("Street", "the street and house number"),
    };
    let flags = match field {
        Field::Name => {
            "--map name=HEADER, or --map first_name=HEADER --map last_name=HEADER".to_owned()
        }
        Field::Email => "--map email=HEADER or --map phone=HEADER".to_owned(),
        field => format!("--map {field}=HEADER"),
    };
    format!(
        "{field}: if a column has it, add {flags}; otherwise add a column such as `{header}` with {value}"
    )
}

fn listed(names: &[String]) -> String {
    if names.is_empty() {
        return "none".to_owned();
    }
    let shown = names.iter().map(|name| match excerpt(&in_one_line(name)) {
        name if name.contains(',') => format!("`{name}`"),
        name => name.into_owned(),
    });
    first_of(shown, LISTED, ", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sheet::AddressTitle;

    const HOSTILE: &str = "Cost $(touch x) `y` it's";
    const QUOTED: &str = r"'Cost $(touch x) `y` it'\''s'";

    fn missing(field: Field, near: Option<&str>) -> MissingField {
        let near = near.map(|header| SuggestedHeader {
            column: 27,
            header: header.to_owned(),
        });
        MissingField {
            field,
            suggestions: near.into_iter().collect(),
            refused: Vec::new(),
        }
    }

    fn title() -> AddressTitle {
        AddressTitle {
            title: String::new(),
            columns: String::new(),
            answer: HOSTILE.to_owned(),
        }
    }

    #[test]
    fn every_hint_quotes_what_it_takes_from_a_file() {
        let pair = |letters: &str| (HOSTILE.to_owned(), letters.to_owned());
        let errors = [
            SheetError::MissingFields {
                missing: vec![missing(Field::Line1, Some(HOSTILE))],
                headers: Vec::new(),
                whole_addresses: [pair("A")].into(),
                street: Some(Box::new(pair("B"))),
                differing: (0, 0),
                header_row: crate::model::RowNumber(1),
            },
            SheetError::Ambiguous {
                field: Field::Line1,
                columns: vec![pair("A")],
            },
            SheetError::SeveralSheets {
                sheets: vec![HOSTILE.to_owned()],
            },
            SheetError::SeveralAddresses {
                blocks: vec![title()],
                differing: (0, 0),
                missing: vec![missing(Field::City, Some(HOSTILE))],
            },
            SheetError::NoSuchAddress {
                asked: String::new(),
                blocks: vec![title(), title()],
            },
            SheetError::LockFile {
                locked: HOSTILE.to_owned(),
            },
        ];
        for cause in errors {
            let failure = CommandError::from(cause.in_file("leads.csv"));
            let failure = failure.of_command(&["check".to_owned()]);
            let hint = failure.hint().unwrap();
            // The word in which it is begins with the quote.
            let quoted = &QUOTED[1..];
            assert!(hint.contains(quoted), "{hint}");
            let others = hint
                .replace(quoted, "")
                .replace(&format!("did you mean {HOSTILE}"), "");
            assert!(!others.contains("touch"), "{hint}");
        }
    }
}
