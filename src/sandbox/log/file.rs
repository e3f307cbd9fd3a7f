//! The log's file: locked, read line by line, added to, and now and then replaced as a whole by a shorter one.

use std::fs::{self, File, TryLockError};
use std::io::{self, BufRead as _, BufReader, BufWriter, Write as _};
use std::path::{Path, PathBuf};

use crate::sandbox::private::{private_file, sync_folder};
use crate::sandbox::world::Event;

/// The file, for as long as it is ours alone.
#[derive(Debug)]
pub(super) struct LogFile {
    path: PathBuf,
    current: File,
    /// Stays open, because whoever opened it before it was replaced must find it locked.
    replaced: Option<File>,
}

/// Why a log was not read.
#[derive(Debug)]
pub(super) enum Unread {
    /// What the system said.
    Io(io::Error),
    /// A line that is not what was written, counted from 1.
    Damaged(usize),
}

impl From<io::Error> for Unread {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl LogFile {
    /// Opens the file, and makes it where there is none; `None` where another sandbox has it.
    pub(super) fn open(path: &Path) -> io::Result<Option<Self>> {
        let current = private_file(path)?;
        match current.try_lock() {
            Err(TryLockError::WouldBlock) => return Ok(None),
            Err(TryLockError::Error(error)) => return Err(error),
            Ok(()) => {}
        }
        Ok(Some(Self {
            path: path.to_owned(),
            current,
            replaced: None,
        }))
    }

    /// Hands over every event, oldest first, and cuts off a torn last line; gives the number of lines.
    pub(super) fn read(&self, mut each: impl FnMut(Event)) -> Result<usize, Unread> {
        let length = self.current.metadata()?.len();
        let mut reader = BufReader::with_capacity(1 << 16, &self.current);
        let (mut whole, mut count, mut line) = (0, 0, Vec::new());
        while reader.read_until(b'\n', &mut line)? > 0 {
            let end = whole + u64::try_from(line.len()).expect("a line in memory has a length");
            match serde_json::from_slice(&line) {
                Ok(event) if line.ends_with(b"\n") => each(event),
                // Blocks of a file may reach the disk out of order: rubbish at the very end is a torn line too.
                _ if end == length => break,
                _ => return Err(Unread::Damaged(count + 1)),
            }
            (whole, count) = (end, count + 1);
            line.clear();
        }
        if whole < length {
            self.current.set_len(whole)?;
            self.current.sync_all()?;
        }
        Ok(count)
    }

    /// Adds to the end.
    pub(super) fn append(&mut self, text: &str) -> io::Result<()> {
        self.current.write_all(text.as_bytes())
    }

    /// Waits until the disk has everything.
    pub(super) fn sync(&self) -> io::Result<()> {
        self.current.sync_data()
    }

    /// Puts a file of these events in this one's place; a crash leaves the one or the other. Where it cannot be written,
    /// this one goes on as it is.
    ///
    /// # Errors
    /// Where it is in doubt which of the two a crash would leave.
    pub(super) fn renew(&mut self, events: &[Event]) -> io::Result<()> {
        let beside = self.path.with_extension("jsonl.new");
        let Ok(shorter) = written(&beside, events) else {
            return Ok(());
        };
        if fs::rename(&beside, &self.path).is_err() {
            return Ok(());
        }
        let earlier = std::mem::replace(&mut self.current, shorter);
        drop(self.replaced.replace(earlier));
        self.path.parent().map_or(Ok(()), sync_folder)
    }
}

/// One event as it stands in the file.
pub(super) fn line(event: &Event) -> String {
    serde_json::to_string(event).expect("events have text keys only") + "\n"
}

fn written(path: &Path, events: &[Event]) -> io::Result<File> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let file = private_file(path)?;
    // Before it takes the name, so that no other sandbox finds it free.
    file.try_lock()?;
    let mut writer = BufWriter::new(&file);
    for event in events {
        writer.write_all(line(event).as_bytes())?;
    }
    writer.flush()?;
    drop(writer);
    file.sync_all()?;
    Ok(file)
}
