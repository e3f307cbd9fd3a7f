//! `completions`: completion scripts for shells.

use clap_complete::Shell;
use serde::Serialize;

use crate::cli::context::Context;
use crate::cli::output_style::OutputFormat;
use crate::cli::{CommandError, ExitStatus, command};

/// Print completions for a shell
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  gutterbatch completions bash > ~/.local/share/bash-completion/completions/gutterbatch
  gutterbatch completions zsh > ~/.zfunc/_gutterbatch")]
pub(super) struct Args {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

/// The answer of `completions --json`.
#[derive(Serialize)]
struct CompletionsReport {
    command: &'static str,
    shell: String,
    script: String,
    exit_code: u8,
}

pub(super) fn run(args: Args, context: &Context) -> Result<ExitStatus, CommandError> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command(), "gutterbatch", &mut script);
    if context.console.format() == OutputFormat::Text {
        context.console.data(&script)?;
    }
    context.console.json(&CompletionsReport {
        command: "completions",
        shell: args.shell.to_string(),
        script: String::from_utf8_lossy(&script).into_owned(),
        exit_code: ExitStatus::Done.code(),
    })?;
    Ok(ExitStatus::Done)
}
