//! Messages for a file that cannot be used as a table.

use crate::cli::failure::missing_flag::MissingFlag;
use crate::cli::failure::{io_hint, io_reason};
use crate::cli::nearest::nearest;
use crate::cli::shell::quoted;
use crate::cli::wrap::in_one_line;
use crate::cli::{CommandError, ErrorKind};
use crate::model::{EXCERPT_CHARS, Field, excerpt, first_of};
use crate::sheet::{AddressTitle, Error, Missing, NearHeader, SheetError, column_letters};

/// The maximum number of headers in a hint.
const LISTED: usize = 30;

impl From<Error> for CommandError {
    fn from(error: Error) -> Self {
        let file = &error.file;
        let sentence = match &error.cause {
            SheetError::Read(source) => format!("{file}: cannot be read: {}", io_reason(source)),
            SheetError::Findings(source) => format!(
                "{file}: the findings about its rows cannot be stored in a temporary file: {}",
                io_reason(source)
            ),
            SheetError::Unpacked(source) => format!(
                "{file}: its sheets cannot be unpacked to a temporary file: {}",
                io_reason(source)
            ),
            SheetError::Spooled(source) => format!(
                "{file}: it cannot be copied to a temporary file: {}",
                io_reason(source)
            ),
            SheetError::Write { path, source } => {
                format!("cannot write {}: {}", path.display(), io_reason(source))
            }
            SheetError::NotOurs { .. }
            | SheetError::IsInput { .. }
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
        | SheetError::Findings(_)
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
        SheetError::Findings(_) | SheetError::Unpacked(_) | SheetError::Spooled(_) => TEMPORARY_FOLDER.to_owned(),
        SheetError::Write { source, .. } => format!("{}give another path with --rejects PATH, or write none with --no-rejects", remedy(source.kind())),
        SheetError::NotOurs { .. } => "move it away, or give another path with --rejects PATH".to_owned(),
        SheetError::IsInput { .. } => "give another path with --rejects PATH".to_owned(),
        SheetError::Extension { extension, .. } => {
            format!("give a name that ends in .{extension} with --rejects PATH")
        }
        SheetError::NotThere => "give the path of the spreadsheet, or - for standard input".to_owned(),
        SheetError::Folder => "give a file in that folder".to_owned(),
        SheetError::NotAFile => "to read from a pipe, connect it to standard input and give - as the file".to_owned(),
        SheetError::Empty | SheetError::HeaderOnly { .. } => {
            "check that it is the right file; gutterbatch template leads.xlsx writes one to fill in".to_owned()
        }
        SheetError::HiddenOnly { .. } => "clear the filter that hides them and save the file; to read hidden rows too, leave --visible-only out, and add --forget-reading if an earlier import used it".to_owned(),
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
            "no spreadsheet program wrote this file; export the rows again, as CSV".to_owned()
        }
        SheetError::TooManyColumns { .. } => "save only the columns that contain data, or give the right --delimiter".to_owned(),
        SheetError::TooManyCells { .. } => "delete the cells far from the rows, or save the sheet as .xlsx or CSV".to_owned(),
        SheetError::TooManyRows { .. } => "split the file into smaller ones".to_owned(),
        SheetError::RowTooLarge { .. } => "look at the file there; a quote may be missing, or the file may not be a table".to_owned(),
        SheetError::UnclosedQuote { .. } => "close the quote there, or double it if it is part of the text".to_owned(),
        SheetError::StrayQuote { .. } => "remove the quote there if it means inches or ditto; a quote that belongs to the text is doubled, in a cell in quotes".to_owned(),
        SheetError::StrayBytes { line, text } => format!(
            "type line {line} again in a text editor (`{}`) and save the file as UTF-8; or export it again as \"CSV UTF-8\"",
            excerpt(&in_one_line(text))
        ),
        SheetError::UnknownEncoding(_) => "for instance --encoding utf-8, windows-1252, utf-16le or macintosh".to_owned(),
        SheetError::NoHeaders { .. } => {
            "this names the columns by their letters; or put headers above the rows".to_owned()
        }
        SheetError::SeveralTables { rows: (_, second) } => {
            format!("move row {second} and the rows below it into a file of their own")
        }
        SheetError::CustomerAboveHeaders { .. } => {
            "this leaves out the rows above the headers; if they are customers, put the headers above them".to_owned()
        }
        SheetError::NoHeaderRow { .. } => "count rows as Excel or your editor numbers them".to_owned(),
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
        SheetError::TwoAddresses { addresses, .. } if addresses.len() > 1 => ADDRESS_CHOICE.to_owned(),
        SheetError::TwoAddresses { .. } => {
            "put the headers of the house's address in the places of HEADER".to_owned()
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

/// The flags with which the command works; several sets are a choice. `HEADER` stands for a name that only the user knows.
fn flags(cause: &SheetError) -> Vec<Vec<MissingFlag>> {
    let each = |flags: Vec<MissingFlag>| flags.into_iter().map(|flag| vec![flag]).collect();
    match cause {
        SheetError::MissingFields { .. } if is_no_header(cause) => Vec::new(),
        SheetError::MissingFields {
            missing,
            whole_addresses,
            ..
        } if whole_addresses.is_empty() => vec![missing.iter().map(flag_of).collect()],
        SheetError::MissingFields {
            missing,
            whole_addresses,
            street,
            ..
        } => {
            let mut addresses = choices(Field::Address, whole_addresses);
            let street = street.as_deref().map(std::slice::from_ref);
            addresses.extend(choices(Field::Line1, street.unwrap_or_default()));
            with_missing(addresses, missing)
        }
        SheetError::SeveralAddresses {
            blocks, missing, ..
        } => with_missing(addresses(blocks), missing),
        SheetError::NoSuchAddress { blocks, .. } if blocks.len() > 1 => each(addresses(blocks)),
        SheetError::Ambiguous { field, columns } => each(choices(*field, columns)),
        SheetError::TwoAddresses { addresses, .. } => {
            let map = |(part, column): &(Field, String)| MissingFlag::map(*part, column);
            let maps = addresses
                .iter()
                .map(|parts| parts.iter().map(map).collect());
            maps.collect()
        }
        SheetError::SeveralSheets { sheets } => {
            let sheets = sheets.iter().map(|name| MissingFlag::new("--sheet", name));
            each(sheets.collect())
        }
        SheetError::NoSuchHeader {
            field,
            header,
            headers,
        } => {
            let headers = headers.iter().map(String::as_str);
            let near = nearest(header, headers.filter(|one| is_typeable(one)));
            let flag = near.map(|near| match field {
                Field::Id => MissingFlag::new("--id-column", near),
                field => MissingFlag::map(*field, near),
            });
            each(flag.into_iter().collect())
        }
        SheetError::NoHeaders { .. } => vec![columns_by_letter()],
        SheetError::CustomerAboveHeaders { header_row, .. } => {
            vec![vec![MissingFlag::new(
                "--header-row",
                &header_row.to_string(),
            )]]
        }
        _ => Vec::new(),
    }
}

/// Whether the row of the headers is another text: a table has more than one column.
fn is_no_header(cause: &SheetError) -> bool {
    matches!(cause, SheetError::MissingFields { whole_addresses, headers, .. } if whole_addresses.is_empty() && headers.len() <= 1)
}

fn columns_by_letter() -> Vec<MissingFlag> {
    let fields = [
        Field::Id,
        Field::Name,
        Field::Line1,
        Field::City,
        Field::Region,
        Field::PostalCode,
        Field::Phone,
    ];
    let letters = fields.into_iter().zip('A'..);
    let mut flags = vec![MissingFlag::new("--header-row", "0")];
    flags.extend(letters.map(|(field, letter)| MissingFlag::map(field, &letter.to_string())));
    flags
}

fn addresses(blocks: &[AddressTitle]) -> Vec<MissingFlag> {
    let titles = blocks.iter().map(|block| block.answer.as_str());
    titles
        .map(|title| MissingFlag::new("--address", title))
        .collect()
}

/// Each of the choices, with the flags for everything else that is missing.
fn with_missing(choices: Vec<MissingFlag>, missing: &[Missing]) -> Vec<Vec<MissingFlag>> {
    let others: Vec<MissingFlag> = missing.iter().map(flag_of).collect();
    let choices = choices.into_iter();
    choices
        .map(|choice| [vec![choice], others.clone()].concat())
        .collect()
}

fn flag_of(missing: &Missing) -> MissingFlag {
    match (missing.near.first(), missing.field) {
        (Some(NearHeader { column, header }), field) => {
            MissingFlag::map(field, &typed(header, &column_letters(*column)))
        }
        (None, Field::Id) => MissingFlag::derive_id(),
        (None, field) => MissingFlag::map(field, "HEADER"),
    }
}

/// Why the command has the flag for a missing field, and what to write if it is not the right one.
fn reason(missing: &Missing) -> String {
    let field = missing.field;
    if let Some(NearHeader { header, .. }) = missing.near.first() {
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
    match field {
        Field::Id => {
            let advice = "id: no column looks like ids (a value in each row, and none twice), and --derive-id makes them from address and customer; --id-column HEADER names a column instead";
            let refused = missing.refused.iter().map(|refused| format!("\n{refused}"));
            refused.fold(advice.to_owned(), |lines, line| lines + &line)
        }
        Field::City | Field::Region | Field::PostalCode => {
            format!("{field}: it needs a column of its own; put its header in the place of HEADER")
        }
        Field::Email => "email: put its header in the place of HEADER, or write --map phone=HEADER; one of them is needed".to_owned(),
        field => format!("{field}: put its header in the place of HEADER"),
    }
}

fn choices(field: Field, columns: &[(String, String)]) -> Vec<MissingFlag> {
    let doubled = columns
        .iter()
        .any(|(header, _)| columns.iter().filter(|(other, _)| other == header).count() > 1);
    let column = |(header, letters): &(String, String)| {
        if doubled {
            letters.clone()
        } else {
            typed(header, letters)
        }
    };
    let columns = columns.iter().map(column);
    columns
        .map(|column| MissingFlag::map(field, &column))
        .collect()
}

/// A header as it is typed in a command; the letters of its column if it is too long or has several lines.
fn typed(header: &str, letters: &str) -> String {
    let typed = if is_typeable(header) { header } else { letters };
    typed.to_owned()
}

/// Whether a header can be typed in a command.
fn is_typeable(header: &str) -> bool {
    header.chars().count() <= EXCERPT_CHARS && !header.contains(char::is_control)
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

    const HOSTILE: &str = "Cost $(touch x) `y` it's";
    const QUOTED: &str = r"'Cost $(touch x) `y` it'\''s'";

    fn missing(field: Field, near: Option<&str>) -> Missing {
        let near = near.map(|header| NearHeader {
            column: 27,
            header: header.to_owned(),
        });
        Missing {
            field,
            near: near.into_iter().collect(),
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

    #[test]
    fn a_header_of_several_lines_is_named_by_its_column() {
        let flag = flag_of(&missing(Field::Line1, Some("Street\nAddress")));
        assert_eq!(flag, MissingFlag::map(Field::Line1, "AB"));
    }
}
