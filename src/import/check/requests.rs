//! Reads the file again for the requests of some rows, and verifies that they are what was checked.

use crate::import::check::rereader::RowRereader;
use crate::import::{CheckResult, CheckedFile, ImportInput};
use crate::model::Request;
use crate::sheet;

/// Requests in the file's order, each with its row's index in [`CheckedFile::rows`].
#[derive(Debug)]
pub struct RequestReader<'a, W> {
    checked: &'a CheckedFile,
    wanted: W,
    rows: RowRereader<'a>,
    ended: bool,
}

impl CheckedFile {
    /// Reads the file again and returns the requests of the valid rows whose indices are wanted, in the file's order.
    ///
    /// If a row no longer has the content that was checked, the iteration ends with [`sheet::SheetError::Changed`].
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
        Ok(RequestReader {
            checked: self,
            wanted,
            rows: RowRereader::open(self, input)?,
            ended: false,
        })
    }
}

impl<W: FnMut(usize) -> bool> RequestReader<'_, W> {
    fn find_next(&mut self) -> Result<Option<(usize, Request)>, sheet::Error> {
        while let Some(index) = self.rows.advance()? {
            let CheckResult::Valid { content, .. } = &self.checked.rows[index].result else {
                continue;
            };
            if !(self.wanted)(index) {
                continue;
            }
            let request = self.rows.request();
            if request.content_hash() != *content {
                return Err(self.rows.changed());
            }
            return Ok(Some((index, request)));
        }
        Ok(None)
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
