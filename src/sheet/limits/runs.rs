//! Text between two tags: a library would load a cell of gigabytes completely.

use std::io::Read;

use crate::sheet::SheetError;

/// More than any cell holds; Excel's own limit is 32,767 characters.
const RUN_LIMIT: usize = 4 << 20;

/// The text since the last tag began.
#[derive(Debug, Default)]
pub(in crate::sheet) struct TextRuns {
    run: usize,
}

impl TextRuns {
    /// Examines the next piece of a part.
    ///
    /// # Errors
    /// [`SheetError::CellTooLarge`] where no tag begins for longer than any cell holds.
    pub(in crate::sheet) fn see(&mut self, piece: &[u8]) -> Result<(), SheetError> {
        let mut before = 0;
        for tag in memchr::memchr_iter(b'<', piece) {
            self.grow(tag - before)?;
            self.run = 0;
            before = tag;
        }
        self.grow(piece.len() - before)
    }

    fn grow(&mut self, by: usize) -> Result<(), SheetError> {
        self.run += by;
        if self.run > RUN_LIMIT {
            return Err(SheetError::CellTooLarge {
                limit_mib: RUN_LIMIT >> 20,
            });
        }
        Ok(())
    }
}

/// Refuses a part that holds such a cell.
pub(super) fn refuse_endless(mut part: impl Read) -> Result<(), SheetError> {
    let mut runs = TextRuns::default();
    let mut buffer = vec![0; 256 << 10];
    // Malformed XML is reported by the reader of the values.
    while let Ok(read @ 1..) = part.read(&mut buffer) {
        runs.see(&buffer[..read])?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_is_as_long_as_the_text_between_two_tags() {
        let cell = |length: usize| format!("<t>{}</t>", "x".repeat(length));
        let many = cell(1 << 20).repeat(8);
        assert!(refuse_endless(many.as_bytes()).is_ok());
        let long = cell(RUN_LIMIT);
        assert!(matches!(
            refuse_endless(long.as_bytes()),
            Err(SheetError::CellTooLarge { limit_mib: 4 })
        ));
    }
}
