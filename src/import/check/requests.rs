//! Reads the file again for the requests of some rows, and verifies that they are what was checked.

use crate::import::check::row_check::RowCheck;
use crate::import::{CheckResult, CheckRules, CheckedFile, ImportInput};
use crate::model::Request;
use crate::sheet::{self, Fault, FileFormat};
use crate::table::{self, Columns, Table};

/// Requests in the file's order, each with its row's index in [`CheckedFile::rows`].
#[derive(Debug)]
pub struct RequestReader<'a, W> {
    checked: &'a CheckedFile,
    rules: &'a CheckRules,
    wanted: W,
    table: Table,
    columns: Columns,
    form: FileFormat,
    next: usize,
    ended: bool,
}

impl CheckedFile {
    /// Reads the file again and returns the requests of the valid rows whose indices are wanted, in the file's order.
    ///
    /// If a row no longer has the content that was checked, the iteration ends with [`Fault::Changed`].
    ///
    /// # Errors
    /// If the file cannot be opened, or has changed.
    pub fn requests<'a, W>(
        &'a self,
        input: &'a ImportInput,
        wanted: W,
    ) -> Result<RequestReader<'a, W>, sheet::Error>
    where
        W: FnMut(usize) -> bool,
    {
        let table = table::open(&input.document, &input.options)?;
        if table.fingerprint() != self.fingerprint {
            return Err(changed(&table));
        }
        Ok(RequestReader {
            checked: self,
            rules: &input.rules,
            wanted,
            form: table.reading().format,
            columns: table.columns().clone(),
            table,
            next: 0,
            ended: false,
        })
    }
}

fn changed(table: &Table) -> sheet::Error {
    sheet::Error {
        file: table.reading().file.clone(),
        fault: Fault::Changed,
    }
}

impl<W: FnMut(usize) -> bool> RequestReader<'_, W> {
    fn changed(&self) -> sheet::Error {
        changed(&self.table)
    }

    fn find_next(&mut self) -> Result<Option<(usize, Request)>, sheet::Error> {
        loop {
            let Some(row) = self.table.next_row()? else {
                return match self.checked.rows.len() {
                    rows if rows == self.next => Ok(None),
                    _ => Err(self.changed()),
                };
            };
            if self.checked.is_skipped(row.number) {
                continue;
            }
            let index = self.next;
            let expected = self.checked.rows.get(index);
            let Some(expected) = expected.filter(|expected| expected.number == row.number) else {
                return Err(self.changed());
            };
            self.next += 1;
            let CheckResult::Valid { content, .. } = &expected.result else {
                continue;
            };
            if !(self.wanted)(index) {
                continue;
            }
            let mut check = RowCheck {
                row,
                columns: &self.columns,
                rules: self.rules,
                form: self.form,
                findings: Vec::new(),
            };
            let request = check.draft().into_request();
            if request.content_hash() != *content {
                return Err(self.changed());
            }
            return Ok(Some((index, request)));
        }
    }
}

impl<W: FnMut(usize) -> bool> Iterator for RequestReader<'_, W> {
    type Item = Result<(usize, Request), sheet::Error>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        let found = self.find_next().transpose();
        self.ended = !matches!(found, Some(Ok(_)));
        found
    }
}
