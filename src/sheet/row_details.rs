//! What calamine omits of a sheet: hidden rows, formulas that were never calculated, errors of newer Excel versions,
//! leading zeros of a number format in the binary formats, and, after all rows, the merged ranges; and the cells of an
//! XLSB workbook that it skips.
//!
//! A second thread reads the same part of the archive concurrently, and sends what it finds in the order of the rows, so
//! that neither thread waits long for the other and memory does not grow with the sheet.

use std::fs::File;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

use crate::sheet::SheetError;
use crate::sheet::batch::{CellKind, SheetSummary};
use crate::sheet::stream::READER_THREAD;

/// Chunks that may wait.
const MAX_WAITING_CHUNKS: usize = 64;

/// One thing about a row or a cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum RowDetail {
    /// The row is hidden.
    Hidden { row: u32 },
    /// A cell that holds no value, or shows another than it holds, and what a person sees instead.
    Cell {
        row: u32,
        column: usize,
        kind: CellKind,
        text: String,
    },
}

impl RowDetail {
    pub(in crate::sheet) fn row(&self) -> u32 {
        match self {
            Self::Hidden { row } | Self::Cell { row, .. } => *row,
        }
    }
}

/// What was found in one chunk of a sheet, and up to which row.
#[derive(Debug, Default)]
pub(in crate::sheet) struct ScanChunk {
    pub(in crate::sheet) details: Vec<RowDetail>,
    /// All details of rows before this one have been sent.
    pub(in crate::sheet) complete_before: u32,
    pub(in crate::sheet) summary: SheetSummary,
    /// Why the values are not complete; the scan ends with it.
    pub(in crate::sheet) fault: Option<SheetError>,
}

/// Reads a sheet's part to its end, or as far as possible, and sends what it finds; errors are reported by the reader
/// of the values.
pub(in crate::sheet) type ScanPart = fn(File, &str, &SyncSender<ScanChunk>) -> Option<()>;

/// The details of a sheet's rows, in order.
#[derive(Debug)]
pub(crate) struct RowDetails {
    chunks: Receiver<ScanChunk>,
    waiting: std::collections::VecDeque<RowDetail>,
    complete_before: u32,
    summary: SheetSummary,
    fault: Option<SheetError>,
}

impl RowDetails {
    /// Starts to scan a sheet. A sheet whose part cannot be found has no details.
    ///
    /// # Errors
    /// If no thread can be started.
    pub(in crate::sheet) fn start(
        file: File,
        scan: ScanPart,
        sheet: &str,
    ) -> Result<Self, SheetError> {
        let (found, chunks) = sync_channel(MAX_WAITING_CHUNKS);
        let sheet = sheet.to_owned();
        std::thread::Builder::new()
            .name(READER_THREAD.to_owned())
            .spawn(move || scan(file, &sheet, &found))
            .map_err(SheetError::Read)?;
        Ok(Self {
            chunks,
            waiting: std::collections::VecDeque::new(),
            complete_before: 0,
            summary: SheetSummary::default(),
            fault: None,
        })
    }

    /// What is known of the sheet after its last row.
    ///
    /// # Errors
    /// What calamine skipped anywhere in the sheet.
    pub(crate) fn into_summary(mut self) -> Result<SheetSummary, SheetError> {
        while self.next_chunk() {}
        match self.fault {
            Some(fault) => Err(fault),
            None => Ok(self.summary),
        }
    }

    /// The details of a row; rows are requested in order.
    pub(crate) fn of_row(&mut self, row: u32) -> Vec<RowDetail> {
        while self.complete_before <= row {
            if !self.next_chunk() {
                self.complete_before = u32::MAX;
                break;
            }
        }
        let mut details = Vec::new();
        while self
            .waiting
            .front()
            .is_some_and(|detail| detail.row() <= row)
        {
            details.extend(
                self.waiting
                    .pop_front()
                    .filter(|detail| detail.row() == row),
            );
        }
        details
    }

    /// Receives one more chunk; false at the end.
    fn next_chunk(&mut self) -> bool {
        let Ok(found) = self.chunks.recv() else {
            return false;
        };
        self.complete_before = self.complete_before.max(found.complete_before);
        self.waiting.extend(found.details);
        self.summary.merges.extend(found.summary.merges);
        self.summary.formulas += found.summary.formulas;
        self.fault = self.fault.take().or(found.fault);
        true
    }
}
