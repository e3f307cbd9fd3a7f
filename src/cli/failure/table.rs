//! Messages for a file that cannot be used as a table.

use crate::cli::failure::io_reason;
use crate::cli::nearest::nearest;
use crate::cli::shell::quoted;
use crate::cli::{CommandError, ExitStatus};
use crate::model::{EXCERPT_CHARS, Field, excerpt};
use crate::sheet::{AddressTitle, Error, Fault, Missing, NearHeader, column_letters};

/// The maximum number of headers in a hint.
const LISTED: usize = 30;

impl From<Error> for CommandError {
    fn from(error: Error) -> Self {
        let file = &error.file;
        let sentence = match &error.fault {
            Fault::Read(source) => format!("{file}: cannot be read: {}", io_reason(source)),
            Fault::Findings(source) => format!(
                "{file}: the findings about its rows cannot be stored in a temporary file: {}",
                io_reason(source)
            ),
            Fault::Unpacked(source) => format!(
                "{file}: its sheets cannot be unpacked to a temporary file: {}",
                io_reason(source)
            ),
            Fault::Spooled(source) => format!(
                "{file}: it cannot be copied to a temporary file: {}",
                io_reason(source)
            ),
            Fault::Write { path, source } => {
                format!("cannot write {}: {}", path.display(), io_reason(source))
            }
            Fault::NotOurs { .. } | Fault::IsInput { .. } | Fault::Extension { .. } => {
                error.fault.to_string()
            }
            _ => error.to_string(),
        };
        let failure = Self::new(exit(&error.fault), sentence);
        match hint(&error.fault) {
            Some(hint) => failure.hinted(hint),
            None => failure,
        }
    }
}

fn exit(fault: &Fault) -> ExitStatus {
    match fault {
        Fault::Read(_)
        | Fault::Findings(_)
        | Fault::Unpacked(_)
        | Fault::Spooled(_)
        | Fault::Write { .. }
        | Fault::NotOurs { .. } => ExitStatus::Files,
        Fault::UnknownEncoding(_) | Fault::IsInput { .. } | Fault::Extension { .. } => {
            ExitStatus::Usage
        }
        Fault::NotThere
        | Fault::Folder
        | Fault::NotAFile
        | Fault::Empty
        | Fault::HeaderOnly { .. }
        | Fault::NotATable(_)
        | Fault::LockFile { .. }
        | Fault::GoogleSheet
        | Fault::Numbers
        | Fault::Exported
        | Fault::NoLineEnd { .. }
        | Fault::Password
        | Fault::Damaged(_)
        | Fault::Bomb { .. }
        | Fault::Inflates { .. }
        | Fault::CellTooLarge { .. }
        | Fault::Doctype
        | Fault::TooManyColumns { .. }
        | Fault::TooManyRows { .. }
        | Fault::TooManyCells { .. }
        | Fault::RowTooLarge { .. }
        | Fault::UnclosedQuote { .. }
        | Fault::StrayBytes { .. }
        | Fault::NoHeaders { .. }
        | Fault::NoHeaderRow { .. }
        | Fault::MissingFields { .. }
        | Fault::Ambiguous { .. }
        | Fault::TwoAddresses { .. }
        | Fault::SeveralAddresses { .. }
        | Fault::NoSuchAddress { .. }
        | Fault::NoSuchHeader { .. }
        | Fault::NoSuchSheet { .. }
        | Fault::TextHasNoSheets { .. }
        | Fault::SeveralSheets { .. }
        | Fault::NoSheet
        | Fault::Changed => ExitStatus::Input,
    }
}

/// What makes a path writable, as the start of a hint; nothing if that is not known.
fn remedy(kind: std::io::ErrorKind) -> &'static str {
    use std::io::ErrorKind;
    match kind {
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => "free space on the disk, or ",
        ErrorKind::PermissionDenied => "make the folder and the file writable, or ",
        _ => "",
    }
}

fn hint(fault: &Fault) -> Option<String> {
    let hint = match fault {
        Fault::Read(_) => return None,
        Fault::Findings(_) | Fault::Unpacked(_) | Fault::Spooled(_) => "free space in the folder for temporary files, or set TMPDIR to another folder".to_owned(),
        Fault::Write { source, .. } => format!("{}give another path with --rejects PATH", remedy(source.kind())),
        Fault::NotOurs { .. } => "move it away, or give another path with --rejects PATH".to_owned(),
        Fault::IsInput { .. } => "give another path with --rejects PATH".to_owned(),
        Fault::Extension { extension, .. } => {
            format!("rejects are written in the format of the input: give a name that ends in .{extension}")
        }
        Fault::NotThere => "give the path of the spreadsheet, or - for standard input".to_owned(),
        Fault::Folder => "give a file in that folder".to_owned(),
        Fault::NotAFile => "to read from a pipe, connect it to standard input and give - as the file".to_owned(),
        Fault::Empty | Fault::HeaderOnly { .. } => {
            "check that it is the right file; gutterbatch template leads.xlsx writes one to fill in".to_owned()
        }
        Fault::NotATable(_) | Fault::NoLineEnd { .. } => {
            "export the rows from your CRM as CSV or XLSX".to_owned()
        }
        Fault::LockFile { locked } => format!("close the program and give {}", quoted(locked)),
        Fault::GoogleSheet => {
            "open it in the browser, choose File, Download, Comma-separated values, and give that file".to_owned()
        }
        Fault::Numbers => "open it in Numbers, choose File, Export To, CSV, and give that file".to_owned(),
        Fault::Exported => {
            "give the sheet that was imported; to fill an empty journal from this workbook, use gutterbatch import --restore".to_owned()
        }
        Fault::Password => {
            "open it in Excel, remove the password (File, Info, Protect Workbook), save it and try again".to_owned()
        }
        Fault::Damaged(_) => "open it in Excel or LibreOffice, save it as a new .xlsx and try again".to_owned(),
        Fault::Bomb { .. } | Fault::Inflates { .. } | Fault::CellTooLarge { .. } | Fault::Doctype => {
            "no spreadsheet program wrote this file; export the rows again, as CSV".to_owned()
        }
        Fault::TooManyColumns { .. } => "save only the columns that contain data, or give the right --delimiter".to_owned(),
        Fault::TooManyCells { .. } => "delete the cells far from the rows, or save the sheet as .xlsx or CSV".to_owned(),
        Fault::TooManyRows { .. } => "split the file".to_owned(),
        Fault::RowTooLarge { .. } => "look at the file there; a quote may be missing, or the file may not be a table".to_owned(),
        Fault::UnclosedQuote { .. } => "close the quote there, or double it if it is part of the text".to_owned(),
        Fault::StrayBytes { .. } => {
            "save it again as \"CSV UTF-8\", or name its encoding, for instance --encoding windows-1252".to_owned()
        }
        Fault::UnknownEncoding(_) => "for instance --encoding utf-8, windows-1252, utf-16le or macintosh".to_owned(),
        Fault::NoHeaders { .. } => format!(
            "put headers above the rows, or name the columns by their letters: --header-row 0 {}",
            letters_example()
        ),
        Fault::NoHeaderRow { .. } => "count rows as Excel or your editor numbers them".to_owned(),
        Fault::MissingFields { missing, headers, whole_addresses, .. } => {
            missing_hint(missing, headers, whole_addresses)
        }
        Fault::SeveralAddresses { blocks, missing } => several_addresses_hint(blocks, missing),
        Fault::NoSuchAddress { blocks, .. } if blocks.is_empty() => {
            "remove --address: the sheet has one address, or its columns must be named with --map".to_owned()
        }
        Fault::NoSuchAddress { blocks, .. } => several_addresses_hint(blocks, &[]),
        Fault::Ambiguous { field, columns } => ambiguous_hint(*field, columns),
        Fault::TwoAddresses { .. } => {
            "name the columns of the house: --map line1=HEADER --map city=HEADER --map region=HEADER --map postal_code=HEADER".to_owned()
        }
        Fault::NoSuchHeader {
            field,
            header,
            headers,
        } => no_such_header_hint(*field, header, headers),
        Fault::NoSuchSheet { sheets, .. } => format!("the sheets are {}", listed(sheets)),
        Fault::TextHasNoSheets { .. } => "leave --sheet out".to_owned(),
        Fault::SeveralSheets { sheets } => {
            let choices: Vec<String> = sheets.iter().map(|name| format!("--sheet {}", quoted(name))).collect();
            format!("choose one: {}", choices.join(" or "))
        }
        Fault::NoSheet => "unhide the sheet in Excel, or name it with --sheet".to_owned(),
        Fault::Changed => "close it in other programs and run the same command again".to_owned(),
    };
    Some(hint)
}

fn letters_example() -> String {
    let fields = [
        Field::Id,
        Field::Name,
        Field::Line1,
        Field::City,
        Field::Region,
        Field::PostalCode,
        Field::Phone,
    ];
    let flags: Vec<String> = fields
        .iter()
        .zip('A'..)
        .map(|(field, letter)| format!("--map {field}={letter}"))
        .collect();
    flags.join(" ")
}

fn missing_hint(
    missing: &[Missing],
    headers: &[String],
    whole_addresses: &[(String, String)],
) -> String {
    let mut lines = Vec::new();
    if !whole_addresses.is_empty() {
        lines.push(format!(
            "add {}",
            map_choices(Field::Address, whole_addresses)
        ));
    }
    lines.extend(missing.iter().map(missing_line));
    lines.push(format!("the headers found are {}", listed(headers)));
    lines.join("\n")
}

fn missing_line(one: &Missing) -> String {
    match one.near.first() {
        Some(NearHeader { column, header }) => {
            let letters = column_letters(*column);
            let typed = if is_typeable(header) {
                header
            } else {
                &letters
            };
            format!(
                "did you mean {}? Then add --map {}",
                excerpt(header),
                assignment(one.field, typed)
            )
        }
        None => unnamed(one.field),
    }
}

fn several_addresses_hint(blocks: &[AddressTitle], missing: &[Missing]) -> String {
    let choices: Vec<String> = blocks
        .iter()
        .map(|block| format!("--address {}", quoted(&block.answer)))
        .collect();
    let mut lines = vec![format!(
        "add the one where the house is: {}",
        choices.join(" or ")
    )];
    lines.extend(missing.iter().map(missing_line));
    lines.join("\n")
}

fn unnamed(field: Field) -> String {
    match field {
        Field::Id => "no column looks like ids; let the program make them from address and customer: add --derive-id (or name a column with --id-column HEADER)".to_owned(),
        Field::City | Field::Region | Field::PostalCode => {
            format!("{field} needs a column of its own; name it with --map {field}=HEADER")
        }
        Field::Email => "one of email and phone needs a column; name it with --map email=HEADER or --map phone=HEADER".to_owned(),
        other => format!("name the column with --map {other}=HEADER"),
    }
}

fn ambiguous_hint(field: Field, columns: &[(String, String)]) -> String {
    format!("choose one: {}", map_choices(field, columns))
}

fn map_choices(field: Field, columns: &[(String, String)]) -> String {
    let doubled = columns
        .iter()
        .any(|(header, _)| columns.iter().filter(|(other, _)| other == header).count() > 1);
    let choices: Vec<String> = columns
        .iter()
        .map(|(header, letters)| {
            let column = if doubled || !is_typeable(header) {
                letters
            } else {
                header
            };
            format!("--map {}", assignment(field, column))
        })
        .collect();
    choices.join(" or ")
}

fn no_such_header_hint(field: Field, header: &str, headers: &[String]) -> String {
    let known = format!("the headers are {}", listed(headers));
    let typeable = headers
        .iter()
        .map(String::as_str)
        .filter(|one| is_typeable(one));
    match nearest(header, typeable) {
        Some(near) if field == Field::Id => {
            format!("did you mean --id-column {}?\n{known}", quoted(near))
        }
        Some(near) => format!("did you mean --map {}?\n{known}", assignment(field, near)),
        None => known,
    }
}

/// Whether a header can be typed in a command.
fn is_typeable(header: &str) -> bool {
    header.chars().count() <= EXCERPT_CHARS && !header.contains(char::is_control)
}

/// `line1='Street name'`, quoted for the shell.
fn assignment(field: Field, header: &str) -> String {
    format!("{field}={}", quoted(header))
}

fn listed(names: &[String]) -> String {
    if names.is_empty() {
        return "none".to_owned();
    }
    let shown = names.iter().take(LISTED).map(|name| excerpt(name.trim()));
    let shown: Vec<_> = shown.collect();
    let more = names.len().saturating_sub(LISTED);
    let more = if more == 0 {
        String::new()
    } else {
        format!(" and {more} more")
    };
    format!("{}{more}", shown.join(", "))
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
        let faults = [
            Fault::MissingFields {
                missing: vec![missing(Field::Line1, Some(HOSTILE))],
                headers: Vec::new(),
                whole_addresses: vec![pair("A")],
                header_row: crate::model::RowNumber(1),
            },
            Fault::Ambiguous {
                field: Field::Line1,
                columns: vec![pair("A")],
            },
            Fault::SeveralSheets {
                sheets: vec![HOSTILE.to_owned()],
            },
            Fault::SeveralAddresses {
                blocks: vec![title()],
                missing: vec![missing(Field::City, Some(HOSTILE))],
            },
            Fault::NoSuchAddress {
                asked: String::new(),
                blocks: vec![title()],
            },
            Fault::LockFile {
                locked: HOSTILE.to_owned(),
            },
        ];
        for fault in faults {
            let hint = hint(&fault).unwrap();
            assert!(hint.contains(QUOTED), "{hint}");
            let others = hint
                .replace(QUOTED, "")
                .replace(&format!("did you mean {HOSTILE}"), "");
            assert!(!others.contains("touch"), "{hint}");
        }
    }

    #[test]
    fn a_header_of_several_lines_is_named_by_its_column() {
        let line = missing_line(&missing(Field::Line1, Some("Street\nAddress")));
        assert!(line.ends_with("--map line1=AB"), "{line}");
    }
}
