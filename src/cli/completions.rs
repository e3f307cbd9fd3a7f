//! `completions`: completion scripts for shells.

use clap::builder::PossibleValuesParser;
use clap::{Command, ValueEnum as _};
use clap_complete::Shell;

use crate::cli::context::Context;
use crate::cli::document::report;
use crate::cli::{CommandError, ExitStatus, command};
use crate::sheet::FileFormat;

/// Print completions for a shell
///
/// They know the names of profiles, and offer only sheets where a sheet is read.
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

/// Stands for the extensions of sheets, separated by `|`.
const EXTENSIONS: &str = "GUTTERBATCH_EXTENSIONS";

/// Completes a sheet where a word is neither a flag nor its value.
const BASH_SHEETS: &str = include_str!("completions.bash");

/// The same in zsh, in the place of the completion of any file.
const ZSH_SHEETS: &str = r#":_files -g "*.(#i)(GUTTERBATCH_EXTENSIONS)"' \"#;

/// The same in fish, as the arguments of `complete`.
const FISH_SHEETS: &str = r#"-f -a "(complete -C \"'' \"(commandline -ct) | string match -rei '^[^\t]*(?:/|\.(?:GUTTERBATCH_EXTENSIONS))(?:\t|\$)')""#;

/// The same in PowerShell, and profiles, in front of what the generator proposes.
const POWERSHELL_VALUES: &str = include_str!("completions.ps1");

/// The script of a shell, with what its generator cannot do.
fn script(shell: Shell) -> String {
    let mut program = with_placeholder(command());
    let mut generated = Vec::new();
    clap_complete::generate(shell, &mut program, "gutterbatch", &mut generated);
    let generated = String::from_utf8_lossy(&generated);
    let script = match shell {
        Shell::Bash => {
            let listing = generated.replace(PROFILES, LIST);
            let (functions, registration) =
                listing.split_once("\n\nif [[").unwrap_or((&listing, ""));
            let registration = registration.replace("-F _gutterbatch", "-F _gutterbatch_sheets");
            format!("{functions}\n\n{BASH_SHEETS}\nif [[{registration}")
        }
        Shell::Zsh => {
            let profiles = format!("{{compadd -- ${{(f)\"{LIST}\"}}}}");
            let listing = generated.replace(&format!("({PROFILES})"), &profiles);
            with_sheets(&listing, r":_files' \", ZSH_SHEETS)
        }
        Shell::Fish => {
            let list = LIST.trim_start_matches('$');
            let listing = generated
                .replace(&format!("{PROFILES}\\t''"), list)
                // Behind a flag whose value is being completed, there is no command yet.
                .replace("or return\n", "or return 0\n");
            let script = with_sheets(&listing, "-F", FISH_SHEETS);
            let behind = |commands: &str, values: &str| {
                format!(
                    "complete -c gutterbatch -n \"__fish_gutterbatch_using_subcommand {commands}\" {values}\n"
                )
            };
            let shells = Shell::value_variants().iter().map(ToString::to_string);
            let shells = format!("-f -a \"{}\"", shells.collect::<Vec<_>>().join(" "));
            script
                + &behind("rehearse check import status", FISH_SHEETS)
                + &behind("completions", &shells)
        }
        Shell::PowerShell => {
            let proposals = "\n    $completions.Where{";
            generated.replace(proposals, &format!("\n{POWERSHELL_VALUES}{proposals}"))
        }
        _ => generated.into_owned(),
    };
    let extensions: Vec<&str> = FileFormat::all_extensions().collect();
    script.replace(EXTENSIONS, &extensions.join("|"))
}

/// The script, whose lines about sheets have another end.
fn with_sheets(script: &str, files: &str, sheets: &str) -> String {
    let marks = [":file -- ", "--for=", " -l for -d "];
    let lines = script.lines().map(|line| match line.strip_suffix(files) {
        Some(spec) if marks.iter().any(|mark| spec.contains(mark)) => format!("{spec}{sheets}\n"),
        _ => format!("{line}\n"),
    });
    lines.collect()
}

/// The command line with a placeholder as the only value of `--profile`.
fn with_placeholder(program: Command) -> Command {
    let with_value = |command: Command| {
        command.mut_arg("profile", |profile| {
            profile.value_parser(PossibleValuesParser::new([PROFILES]))
        })
    };
    with_value(program).mut_subcommands(with_value)
}
