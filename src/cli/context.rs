//! What every command is handed: its common flags, its console, and the places of this user.

use std::path::PathBuf;

use tokio::runtime::Builder;

use crate::api::{BaseUrl, ServiceVersion};
use crate::cli::common::CommonArgs;
use crate::cli::console::Console;
use crate::cli::settings::EffectiveSetting;
use crate::cli::{CommandError, ExitStatus, runtime};
use crate::connect::HomeFolders;

/// The surroundings of one command.
#[derive(Debug)]
pub(super) struct Context {
    /// Whose token speaks.
    pub(super) voice: TokenSource,
    /// The common flags, completed from environment and profile.
    pub common: CommonArgs,
    /// Where the command speaks.
    pub console: Console,
    /// The folders of this user.
    pub home: HomeFolders,
    /// Every setting, with who said so.
    pub settings: Vec<EffectiveSetting>,
    /// The words as they were typed, so that a hint can name the same command again.
    pub command_line: String,
}

/// Whose token speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TokenSource {
    /// The environment's where it holds one, else the saved one.
    Anyone,
    /// The saved one alone: a rehearsal's sandbox knows no other.
    #[cfg(feature = "sandbox")]
    Saved,
}

impl Context {
    /// The journal's file: the flag's, the profile's, or the usual one.
    pub(super) fn journal_path(&self) -> PathBuf {
        self.common
            .journal
            .clone()
            .unwrap_or_else(|| self.home.journal(&self.common.profile))
    }

    /// The service's address.
    ///
    /// # Errors
    /// [`ExitStatus::Usage`] where none is set, since the service's description names none.
    pub(super) fn base_url(&self) -> Result<BaseUrl, CommandError> {
        let text = self.common.base_url.as_deref().ok_or_else(|| {
            self.unset(
                "the service's address",
                "--base-url URL",
                "GUTTERBATCH_BASE_URL",
            )
        })?;
        Ok(text.parse()?)
    }

    /// The service's version.
    ///
    /// # Errors
    /// [`ExitStatus::Usage`] where none is set, since the service's description names none.
    pub(super) fn service_version(&self) -> Result<ServiceVersion, CommandError> {
        let text = self.common.service_version.as_deref().ok_or_else(|| {
            self.unset(
                "the service's version",
                "--service-version YYYY-MM-DD",
                "GUTTERBATCH_SERVICE_VERSION",
            )
        })?;
        Ok(text.parse()?)
    }

    /// Runs a future on this thread; commands without network never start a runtime. Requests are few at once, and to
    /// hand them from thread to thread would cost more than it saves.
    ///
    /// # Errors
    /// [`ExitStatus::Files`] where the system gives no runtime, and whatever the future fails with.
    pub(super) fn block_on<T>(
        &self,
        future: impl Future<Output = Result<T, CommandError>>,
    ) -> Result<T, CommandError> {
        self.run(&mut Builder::new_current_thread(), future)
    }

    /// As [`Context::block_on`], with threads for whatever the future starts.
    ///
    /// # Errors
    /// As [`Context::block_on`].
    #[cfg(feature = "sandbox")]
    pub(super) fn block_on_threads<T>(
        &self,
        future: impl Future<Output = Result<T, CommandError>>,
    ) -> Result<T, CommandError> {
        self.run(Builder::new_multi_thread().worker_threads(2), future)
    }

    #[expect(
        clippy::unused_self,
        reason = "a command reaches the runtime through what it was handed"
    )]
    fn run<T>(
        &self,
        builder: &mut Builder,
        future: impl Future<Output = Result<T, CommandError>>,
    ) -> Result<T, CommandError> {
        let runtime = runtime::start(builder)?;
        let outcome = runtime.block_on(future);
        // A name look-up may hang in a thread of the runtime; the command's end does not wait for it.
        runtime.shutdown_background();
        outcome
    }

    fn unset(&self, what: &str, flag: &str, variable: &str) -> CommandError {
        let profile = &self.common.profile;
        CommandError::new(
            ExitStatus::Usage,
            format!("{what} is not set for profile `{profile}`"),
        )
        .hinted(format!(
            "connect once with `gutterbatch connect`, or give {flag} or {variable}"
        ))
    }
}
