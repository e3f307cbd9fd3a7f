//! Parses the command line, completes it from the profile, runs the command and returns its exit code.

use std::borrow::Cow;
use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::process::ExitCode;

use clap::error::ErrorKind::{
    DisplayHelpOnMissingArgumentOrSubcommand as WithoutArguments, MissingSubcommand,
};
use clap::parser::ValueSource;
use clap::{ArgMatches, CommandFactory, FromArgMatches, Parser, Subcommand};

use crate::cli::common_args::CommonArgs;
use crate::cli::console::Console;
use crate::cli::context::Context;
use crate::cli::document::RunDocument;
use crate::cli::output_paths::{self, NamedOutput};
use crate::cli::output_style::{OutputLevel, OutputStyle};
use crate::cli::request_log::RequestLog;
use crate::cli::setting_values::{self, setting_place};
use crate::cli::signals::SignalListener;
use crate::cli::wrap::wrapped_list;
use crate::cli::{CliError, CommandError, ExitStatus, panics, profiles, settings, usage};
use crate::connect::HomeFolders;
use crate::model::Rate;

/// Turns a spreadsheet of homeowners into gutter measurement requests, and the finished measurements into a workbook
/// for billing.
#[derive(Debug, Parser)]
#[command(name = "gutterbatch", version, max_term_width = 110, after_help = wrapped_list(usage::FIRST_STEPS))]
struct Cli {
    #[command(flatten)]
    common: CommonArgs,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    #[cfg(feature = "sandbox")]
    Rehearse(super::rehearse::Args),
    Check(super::check::Args),
    Import(super::import::Args),
    Export(super::export::Args),
    Status(super::status::Args),
    Connect(super::connect::Args),
    Whoami(super::whoami::Args),
    Backup(super::backup::Args),
    Disconnect(super::disconnect::Args),
    Template(super::template::Args),
    #[cfg(feature = "sandbox")]
    Sandbox(super::sandbox::Args),
    Config(super::config::Args),
    Completions(super::completions::Args),
    Man(super::man::Args),
}

/// The command line, for completions, manual pages and tests.
pub fn command() -> clap::Command {
    usage::with_short_help(Cli::command())
}

/// Runs the program. A panic ends it with a message and an exit code.
pub fn main() -> ExitCode {
    let line: Vec<OsString> = std::env::args_os().collect();
    let program = without_empty_variables(command());
    let document = RunDocument::from_line(&line, |word| program.find_subcommand(word).is_some());
    let of_panic = document.clone();
    std::panic::set_hook(Box::new(move |panic| panics::end(panic, &of_panic)));
    run(program, line, &document).into()
}

/// The command line without the environment variables that are set to nothing: as usual, they count as unset.
fn without_empty_variables(program: clap::Command) -> clap::Command {
    let unset = |arg: clap::Arg| {
        let is_empty = |name: &OsStr| std::env::var_os(name).is_some_and(|value| value.is_empty());
        if arg.get_env().is_some_and(is_empty) {
            arg.env(None::<&'static str>)
        } else {
            arg
        }
    };
    program
        .mut_args(unset)
        .mut_subcommands(|command| command.mut_args(unset))
}

fn run(program: clap::Command, line: Vec<OsString>, document: &RunDocument) -> ExitStatus {
    let words = typed_words(&line);
    let wrong_usage = |error| print_usage(&error, &words, &program, document.clone());
    let matches = match program.clone().try_get_matches_from(&line) {
        Ok(matches) => matches,
        Err(error) => return wrong_usage(error),
    };
    let typed = match Cli::from_arg_matches(&matches) {
        Ok(typed) => typed,
        Err(error) => return wrong_usage(error),
    };
    let console = console(&typed.common, document.clone());
    match with_profile_settings(&program, line, matches, typed, document) {
        Err(failure) => end(&console, Err(failure)),
        Ok((cli, context)) => {
            let outcome = run_command(cli.command, &context);
            let outcome =
                outcome.map_err(|failure| context.of_reading_settings(failure.for_command(&words)));
            end(&context.console, outcome)
        }
    }
}

/// Parses the command line again, with the values of the profile's section as defaults.
fn with_profile_settings(
    program: &clap::Command,
    line: Vec<OsString>,
    matches: ArgMatches,
    typed: Cli,
    document: &RunDocument,
) -> Result<(Cli, Context), CommandError> {
    let words = typed_words(&line);
    let needs_settings = needs_settings(&typed.command);
    let home = home()?;
    let config = home.config_file();
    let section = match valid_section(program, &config, &typed.common.profile) {
        Err(_) if !needs_settings => toml_edit::Table::new(),
        section => section?,
    };
    let (cli, matches) = if section.is_empty() {
        (typed, matches)
    } else {
        with_section(program, &section, line)?
    };
    let given = matches
        .subcommand()
        .expect("the program asks for a command")
        .1;
    let settings = settings::settings(&section, given);
    output_paths::require_writable(&named_outputs(&cli), &cli.common, &home)?;
    let console = console(&cli.common, document.clone()).hinting_with(given_for_hints(given));
    let mut context = Context {
        request_log: RequestLog::open(None, &console)?,
        listener: SignalListener::listen(&console)?,
        console,
        common: cli.common.clone(),
        home,
        settings,
        arguments: words,
    };
    // Settings and hints would repeat an address with a password, or with a secret in its query.
    if let Some(url) = &context.common.base_url
        && url.contains(['@', '?', '#'])
    {
        context.base_url()?;
    }
    let log = RequestLog::open(cli.common.log.as_deref(), &context.console);
    context.request_log = log.map_err(|failure| context.of_setting("log", failure))?;
    if needs_settings {
        require_share(given, &context)?;
    }
    Ok((cli, context))
}

/// Parses the command line with the values of a section as defaults.
fn with_section(
    program: &clap::Command,
    section: &toml_edit::Table,
    line: Vec<OsString>,
) -> Result<(Cli, ArgMatches), CommandError> {
    let words = typed_words(&line);
    let wrong_usage = |error| CommandError::from_usage(&error, &words, program);
    let matches = settings::with_defaults(program.clone(), section)
        .try_get_matches_from(line)
        .map_err(wrong_usage)?;
    let cli = Cli::from_arg_matches(&matches).map_err(wrong_usage)?;
    Ok((cli, matches))
}

/// The arguments of `status --all` for one profile, and the context with its settings.
///
/// # Errors
/// `ExitStatus::Usage` if a setting of the profile is invalid.
pub(super) fn status_of_profile(
    profile: &str,
    context: &Context,
) -> Result<(super::status::Args, Context), CommandError> {
    let program = without_empty_variables(command());
    let section = valid_section(&program, &context.home.config_file(), profile)?;
    let (cli, matches) = with_section(&program, &section, std::env::args_os().collect())?;
    let Some((_, given)) = matches.subcommand() else {
        unreachable!("the command line was parsed before");
    };
    let journal = section.get("journal").and_then(|item| item.as_str());
    let of_profile = Context {
        common: CommonArgs {
            profile: profile.to_owned(),
            journal: journal.map(Into::into),
            ..cli.common
        },
        settings: settings::settings(&section, given),
        ..context.clone()
    };
    require_share(given, &of_profile)?;
    match cli.command {
        Command::Status(args) => Ok((args, of_profile)),
        _ => unreachable!("only `status` shows all profiles"),
    }
}

/// The profile's section of the settings, whose values the flags take.
fn valid_section(
    program: &clap::Command,
    config: &Path,
    profile: &str,
) -> Result<toml_edit::Table, CommandError> {
    let section = settings::profile_section(config, profile)?;
    let place = |key: &str| setting_place(config, profile, key);
    setting_values::require_valid(&section, program, place)?;
    Ok(section)
}

/// Refuses a reserve that leaves nothing of the quota.
fn require_share(given: &ArgMatches, context: &Context) -> Result<(), CommandError> {
    let quota = (
        given.try_get_one::<u32>("reserve"),
        given.try_get_one::<Rate>("rate"),
    );
    match quota {
        (Ok(Some(&reserve)), Ok(Some(&rate))) if reserve >= rate.count => {
            Err(context.of_setting("reserve", CliError::Reserve { reserve, rate }.into()))
        }
        _ => Ok(()),
    }
}

/// The paths that the user named for writing; `-` is not a path.
fn named_outputs(cli: &Cli) -> Vec<NamedOutput<'_>> {
    let (flag, path) = match &cli.command {
        Command::Import(args) => ("--rejects", args.rejects.as_deref()),
        Command::Export(args) => ("OUT", args.out.as_deref()),
        Command::Backup(args) => ("OUT", Some(args.out.as_path())),
        Command::Template(args) => ("OUT", Some(args.out.as_path())),
        #[cfg(feature = "sandbox")]
        Command::Rehearse(args) => ("--output", args.output.as_deref()),
        _ => ("", None),
    };
    let outputs = [(flag, path), ("--log", cli.common.log.as_deref())].into_iter();
    let outputs = outputs.filter_map(|(flag, path)| Some((flag, path?)));
    outputs
        .filter(|(_, path)| *path != Path::new("-"))
        .collect()
}

/// Whether a command fails if the settings are invalid.
fn needs_settings(command: &Command) -> bool {
    match command {
        Command::Config(args) => args.uses_settings(),
        Command::Status(args) => args.uses_settings(),
        Command::Template(_) | Command::Completions(_) | Command::Man(_) => false,
        _ => true,
    }
}

/// Flags that select a journal and a connection. Values from the environment and from a profile also apply to the next
/// command, so hints do not repeat them.
const CONNECTION_FLAGS: [&str; 7] = [
    "profile",
    "journal",
    "base-url",
    "service-version",
    "secrets",
    "client-id",
    "client-secret-file",
];

/// The flags of this command line that a command in a hint must repeat, with their values.
fn given_for_hints(given: &ArgMatches) -> Vec<(String, String)> {
    let value = |key: &str| {
        let id = key.replace('-', "_");
        let mut values = given.try_get_raw(&id).ok()??;
        let is_typed = given.value_source(&id) == Some(ValueSource::CommandLine);
        let value = values.next().filter(|_| is_typed)?;
        Some((format!("--{key}"), value.to_string_lossy().into_owned()))
    };
    CONNECTION_FLAGS.into_iter().filter_map(value).collect()
}

fn home() -> Result<HomeFolders, CommandError> {
    match std::env::var_os("GUTTERBATCH_HOME").filter(|folder| !folder.is_empty()) {
        Some(folder) => std::path::absolute(&folder)
            .map(|folder| HomeFolders::in_folder(&folder))
            .map_err(|error| CommandError::file("use GUTTERBATCH_HOME", folder.as_ref(), error)),
        None => HomeFolders::from_platform().ok_or_else(|| CliError::NoHome.into()),
    }
}

fn console(common: &CommonArgs, document: RunDocument) -> Console {
    let level = match (common.quiet, common.verbose) {
        (true, _) => OutputLevel::Quiet,
        (false, 0) => OutputLevel::Normal,
        (false, _) => OutputLevel::Verbose,
    };
    let style = OutputStyle {
        level,
        color: common.color,
        prints_json: common.json,
        without_bars: common.no_progress,
    };
    Console::new(style, document)
}

fn run_command(command: Command, context: &Context) -> Result<ExitStatus, CommandError> {
    use Command::{Backup, Check, Disconnect, Export, Import, Whoami};
    if let Check(_) | Import(_) | Export(_) | Whoami(_) | Backup(_) | Disconnect(_) = &command {
        profiles::refuse_mistyped(context)?;
    }
    match command {
        #[cfg(feature = "sandbox")]
        Command::Rehearse(args) => super::rehearse::run(args, context),
        Command::Check(args) => super::check::run(args, context),
        Command::Import(args) => super::import::run(args, context),
        Command::Export(args) => super::export::run(&args, context),
        Command::Status(args) => super::status::run(args, context),
        Command::Connect(args) => super::connect::run(&args, context),
        Command::Backup(args) => super::backup::run(&args, context),
        Command::Whoami(args) => super::whoami::run(&args, context),
        Command::Disconnect(args) => super::disconnect::run(&args, context),
        Command::Template(args) => super::template::run(&args, context),
        #[cfg(feature = "sandbox")]
        Command::Sandbox(args) => super::sandbox::run(args, context),
        Command::Config(args) => super::config::run(args, context),
        Command::Completions(args) => super::completions::run(args, context),
        Command::Man(args) => super::man::run(args, context),
    }
}

fn end(console: &Console, outcome: Result<ExitStatus, CommandError>) -> ExitStatus {
    let released = match outcome {
        Ok(ExitStatus::Done) => Ok(()),
        _ => console.print_delayed(),
    };
    let outcome = outcome.and_then(|exit| released.map(|()| exit));
    outcome.unwrap_or_else(|failure| {
        console.failure(&failure);
        failure.exit()
    })
}

/// Prints the help that was asked for, or why the program does not accept the command line.
fn print_usage(
    error: &clap::Error,
    words: &[String],
    program: &clap::Command,
    document: RunDocument,
) -> ExitStatus {
    if !error.use_stderr() {
        // A closed standard output has no reader.
        let _ = error.print();
        return ExitStatus::Done;
    }
    let is_alone = [WithoutArguments, MissingSubcommand].contains(&error.kind());
    if is_alone && !document.is_wanted {
        return usage::print_first_steps(program);
    }
    let failure = CommandError::from_usage(error, words, program);
    Console::new(OutputStyle::default(), document).failure(&failure);
    failure.exit()
}

/// The arguments of the command line as typed.
fn typed_words(line: &[OsString]) -> Vec<String> {
    let words = line.iter().skip(1).map(|word| word.to_string_lossy());
    words.map(Cow::into_owned).collect()
}
