//! What a sheet says besides values, and the library above leaves out: hidden rows, formulas that were never
//! calculated, errors that only newer Excels know, zeros that a format shows in the binary forms, and, after all rows,
//! which cells are merged.
//!
//! A second thread reads the same part of the archive beside the first, and tells what it finds in the order of the
//! rows, so that neither has to wait long for the other and nothing grows with the sheet.

mod number_formats;
mod xls;
mod xlsb;
mod xlsx;

use std::fs::File;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

use crate::sheet::batch::{CellKind, SheetSummary};
use crate::sheet::format::FileFormat;
use crate::sheet::stream::READER_THREAD;

/// Chunks that may wait.
const AHEAD: usize = 64;

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
    fn row(&self) -> u32 {
        match self {
            Self::Hidden { row } | Self::Cell { row, .. } => *row,
        }
    }
}

/// What one chunk of a sheet says, and up to which row.
#[derive(Debug, Default)]
struct ScanChunk {
    details: Vec<RowDetail>,
    /// Every mark of the rows before this one was told.
    complete_before: u32,
    summary: SheetSummary,
}

/// Reads a sheet's part to its end, or as far as it can, and tells what it finds; what is broken is said by the one who
/// reads the values.
type ScanPart = fn(File, &str, &SyncSender<ScanChunk>) -> Option<()>;

/// The marks of a sheet, in the order of its rows.
#[derive(Debug)]
pub(crate) struct RowDetails {
    chunks: Option<Receiver<ScanChunk>>,
    waiting: std::collections::VecDeque<RowDetail>,
    complete_before: u32,
    summary: SheetSummary,
}

impl RowDetails {
    /// Starts to look for the marks of a sheet; none for a form that we do not read beside the library. A sheet whose
    /// part cannot be found has no marks.
    pub(crate) fn of(file: File, format: FileFormat, sheet: &str) -> Option<Self> {
        let scan: ScanPart = match format {
            FileFormat::Xlsx => xlsx::scan,
            FileFormat::Xlsb => xlsb::scan,
            FileFormat::Xls => xls::scan,
            FileFormat::Text | FileFormat::Ods => return None,
        };
        let (found, chunks) = sync_channel(AHEAD);
        let sheet = sheet.to_owned();
        let thread = std::thread::Builder::new()
            .name(READER_THREAD.to_owned())
            .spawn(move || scan(file, &sheet, &found));
        Some(Self {
            chunks: thread.is_ok().then_some(chunks),
            waiting: std::collections::VecDeque::new(),
            complete_before: 0,
            summary: SheetSummary::default(),
        })
    }

    /// What the sheet says besides its rows, after the last of them.
    pub(crate) fn into_summary(mut self) -> SheetSummary {
        while self.next_chunk() {}
        self.summary
    }

    /// The marks of a row; rows are asked for in order.
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

    /// Takes what one more chunk says; false at the end.
    fn next_chunk(&mut self) -> bool {
        let Some(Ok(found)) = self.chunks.as_ref().map(Receiver::recv) else {
            return false;
        };
        self.complete_before = self.complete_before.max(found.complete_before);
        self.waiting.extend(found.details);
        self.summary.merges.extend(found.summary.merges);
        self.summary.formulas += found.summary.formulas;
        true
    }
}
