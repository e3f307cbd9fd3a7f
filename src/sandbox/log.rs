//! The log of `--data`: each change of the service's state is one JSON line, synced to the disk before the response
//! that depends on it is sent.
//!
//! Calls that only count against the quota are not logged, so the log grows with the measurements alone. A last line
//! that a crash left incomplete was never answered for, and the next start removes it. A file that is not a log is never
//! changed.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read as _, Write as _};
use std::path::Path;

use crate::sandbox::error::Error;
use crate::sandbox::store::{Event, Store};

/// Where events are written.
#[derive(Debug)]
pub(super) enum Log {
    /// Nothing is kept.
    Nowhere,
    /// A file that this process alone has open.
    File(File),
    /// A write failed, or the sandbox stops: no further change may be answered for.
    Closed,
}

/// The log is closed or its disk failed; the change may be lost.
#[derive(Clone, Copy, Debug)]
pub(super) struct LogError;

impl Log {
    /// Opens the log in a folder, creating both where missing, and applies its events to the store.
    pub(super) fn open(folder: &Path, store: &mut Store) -> Result<Self, Error> {
        let path = folder.join("events.jsonl");
        let fail = |source| Error::Data {
            path: path.clone(),
            source,
        };
        let file = create(folder, &path).map_err(fail)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(Error::DataInUse(folder.to_owned())),
            Err(TryLockError::Error(source)) => return Err(fail(source)),
        }
        match replay(&file, store).map_err(fail)? {
            None => Ok(Self::File(file)),
            Some(line) => Err(Error::Damaged { path, line }),
        }
    }

    /// Writes events and waits for the disk. After a failure nothing more is taken, because a later sync that succeeds
    /// does not prove that the earlier bytes arrived.
    pub(super) fn append(&mut self, events: &[Event]) -> Result<(), LogError> {
        match self {
            Self::Nowhere => Ok(()),
            Self::Closed => Err(LogError),
            Self::File(_) if events.is_empty() => Ok(()),
            Self::File(file) => {
                let text: String = events.iter().map(line).collect();
                let written = file
                    .write_all(text.as_bytes())
                    .and_then(|()| file.sync_data());
                written.map_err(|_| {
                    *self = Self::Closed;
                    LogError
                })
            }
        }
    }
}

impl Drop for Log {
    /// Closing the file alone would leave it locked while a process that another thread starts still has a copy of it.
    fn drop(&mut self) {
        if let Self::File(file) = self {
            // Closing it follows.
            let _ = file.unlock();
        }
    }
}

fn line(event: &Event) -> String {
    serde_json::to_string(event).expect("events have text keys only") + "\n"
}

/// Applies every event, oldest first, and removes an incomplete last line. Returns the number of a damaged line.
fn replay(mut file: &File, store: &mut Store) -> io::Result<Option<usize>> {
    let mut text = Vec::new();
    file.read_to_end(&mut text)?;
    let mut complete = 0;
    for (line, number) in text.split_inclusive(|byte| *byte == b'\n').zip(1..) {
        let is_whole = line.ends_with(b"\n");
        match serde_json::from_slice(line) {
            Ok(event) if is_whole => store.apply(event),
            Ok(_) => break,
            Err(error) if error.is_eof() && !is_whole => break,
            Err(_) => return Ok(Some(number)),
        }
        complete += line.len();
    }
    if complete < text.len() {
        file.set_len(complete as u64)?;
        file.sync_all()?;
    }
    Ok(None)
}

/// Opens the file for appending. Only its owner may read it: it holds tokens and customers.
fn create(folder: &Path, path: &Path) -> io::Result<File> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    let mut options = OpenOptions::new();
    options.read(true).append(true).create(true);
    #[cfg(unix)]
    {
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    }
    builder.create(folder)?;
    // A link may lead to a file of the user.
    if path.symlink_metadata().is_ok_and(|found| !found.is_file()) {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    let file = options.open(path)?;
    // Makes the name of a new file durable; other systems do so by themselves.
    if cfg!(unix) {
        File::open(folder)?.sync_all()?;
    }
    Ok(file)
}
