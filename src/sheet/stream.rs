//! A thread that reads ahead: it sends batches of rows, and empty batches are returned to be filled again.

use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::thread::JoinHandle;

use crate::sheet::SheetError;
use crate::sheet::batch::{Row, RowBatch, SheetSummary};

/// The name of the reading threads. Damaged workbooks make the library underneath panic. Where panics unwind, such a
/// panic ends the thread and becomes a [`SheetError`] here; elsewhere a panic hook reports it.
pub const READER_THREAD: &str = "table reader";

/// Does work in a thread of that name and waits for it: a panic there is a damaged workbook and no bug.
pub(crate) fn in_reader_thread<T: Send, E: From<SheetError> + Send>(
    work: impl FnOnce() -> Result<T, E> + Send,
) -> Result<T, E> {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new()
            .name(READER_THREAD.to_owned())
            .spawn_scoped(scope, work)
            .map_err(SheetError::Read)?;
        thread.join().unwrap_or_else(|_| Err(damaged().into()))
    })
}

pub(in crate::sheet) fn damaged() -> SheetError {
    SheetError::Damaged("its parts do not fit together".to_owned())
}

/// Batches that may wait; enough that neither side waits for the other.
const MAX_WAITING_BATCHES: usize = 3;

/// The reader's end: rows go in.
pub(crate) struct BatchSender {
    /// The batch being filled.
    pub(crate) batch: RowBatch,
    full: SyncSender<RowBatch>,
    spare: Receiver<RowBatch>,
}

/// The receiver of the rows was dropped.
pub(crate) struct ReceiverDropped;

impl BatchSender {
    /// Hands the batch over when it is full.
    pub(crate) fn turn(&mut self) -> Result<(), ReceiverDropped> {
        if self.batch.is_full() {
            self.hand_over()?;
        }
        Ok(())
    }

    fn hand_over(&mut self) -> Result<(), ReceiverDropped> {
        let next = self.spare.try_recv().unwrap_or_default();
        let full = std::mem::replace(&mut self.batch, next);
        self.batch.clear();
        self.full.send(full).map_err(|_| ReceiverDropped)
    }
}

/// The rows of a file, read ahead.
#[derive(Debug)]
pub(crate) struct RowStream {
    full: Receiver<RowBatch>,
    spare: Sender<RowBatch>,
    batch: RowBatch,
    next: usize,
    thread: Option<JoinHandle<Result<(), SheetError>>>,
    pub(crate) bytes: u64,
    pub(crate) blank_lines: u64,
    pub(crate) summary: SheetSummary,
}

impl RowStream {
    /// Starts a thread that fills batches until `read` returns.
    pub(crate) fn start(
        read: impl FnOnce(&mut BatchSender) -> Result<(), SheetError> + Send + 'static,
    ) -> Result<Self, SheetError> {
        let (full, batches) = sync_channel(MAX_WAITING_BATCHES);
        let (spare, spares) = channel();
        let mut feed = BatchSender {
            batch: RowBatch::default(),
            full,
            spare: spares,
        };
        let thread = std::thread::Builder::new()
            .name(READER_THREAD.to_owned())
            .spawn(move || {
                let outcome = read(&mut feed);
                // Rows before an error are still sent; without a receiver they are dropped.
                let _ = feed.hand_over();
                outcome
            })
            .map_err(SheetError::Read)?;
        Ok(Self {
            full: batches,
            spare,
            batch: RowBatch::default(),
            next: 0,
            thread: Some(thread),
            bytes: 0,
            blank_lines: 0,
            summary: SheetSummary::default(),
        })
    }

    /// Advances to the next row; false at the end.
    pub(crate) fn advance(&mut self) -> Result<bool, SheetError> {
        while self.next >= self.batch.len() {
            if !self.next_batch()? {
                return Ok(false);
            }
        }
        self.next += 1;
        Ok(true)
    }

    /// The row that [`RowStream::advance`] came to.
    pub(crate) fn row(&self) -> Row<'_> {
        self.batch.row(self.next - 1)
    }

    fn next_batch(&mut self) -> Result<bool, SheetError> {
        let Some(batch) = self.take_batch()? else {
            return Ok(false);
        };
        let used = std::mem::replace(&mut self.batch, batch);
        self.next = 0;
        self.recycle(used);
        Ok(true)
    }

    /// Takes the next batch as a whole; `None` at the end.
    pub(crate) fn take_batch(&mut self) -> Result<Option<RowBatch>, SheetError> {
        let Ok(mut batch) = self.full.recv() else {
            return self.end().map(|()| None);
        };
        self.bytes = self.bytes.max(batch.bytes);
        self.blank_lines += batch.blank_lines;
        let summary = std::mem::take(&mut batch.summary);
        self.summary.merges.extend(summary.merges);
        self.summary.formulas += summary.formulas;
        self.summary.left_out += summary.left_out;
        Ok(Some(batch))
    }

    /// Gives a batch back to be filled again.
    pub(crate) fn recycle(&self, used: RowBatch) {
        // The reader may have ended; then the empty batch is not needed.
        let _ = self.spare.send(used);
    }

    fn end(&mut self) -> Result<(), SheetError> {
        self.batch.clear();
        match self.thread.take().map(JoinHandle::join) {
            None | Some(Ok(Ok(()))) => Ok(()),
            Some(Ok(Err(cause))) => Err(cause),
            Some(Err(_)) => Err(damaged()),
        }
    }
}
