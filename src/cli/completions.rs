//! `completions`: completion scripts for shells.

use clap_complete::Shell;

use crate::cli::context::Context;
use crate::cli::document::report;
use crate::cli::{CommandError, ExitStatus, command};

/// Print completions for a shell
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  source <(gutterbatch completions bash)
  gutterbatch completions zsh > ~/.zfunc/_gutterbatch")]
pub(super) struct Args {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

pub(super) fn run(args: Args, context: &Context) -> Result<ExitStatus, CommandError> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command(), "gutterbatch", &mut script);
    context.console.print(&String::from_utf8_lossy(&script))?;
    context
        .console
        .json(&report! {"completions", ExitStatus::Done;
            shell: args.shell.to_string(),
            script: String::from_utf8_lossy(&script),
        })?;
    Ok(ExitStatus::Done)
}
