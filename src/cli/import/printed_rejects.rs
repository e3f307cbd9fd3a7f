//! `--rejects -`: the rejects are written to a temporary file, which is printed at the end.

use std::io::IsTerminal as _;
use std::path::PathBuf;

use crate::cli::context::Context;
use crate::cli::failure::TEMPORARY_FOLDER;
use crate::cli::import::Args;
use crate::cli::{CliError, CommandError};
use crate::import::CheckedFile;
use crate::sheet::FileFormat;
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
        if context.console.prints_json() {
            return Err(CliError::NotOnStdout("both the rejects and the JSON document").into());
        }
        let folder = tempfile::tempdir().map_err(|error| {
            CommandError::file("create a folder in", &std::env::temp_dir(), error)
                .hinted(TEMPORARY_FOLDER)
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

/// Refuses to write a workbook to a terminal.
///
/// # Errors
/// `ExitStatus::Usage`.
pub(super) fn require_printable(checked: &CheckedFile) -> Result<(), CommandError> {
    let is_text = checked.layout.format == FileFormat::Text;
    if is_text || !std::io::stdout().is_terminal() {
        return Ok(());
    }
    Err(CliError::NotOnStdout("a workbook while it is a terminal").into())
}
