//! `--rejects -`: the rejects are written to a temporary file, which is printed at the end.

use std::path::PathBuf;

use crate::cli::context::Context;
use crate::cli::import::Args;
use crate::cli::output_style::OutputFormat;
use crate::cli::{CliError, CommandError};
use crate::import::CheckedFile;
use crate::table::rejects::rejects_name;

/// The folder of the temporary file.
#[derive(Debug)]
pub(super) struct PrintedRejects(tempfile::TempDir);

impl PrintedRejects {
    /// Creates the folder, if the flags ask for rejects on standard output.
    ///
    /// # Errors
    /// `ExitStatus::Usage` with `--json`; `ExitStatus::Files` if the folder cannot be created.
    pub(super) fn new(args: &Args, context: &Context) -> Result<Option<Self>, CommandError> {
        if !args.prints_rejects() {
            return Ok(None);
        }
        if context.console.format() == OutputFormat::Json {
            return Err(CliError::NotOnStdout("both the rejects and the JSON document").into());
        }
        let folder = tempfile::tempdir().map_err(|error| {
            CommandError::file("create a folder in", &std::env::temp_dir(), error)
        })?;
        Ok(Some(Self(folder)))
    }

    /// The path of the temporary file.
    pub(super) fn path(&self, checked: &CheckedFile) -> PathBuf {
        let source = &checked.source.path;
        let stem = source.file_stem().unwrap_or_default();
        let name = rejects_name(stem, source, checked.layout.format);
        self.0.path().join(name)
    }
}
