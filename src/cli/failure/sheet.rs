//! Messages for a file that cannot be read or written.

use std::path::Path;

use crate::cli::failure::file_names::similar_file;
use crate::cli::failure::table::listed;
use crate::cli::failure::{io_hint, io_reason};
use crate::cli::shell::quoted;
use crate::cli::wrap::in_one_line;
use crate::cli::{CommandError, ErrorKind};
use crate::export::is_of_a_rehearsal;
use crate::model::excerpt;
use crate::sheet::{Error, SheetError};

impl From<Error> for CommandError {
    fn from(error: Error) -> Self {
        let sentence = match &error.cause {
            SheetError::Read(source)
            | SheetError::ProblemStore(source)
            | SheetError::Unpacked(source)
            | SheetError::Spooled(source) => format!("{error}: {}", io_reason(source)),
            SheetError::Write { source, .. } => format!("{}: {}", error.cause, io_reason(source)),
            SheetError::NotOurs(_)
            | SheetError::IsInput(_)
            | SheetError::UnknownEncoding(_)
            | SheetError::Extension { .. } => error.cause.to_string(),
            _ => error.to_string(),
        };
        let failure = Self::new(kind(&error.cause), sentence);
        match hint(&error) {
            Some(hint) => failure.hinted(hint),
            None => failure,
        }
    }
}

fn kind(cause: &SheetError) -> ErrorKind {
    match cause {
        SheetError::Read(_)
        | SheetError::ProblemStore(_)
        | SheetError::Unpacked(_)
        | SheetError::Spooled(_)
        | SheetError::Write { .. }
        | SheetError::NotOurs(_) => ErrorKind::File,
        SheetError::UnknownEncoding(_) | SheetError::IsInput(_) | SheetError::Extension { .. } => {
            ErrorKind::Usage
        }
        SheetError::NotThere
        | SheetError::Folder
        | SheetError::NotAFile
        | SheetError::Empty
        | SheetError::HeaderOnly { .. }
        | SheetError::HiddenOnly { .. }
        | SheetError::LockFile
        | SheetError::Archive(_)
        | SheetError::NotATable(_)
        | SheetError::Exported
        | SheetError::NoLineEnd { .. }
        | SheetError::Password
        | SheetError::Damaged(_)
        | SheetError::Bomb { .. }
        | SheetError::Inflates { .. }
        | SheetError::CellTooLarge { .. }
        | SheetError::Doctype
        | SheetError::TooManyColumns(_)
        | SheetError::TooManyCells { .. }
        | SheetError::TooManyRows { .. }
        | SheetError::RowTooLarge { .. }
        | SheetError::UnclosedQuote { .. }
        | SheetError::SpacedQuote { .. }
        | SheetError::StrayQuote { .. }
        | SheetError::StrayBytes { .. }
        | SheetError::OtherEncoding { .. }
        | SheetError::NoSuchSheet { .. }
        | SheetError::TextHasNoSheets { .. }
        | SheetError::NoSheet
        | SheetError::Changed => ErrorKind::Input,
    }
}

/// What to do about the folder for temporary files.
pub(in crate::cli) const TEMPORARY_FOLDER: &str =
    "free space in the folder for temporary files, or set TMPDIR to another folder";

/// What to do about rejects that cannot be written.
fn hint_of_write(source: &std::io::Error) -> String {
    let other = "--rejects PATH names another path, and --no-rejects writes none";
    io_hint(source).map_or_else(|| other.to_owned(), |hint| format!("{hint}; {other}"))
}

fn hint(error: &Error) -> Option<String> {
    let hint = match &error.cause {
        SheetError::HeaderOnly { .. } if error.file.contains(".rejects") => {
            "if you deleted its rows because they are not to be imported, delete the file too; an import of the original sheet writes the rows that are still rejected".to_owned()
        }
        SheetError::Read(source) => return io_hint(source).map(str::to_owned),
        SheetError::ProblemStore(_) | SheetError::Unpacked(_) | SheetError::Spooled(_) => TEMPORARY_FOLDER.to_owned(),
        SheetError::Write { source, .. } => hint_of_write(source),
        SheetError::NotOurs(_) => "move it away, or give another path with --rejects PATH".to_owned(),
        SheetError::IsInput(_) => "give another path with --rejects PATH".to_owned(),
        SheetError::Extension { extension, .. } => {
            format!("give a name that ends in .{extension} with --rejects PATH")
        }
        SheetError::NotThere => match similar_file(Path::new(&error.file)) {
            Some(similar) => format!("did you mean {}?", quoted(&similar.to_string_lossy())),
            None if error.file == "-" => "give the path of a workbook".to_owned(),
            None => "give the path of the spreadsheet, or - for standard input".to_owned(),
        },
        SheetError::Folder => "give a file in that folder".to_owned(),
        SheetError::NotAFile => "to read from a pipe, connect it to standard input and give - as the file".to_owned(),
        SheetError::HeaderOnly { .. } => "fill in a row for each house below the headers".to_owned(),
        SheetError::Empty => {
            "check that it is the right file; gutterbatch template leads.xlsx writes one to fill in".to_owned()
        }
        SheetError::HiddenOnly { .. } => "clear the filter that hides them and save the file; to read hidden rows too, leave --visible-only out, and add --forget-reading if an earlier import used it".to_owned(),
        SheetError::LockFile => {
            "close it in Excel or LibreOffice, and give the sheet itself".to_owned()
        }
        SheetError::Archive(_) => {
            "unpack it, and give the file that it contains".to_owned()
        }
        SheetError::NotATable(_) | SheetError::NoLineEnd { .. } => {
            "give the sheet itself, or export its rows as CSV or XLSX; if Excel opens it, save it there as .xlsx".to_owned()
        }
        SheetError::Exported if is_of_a_rehearsal(Path::new(&error.file)) => {
            "give the sheet that was rehearsed; the numbers of this workbook are invented".to_owned()
        }
        SheetError::Exported => format!(
            "give the sheet that was imported; to fill an empty journal from this workbook: gutterbatch import --restore {}",
            quoted(&error.file)
        ),
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
        SheetError::SpacedQuote { .. } => "remove the spaces between the delimiters and the quotes in a text editor (replace `, \"` by `,\"`), or export the file again".to_owned(),
        SheetError::StrayQuote { .. } => "remove the quote there if it means inches or ditto; a quote that belongs to the text is doubled, in a cell in quotes".to_owned(),
        SheetError::StrayBytes { line, text } => format!(
            "type line {line} again in a text editor (`{}`) and save the file as UTF-8; or export it again as \"CSV UTF-8\", or name the encoding of the whole file with --encoding",
            excerpt(&in_one_line(text))
        ),
        SheetError::UnknownEncoding(_) => "without --encoding, `check` finds it; others are utf-8, windows-1252, utf-16le or macintosh".to_owned(),
        SheetError::OtherEncoding { .. } => "save the file as CSV UTF-8; one of an old Mac is read with --encoding macintosh".to_owned(),
        SheetError::NoSuchSheet { sheets, .. } => format!("the sheets are {}; name one with --sheet", listed(sheets)),
        SheetError::TextHasNoSheets { .. } => "leave --sheet out".to_owned(),
        SheetError::NoSheet => "unhide the sheet in Excel, or name it with --sheet".to_owned(),
        SheetError::Changed => "close it in other programs and run the same command again".to_owned(),
    };
    Some(hint)
}
