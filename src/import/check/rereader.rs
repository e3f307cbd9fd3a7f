//! Reads the rows of a checked file again, and verifies that they are those that were checked.

use std::collections::BTreeSet;

use crate::import::check::row_check::RowCheck;
use crate::import::{CheckRules, CheckedFile, ImportInput};
use crate::model::Request;
use crate::sheet::{self, Row, SheetError};
use crate::table::{self, Columns, Table};

/// The rows of a checked file, without those that the check skipped.
#[derive(Debug)]
pub(in crate::import) struct RowRereader<'a> {
    checked: &'a CheckedFile,
    rules: &'a CheckRules,
    table: Table,
    next: usize,
}

impl<'a> RowRereader<'a> {
    /// Opens the file.
    ///
    /// # Errors
    /// If the file cannot be opened; [`SheetError::Changed`] if it has changed since it was checked.
    pub(in crate::import) fn open(
        checked: &'a CheckedFile,
        input: &'a ImportInput,
    ) -> Result<Self, sheet::Error> {
        Ok(Self {
            checked,
            rules: &input.rules,
            table: table::reopen(checked.table(input))?,
            next: 0,
        })
    }

    /// Reads the next row and returns its index in [`CheckedFile::rows`]; `None` at the end.
    ///
    /// # Errors
    /// If the file cannot be read; [`SheetError::Changed`] if its rows are no longer those that were checked.
    pub(in crate::import) fn advance(&mut self) -> Result<Option<usize>, sheet::Error> {
        let number = loop {
            match self.table.next_row()? {
                Some(row) if self.checked.is_skipped(row.number) => {}
                row => break row.map(|row| row.number),
            }
        };
        let index = self.next;
        let expected = self.checked.rows.get(index).map(|row| row.number);
        if number != expected {
            return Err(self.changed());
        }
        self.next += 1;
        Ok(number.map(|_| index))
    }

    /// The row that was read last.
    pub(in crate::import) fn row(&self) -> Row<'_> {
        self.table.row()
    }

    pub(in crate::import) fn columns(&self) -> &Columns {
        &self.checked.columns
    }

    /// The request of the row that was read last; of an invalid row, what it has of one.
    pub(in crate::import) fn request(&self) -> Request {
        let (columns, format) = (self.columns(), self.checked.layout.format);
        let mut check = RowCheck::new(self.table.row(), columns, self.rules, format);
        check.draft().into_request()
    }

    pub(super) fn changed(&self) -> sheet::Error {
        SheetError::Changed.in_file(&self.table.layout().file)
    }
}

impl CheckedFile {
    /// Calls `visit` with the rows at these indices of [`CheckedFile::rows`], and stops if the file has changed since it
    /// was checked. Reads the file up to the last of them.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub(in crate::import) fn for_each_row(
        &self,
        input: &ImportInput,
        wanted: &BTreeSet<usize>,
        mut visit: impl FnMut(usize, &RowRereader<'_>),
    ) -> Result<(), sheet::Error> {
        let Some(&last) = wanted.last() else {
            return Ok(());
        };
        let mut read = || -> Result<(), sheet::Error> {
            let mut rows = RowRereader::open(self, input)?;
            while let Some(index) = rows.advance()? {
                if wanted.contains(&index) {
                    visit(index, &rows);
                }
                if index == last {
                    break;
                }
            }
            Ok(())
        };
        match read() {
            Err(error) if matches!(error.cause, SheetError::Changed) => Ok(()),
            read => read,
        }
    }
}
