//! The command lines that a rehearsal runs: the same words that a person would type.

use std::ffi::OsString;

use clap::{FromArgMatches, Parser};
use serde_json::Value;

use crate::cli::rehearse::Args;
use crate::cli::rehearse::environment::RehearsalEnvironment;
use crate::cli::{CommandError, ExitStatus};

/// Any command's flags, parsed by their own grammar.
#[derive(Parser)]
#[command(no_binary_name = true)]
struct CommandLine<T: clap::Args> {
    #[command(flatten)]
    flags: T,
}

/// The words after `import`.
pub(super) fn import(args: &Args, scene: &RehearsalEnvironment) -> Vec<OsString> {
    let mut words = vec![scene.file().as_os_str().to_owned(), "--yes".into()];
    words.extend(["--rate".into(), args.rate.to_string().into()]);
    words.extend(["--rejects".into(), scene.rejects().into_os_string()]);
    words.extend(args.reading.words().into_iter().map(OsString::from));
    words
}

/// The words after `export`.
pub(super) fn export(args: &Args) -> Vec<OsString> {
    let rate = args.rate.to_string().into();
    vec![
        args.output.as_os_str().to_owned(),
        "--wait-complete".into(),
        "--rate".into(),
        rate,
    ]
}

/// The flags that the words mean.
pub(super) fn parsed<T: clap::Args + FromArgMatches>(
    words: &[OsString],
) -> Result<T, CommandError> {
    let line = CommandLine::<T>::try_parse_from(words);
    line.map(|line| line.flags)
        .map_err(|error| CommandError::new(ExitStatus::Usage, error.to_string()))
}

/// The one document of a command that ended.
pub(super) fn only(documents: Vec<Value>) -> Value {
    documents.into_iter().next_back().unwrap_or(Value::Null)
}
