//! The log of events on disk: one JSON line each, synced before any answer that depends on it leaves.
//!
//! A named thread owns the file. It takes all lines that wait, writes them, syncs once, and tells how far the disk has
//! come; so the disk's pace does not set the pace of calls. A last line without its line end was never answered for:
//! the next start cuts it off.

use std::fs::File;
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::thread::JoinHandle;

use jiff::{SignedDuration, Timestamp};
use tokio::sync::watch;

use crate::sandbox::compact::compacted;
use crate::sandbox::error::Error;
use crate::sandbox::private::{private_file, private_folder};
use crate::sandbox::world::{Event, World};

/// Where events are written down, if anywhere.
#[derive(Debug)]
pub(super) enum Log {
    /// Nothing is kept.
    Nowhere,
    /// One file, by its own thread.
    Kept(Kept),
    /// No more events are taken: the sandbox stops.
    Closed,
}

/// The sending end of the log's thread. Dropping it lets the thread finish and close the file.
#[derive(Debug)]
pub(super) struct Kept {
    lines: mpsc::Sender<Batch>,
    durable: watch::Receiver<Durable>,
    sent: u64,
    thread: JoinHandle<()>,
}

/// The log's file. One that it replaced stays open, because whoever opened that in time must find it locked.
struct Files {
    current: File,
    replaced: Option<File>,
}

struct Batch {
    text: String,
    upto: u64,
}

/// How far the disk has come.
#[derive(Clone, Copy, Debug)]
pub(super) enum Durable {
    Upto(u64),
    Failed,
}

/// A place in the log that an answer depends on.
#[derive(Debug)]
pub(super) enum Mark {
    Reached,
    Awaited(watch::Receiver<Durable>, u64),
    Never,
}

impl Log {
    /// Opens the log in a folder, making both where they are missing, replays it into the world, and leaves out of it
    /// what no longer counts.
    pub(super) fn open(folder: &Path, world: &mut World, now: Timestamp) -> Result<Self, Error> {
        let path = folder.join("events.jsonl");
        let fail = |source| Error::Data {
            path: path.clone(),
            source,
        };
        private_folder(folder).map_err(fail)?;
        let mut file = private_file(&path).map_err(fail)?;
        if let Err(std::fs::TryLockError::WouldBlock) = file.try_lock() {
            return Err(Error::DataInUse(folder.to_owned()));
        }
        let mut text = Vec::new();
        file.read_to_end(&mut text).map_err(fail)?;
        let whole = replay(&text, world).map_err(|line| Error::Damaged {
            path: path.clone(),
            line,
        })?;
        if whole < text.len() {
            file.set_len(u64::try_from(whole).expect("a file in memory has a length"))
                .and_then(|()| file.sync_all())
                .map_err(fail)?;
        }
        let window = SignedDuration::try_from(world.settings().rate.window);
        let window = window.unwrap_or(SignedDuration::MAX);
        // A log that cannot be made shorter serves as it is.
        let shorter = compacted(&path, &text[..whole], window, now).unwrap_or_default();
        let files = match shorter {
            Some(shorter) => Files {
                current: shorter,
                replaced: Some(file),
            },
            None => Files {
                current: file,
                replaced: None,
            },
        };
        start_writer(files, path)
    }

    /// Hands over events in the order in which they happened; the caller holds the world's lock.
    pub(super) fn append(&mut self, events: &[Event]) -> Mark {
        let kept = match self {
            Self::Nowhere => return Mark::Reached,
            Self::Closed => return Mark::Never,
            Self::Kept(kept) => kept,
        };
        if !events.is_empty() {
            kept.sent += 1;
            let text = events.iter().map(line).collect();
            // A thread that is gone has said `Failed` before.
            let _ = kept.lines.send(Batch {
                text,
                upto: kept.sent,
            });
        }
        Mark::Awaited(kept.durable.clone(), kept.sent)
    }

    /// Takes no more events; the thread that comes back ends once everything is written and the file is closed.
    pub(super) fn close(&mut self) -> Option<JoinHandle<()>> {
        match std::mem::replace(self, Self::Closed) {
            Self::Kept(kept) => Some(kept.thread),
            Self::Nowhere | Self::Closed => None,
        }
    }
}

impl Mark {
    /// Waits until the disk holds everything up to here.
    ///
    /// # Errors
    /// When it never will.
    pub(super) async fn durable(self) -> Result<(), NotDurable> {
        let (mut durable, upto) = match self {
            Self::Reached => return Ok(()),
            Self::Never => return Err(NotDurable),
            Self::Awaited(durable, upto) => (durable, upto),
        };
        let reached = durable.wait_for(|durable| match durable {
            Durable::Upto(place) => *place >= upto,
            Durable::Failed => true,
        });
        match reached.await.map(|durable| *durable) {
            Ok(Durable::Upto(_)) => Ok(()),
            Ok(Durable::Failed) | Err(_) => Err(NotDurable),
        }
    }
}

/// The disk refused; what was answered for is safe, what was not is lost.
#[derive(Clone, Copy, Debug)]
pub(super) struct NotDurable;

fn line(event: &Event) -> String {
    let mut line = serde_json::to_string(event).expect("events have text keys only");
    line.push('\n');
    line
}

/// Applies every whole line; gives the length of all of them, or the number of a damaged one.
fn replay(text: &[u8], world: &mut World) -> Result<usize, usize> {
    let mut whole = 0;
    for (index, line) in text.split_inclusive(|byte| *byte == b'\n').enumerate() {
        if !line.ends_with(b"\n") {
            break;
        }
        match serde_json::from_slice(line) {
            Ok(event) => world.apply(&event),
            // Blocks of a file may reach the disk out of order: rubbish at the very end is a torn line too.
            Err(_) if whole + line.len() == text.len() => break,
            Err(_) => return Err(index + 1),
        }
        whole += line.len();
    }
    Ok(whole)
}

fn start_writer(files: Files, path: PathBuf) -> Result<Log, Error> {
    let (lines, waiting) = mpsc::channel();
    let (progress, durable) = watch::channel(Durable::Upto(0));
    let thread = std::thread::Builder::new()
        .name("sandbox-log".to_owned())
        .spawn(move || write_all(files, &waiting, &progress))
        .map_err(|source| Error::Data { path, source })?;
    Ok(Log::Kept(Kept {
        lines,
        durable,
        sent: 0,
        thread,
    }))
}

fn write_all(files: Files, waiting: &mpsc::Receiver<Batch>, progress: &watch::Sender<Durable>) {
    let Files {
        mut current,
        replaced: _replaced,
    } = files;
    while let Ok(first) = waiting.recv() {
        let mut group = first;
        for next in waiting.try_iter().take(1_000) {
            group.text.push_str(&next.text);
            group.upto = next.upto;
        }
        let written = current
            .write_all(group.text.as_bytes())
            .and_then(|()| current.sync_data());
        // After a failed sync nothing can be promised any more, whatever a later one says.
        if written.is_err() {
            progress.send_replace(Durable::Failed);
            return;
        }
        progress.send_replace(Durable::Upto(group.upto));
    }
}
