//! The command lines that a rehearsal runs, as a user would type them.

use std::ffi::OsString;
use std::path::Path;

use clap::{FromArgMatches, Parser};
use serde_json::Value;

use crate::cli::rehearse::Args;
use crate::cli::rehearse::environment::RehearsalEnvironment;
use crate::cli::{CliError, CommandError};

/// The flags of a command, parsed by its grammar.
#[derive(Parser)]
#[command(no_binary_name = true)]
struct CommandLine<T: clap::Args> {
    #[command(flatten)]
    flags: T,
}

/// The arguments of `import`.
pub(super) fn import(args: &Args, environment: &RehearsalEnvironment) -> Vec<OsString> {
    let mut words = vec![environment.file.as_os_str().to_owned(), "--yes".into()];
    words.extend(["--rate".into(), args.rate.to_string().into()]);
    match args.keep {
        Some(_) => words.extend(["--rejects".into(), environment.rejects().into_os_string()]),
        None => words.push("--no-rejects".into()),
    }
    words.extend(args.reading.words().into_iter().map(OsString::from));
    words
}

/// The arguments of `export`.
pub(super) fn export(args: &Args, output: &Path) -> Vec<OsString> {
    let rate = args.rate.to_string().into();
    vec![
        output.as_os_str().to_owned(),
        "--wait-complete".into(),
        "--rate".into(),
        rate,
    ]
}

/// Parses the arguments of a command.
pub(super) fn parsed<T: clap::Args + FromArgMatches>(
    words: &[OsString],
) -> Result<T, CommandError> {
    let line = CommandLine::<T>::try_parse_from(words);
    line.map(|line| line.flags).map_err(|error| {
        let place = "the arguments of the rehearsal".to_owned();
        let reason = error.to_string();
        CliError::Bug { place, reason }.into()
    })
}

/// The JSON document of a command that ended.
pub(super) fn last(documents: Vec<Value>) -> Value {
    documents.into_iter().next_back().unwrap_or(Value::Null)
}
