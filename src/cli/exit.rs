//! The exit codes: what a script can rely on.

use std::process::ExitCode;

/// Defines each code with its meaning.
macro_rules! exit_codes {
    ($($exit:ident = $code:literal: $meaning:literal;)+) => {
        /// How the program ends. Where several fit, the one for stopping wins over [`ExitStatus::Attention`].
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum ExitStatus {
            $(#[doc = $meaning] $exit = $code,)+
        }

        impl ExitStatus {
            /// Every code with its meaning, for help, man page and README.
            pub const MEANINGS: &[(Self, &'static str)] = &[$((Self::$exit, $meaning)),+];
        }
    };
}

exit_codes! {
    Done = 0: "done: the service has every row, and every file is written";
    Bug = 1: "a bug";
    Usage = 2: "usage or settings";
    Attention = 3: "done, but some rows need attention: invalid, refused, in conflict, or the same house as another";
    Pending = 4: "stopped with rows still pending; run the same command again to resume";
    NotConnected = 5: "not connected: no token, or the service no longer accepts it";
    Unsafe = 6: "refused for safety: another service, app or team than the journal's, or an unsafe base address";
    Locked = 7: "another run uses the journal";
    Files = 8: "a local file cannot be read or written, or the disk is full";
    Incompatible = 9: "incompatible service: its version, a redirect, or undocumented responses";
    Input = 10: "the input cannot be used: no file, not a table, no usable headers, a password, or a wrong format";
    Interrupted = 130: "interrupted with Ctrl-C; run the same command again to resume";
    Terminated = 143: "terminated; run the same command again to resume";
}

impl ExitStatus {
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
