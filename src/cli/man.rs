//! `man`: prints the manual page of the program, or writes one page per command.

use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::cli::context::Context;
use crate::cli::output_style::OutputFormat;
use crate::cli::{CommandError, ExitStatus, command};

/// Print the manual page, or write one page per command into a folder
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  gutterbatch man | man -l -
  gutterbatch man ~/.local/share/man/man1")]
pub(super) struct Args {
    /// The folder to write pages into
    #[arg(value_name = "DIR")]
    folder: Option<PathBuf>,
}

/// The answer of `man --json`: the page, or the folder of the pages.
#[derive(Serialize)]
struct ManReport {
    command: &'static str,
    page: Option<String>,
    written: Option<String>,
    exit_code: u8,
}

pub(super) fn run(args: Args, context: &Context) -> Result<ExitStatus, CommandError> {
    let mut report = ManReport {
        command: "man",
        page: None,
        written: None,
        exit_code: ExitStatus::Done.code(),
    };
    match args.folder {
        None => {
            let mut page = Vec::new();
            clap_mangen::Man::new(command())
                .render(&mut page)
                .map_err(|error| write_error(Path::new("-"), &error))?;
            if context.console.format() == OutputFormat::Text {
                context.console.data(&page)?;
            }
            report.page = Some(String::from_utf8_lossy(&page).into_owned());
        }
        Some(folder) => {
            std::fs::create_dir_all(&folder).map_err(|error| write_error(&folder, &error))?;
            clap_mangen::generate_to(command(), &folder)
                .map_err(|error| write_error(&folder, &error))?;
            context
                .console
                .say(&format!("wrote the manual pages to {}", folder.display()));
            report.written = Some(folder.display().to_string());
        }
    }
    context.console.json(&report)?;
    Ok(ExitStatus::Done)
}

fn write_error(path: &Path, error: &std::io::Error) -> CommandError {
    CommandError::file("write", path, error)
}
