//! `template`: writes an empty sheet with the right headers and data validation.
//!
//! An existing file is never replaced: it may be a template that was filled in.

mod columns;
mod help;
mod sheet;

use std::path::{Path, PathBuf};

use crate::cli::context::Context;
use crate::cli::document::report;
use crate::cli::{CliError, CommandError, ExitStatus, shell};
use crate::sheet::create_file;

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
        "xlsx" => sheet::workbook().map_err(|error| CliError::Bug {
            place: "the template".to_owned(),
            reason: error.to_string(),
        })?,
        "csv" => columns::text().into_bytes(),
        _ => return Err(CliError::TemplateFormat(out.clone()).into()),
    };
    write_new(out, &bytes)?;
    context.console.print_result(&format!(
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
    create_file(out, bytes).map_err(|error| match error.kind() {
        std::io::ErrorKind::AlreadyExists => CliError::TemplateExists(out.to_owned()).into(),
        _ => CommandError::file("write", out, error),
    })
}
