//! An open table: what was detected, its columns, and its rows.

use crate::model::{Field, RowNumber, TableSource};
use crate::sheet::CellRange;
use crate::sheet::csv::encoding::{self, Charset};
use crate::sheet::csv::read::{self, TextDialect};
use crate::sheet::feed::{self, RowFilter};
use crate::sheet::foreign::{folder_error, refuse_shortcut};
use crate::sheet::format::{FileFormat, recognize};
use crate::sheet::row_details::RowDetails;
use crate::sheet::stream::{RowStream, apart};
use crate::sheet::{Document, Fingerprint};
use crate::sheet::{Error, SheetError, workbook};
use crate::sheet::{Row, RowBatch};
use crate::table::columns::Columns;
use crate::table::headers;
use crate::table::names::name_order;
use crate::table::options::TableOptions;
use crate::table::reading::DetectedLayout;
use crate::table::sheet_choice::find_sheet;
use crate::table::unique::retain_unique;

/// An open table.
#[derive(Debug)]
pub struct Table {
    source: TableSource,
    reading: DetectedLayout,
    columns: Columns,
    fingerprint: Fingerprint,
    document: Document,
    stream: RowStream,
    rows: u64,
    blank_rows: u64,
}

/// Opens a document as a table: detects its format and layout, and starts to read.
///
/// # Errors
/// Whatever makes the file unusable: see [`SheetError`].
pub fn open(document: &Document, options: &TableOptions) -> Result<Table, Error> {
    open_document(document, options, None).map_err(|cause| document.error(cause))
}

/// As [`open`], without detecting the encoding, the delimiter and the order of names once more.
///
/// # Errors
/// As [`open`].
pub fn reopen(
    document: &Document,
    options: &TableOptions,
    known: &DetectedLayout,
) -> Result<Table, Error> {
    let options = known.complete(options);
    open_document(document, &options, known.charset).map_err(|cause| document.error(cause))
}

fn open_document(
    document: &Document,
    options: &TableOptions,
    known: Option<Charset>,
) -> Result<Table, SheetError> {
    let (mut file, fingerprint) = document
        .open()
        .map_err(|cause| folder_error(cause, document))?;
    let format = recognize(&mut file)?;
    let opened = if format.is_text() {
        refuse_shortcut(&mut file, &document.name())?;
        open_text(file, document, options, known)?
    } else {
        open_workbook(file, format, document, options)?
    };
    Ok(Table {
        source: TableSource {
            path: document.stored_path(),
            sheet: opened.reading.sheet.clone(),
        },
        reading: opened.reading,
        columns: opened.columns,
        fingerprint,
        document: document.clone(),
        stream: opened.stream,
        rows: 0,
        blank_rows: 0,
    })
}

struct Opened {
    reading: DetectedLayout,
    columns: Columns,
    stream: RowStream,
}

fn open_text(
    mut file: std::fs::File,
    document: &Document,
    options: &TableOptions,
    known: Option<Charset>,
) -> Result<Opened, SheetError> {
    if let Some(asked) = &options.sheet {
        return Err(SheetError::TextHasNoSheets {
            asked: asked.clone(),
        });
    }
    read::refuse_endless_line(&mut file)?;
    let charset = match known {
        Some(charset) => charset,
        None => encoding::find(&mut file, options.encoding.as_deref())?,
    };
    let head = headers::text(&mut file, charset, options)?;
    let (delimiter, below) = (head.delimiter, head.headers.row);
    let first_rows = head.headers.below.clone();
    let columns = Columns::find(head.headers.clone(), options);
    let layout = TextDialect { charset, delimiter };
    let stream = RowStream::start(move |feed| read::feed(file, layout, below, feed))?;
    let (mut columns, stream) = usable(columns, stream)?;
    let name_order = name_order(&columns, &first_rows, options, || {
        let file = document.open()?.0;
        RowStream::start(move |feed| read::feed(file, layout, below, feed))
    })?;
    columns.set_name_order(name_order);
    Ok(Opened {
        reading: DetectedLayout {
            file: document.name(),
            format: FileFormat::Text,
            sheet: None,
            charset: Some(charset),
            delimiter: Some(delimiter),
            delimited_by: Some(head.delimited_by),
            header_row: below,
            name_order,
            units_by_cells: columns.units_by_cells(),
            known_headers: head.headers.score,
            passed_over: Vec::new(),
        },
        columns,
        stream,
    })
}

fn open_workbook(
    file: std::fs::File,
    format: FileFormat,
    document: &Document,
    options: &TableOptions,
) -> Result<Opened, SheetError> {
    let mut book = workbook::open(file, format)?;
    let sheet = apart(|| find_sheet(&mut book, options))?;
    let header_row = sheet.headers.row;
    let first_rows = sheet.headers.below.clone();
    let columns = Columns::find(sheet.headers.clone(), options);
    let name = sheet.name.clone();
    let details = RowDetails::start(document.open()?.0, format, &name);
    let visible_only = options.visible_only;
    let row_filter = RowFilter {
        details,
        visible_only,
    };
    let stream =
        RowStream::start(move |feed| feed::feed(book, &name, header_row, row_filter, feed))?;
    let (mut columns, stream) = usable(columns, stream)?;
    let name_order = name_order(&columns, &first_rows, options, || {
        let book = workbook::open(document.open()?.0, format)?;
        let name = sheet.name.clone();
        let row_filter = RowFilter {
            details: None,
            visible_only,
        };
        RowStream::start(move |feed| feed::feed(book, &name, header_row, row_filter, feed))
    })?;
    columns.set_name_order(name_order);
    Ok(Opened {
        reading: DetectedLayout {
            file: document.name(),
            format,
            sheet: Some(sheet.name),
            charset: None,
            delimiter: None,
            delimited_by: None,
            header_row,
            name_order,
            units_by_cells: columns.units_by_cells(),
            known_headers: sheet.headers.score,
            passed_over: sheet.passed_over,
        },
        columns,
        stream,
    })
}

/// The columns with the rows below them; where a column for the ids is missing, the error names only columns whose
/// values could be ids.
fn usable(
    columns: Result<Columns, SheetError>,
    stream: RowStream,
) -> Result<(Columns, RowStream), SheetError> {
    let mut cause = match columns {
        Ok(columns) => return Ok((columns, stream)),
        Err(cause) => cause,
    };
    if let SheetError::MissingFields { missing, .. }
    | SheetError::SeveralAddresses { missing, .. } = &mut cause
    {
        let ids = missing.iter_mut().find(|one| one.field == Field::Id);
        if let Some(ids) = ids.filter(|ids| !ids.near.is_empty()) {
            retain_unique(stream, ids);
        }
    }
    Err(cause)
}

impl Table {
    /// The file and sheet.
    pub fn source(&self) -> &TableSource {
        &self.source
    }

    /// What was detected.
    pub fn reading(&self) -> &DetectedLayout {
        &self.reading
    }

    /// Its columns.
    pub fn columns(&self) -> &Columns {
        &self.columns
    }

    /// The file's fingerprint when it was opened.
    pub fn fingerprint(&self) -> Fingerprint {
        self.fingerprint
    }

    /// Bytes of the file read so far; 0 where that is unknown.
    pub fn bytes_read(&self) -> u64 {
        self.stream.bytes
    }

    /// Blank rows so far, which are not returned.
    pub fn blank_skipped(&self) -> u64 {
        self.blank_rows + self.stream.blank_lines
    }

    /// The next row that is not blank; none at the end.
    ///
    /// # Errors
    /// What makes the rest unreadable, [`SheetError::HeaderOnly`] or [`SheetError::HiddenOnly`] at the end of a table without rows, and
    /// [`SheetError::Changed`] when the file has changed since it was opened.
    pub fn next_row(&mut self) -> Result<Option<Row<'_>>, Error> {
        let name = || self.document.name();
        let has_row = loop {
            match self.stream.advance() {
                Ok(false) => break false,
                Ok(true) if self.stream.row().is_blank() => self.blank_rows += 1,
                Ok(true) => break true,
                Err(cause) => return Err(cause.in_file(&name())),
            }
        };
        if has_row {
            self.rows += 1;
            return Ok(Some(self.stream.row()));
        }
        self.end().map_err(|cause| cause.in_file(&name()))?;
        Ok(None)
    }

    /// The row that [`Table::next_row`] returned last.
    pub fn row(&self) -> Row<'_> {
        self.stream.row()
    }

    /// The next rows as one batch; none at the end. Not to be mixed with [`Table::next_row`].
    ///
    /// # Errors
    /// As [`Table::next_row`].
    pub fn next_batch(&mut self) -> Result<Option<RowBatch>, Error> {
        let name = || self.document.name();
        let taken = self
            .stream
            .take_batch()
            .map_err(|cause| cause.in_file(&name()))?;
        let Some(batch) = taken else {
            self.end().map_err(|cause| cause.in_file(&name()))?;
            return Ok(None);
        };
        let rows = batch.rows().count() as u64;
        self.rows += rows;
        self.blank_rows += batch.len() as u64 - rows;
        Ok(Some(batch))
    }

    /// Returns a batch, to be filled again.
    pub fn give_back(&self, batch: RowBatch) {
        self.stream.give_back(batch);
    }

    /// The merged cells of the sheet, known at its end.
    pub fn merges(&self) -> &[CellRange] {
        &self.stream.summary.merges
    }

    /// Formulas whose saved value was read, known at the end; 0 where the format does not provide it.
    pub fn saved_formulas(&self) -> u64 {
        self.stream.summary.formulas
    }

    fn end(&self) -> Result<(), SheetError> {
        let changed = self
            .document
            .fingerprint()
            .is_ok_and(|now| now != self.fingerprint);
        if changed {
            return Err(SheetError::Changed);
        }
        match (self.rows, self.stream.summary.left_out) {
            (0, 0) => Err(SheetError::HeaderOnly {
                header_row: self.reading.header_row.unwrap_or(RowNumber(1)),
            }),
            (0, rows) => Err(SheetError::HiddenOnly { rows }),
            _ => Ok(()),
        }
    }
}
