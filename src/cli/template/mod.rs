//! `template`: an empty sheet with the right headers, which Excel itself checks while it is filled in.
//!
//! A file that is there already is never replaced: it may be a template that somebody filled in.

mod columns;
mod help;
mod sheet;

use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::cli::context::Context;
use crate::cli::{CommandError, ExitStatus, shell};

/// Write an empty sheet with the right headers, limits that Excel checks, and a page of help
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  gutterbatch template leads.xlsx
  gutterbatch template leads.csv")]
pub(super) struct Args {
    /// The file to write, .xlsx or .csv; one that is there already is not replaced
    #[arg(value_name = "OUT")]
    out: PathBuf,
}

#[expect(
    clippy::needless_pass_by_value,
    reason = "every command takes its arguments whole"
)]
pub(super) fn run(args: Args, context: &Context) -> Result<ExitStatus, CommandError> {
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
                format!("the template cannot be made: {error}"),
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
    place(out, &bytes)?;
    context.console.answer(&format!(
        "wrote {}: one house a row below the headers, then {}",
        out.display(),
        shell::command(["check", &out.display().to_string()])
    ))?;
    context.console.json(&serde_json::json!({ "command": "template", "written": out.display().to_string(), "exit_code": 0 }))?;
    Ok(ExitStatus::Done)
}

/// Puts the file in place as a whole; a filled-in template must not be lost to a second call.
fn place(out: &Path, bytes: &[u8]) -> Result<(), CommandError> {
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
                format!("{} is there already, and may be filled in", out.display()),
            )
            .hinted("give another name, or move the file away"))
        }
        Err(error) => Err(failed(&error.error)),
    }
}
