//! The file to read: in its place, or standard input spooled to a private temporary file so that it can be read twice.

use std::fs::{File, Metadata};
use std::io::{ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use tempfile::NamedTempFile;

use crate::sheet::stream::damaged;
use crate::sheet::{Error, SheetError, stored_path};

/// The name of the file that was opened last, for a panic hook.
static LAST_OPENED: Mutex<String> = Mutex::new(String::new());

/// A file that can be opened again and again.
#[derive(Clone, Debug)]
pub struct InputFile {
    path: PathBuf,
    spool: Option<Arc<NamedTempFile>>,
}

/// A file's length and modification time; writing to the file changes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fingerprint {
    length: u64,
    modified: Option<SystemTime>,
}

impl Fingerprint {
    fn from_metadata(metadata: &Metadata) -> Self {
        Self {
            length: metadata.len(),
            modified: metadata.modified().ok(),
        }
    }

    /// The file's length in bytes.
    pub fn length(&self) -> u64 {
        self.length
    }
}

impl InputFile {
    /// The file at a path; `-` is a file name here, not standard input.
    pub fn at(path: &Path) -> Self {
        Self {
            path: path.to_owned(),
            spool: None,
        }
    }

    /// Copies a stream to a temporary file that only its owner can read and that is removed with it.
    ///
    /// # Errors
    /// [`SheetError::Read`] when the stream fails, [`SheetError::Spooled`] when the temporary folder does.
    pub fn spooled(stream: &mut impl Read) -> Result<Self, Error> {
        let file = spool(stream).map_err(|cause| cause.in_file("standard input"))?;
        Ok(Self {
            path: PathBuf::from("-"),
            spool: Some(Arc::new(file)),
        })
    }

    /// The path as given; `-` for what was spooled.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether it came from a stream.
    pub fn is_spooled(&self) -> bool {
        self.spool.is_some()
    }

    /// The name that messages use.
    pub fn name(&self) -> String {
        match self.spool {
            Some(_) => "standard input".to_owned(),
            None => self
                .path
                .file_name()
                .unwrap_or(self.path.as_os_str())
                .to_string_lossy()
                .into_owned(),
        }
    }

    /// The path by which the journal knows the file; `-` for what was spooled.
    pub fn stored_path(&self) -> PathBuf {
        match self.spool {
            Some(_) => self.path.clone(),
            None => stored_path(&self.path),
        }
    }

    /// The current fingerprint.
    ///
    /// # Errors
    /// [`SheetError::NotThere`], or [`SheetError::Read`] with the reason.
    pub fn fingerprint(&self) -> Result<Fingerprint, Error> {
        let place = self.place();
        let metadata = std::fs::metadata(place).map_err(|error| self.error(unreadable(error)))?;
        Ok(Fingerprint::from_metadata(&metadata))
    }

    /// The error of the file: with its path if there is no such file to read, otherwise with its name.
    pub(crate) fn error(&self, cause: SheetError) -> Error {
        match cause {
            SheetError::NotThere | SheetError::Folder | SheetError::NotAFile => {
                cause.in_file(&self.path.to_string_lossy())
            }
            cause => cause.in_file(&self.name()),
        }
    }

    pub(crate) fn open(&self) -> Result<(File, Fingerprint), SheetError> {
        let place = self.place();
        let metadata = std::fs::metadata(place).map_err(unreadable)?;
        if metadata.is_dir() {
            return Err(SheetError::Folder);
        }
        if !metadata.is_file() {
            return Err(SheetError::NotAFile);
        }
        let file = File::open(place).map_err(unreadable)?;
        *LAST_OPENED.lock().unwrap_or_else(PoisonError::into_inner) = self.name();
        let fingerprint = Fingerprint::from_metadata(&file.metadata().map_err(SheetError::Read)?);
        Ok((file, fingerprint))
    }

    /// Where its bytes are.
    pub fn place(&self) -> &Path {
        match &self.spool {
            Some(spool) => spool.path(),
            None => &self.path,
        }
    }
}

/// The error of a file that made its reader panic, for the hook of a program that does not unwind.
pub fn damaged_by_panic() -> Error {
    damaged().in_file(&LAST_OPENED.lock().unwrap_or_else(PoisonError::into_inner))
}

fn unreadable(error: std::io::Error) -> SheetError {
    match error.kind() {
        std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory => SheetError::NotThere,
        _ => SheetError::Read(error),
    }
}

fn spool(stream: &mut impl Read) -> Result<NamedTempFile, SheetError> {
    let mut file = NamedTempFile::new().map_err(SheetError::Spooled)?;
    let mut buffer = vec![0; 64 << 10];
    loop {
        let read = match stream.read(&mut buffer) {
            Ok(0) => break,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            read => read.map_err(SheetError::Read)?,
        };
        file.write_all(&buffer[..read])
            .map_err(SheetError::Spooled)?;
    }
    file.seek(SeekFrom::Start(0)).map_err(SheetError::Spooled)?;
    Ok(file)
}
