//! The built-in sample: the same sheet as `samples/leads.csv`.

use std::path::PathBuf;

use tempfile::TempDir;

use crate::cli::CommandError;

const SAMPLE: &str = include_str!("../../../samples/leads.csv");

/// The sample in a temporary folder, which is removed when this value is dropped.
#[derive(Debug)]
pub(super) struct SampleFile(TempDir);

impl SampleFile {
    /// Writes the sample.
    ///
    /// # Errors
    /// [`crate::cli::ExitStatus::Files`] if the temporary folder cannot be written.
    pub(super) fn write() -> Result<Self, CommandError> {
        let temporary = std::env::temp_dir();
        let failed = |error| CommandError::file("write the sample in", &temporary, &error);
        let sample = Self(tempfile::tempdir().map_err(failed)?);
        std::fs::write(sample.path(), SAMPLE).map_err(failed)?;
        Ok(sample)
    }

    /// The path of the file.
    pub(super) fn path(&self) -> PathBuf {
        self.0.path().join("sample.csv")
    }
}
