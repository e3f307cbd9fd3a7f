//! Reading ahead: one thread reads the journal, a second one parses its responses, and the caller renders.
//!
//! Measurements arrive in the journal's order. The channels are bounded, so that memory does not grow with them.

use std::mem;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

use crate::export::record_parser::parse_record;
use crate::export::{Error, ResultRecord};
use crate::journal::{JournalSnapshot, StoredMeasurement};

/// What receives batches of measurements.
pub(super) type RecordBatchSink<'v> = &'v mut dyn FnMut(Vec<ResultRecord>) -> Result<(), Error>;

/// Measurements per batch.
const BATCH: usize = 64;

/// Maximum number of batches that wait for the next thread.
const MAX_WAITING_BATCHES: usize = 16;

type Batch<T> = Result<Vec<T>, Error>;

/// Visits all measurements of the journal in batches.
///
/// # Errors
/// [`Error::Journal`], and the errors of `visit`.
pub(super) fn each_parsed_batch(
    snapshot: &JournalSnapshot,
    visit: RecordBatchSink<'_>,
) -> Result<(), Error> {
    thread::scope(|scope| {
        let (stored_sender, stored) = sync_channel(MAX_WAITING_BATCHES);
        let (parsed_sender, parsed) = sync_channel(MAX_WAITING_BATCHES);
        scope.spawn(move || read(snapshot, &stored_sender));
        scope.spawn(move || parse_each(&stored, &parsed_sender));
        // Where a visit fails, the channels close and both threads end.
        parsed.into_iter().try_for_each(|batch| visit(batch?))
    })
}

fn read(snapshot: &JournalSnapshot, out: &SyncSender<Batch<StoredMeasurement>>) {
    let mut batch = Vec::with_capacity(BATCH);
    let ended = snapshot.for_each_measurement(|stored| {
        batch.push(stored);
        if batch.len() < BATCH {
            return Ok(());
        }
        let full = mem::replace(&mut batch, Vec::with_capacity(BATCH));
        out.send(Ok(full)).map_err(|_| Error::Interrupted)
    });
    // A receiver that is gone has reported its own error.
    let _ = out.send(ended.map(|()| batch));
}

fn parse_each(stored: &Receiver<Batch<StoredMeasurement>>, out: &SyncSender<Batch<ResultRecord>>) {
    for batch in stored {
        let batch = batch.and_then(|batch| batch.into_iter().map(parse_record).collect());
        if out.send(batch).is_err() {
            return;
        }
    }
}
