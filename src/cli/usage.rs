//! What the program prints about its own use: without a command, and in the help of each command.
//!
//! `-h` of a command fits on one screen: its most used flags, its examples and its exit codes. `--help` lists every flag.

use std::io::Write as _;

use clap::{Arg, Command};

use crate::cli::ExitStatus;
use crate::cli::wrap::wrapped_list;

/// The short help of one command: its name, the flags that `-h` lists, the most used first, and the exit codes that a
/// user of the command has to know.
type CommandUsage = (&'static str, &'static str, &'static [ExitStatus]);

/// Whether the program has a command of this name.
pub(super) fn is_command(name: &str) -> bool {
    COMMANDS.iter().any(|(known, ..)| *known == name)
}

macro_rules! usages {
    ($($name:literal $flags:literal $($exit:ident)*;)*) => {
        [$(($name, $flags, &[$(ExitStatus::$exit),*])),*]
    };
}

const COMMANDS: [CommandUsage; 14] = usages! {
    "rehearse" "output rough keep" Done Attention Files Input;
    "check" "map sheet id-prefix derive-id" Done Attention Input;
    "import" "dry-run canary id-prefix map" Done Attention Pending NotConnected Input;
    "export" "new month for wait-complete" Done Attention Pending NotConnected;
    "status" "id open all" Done Usage Files;
    "connect" "no-browser client-id port token-stdin" Done Usage NotConnected Unsafe;
    "whoami" "rate" Done NotConnected Unsafe;
    "backup" "" Done Files;
    "disconnect" "client-secret-file" Done NotConnected Incompatible;
    "template" "" Done Files;
    "sandbox" "listen data work faults" Done Usage Files;
    "config" "example profiles" Done Usage Files;
    "completions" "" Done Usage;
    "man" "" Done Files;
};

/// What to do first, for the help of the program and for `gutterbatch` without a command.
pub(super) const FIRST_STEPS: &str = "First steps:
  gutterbatch rehearse              try the whole job; nothing is sent
  gutterbatch check leads.xlsx      print every problem, and what would be sent
  gutterbatch connect               connect to the contractor's team, once
  gutterbatch import leads.xlsx     submit; run it again to resume
  gutterbatch export results.xlsx   write the finished measurements";

/// Prints what the program does, and the first three steps.
pub(super) fn print_first_steps(program: &Command) -> ExitStatus {
    let help = "`gutterbatch --help` lists all commands; `gutterbatch COMMAND -h` describes one";
    let steps: Vec<&str> = FIRST_STEPS.lines().take(4).collect();
    let mut program = program
        .clone()
        .help_template("{about}{after-help}")
        .after_help(format!("{}\n\n{help}", wrapped_list(&steps.join("\n"))));
    // A closed standard output has no reader.
    let _ = writeln!(std::io::stdout(), "{}", program.render_help());
    ExitStatus::Done
}

/// Limits `-h` to the most used flags of each command, and adds the exit codes. The help of the program describes the
/// common flags, that of the commands does not.
pub(super) fn with_short_help(program: Command) -> Command {
    let program = program.mut_args(|argument| argument.hide_short_help(true));
    let common = program.get_arguments().filter(|one| one.is_global_set());
    let common: Vec<Arg> = common.map(|one| one.clone().hide_long_help(true)).collect();
    program.mut_subcommands(|command| {
        let command = command.args(&common);
        match COMMANDS
            .iter()
            .find(|(name, ..)| *name == command.get_name())
        {
            Some((_, flags, exits)) => shorten(command, flags, exits),
            None => command,
        }
    })
}

fn shorten(command: Command, flags: &str, exits: &[ExitStatus]) -> Command {
    let flags: Vec<&str> = flags.split_ascii_whitespace().collect();
    let mut next = flags.len();
    let command = command.mut_args(|argument| {
        if argument.is_positional() {
            return argument;
        }
        // `--limit -1` is a wrong value of the flag and not a flag of its own.
        let takes_value = argument.get_action().takes_values();
        let argument = argument.allow_negative_numbers(takes_value);
        let long = argument.get_long().unwrap_or_default();
        if let Some(place) = flags.iter().position(|flag| *flag == long) {
            argument.help_heading(None::<&str>).display_order(place)
        } else {
            next += 1;
            argument.hide_short_help(true).display_order(next)
        }
    });
    let short_help = command.get_after_help().map(ToString::to_string);
    let examples = short_help.unwrap_or_default();
    let long_help = command.get_after_long_help().map(ToString::to_string);
    let long = long_help.unwrap_or_else(|| examples.clone());
    let first_lines: Vec<&str> = examples.lines().take(1 + SHORT_EXAMPLES).collect();
    let few = wrapped_list(&first_lines.join("\n"));
    let name = command.get_name();
    let meanings = ExitStatus::MEANINGS.iter().copied();
    let meanings = meanings.filter_map(|one| Some((one.0, meaning_for(name, one)?)));
    let own_meanings = meanings.clone().filter(|(exit, _)| exits.contains(exit));
    // A colon or a semicolon introduces details.
    let without_details =
        |meaning: &'static str| meaning.split([':', ';']).next().unwrap_or_default();
    let own: Vec<String> = own_meanings
        .map(|(exit, meaning)| format!("{} {}", exit.code(), without_details(meaning)))
        .collect();
    let own = format!("Exit codes: {}", own.join("; "));
    let all = exit_codes(meanings);
    command
        // Without clap's blank line in front of the usage, `-h` and the next prompt have 24 lines.
        .help_template("{about-with-newline}{usage-heading} {usage}\n\n{all-args}{after-help}")
        .after_help(format!("{few}\n\n{own}"))
        .after_long_help(format!("{long}\n\n{all}\n\n{COMMON_FLAGS}"))
}

/// What a code means for a command; `None` if the command does not end with it: only some use the network, and only some
/// read a sheet.
fn meaning_for(command: &str, (exit, meaning): (ExitStatus, &'static str)) -> Option<&'static str> {
    let submits = matches!(command, "rehearse" | "import" | "export");
    let connects = submits || matches!(command, "connect" | "whoami" | "disconnect");
    let reads = submits || matches!(command, "check" | "status");
    match exit {
        ExitStatus::Done if !submits => Some("done"),
        ExitStatus::Pending if connects && !submits => Some("the service gave no usable response"),
        ExitStatus::Locked if command == "sandbox" => Some("another sandbox uses the folder"),
        ExitStatus::Locked => submits.then_some(meaning),
        ExitStatus::Interrupted | ExitStatus::Terminated => {
            (command != "sandbox").then_some(meaning)
        }
        ExitStatus::Pending
        | ExitStatus::NotConnected
        | ExitStatus::Unsafe
        | ExitStatus::Incompatible => connects.then_some(meaning),
        ExitStatus::Attention => (reads && command != "status").then_some(meaning),
        ExitStatus::Input => reads.then_some(meaning),
        _ => Some(meaning),
    }
}

/// Maximum number of examples in `-h`.
const SHORT_EXAMPLES: usize = 2;

const COMMON_FLAGS: &str = "`gutterbatch --help` describes the flags that every command has, such as --profile, --journal, --json and --quiet.";

fn exit_codes(exits: impl Iterator<Item = (ExitStatus, &'static str)>) -> String {
    // Clap would continue a long line as if it were the next entry.
    let line = |(exit, text): (ExitStatus, &str)| {
        format!("\n  {:<3} {}", exit.code(), text.replace(": ", ":\n      "))
    };
    "Exit codes:".to_owned() + &exits.map(line).collect::<String>()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::command;

    /// Lines of a terminal of usual size.
    const SCREEN: usize = 24;

    #[test]
    fn the_short_help_of_each_command_fits_a_screen() {
        for subcommand in command().get_subcommands() {
            let name = subcommand.get_name();
            let mut built = command().term_width(80);
            built.build();
            let help = built
                .find_subcommand_mut(name)
                .unwrap()
                .render_help()
                .to_string();
            assert!(help.lines().count() <= SCREEN, "{name}:\n{help}");
            assert!(!help.contains("--base-url <"), "{name}");
            assert!(help.matches("\n  gutterbatch ").count() <= SHORT_EXAMPLES);
            assert!(help.contains("Exit codes: 0 done"), "{name}");
        }
    }

    #[test]
    fn no_line_of_a_list_is_wrapped_in_80_columns() {
        let mut program = command();
        program.build();
        for subcommand in program
            .get_subcommands()
            .filter(|one| one.get_name() != "help")
        {
            let help = subcommand.get_after_long_help().unwrap().to_string();
            let examples = help.split("Faults:").next().unwrap();
            let exits = help.split("Exit codes:").nth(1).unwrap();
            let lines = examples.lines().chain(exits.lines());
            for line in lines.filter(|line| line.starts_with(' ')) {
                assert!(line.len() <= 80, "{line}");
            }
        }
    }

    #[test]
    fn the_help_of_the_program_fits_a_page_and_alone_describes_the_common_flags() {
        let mut program = command().term_width(80);
        assert!(program.render_help().to_string().lines().count() <= 40);
        let help = program.render_long_help().to_string();
        assert!(help.contains("--base-url <"), "{help}");
        program.build();
        for subcommand in program.get_subcommands_mut() {
            let help = subcommand.render_long_help().to_string();
            assert!(!help.contains("--base-url <"), "{help}");
        }
    }

    #[test]
    fn the_help_of_a_command_lists_the_codes_that_it_can_end_with() {
        for (name, _, exits) in COMMANDS {
            let ends_with = |exit: &ExitStatus| meaning_for(name, (*exit, "")).is_some();
            assert!(exits.iter().all(ends_with), "{name}");
        }
        let mut program = command();
        let template = program.find_subcommand_mut("template").unwrap();
        let help = template.render_long_help().to_string();
        assert!(help.contains("\n  8   a local file"), "{help}");
        assert!(!help.contains("not connected"), "{help}");
        assert!(!help.contains("another run uses"), "{help}");
        for (name, line) in [
            ("template", "\n  0   done\n"),
            ("whoami", "\n  4   the service gave no usable response\n"),
            ("sandbox", "\n  7   another sandbox uses the folder\n"),
            ("import", "\n  4   stopped with rows still pending"),
        ] {
            let command = program.find_subcommand_mut(name).unwrap();
            let help = command.render_long_help().to_string();
            assert!(help.contains(line), "{help}");
        }
    }

    #[test]
    fn every_flag_that_a_short_help_lists_is_one_of_its_command() {
        for subcommand in command().get_subcommands() {
            let name = subcommand.get_name();
            let (_, flags, _) = COMMANDS.iter().find(|usage| usage.0 == name).unwrap();
            for flag in flags.split_ascii_whitespace() {
                let has = subcommand
                    .get_arguments()
                    .any(|argument| argument.get_long() == Some(flag));
                assert!(has, "{name} has no {flag}");
            }
        }
    }
    #[test]
    fn the_first_steps_are_at_most_15_lines() {
        assert!(FIRST_STEPS.lines().count() <= 15);
        assert!(FIRST_STEPS.lines().all(|line| line.len() <= 80));
    }
}
