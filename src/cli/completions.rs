//! `completions`: completion scripts for shells.

use clap_complete::Shell;

use crate::cli::context::Context;
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

pub(super) fn run(args: Args, context: &Context) -> Result<ExitStatus, CommandError> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command(), "gutterbatch", &mut script);
    context.console.data(&script)?;
    Ok(ExitStatus::Done)
}
