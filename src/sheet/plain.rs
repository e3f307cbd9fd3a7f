//! One sheet of a workbook, by its name, as bare cells without header detection.

use crate::sheet::feed::{self, RowFilter};
use crate::sheet::file_format::recognize;
use crate::sheet::input_file::InputFile;
use crate::sheet::stream::RowStream;
use crate::sheet::{Error, Row, SheetError};

/// The rows of a sheet, streamed.
#[derive(Debug)]
pub struct PlainSheet {
    name: String,
    stream: RowStream,
}

/// Opens one sheet of a workbook by its exact name.
///
/// # Errors
/// [`SheetError::NotATable`] for a text file, [`SheetError::NoSuchSheet`], and whatever makes the file unusable as a
/// workbook.
pub fn plain_sheet(input_file: &InputFile, sheet: &str) -> Result<PlainSheet, Error> {
    let name = input_file.name();
    let stream = open(input_file, sheet).map_err(|cause| cause.in_file(&name))?;
    Ok(PlainSheet { name, stream })
}

fn open(input_file: &InputFile, sheet: &str) -> Result<RowStream, SheetError> {
    let (mut file, _) = input_file.open()?;
    let format = recognize(&mut file)?;
    let book = format.open(file)?;
    let sheets: Vec<String> = book.sheets().into_iter().map(|(name, _)| name).collect();
    if !sheets.iter().any(|name| name == sheet) {
        return Err(SheetError::NoSuchSheet {
            wanted: sheet.to_owned(),
            sheets,
        });
    }
    let row_filter = RowFilter {
        details: None,
        visible_only: false,
    };
    let sheet = sheet.to_owned();
    RowStream::start(move |feed| feed::feed(book, &sheet, None, row_filter, feed))
}

impl PlainSheet {
    /// The next row; `None` at the end.
    ///
    /// # Errors
    /// What makes the rest unreadable.
    pub fn next_row(&mut self) -> Result<Option<Row<'_>>, Error> {
        match self.stream.advance() {
            Ok(true) => Ok(Some(self.stream.row())),
            Ok(false) => Ok(None),
            Err(cause) => Err(cause.in_file(&self.name)),
        }
    }
}
