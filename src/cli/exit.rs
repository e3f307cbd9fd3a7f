//! The exit codes: what a script can rely on.

use std::process::ExitCode;

/// How the program ends. Where several fit, the one for stopping wins over [`ExitStatus::Attention`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExitStatus {
    /// The service has every row, and every file is written.
    Done = 0,
    /// A bug of this program.
    Bug = 1,
    /// Usage or settings.
    Usage = 2,
    /// Done, but some rows are invalid, refused, in conflict or of the same house as others.
    Attention = 3,
    /// Stopped with rows still pending.
    Pending = 4,
    /// No token, or 401.
    NotConnected = 5,
    /// The journal belongs to another service, app or team; or the base address is unsafe.
    Unsafe = 6,
    /// Another run uses the journal.
    Held = 7,
    /// Local files cannot be read or written.
    Files = 8,
    /// The service and this program do not fit.
    Misfit = 9,
    /// The input cannot be used.
    Input = 10,
    /// Stopped by Ctrl-C.
    Interrupted = 130,
    /// Stopped by SIGTERM.
    Terminated = 143,
}

impl ExitStatus {
    /// Every code with its meaning, for help, man page and README.
    pub const MEANINGS: [(Self, &'static str); 13] = [
        (
            Self::Done,
            "done: the service has every row, and every file is written",
        ),
        (Self::Bug, "a bug"),
        (Self::Usage, "usage or settings"),
        (
            Self::Attention,
            "done, but some rows are invalid, refused, in conflict or of the same house as others: a person must look",
        ),
        (
            Self::Pending,
            "stopped with rows still pending; run the same command again to resume",
        ),
        (
            Self::NotConnected,
            "not connected: no token, or the service no longer accepts it",
        ),
        (
            Self::Unsafe,
            "refused for safety: the journal belongs to another service, app or team; or an unsafe base address",
        ),
        (Self::Held, "another run uses the journal"),
        (
            Self::Files,
            "local files: cannot read, cannot write, disk full",
        ),
        (
            Self::Misfit,
            "the service and this program do not fit: version, redirect, answers that are not the service's",
        ),
        (
            Self::Input,
            "the input cannot be used: not a table, no usable header, password, wrong format",
        ),
        (
            Self::Interrupted,
            "interrupted with Ctrl-C; run the same command again to resume",
        ),
        (
            Self::Terminated,
            "terminated; run the same command again to resume",
        ),
    ];

    /// The meaning in full.
    pub(super) fn meaning(self) -> &'static str {
        Self::MEANINGS
            .iter()
            .find(|(exit, _)| *exit == self)
            .map(|(_, meaning)| *meaning)
            .expect("every exit code has a meaning")
    }

    /// The meaning in a few words, for a short help.
    pub(super) fn summary(self) -> &'static str {
        match self {
            Self::Done => "done",
            Self::Bug => "a bug",
            Self::Usage => "wrong usage or settings",
            Self::Attention => "done, but some rows need a person's attention",
            Self::Pending => "not finished; run the same command again to resume",
            Self::NotConnected => "not connected",
            Self::Unsafe => "refused: another service, app or team, or an unsafe address",
            Self::Held => "another run uses the journal or the folder",
            Self::Files => "a local file cannot be read or written",
            Self::Misfit => "unexpected responses from the service",
            Self::Input => "the input is not a usable table",
            Self::Interrupted => "interrupted",
            Self::Terminated => "terminated",
        }
    }

    /// The number that a shell receives.
    pub fn code(self) -> u8 {
        self as u8
    }
}

impl From<ExitStatus> for ExitCode {
    fn from(exit: ExitStatus) -> Self {
        Self::from(exit.code())
    }
}
