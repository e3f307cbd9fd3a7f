//! Sheets of the open form: rows and cells that say how often they repeat.
//!
//! The library writes every repetition out. A kilobyte can ask for millions of cells, so they are counted first.

use std::io::Read;

use crate::table::Fault;
use crate::table::parts::{attribute, local_name};

/// Cells of all sheets together that are held in memory.
const CELL_LIMIT: u64 = 2 << 20;
const CHUNK: usize = 64 << 10;
/// A tag longer than this is none.
const TAG_LIMIT: usize = 1 << 20;

/// Refuses a document whose repetitions ask for more cells than a real one holds.
pub(super) fn refuse_repeats(mut xml: impl Read) -> Result<(), Fault> {
    let mut count = Count::default();
    let mut buffer = Vec::new();
    loop {
        let kept = buffer.len();
        buffer.resize(kept + CHUNK, 0);
        // What is broken is said by the library that reads the values.
        let Ok(read) = xml.read(&mut buffer[kept..]) else {
            return Ok(());
        };
        buffer.truncate(kept + read);
        if read == 0 || buffer.len() > TAG_LIMIT {
            return Ok(());
        }
        let used = count.chunk(&buffer);
        buffer.drain(..used);
        if count.cells() > CELL_LIMIT {
            return Err(Fault::TooManyCells { limit: CELL_LIMIT });
        }
    }
}

#[derive(Debug, Default)]
struct Count {
    /// Cells of the sheets before this one.
    before: u64,
    /// Rows of this sheet up to the last that holds something.
    rows: u64,
    /// Rows after it that hold nothing yet.
    empty_rows: u64,
    /// The widest row.
    width: u64,
    row_repeats: u64,
    /// Columns of this row up to the last cell that holds something.
    filled: u64,
    columns: u64,
}

impl Count {
    fn cells(&self) -> u64 {
        self.before
            .saturating_add(self.rows.saturating_mul(self.width))
    }

    fn chunk(&mut self, xml: &[u8]) -> usize {
        let mut at = 0;
        while let Some(open) = memchr::memchr(b'<', &xml[at..]) {
            let open = at + open;
            let Some(length) = memchr::memchr(b'>', &xml[open..]) else {
                return open;
            };
            self.tag(&xml[open + 1..open + length]);
            at = open + length + 1;
        }
        xml.len()
    }

    fn tag(&mut self, tag: &[u8]) {
        let repeats = |name| attribute(tag, name).and_then(number).unwrap_or(1);
        match (local_name(tag), tag.strip_prefix(b"/").map(local_name)) {
            (b"table", _) => {
                *self = Self {
                    before: self.cells(),
                    ..Self::default()
                }
            }
            (b"table-row", _) => {
                self.row_repeats = repeats("table:number-rows-repeated");
                (self.filled, self.columns) = (0, 0);
                if tag.ends_with(b"/") {
                    self.end_row();
                }
            }
            (b"table-cell" | b"covered-table-cell", _) => {
                self.columns = self
                    .columns
                    .saturating_add(repeats("table:number-columns-repeated"));
                if memchr::memmem::find(tag, b"office:value").is_some() {
                    self.filled = self.columns;
                }
            }
            (b"p", _) => self.filled = self.columns,
            (_, Some(b"table-row")) => self.end_row(),
            _ => {}
        }
    }

    fn end_row(&mut self) {
        if self.filled == 0 {
            self.empty_rows = self.empty_rows.saturating_add(self.row_repeats);
            return;
        }
        let above = self
            .rows
            .saturating_add(std::mem::take(&mut self.empty_rows));
        self.rows = above.saturating_add(self.row_repeats);
        self.width = self.width.max(self.filled);
    }
}

fn number(digits: &[u8]) -> Option<u64> {
    std::str::from_utf8(digits).ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sheet(row_repeats: u32, column_repeats: u32) -> String {
        format!(
            "<table:table><table:table-row table:number-rows-repeated=\"{row_repeats}\">\
             <table:table-cell table:number-columns-repeated=\"{column_repeats}\" office:value-type=\"string\"><text:p>x</text:p></table:table-cell>\
             </table:table-row>\
             <table:table-row table:number-rows-repeated=\"1048000\"><table:table-cell table:number-columns-repeated=\"16384\"/></table:table-row>\
             </table:table>"
        )
    }

    #[test]
    fn empty_rows_at_the_end_cost_nothing() {
        assert!(refuse_repeats(sheet(10, 12).as_bytes()).is_ok());
    }

    #[test]
    fn repeated_values_are_counted() {
        assert!(matches!(
            refuse_repeats(sheet(1_000_000, 100).as_bytes()),
            Err(Fault::TooManyCells { .. })
        ));
        let many = sheet(1000, 1000).repeat(3);
        assert!(refuse_repeats(many.as_bytes()).is_err());
    }
}
