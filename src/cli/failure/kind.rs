//! The kinds of failures: what `error.kind` of a JSON document says.

use serde::{Deserialize, Serialize};

use crate::cli::ExitStatus;

/// Defines each kind with its exit code and its meaning.
macro_rules! error_kinds {
    ($($kind:ident: $exit:ident, $meaning:literal;)+) => {
        /// The kind of a failure. The names are public and stable.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
        #[serde(rename_all = "snake_case")]
        pub enum ErrorKind {
            $(#[doc = $meaning] $kind,)+
            /// The time of `--until` has come. `import` prints a note instead, so it is not a kind of `error`.
            DeadlineReached,
        }

        impl ErrorKind {
            /// Every kind with its exit code and its meaning, for the README.
            pub const MEANINGS: &[(Self, ExitStatus, &'static str)] =
                &[$((Self::$kind, ExitStatus::$exit, $meaning)),+];

            /// The exit code of such a failure.
            pub(super) fn exit(self) -> ExitStatus {
                match self {
                    $(Self::$kind => ExitStatus::$exit,)+
                    Self::DeadlineReached => ExitStatus::Pending,
                }
            }
        }
    };
}

error_kinds! {
    Bug: Bug, "a bug";
    Usage: Usage, "the command line";
    Settings: Usage, "a setting is missing or wrong";
    Attention: Attention, "a person must decide something";
    UndeclaredBilling: Attention, "what was billed elsewhere must be declared with `--billed-until`";
    Pending: Pending, "stopped for a reason other than those below";
    QuotaUsedUp: Pending, "the quota is used up";
    RateLimited: Pending, "the service asked for a long pause";
    Unreachable: Pending, "the service gave no usable response";
    TooManyRefused: Pending, "the service refused too many rows";
    Declined: Pending, "a question was answered with no";
    Canary: Pending, "stopped after `--canary`, since nobody could be asked";
    NotConnected: NotConnected, "there is no usable connection";
    TokenRejected: NotConnected, "the service does not accept the token";
    UnsafeAddress: Unsafe, "the base address is unsafe";
    OtherAccount: Unsafe, "the journal or the token belongs to another service, app or team";
    OutdatedJournal: Unsafe, "the journal is older than its sealed exports";
    InUse: Locked, "another run uses the journal or the folder";
    File: Files, "a local file cannot be read or written";
    NoJournal: Files, "there is no journal";
    DamagedJournal: Files, "the journal is damaged, or another program's file";
    UnexpectedResponse: Incompatible, "the service gave an undocumented response";
    Version: Incompatible, "the service does not serve this version";
    NotImplemented: Incompatible, "the service does not offer the call (501)";
    Redirected: Incompatible, "the service redirects";
    Input: Input, "the input is not a usable table";
    Interrupted: Interrupted, "interrupted with Ctrl-C";
    Terminated: Terminated, "terminated";
}
