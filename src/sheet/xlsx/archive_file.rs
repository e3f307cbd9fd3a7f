//! The file that an archive is written to.

use std::fs::File;
use std::io::{self, BufWriter, Seek, SeekFrom, Write};

use zip::ZipWriter;
use zip::result::ZipError;

/// A file that keeps its first error until the end, and pretends to accept what is written after it: [`ZipWriter`] prints
/// an error that it gets when it is dropped.
pub(super) struct ArchiveFile<'a> {
    file: &'a mut File,
    error: Option<io::Error>,
}

impl<'a> ArchiveFile<'a> {
    pub(super) fn new(file: &'a mut File) -> Self {
        Self { file, error: None }
    }

    /// Starts an archive in an empty file.
    pub(super) fn start(file: &'a mut File) -> ZipWriter<BufWriter<Self>> {
        ZipWriter::new(BufWriter::new(Self::new(file)))
    }

    /// Finishes the archive.
    ///
    /// # Errors
    /// The first error of the file.
    pub(super) fn finish(archive: ZipWriter<BufWriter<Self>>) -> Result<(), ZipError> {
        let mut output = archive.finish()?;
        output.flush()?;
        Ok(output.get_mut().end()?)
    }

    /// Ends what was written.
    ///
    /// # Errors
    /// The first error of the file.
    pub(super) fn end(&mut self) -> io::Result<()> {
        self.error.take().map_or(Ok(()), Err)
    }
}

impl Write for ArchiveFile<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.error.is_none() {
            match self.file.write(bytes) {
                Err(error) if error.kind() != io::ErrorKind::Interrupted => {
                    self.error = Some(error);
                }
                written => return written,
            }
        }
        // The writer computes with positions.
        let length = i64::try_from(bytes.len()).map_err(io::Error::other)?;
        self.file.seek_relative(length)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Seek for ArchiveFile<'_> {
    fn seek(&mut self, position: SeekFrom) -> io::Result<u64> {
        self.file.seek(position)
    }
}
