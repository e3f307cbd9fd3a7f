//! `completions`: completion scripts for shells.

use clap::Command;
use clap::builder::PossibleValuesParser;
use clap_complete::Shell;

use crate::cli::context::Context;
use crate::cli::document::report;
use crate::cli::{CommandError, ExitStatus, command, profiles};

/// Print completions for a shell
///
/// They contain the profiles that you have now; run the command again after you add one.
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
    let mut grammar = with_profiles(command(), context);
    clap_complete::generate(args.shell, &mut grammar, "gutterbatch", &mut script);
    context.console.print(&String::from_utf8_lossy(&script))?;
    context
        .console
        .json(&report! {"completions", ExitStatus::Done;
            shell: args.shell.to_string(),
            script: String::from_utf8_lossy(&script),
        })?;
    Ok(ExitStatus::Done)
}

/// The grammar with the profiles of this user as the values of `--profile`.
fn with_profiles(grammar: Command, context: &Context) -> Command {
    let mut names = profiles::known(context);
    if names.is_empty() {
        return grammar;
    }
    names.insert("default".to_owned());
    // clap keeps the names for the rest of the run, which ends with this command.
    let names = names.into_iter().map(|name| &*name.leak());
    grammar.mut_arg("profile", |profile| {
        profile.value_parser(PossibleValuesParser::new(names))
    })
}
