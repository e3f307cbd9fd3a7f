//! Every error becomes a sentence, a hint and an exit code here, and nowhere else.
//!
//! One file a room: each turns that room's error enum into a [`CommandError`] by a `match` that names every variant.

mod api;
mod connect;
mod dispatch;
mod export;
mod import;
mod journal;
#[cfg(feature = "sandbox")]
mod sandbox;
mod table;

pub(super) use connect::words;

use std::fmt::Write as _;
use std::path::Path;

use crate::cli::ExitStatus;
use crate::cli::panics::RefusedResource;
use crate::model::printable;
use crate::sheet::UnsyncedFolder;

/// Why a command ends: what happened, what to do, and the exit code.
#[derive(Debug)]
pub struct CommandError {
    /// The exit code.
    pub exit: ExitStatus,
    error: anyhow::Error,
    hint: Option<String>,
}

impl CommandError {
    /// A failure in one sentence: a lowercase fragment without a full stop.
    pub fn new(exit: ExitStatus, message: impl Into<String>) -> Self {
        Self::from_error(exit, anyhow::Error::msg(message.into()))
    }

    /// A failure whose causes follow its sentence, each after a colon.
    pub fn from_error(exit: ExitStatus, error: anyhow::Error) -> Self {
        Self {
            exit,
            error,
            hint: None,
        }
    }

    /// A local file that could not be read or written, with what the system said.
    pub fn file(doing: &str, path: &Path, source: &std::io::Error) -> Self {
        Self::new(
            ExitStatus::Files,
            format!("cannot {doing} {}: {}", path.display(), io_reason(source)),
        )
    }

    /// Something that the operating system refused to a library, which the program cannot go on without.
    pub(in crate::cli) fn refused(resource: RefusedResource, source: &std::io::Error) -> Self {
        let (what, remedy) = match resource {
            RefusedResource::Thread => (
                "another thread",
                "end other programs or raise the limit of processes (ulimit -u), and ",
            ),
            RefusedResource::EventQueue => ("a call that the program needs to wait for events", ""),
        };
        Self::new(
            ExitStatus::Files,
            format!("the operating system refused {what}: {}", io_reason(source)),
        )
        .hinted(format!(
            "the journal holds everything that was done; {remedy}run the same command again to resume"
        ))
    }

    /// Adds what to do next: the exact command, or the cell.
    #[must_use]
    pub fn hinted(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Puts what was done all the same in front of the sentence.
    #[must_use]
    pub fn with_secondary(self, done: &'static str) -> Self {
        Self {
            error: self.error.context(done),
            ..self
        }
    }

    /// The lines as they are shown: `error: …`, then `hint: …`.
    pub fn lines(&self) -> String {
        let mut lines = format!("error: {}", printable(&format!("{:#}", self.error)));
        if let Some(hint) = &self.hint {
            // A hint may have several lines of its own, each a command to copy.
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

    /// The sentence alone.
    pub fn message(&self) -> String {
        format!("{:#}", self.error)
    }
}

/// A file is in its place, and the folder could not be synced.
pub(in crate::cli) fn unsynced_folder(unsynced: &UnsyncedFolder) -> String {
    format!(
        "{unsynced}: {}; the file is in its place, but a power cut could undo that",
        io_reason(&unsynced.reason())
    )
}

/// What the system said, as people say it.
pub(super) fn io_reason(error: &std::io::Error) -> String {
    use std::io::ErrorKind;
    #[cfg(unix)]
    if let Some(rustix::io::Errno::MFILE | rustix::io::Errno::NFILE) =
        rustix::io::Errno::from_io_error(error)
    {
        return "too many files are open at once; raise the limit (ulimit -n 256)".to_owned();
    }
    match error.kind() {
        ErrorKind::NotFound => "there is no such file or folder".to_owned(),
        ErrorKind::PermissionDenied => "permission denied".to_owned(),
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => "the disk is full".to_owned(),
        ErrorKind::IsADirectory => "it is a folder".to_owned(),
        // The program's own word for what is neither a file nor a folder; the system's has a number.
        ErrorKind::InvalidInput if error.raw_os_error().is_none() && error.get_ref().is_none() => {
            "it is not a regular file".to_owned()
        }
        ErrorKind::ReadOnlyFilesystem => "the disk is read-only".to_owned(),
        ErrorKind::FileTooLarge => "the file grew past the system's limit".to_owned(),
        _ => error.to_string(),
    }
}
