//! The kinds of failures: what `error.kind` of a JSON document says.

use serde::Serialize;

use crate::cli::ExitStatus;

/// The kind of a failure. The names are public and stable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ErrorKind {
    /// A bug of this program.
    Bug,
    /// The command line.
    Usage,
    /// A setting is missing or wrong.
    Settings,
    /// A person must decide something.
    Attention,
    /// It is not known what was billed elsewhere.
    UndeclaredBilling,
    /// Rows are pending for another reason than those below.
    Pending,
    /// The quota is used up.
    QuotaUsedUp,
    /// The service asked to send nothing for a long time.
    RateLimited,
    /// The time of `--until` has come. `import` prints a note instead, so that it is no kind of `error`.
    DeadlineReached,
    /// The service gave no usable answer.
    Unreachable,
    /// The service refused too many rows.
    TooManyRefused,
    /// The user answered no.
    Declined,
    /// The canary was submitted, and nobody could be asked about the rest.
    Canary,
    /// There is no usable connection.
    NotConnected,
    /// The service does not accept the token.
    TokenRejected,
    /// The base address is unsafe.
    UnsafeAddress,
    /// Journal, profile or token belong to another service, app or team.
    OtherAccount,
    /// The journal is older than its sealed exports.
    OutdatedJournal,
    /// Another run uses the journal or the folder.
    InUse,
    /// A local file cannot be read or written.
    File,
    /// There is no journal.
    NoJournal,
    /// The journal is damaged.
    DamagedJournal,
    /// The service's response is not the service's.
    UnexpectedResponse,
    /// The service does not serve this version.
    Version,
    /// The service does not offer the call.
    NotImplemented,
    /// The service redirects.
    Redirected,
    /// The input is not a usable table.
    Input,
    /// The user pressed Ctrl-C.
    Interrupted,
    /// The program was terminated.
    Terminated,
}

impl ErrorKind {
    /// Every kind with its meaning, for the README.
    pub const MEANINGS: [(Self, ExitStatus, &'static str); 28] = [
        (Self::Bug, ExitStatus::Bug, "a bug"),
        (Self::Usage, ExitStatus::Usage, "the command line"),
        (
            Self::Settings,
            ExitStatus::Usage,
            "a setting is missing or wrong",
        ),
        (
            Self::Attention,
            ExitStatus::Attention,
            "a person must decide something",
        ),
        (
            Self::UndeclaredBilling,
            ExitStatus::Attention,
            "what was billed elsewhere must be declared with `--billed-until`",
        ),
        (
            Self::Pending,
            ExitStatus::Pending,
            "stopped for a reason other than those below",
        ),
        (
            Self::QuotaUsedUp,
            ExitStatus::Pending,
            "the quota is used up",
        ),
        (
            Self::RateLimited,
            ExitStatus::Pending,
            "the service asked for a long pause",
        ),
        (
            Self::Unreachable,
            ExitStatus::Pending,
            "the service gave no usable answer",
        ),
        (
            Self::TooManyRefused,
            ExitStatus::Pending,
            "the service refused too many rows",
        ),
        (
            Self::Declined,
            ExitStatus::Pending,
            "a question was answered with no",
        ),
        (
            Self::Canary,
            ExitStatus::Pending,
            "stopped after `--canary`, since nobody could be asked",
        ),
        (
            Self::NotConnected,
            ExitStatus::NotConnected,
            "there is no usable connection",
        ),
        (
            Self::TokenRejected,
            ExitStatus::NotConnected,
            "the service does not accept the token",
        ),
        (
            Self::UnsafeAddress,
            ExitStatus::Unsafe,
            "the base address is unsafe",
        ),
        (
            Self::OtherAccount,
            ExitStatus::Unsafe,
            "the journal or the token belongs to another service, app or team",
        ),
        (
            Self::OutdatedJournal,
            ExitStatus::Unsafe,
            "the journal is older than its sealed exports",
        ),
        (
            Self::InUse,
            ExitStatus::Held,
            "another run uses the journal or the folder",
        ),
        (
            Self::File,
            ExitStatus::Files,
            "a local file cannot be read or written",
        ),
        (Self::NoJournal, ExitStatus::Files, "there is no journal"),
        (
            Self::DamagedJournal,
            ExitStatus::Files,
            "the journal is damaged, or another program's file",
        ),
        (
            Self::UnexpectedResponse,
            ExitStatus::Misfit,
            "a response is not the service's",
        ),
        (
            Self::Version,
            ExitStatus::Misfit,
            "the service does not serve this version",
        ),
        (
            Self::NotImplemented,
            ExitStatus::Misfit,
            "the service does not offer the call (501)",
        ),
        (
            Self::Redirected,
            ExitStatus::Misfit,
            "the service redirects",
        ),
        (
            Self::Input,
            ExitStatus::Input,
            "the input is not a usable table",
        ),
        (
            Self::Interrupted,
            ExitStatus::Interrupted,
            "interrupted with Ctrl-C",
        ),
        (Self::Terminated, ExitStatus::Terminated, "terminated"),
    ];

    /// The kind of a failure of which only the exit code is known.
    pub(super) fn from_exit(exit: ExitStatus) -> Self {
        match exit {
            ExitStatus::Done | ExitStatus::Bug => Self::Bug,
            ExitStatus::Usage => Self::Usage,
            ExitStatus::Attention => Self::Attention,
            ExitStatus::Pending => Self::Pending,
            ExitStatus::NotConnected => Self::NotConnected,
            ExitStatus::Unsafe => Self::OtherAccount,
            ExitStatus::Held => Self::InUse,
            ExitStatus::Files => Self::File,
            ExitStatus::Misfit => Self::UnexpectedResponse,
            ExitStatus::Input => Self::Input,
            ExitStatus::Interrupted => Self::Interrupted,
            ExitStatus::Terminated => Self::Terminated,
        }
    }
}
