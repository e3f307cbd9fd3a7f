//! Converts every error into a message, a hint and an exit code.
//!
//! Each file converts the error enum of one room into a [`CommandError`], by a `match` that names every variant.

mod api;
mod cli_error;
mod connect;
mod dispatch;
mod export;
mod file_names;
mod import;
mod journal;
mod kind;
#[cfg(feature = "sandbox")]
mod sandbox;
mod sheet;
mod suggested_flag;
mod table;
mod table_flags;
mod usage;

pub use cli_error::CliError;
pub(super) use cli_error::{did_you_mean, stop_hint};
pub(super) use dispatch::dispatch_sentence;
pub(super) use journal::{RESTORE, lost_journal};
pub use kind::ErrorKind;
pub(super) use sheet::TEMPORARY_FOLDER;
pub(super) use suggested_flag::{SuggestedFlag, command_with};
pub(super) use usage::{advice, without_advice};

use std::fmt::Write as _;
use std::path::Path;

use crate::cli::ExitStatus;
use crate::model::printable;

/// The failure of a command: message, hint, and the kind, which has an exit code.
#[derive(Debug)]
pub struct CommandError {
    kind: ErrorKind,
    /// The message, within the context that was added to it.
    error: anyhow::Error,
    hint: Option<String>,
    /// Flags with which the same command works; several sets are a choice.
    flags: Vec<Vec<SuggestedFlag>>,
}

impl CommandError {
    /// A failure with a message: a lowercase fragment without a full stop.
    pub(super) fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self {
            kind,
            error: anyhow::Error::msg(message.into()),
            hint: None,
            flags: Vec::new(),
        }
    }

    /// A failure to read or write a local file.
    pub fn file(doing: &'static str, path: &Path, source: std::io::Error) -> Self {
        let path = path.to_owned();
        CliError::File {
            doing,
            path,
            source,
        }
        .into()
    }

    /// Adds the hint for an error of the operating system, if there is one.
    #[must_use]
    pub(super) fn hinted_by(mut self, source: &std::io::Error) -> Self {
        self.hint = io_hint(source).map(str::to_owned);
        self
    }

    /// Adds a hint: the exact command, or the cell.
    #[must_use]
    pub fn hinted(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Sets the flags with which the command works; several sets are a choice.
    #[must_use]
    pub(super) fn with_flags(self, flags: Vec<Vec<SuggestedFlag>>) -> Self {
        Self { flags, ..self }
    }

    /// Puts the whole commands in front of the hint: the words of the command line, with the flags that it needs.
    #[must_use]
    pub fn for_command(mut self, words: &[String]) -> Self {
        let sets = std::mem::take(&mut self.flags);
        let sets = sets.iter().filter(|set| !set.is_empty());
        let commands: Vec<String> = sets.map(|set| command_with(words, set)).collect();
        let lines = [commands.join("\nor "), self.hint.unwrap_or_default()];
        let lines: Vec<String> = lines.into_iter().filter(|line| !line.is_empty()).collect();
        self.hint = Some(lines.join("\n")).filter(|hint| !hint.is_empty());
        self
    }

    /// Sets a kind that says more than the exit code.
    #[must_use]
    pub fn with_kind(self, kind: ErrorKind) -> Self {
        Self { kind, ..self }
    }

    /// Puts the place of the cause, or what was done nevertheless, in front of the message.
    #[must_use]
    pub fn within(self, place: &str) -> Self {
        Self {
            error: self.error.context(place.to_owned()),
            ..self
        }
    }

    /// The lines to print: `error: …`, then `hint: …`.
    pub fn lines(&self) -> String {
        let mut lines = format!("error: {}", printable(&self.message()));
        if let Some(hint) = &self.hint {
            // A hint may have several lines.
            let _ = write!(
                lines,
                "\nhint: {}",
                hint.lines()
                    .map(printable)
                    .collect::<Vec<_>>()
                    .join("\n      ")
            );
        }
        lines
    }

    /// The message without its label, after its context.
    pub fn message(&self) -> String {
        format!("{:#}", self.error)
    }

    /// The hint without its label.
    pub fn hint(&self) -> Option<&str> {
        self.hint.as_deref()
    }

    /// The exit code.
    pub fn exit(&self) -> ExitStatus {
        self.kind.exit()
    }

    /// The kind, for programs.
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }
}

/// Whether the disk has no space left for this user.
pub(super) fn is_full(error: &std::io::Error) -> bool {
    use std::io::ErrorKind;
    matches!(
        error.kind(),
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded
    )
}

/// What to do about an error of the operating system; `None` if that is not known.
pub(super) fn io_hint(error: &std::io::Error) -> Option<&'static str> {
    use std::io::ErrorKind;
    if is_open_elsewhere(error) {
        return Some(
            "close it in the program that has it open, such as Excel, and run the same command again",
        );
    }
    Some(match error.kind() {
        ErrorKind::NotFound => "check the path, and create the folder if it is missing",
        ErrorKind::PermissionDenied => {
            "give your account access to the file and its folder, or choose another path"
        }
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => {
            "free space on the disk and run the same command again"
        }
        ErrorKind::IsADirectory => "name a file in that folder",
        ErrorKind::AlreadyExists => "give another name, or move the file away",
        ErrorKind::FileTooLarge => "raise the limit for the size of files (ulimit -f)",
        ErrorKind::ReadOnlyFilesystem => "choose a path on another disk",
        _ => return None,
    })
}

/// Whether Windows refused a file that another program has open without sharing it.
fn is_open_elsewhere(error: &std::io::Error) -> bool {
    const SHARING_VIOLATION: i32 = 32;
    const LOCK_VIOLATION: i32 = 33;
    cfg!(windows)
        && matches!(
            error.raw_os_error(),
            Some(SHARING_VIOLATION | LOCK_VIOLATION)
        )
}

/// An error of the operating system in plain words.
pub(super) fn io_reason(error: &std::io::Error) -> String {
    use std::io::ErrorKind;
    #[cfg(unix)]
    if let Some(rustix::io::Errno::MFILE | rustix::io::Errno::NFILE) =
        rustix::io::Errno::from_io_error(error)
    {
        return "too many files are open at once; raise the limit (ulimit -n 256)".to_owned();
    }
    if is_open_elsewhere(error) {
        return "another program has it open".to_owned();
    }
    match error.kind() {
        ErrorKind::NotFound => "there is no such file or folder".to_owned(),
        ErrorKind::PermissionDenied => "permission denied".to_owned(),
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => "the disk is full".to_owned(),
        ErrorKind::IsADirectory => "it is a folder".to_owned(),
        // The program uses this kind for a path that is neither a file nor a folder.
        ErrorKind::InvalidInput if error.raw_os_error().is_none() && error.get_ref().is_none() => {
            "it is not a regular file".to_owned()
        }
        ErrorKind::AlreadyExists => "there is a file of this name".to_owned(),
        ErrorKind::BrokenPipe => "its reader has ended".to_owned(),
        ErrorKind::AddrInUse => "another program uses it".to_owned(),
        ErrorKind::ReadOnlyFilesystem => "the disk is read-only".to_owned(),
        ErrorKind::FileTooLarge => "the file exceeds the size limit of the system".to_owned(),
        _ => match error.to_string().split_once(" (os error ") {
            Some((reason, _)) => reason.to_owned(),
            None => error.to_string(),
        },
    }
}
