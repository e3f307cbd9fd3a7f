//! Recognizes a rejects file that this program wrote by the headers of the added columns, of which a person may have
//! deleted one.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::ops::ControlFlow;
use std::path::Path;

use crate::model::{RowNumber, SampledRows};
use crate::sheet::csv::encoding::decoded_by_mark;
use crate::sheet::csv::read::TextRows;
use crate::sheet::file_format::{FileFormat, recognize};
use crate::sheet::{Delimiter, InputFile, SheetError};
use crate::table::rejects_columns::HEADERS;

/// How many rows are searched for the headers: titles may be above them.
const HEADER_ROWS: usize = 10;

/// How much text is searched for these rows.
const SAMPLE_BYTES: u64 = 1 << 20;

/// How many of its rows are compared with rejects that the journal knows.
const SAMPLE_ROWS: usize = 100;

/// The first rows of a file that may be rejects.
#[derive(Clone, Debug, Default)]
pub struct RejectsSample {
    /// The rows.
    pub rows: SampledRows,
    /// Whether the file has both columns of rejects. With one it is rejects only if the journal knows its rows.
    pub has_both_columns: bool,
}

/// The sample of a rejects file; `None` if the file is not one, an error of kind `NotFound` if there is no file.
pub(super) fn sample(path: &Path) -> io::Result<Option<RejectsSample>> {
    let metadata = path.symlink_metadata()?;
    // A broken link belongs to the user, and opening a pipe would block.
    if metadata.is_dir() || !path.is_file() {
        return Ok(None);
    }
    let opened = InputFile::at(path).open();
    let (mut file, _) = opened.map_err(|error| match error {
        SheetError::Read(error) => error,
        other => io::Error::new(io::ErrorKind::NotFound, other),
    })?;
    Ok(match recognize(&mut file) {
        Ok(FileFormat::Text) => text_sample(file)?,
        Ok(format) => workbook_sample(file, format),
        Err(_) => None,
    })
}

fn text_sample(mut file: File) -> io::Result<Option<RejectsSample>> {
    file.seek(SeekFrom::Start(0))?;
    // The names are ASCII, so that whatever the encoding, only a byte order mark matters.
    let mut text = Vec::new();
    decoded_by_mark(file)
        .take(SAMPLE_BYTES)
        .read_to_end(&mut text)?;
    Ok(Delimiter::DETECTED.into_iter().find_map(|delimiter| {
        let mut rows = TextRows::new(text.as_slice(), Delimiter(delimiter));
        let mut sample = SampleReader::default();
        while let Ok(Some(row)) = rows.next() {
            let fields = row.record.iter().map(String::from_utf8_lossy);
            let cells = fields.map(Cow::into_owned).enumerate();
            if sample.add(cells).is_break() {
                break;
            }
        }
        sample.found()
    }))
}

fn workbook_sample(file: File, format: FileFormat) -> Option<RejectsSample> {
    let mut book = format.open(file).ok()?;
    book.sheets().into_iter().find_map(|(name, _)| {
        let mut sample = SampleReader::default();
        let read = book.rows(&name, &mut |row| {
            let cells = row.cells();
            sample.add(cells.map(|(column, _, text)| (column, text.to_owned())))
        });
        read.ok().and_then(|()| sample.found())
    })
}

/// The rows of a file that may be rejects, as they are read.
#[derive(Debug, Default)]
struct SampleReader {
    read: usize,
    is_rejects: bool,
    /// The column of the numbers of rows; none in a table without headers.
    numbers: Option<usize>,
    sample: RejectsSample,
}

impl SampleReader {
    /// Adds a row, as the texts of cells with their columns.
    fn add(&mut self, cells: impl Iterator<Item = (usize, String)>) -> ControlFlow<()> {
        let cells: Vec<(usize, String)> = cells.collect();
        let [error, source_row] = HEADERS.map(|name| labeled(&cells, name));
        self.read += 1;
        // In a cell of any list, `error: …` may be a note.
        let [of_errors, of_numbers] =
            [error, source_row].map(|found| found.filter(|(_, value)| value.is_none()));
        let has_header = of_errors.or(of_numbers).is_some();
        let has_both = error.is_some() && source_row.is_some();
        if !self.is_rejects && (has_both || has_header) {
            self.is_rejects = true;
            self.sample.has_both_columns = has_both;
            self.numbers = of_numbers.map(|(column, _)| column);
            if has_header {
                return ControlFlow::Continue(());
            }
        }
        if self.is_rejects && !cells.is_empty() {
            let number = match self.numbers {
                Some(numbers) => cells
                    .iter()
                    .find(|(column, _)| *column == numbers)
                    .map(|(_, text)| text.trim()),
                None => source_row.and_then(|(_, value)| value),
            };
            let number = number.and_then(|number| number.parse().ok().map(RowNumber));
            // The number of a row may be the id of another one.
            let cells = cells.into_iter();
            let others = cells.filter(|(column, _)| Some(*column) != self.numbers);
            let texts = others.map(|(_, text)| text).collect();
            self.sample.rows.push((number, texts));
        }
        let goes_on = if self.is_rejects {
            self.sample.rows.len() < SAMPLE_ROWS
        } else {
            self.read < HEADER_ROWS
        };
        if goes_on {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    }

    fn found(self) -> Option<RejectsSample> {
        self.is_rejects.then_some(self.sample)
    }
}

/// The column of a header with this name, or of a value with the name as a prefix, and the value.
fn labeled<'a>(cells: &'a [(usize, String)], name: &str) -> Option<(usize, Option<&'a str>)> {
    cells.iter().find_map(|(column, text)| {
        let is_header = text.trim() == name;
        let value = labeled_value(text, name);
        (is_header || value.is_some()).then_some((*column, value))
    })
}

/// The value of a cell that has the name of a column in front of it.
pub(super) fn labeled_value<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let value = text.trim().strip_prefix(name)?.strip_prefix(':')?;
    Some(value.trim_start())
}
