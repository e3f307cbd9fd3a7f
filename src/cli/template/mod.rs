//! `template`: writes an empty sheet with the right headers and data validation.
//!
//! An existing file is never replaced: it may be a template that was filled in.

mod columns;
mod help;
mod sheet;

use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::cli::context::Context;
use crate::cli::document::report;
use crate::cli::{CommandError, ExitStatus, shell};

/// Write an empty sheet with the right headers, limits that Excel checks, and a page of help
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  gutterbatch template leads.xlsx
  gutterbatch template leads.csv")]
pub(super) struct Args {
    /// The .xlsx or .csv file to write; an existing file is not replaced
    #[arg(value_name = "OUT")]
    pub(super) out: PathBuf,
}

pub(super) fn run(args: &Args, context: &Context) -> Result<ExitStatus, CommandError> {
    let out = &args.out;
    let extension = out
        .extension()
        .unwrap_or_default()
        .to_string_lossy()
        .to_ascii_lowercase();
    let bytes = match extension.as_str() {
        "xlsx" => sheet::workbook().map_err(|error| {
            CommandError::new(
                ExitStatus::Bug,
                format!("cannot create the template: {error}"),
            )
        })?,
        "csv" => columns::text().into_bytes(),
        _ => {
            return Err(CommandError::new(
                ExitStatus::Usage,
                format!("{} ends neither in .xlsx nor in .csv", out.display()),
            )
            .hinted("for instance gutterbatch template leads.xlsx"));
        }
    };
    write_new(out, &bytes)?;
    context.console.answer(&format!(
        "wrote {}; fill in one house per row below the headers, then run: {}",
        out.display(),
        shell::command(["check", &out.display().to_string()])
    ))?;
    let written = out.display().to_string();
    context
        .console
        .json(&report! {"template", ExitStatus::Done; written: written})?;
    Ok(ExitStatus::Done)
}

/// Writes the file atomically, unless it exists.
fn write_new(out: &Path, bytes: &[u8]) -> Result<(), CommandError> {
    let failed = |error: &std::io::Error| CommandError::file("write", out, error);
    let folder = match out.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let mut file = NamedTempFile::new_in(folder).map_err(|error| failed(&error))?;
    std::io::Write::write_all(&mut file, bytes)
        .and_then(|()| file.as_file().sync_all())
        .map_err(|error| failed(&error))?;
    match file.persist_noclobber(out) {
        Ok(_) => Ok(()),
        Err(error) if error.error.kind() == std::io::ErrorKind::AlreadyExists => {
            Err(CommandError::new(
                ExitStatus::Files,
                format!("{} already exists and may be filled in", out.display()),
            )
            .hinted("give another name, or move the file away"))
        }
        Err(error) => Err(failed(&error.error)),
    }
}
