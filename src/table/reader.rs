//! An open table: what was detected, its columns, and its rows.

use crate::model::{Field, RowNumber, TableSource};
use crate::sheet::CellRange;
use crate::sheet::csv::read;
use crate::sheet::feed::{self, RowFilter};
use crate::sheet::file_format::recognize;
use crate::sheet::rewrite::{SourceContent, SourceWorkbook};
use crate::sheet::row_details::RowDetails;
use crate::sheet::stream::RowStream;
use crate::sheet::{self, SheetError};
use crate::sheet::{Fingerprint, InputFile};
use crate::sheet::{Row, RowBatch};
use crate::table::columns::Columns;
use crate::table::detected_layout::DetectedLayout;
use crate::table::error::{Error, TableError};
use crate::table::known_table::KnownTable;
use crate::table::located::{LocatedTable, locate};
use crate::table::names::name_order;
use crate::table::options::TableOptions;
use crate::table::table_head::TableHead;
use crate::table::unique::{choose_id, retain_unique};

/// An open table.
#[derive(Debug)]
pub struct Table {
    source: TableSource,
    layout: DetectedLayout,
    columns: Columns,
    fingerprint: Fingerprint,
    input_file: InputFile,
    stream: RowStream,
    rows: u64,
    blank_rows: u64,
}

/// Opens a file as a table: detects its format and layout, and starts to read.
///
/// ```
/// use gutterbatch::model::Field;
/// use gutterbatch::sheet::InputFile;
/// use gutterbatch::table::{self, TableOptions};
///
/// let mut text: &[u8] = b"Lead ID;Name;E-mail;Street;City;State;Zip\n\
///     L-1;Ada Lee;ada@example.com;12 Elm St;Toronto;ON;M5V 1A1\n";
/// let input_file = InputFile::spooled(&mut text)?;
/// let mut table = table::open(&input_file, &TableOptions::default())?;
/// let id = table.columns().indexes_of(Field::Id)[0];
/// let row = table.next_row()?.expect("there is one row");
/// assert_eq!((row.number.0, row.cell(id).text), (2, "L-1"));
/// # Ok::<(), table::Error>(())
/// ```
///
/// # Errors
/// Whatever makes the file unusable: see [`TableError`].
pub fn open(input_file: &InputFile, options: &TableOptions) -> Result<Table, Error> {
    open_table(input_file, options).map_err(|cause| match cause {
        TableError::Sheet(cause) => input_file.error(cause).into(),
        cause => Error {
            file: input_file.name(),
            cause,
        },
    })
}

/// Reads a table once more, from its first row.
///
/// # Errors
/// [`SheetError::Changed`] if the file has changed, and what makes it unreadable.
pub fn reopen(known: KnownTable<'_>) -> Result<Table, sheet::Error> {
    let open = || {
        let row_filter = RowFilter {
            details: details(known.input_file, known.layout)?,
            visible_only: known.visible_only,
        };
        let stream = rows(known.open()?, known.layout.header_row, row_filter)?;
        Ok(Table::new(known, stream))
    };
    open().map_err(|cause| known.input_file.error(cause))
}

fn open_table(input_file: &InputFile, options: &TableOptions) -> Result<Table, TableError> {
    let (mut file, fingerprint) = input_file.open()?;
    let format = recognize(&mut file)?;
    let LocatedTable {
        content,
        headers,
        layout,
    } = locate(input_file, file, format, options)?;
    let columns = Columns::find(&headers, options);
    let visible_only = options.visible_only;
    let row_filter = RowFilter {
        details: details(input_file, &layout)?,
        visible_only,
    };
    let stream = rows(content, layout.header_row, row_filter)?;
    let (columns, stream) = usable(columns, stream, &headers)?;
    let known = KnownTable {
        input_file,
        fingerprint,
        layout: &layout,
        columns: &columns,
        visible_only,
    };
    let name_order = name_order(&columns, &headers.below, options, || {
        let row_filter = RowFilter {
            details: None,
            visible_only,
        };
        rows(known.open()?, layout.header_row, row_filter)
    })?;
    let mut table = Table::new(known, stream);
    table.columns.name_order = name_order;
    Ok(table)
}

/// What is known of the rows besides their cells; `None` if the format is not scanned.
fn details(
    input_file: &InputFile,
    layout: &DetectedLayout,
) -> Result<Option<RowDetails>, SheetError> {
    let Some(sheet) = &layout.sheet else {
        return Ok(None);
    };
    layout.format.scan(input_file.open()?.0, sheet)
}

/// The rows below the headers.
fn rows(
    content: SourceContent,
    below: Option<RowNumber>,
    row_filter: RowFilter,
) -> Result<RowStream, SheetError> {
    match content {
        SourceContent::Text { file, layout } => {
            RowStream::start(move |feed| read::feed(file, layout, below, feed))
        }
        SourceContent::Workbook(SourceWorkbook { book, sheet, .. }) => {
            RowStream::start(move |feed| feed::feed(book, &sheet, below, row_filter, feed))
        }
    }
}

/// The columns with the rows below them; where a column for the ids is missing, the error names only columns whose
/// values could be ids.
fn usable(
    columns: Result<Columns, TableError>,
    stream: RowStream,
    head: &TableHead,
) -> Result<(Columns, RowStream), TableError> {
    let mut cause = match columns {
        Ok(columns) => return Ok((columns, stream)),
        Err(cause) => cause,
    };
    if let TableError::Ambiguous {
        field: Field::Id,
        columns,
    } = &mut cause
    {
        return Err(choose_id(std::mem::take(columns), stream, head));
    }
    if let TableError::MissingFields { missing, .. }
    | TableError::SeveralAddresses { missing, .. } = &mut cause
    {
        let ids = missing.iter_mut().find(|one| one.field == Field::Id);
        if let Some(ids) = ids.filter(|ids| !ids.suggestions.is_empty()) {
            retain_unique(stream, ids);
        }
    }
    Err(cause)
}

impl Table {
    fn new(known: KnownTable<'_>, stream: RowStream) -> Self {
        Self {
            source: TableSource {
                path: known.input_file.stored_path(),
                sheet: known.layout.sheet.clone(),
            },
            layout: known.layout.clone(),
            columns: known.columns.clone(),
            fingerprint: known.fingerprint,
            input_file: known.input_file.clone(),
            stream,
            rows: 0,
            blank_rows: 0,
        }
    }

    /// The file and sheet.
    pub fn source(&self) -> &TableSource {
        &self.source
    }

    /// What was detected.
    pub fn layout(&self) -> &DetectedLayout {
        &self.layout
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

    /// Unused rows so far, which are not returned.
    pub fn blank_skipped(&self) -> u64 {
        self.blank_rows + self.stream.blank_lines
    }

    /// The next row that is not unused; `None` at the end.
    ///
    /// # Errors
    /// What makes the rest unreadable, [`SheetError::HeaderOnly`] or [`SheetError::HiddenOnly`] at the end of a table
    /// without rows, and [`SheetError::Changed`] when the file has changed since it was opened.
    pub fn next_row(&mut self) -> Result<Option<Row<'_>>, sheet::Error> {
        let name = || self.input_file.name();
        let has_row = loop {
            match self.stream.advance() {
                Ok(false) => break false,
                Ok(true) if self.stream.row().is_unused() => self.blank_rows += 1,
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

    /// The next rows as one batch; `None` at the end. Not to be mixed with [`Table::next_row`].
    ///
    /// # Errors
    /// As [`Table::next_row`].
    pub fn next_batch(&mut self) -> Result<Option<RowBatch>, sheet::Error> {
        let name = || self.input_file.name();
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
    pub fn recycle(&self, batch: RowBatch) {
        self.stream.recycle(batch);
    }

    /// The merged cells of the sheet, known at its end.
    pub fn merges(&self) -> &[CellRange] {
        &self.stream.summary.merges
    }

    /// Formulas whose saved value was read, known at the end; 0 where the format does not provide it.
    pub fn saved_formulas(&self) -> u64 {
        self.stream.summary.formulas
    }

    /// Hidden rows that were left out, known at the end.
    pub fn hidden_left_out(&self) -> u64 {
        self.stream.summary.left_out
    }

    fn end(&self) -> Result<(), SheetError> {
        let changed = self
            .input_file
            .fingerprint()
            .is_ok_and(|now| now != self.fingerprint);
        if changed {
            return Err(SheetError::Changed);
        }
        match (self.rows, self.stream.summary.left_out) {
            (0, 0) => Err(SheetError::HeaderOnly {
                header_row: self.layout.header_row.unwrap_or(RowNumber(1)),
            }),
            (0, rows) => Err(SheetError::HiddenOnly { rows }),
            _ => Ok(()),
        }
    }
}
