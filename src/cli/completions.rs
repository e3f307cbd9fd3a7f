//! `completions`: completion scripts for shells.

use clap::Command;
use clap::builder::PossibleValuesParser;
use clap_complete::Shell;

use crate::cli::context::Context;
use crate::cli::document::report;
use crate::cli::{CommandError, ExitStatus, command};

/// Print completions for a shell
///
/// Bash, zsh and fish also complete the names of profiles. Bash and zsh offer only sheets where a sheet is read.
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
    let script = script(args.shell);
    context.console.print(&script)?;
    context
        .console
        .json(&report! {"completions", ExitStatus::Done;
            shell: args.shell.to_string(),
            script: script,
        })?;
    Ok(ExitStatus::Done)
}

/// Stands for the profiles in the script that is generated.
const PROFILES: &str = "GUTTERBATCH_PROFILES";

/// What prints the profiles when the user presses the key.
const LIST: &str = "$(gutterbatch config --profiles -q 2>/dev/null)";

/// Completes a sheet where a word is neither a flag nor its value.
const BASH_SHEETS: &str = r#"
_gutterbatch_sheets() {
    _gutterbatch "$@"
    [[ "$3" == -* && ${#COMPREPLY[@]} -gt 0 ]] && return
    if [[ COMP_CWORD -gt 1 && "$2" != -* && ${COMP_WORDS[1]} =~ ^(rehearse|check|import|status)$ ]]; then
        local IFS=$'\n'
        COMPREPLY=($(compgen -d -- "$2"; compgen -f -- "$2" | grep -Ei '\.(csv|tsv|xlsx|xlsm|xls|xlsb|ods)$'))
        compopt -o filenames 2>/dev/null
    fi
}
"#;

/// The script of a shell, with what its generator cannot do.
fn script(shell: Shell) -> String {
    let mut grammar = command();
    if let Shell::Bash | Shell::Zsh | Shell::Fish = shell {
        grammar = with_placeholder(grammar);
    }
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut grammar, "gutterbatch", &mut script);
    let script = String::from_utf8_lossy(&script);
    match shell {
        Shell::Bash => {
            let script = script.replace(PROFILES, LIST);
            let (functions, registration) = script.split_once("\n\nif [[").unwrap_or((&script, ""));
            let registration = registration.replace("-F _gutterbatch", "-F _gutterbatch_sheets");
            format!("{functions}\n{BASH_SHEETS}\nif [[{registration}")
        }
        Shell::Zsh => {
            let profiles = format!("{{compadd -- ${{(f)\"{LIST}\"}}}}");
            let script = script.replace(&format!("({PROFILES})"), &profiles);
            let sheets = r#":_files -g "*.(#i)(csv|tsv|xlsx|xlsm|xls|xlsb|ods)"' \"#;
            let lines = script
                .lines()
                .map(|line| match line.strip_suffix(r":_files' \") {
                    Some(spec) if spec.contains(":file -- ") || spec.contains("--for=") => {
                        format!("{spec}{sheets}\n")
                    }
                    _ => format!("{line}\n"),
                });
            lines.collect()
        }
        Shell::Fish => {
            let list = LIST.trim_start_matches('$');
            script.replace(&format!("{PROFILES}\\t''"), list)
        }
        _ => script.into_owned(),
    }
}

/// The grammar with a placeholder as the only value of `--profile`.
fn with_placeholder(grammar: Command) -> Command {
    let with_value = |command: Command| {
        command.mut_arg("profile", |profile| {
            profile.value_parser(PossibleValuesParser::new([PROFILES]))
        })
    };
    with_value(grammar).mut_subcommands(with_value)
}
