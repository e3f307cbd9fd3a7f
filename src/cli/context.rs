//! The context of a command: common flags, console, and the user's folders.

use std::path::PathBuf;

use tokio::runtime::{Builder, Runtime};

use crate::api::{BaseUrl, ClientSetupError, ServiceVersion};
use crate::cli::common_args::{
    ADDRESS_AND_VERSION, BASE_URL, CommonArgs, ConnectionSetting, SERVICE_VERSION,
};
use crate::cli::console::Console;
use crate::cli::nearest::nearest;
use crate::cli::request_log::RequestLog;
use crate::cli::setting_values::setting_place;
use crate::cli::settings::{EffectiveSetting, SettingOrigin, profile_names};
use crate::cli::signals::SignalListener;
use crate::cli::{CliError, CommandError, ErrorKind, ExitStatus, shell};
use crate::connect::HomeFolders;
use crate::journal::JournalAccess;

/// The context of one command.
#[derive(Clone, Debug)]
pub(super) struct Context {
    /// The common flags, completed from environment and profile.
    pub common: CommonArgs,
    /// Where requests are logged.
    pub request_log: RequestLog,
    /// Where output is written.
    pub console: Console,
    /// The folders of this user.
    pub home: HomeFolders,
    /// Every setting in effect, with its origin.
    pub settings: Vec<EffectiveSetting>,
    /// The arguments of the command line as typed.
    pub arguments: Vec<String>,
    /// Ends the program on a signal.
    pub listener: SignalListener,
}

/// The settings that may not fit a table.
const READING_SETTINGS: [&str; 7] = [
    "sheet",
    "address",
    "header-row",
    "delimiter",
    "encoding",
    "map",
    "id-column",
];

impl Context {
    /// The path of the journal: `--journal` or the profile's setting, otherwise the default path of the profile.
    pub(super) fn journal_path(&self) -> PathBuf {
        self.common
            .journal
            .clone()
            .unwrap_or_else(|| self.home.journal(&self.common.profile))
    }

    /// The command line as typed, quoted for the shell.
    pub(super) fn command_line(&self) -> String {
        shell::command(&self.arguments)
    }

    /// The access of a run that must be the only one of its journal; other runs name its holder.
    pub(super) fn exclusive_access(&self) -> JournalAccess {
        let holder = format!("process {}: {}", std::process::id(), self.command_line());
        JournalAccess::Exclusive { holder }
    }

    /// The signals of this process; until the value is dropped, the first one stops the run gracefully.
    pub(super) fn signals(&self) -> SignalListener {
        self.listener.graceful()
    }

    /// Asks the user a question; the message about a signal starts on a line of its own.
    pub(super) fn asking<T>(&self, ask: impl FnOnce() -> T) -> T {
        self.listener.while_asking(ask)
    }

    /// The service's address, if it is set.
    ///
    /// # Errors
    /// `ExitStatus::Unsafe` if it is not safe, `ExitStatus::Usage` if it is not an address.
    pub(super) fn configured_base_url(&self) -> Result<Option<BaseUrl>, CommandError> {
        let text = self.common.base_url.as_deref();
        let url = text.map(str::parse).transpose();
        url.map_err(|error: ClientSetupError| self.of_setting("base-url", error.into()))
    }

    /// The service's address.
    ///
    /// # Errors
    /// `ExitStatus::Usage` if it is not set; the service's description names no default.
    pub(super) fn base_url(&self) -> Result<BaseUrl, CommandError> {
        self.configured_base_url()?
            .ok_or_else(|| self.unset(BASE_URL))
    }

    /// The service's version.
    ///
    /// # Errors
    /// `ExitStatus::Usage` if it is not set; the service's description names no default.
    pub(super) fn service_version(&self) -> Result<ServiceVersion, CommandError> {
        let text = self.common.service_version.as_deref();
        text.ok_or_else(|| self.unset(SERVICE_VERSION))?
            .parse()
            .map_err(|error: ClientSetupError| self.of_setting("service-version", error.into()))
    }

    /// Names the setting in a failure whose reason is its value, if the value comes from the profile, or if it comes
    /// from a flag and cannot be used at all.
    pub(super) fn of_setting(&self, key: &str, failure: CommandError) -> CommandError {
        if failure.exit() == ExitStatus::Usage && self.has_origin(key, SettingOrigin::Flag) {
            return failure.within(&format!("--{key}"));
        }
        if !self.is_from_profile(key) {
            return failure;
        }
        let failure = match failure.exit() {
            ExitStatus::Usage => failure.with_kind(ErrorKind::Settings),
            _ => failure,
        };
        let place = setting_place(&self.home.config_file(), &self.common.profile, key);
        failure
            .within(&place)
            .hinted("correct the value in that file, or remove the line")
    }

    /// Names the settings of the profile by which a table was to be read, in a failure to read it: nobody typed them.
    pub(super) fn of_reading_settings(&self, failure: CommandError) -> CommandError {
        let settings = READING_SETTINGS.into_iter();
        let set: Vec<&str> = settings.filter(|key| self.is_from_profile(key)).collect();
        if failure.exit() != ExitStatus::Input || set.is_empty() {
            return failure;
        }
        let file = self.home.config_file();
        let place = format!("set in {}: {}", file.display(), set.join(", "));
        let hint = failure.hint().map(|hint| format!("{hint}\n{place}"));
        failure.hinted(hint.unwrap_or(place))
    }

    /// Whether a setting comes from the section of the profile.
    pub(super) fn is_from_profile(&self, key: &str) -> bool {
        self.has_origin(key, SettingOrigin::Profile)
    }

    /// Whether a setting comes from there.
    pub(super) fn has_origin(&self, key: &str, origin: SettingOrigin) -> bool {
        let mut settings = self.settings.iter();
        settings.any(|setting| setting.key == key && setting.origin == origin)
    }

    fn unset(&self, setting: ConnectionSetting) -> CommandError {
        let profile = self.common.profile.clone();
        let setting = match (&self.common.base_url, &self.common.service_version) {
            (None, None) => ADDRESS_AND_VERSION,
            _ => setting,
        };
        let names = profile_names(&self.home.config_file());
        let near = nearest(&profile, names.iter().map(String::as_str));
        let near = near.filter(|near| !profile.starts_with(near));
        let renamed = near.map(|near| format!(
            "config.toml has a section [profile.{near}]; if this profile is meant, rename it to [profile.{profile}]"
        ));
        let failure = CommandError::from(CliError::Unset { setting, profile });
        match renamed {
            Some(renamed) => failure.hinted(renamed),
            None => failure,
        }
    }
}

/// Runs a future in a runtime on this thread. Few requests are concurrent, so more threads would cost more than they
/// save.
///
/// # Errors
/// As [`run`].
pub(super) fn block_on<T>(
    future: impl Future<Output = Result<T, CommandError>>,
) -> Result<T, CommandError> {
    run(&mut Builder::new_current_thread(), future)
}

/// Runs a future in a runtime of its own.
///
/// # Errors
/// As [`start_runtime`], and the error of the future.
pub(super) fn run<T>(
    builder: &mut Builder,
    future: impl Future<Output = Result<T, CommandError>>,
) -> Result<T, CommandError> {
    let runtime = start_runtime(builder)?;
    let outcome = runtime.block_on(future);
    // A name lookup may hang in a thread of the runtime; the command does not wait for it.
    runtime.shutdown_background();
    outcome
}

/// Starts a runtime with everything enabled.
///
/// # Errors
/// `ExitStatus::Files` if the operating system refuses it.
pub(super) fn start_runtime(builder: &mut Builder) -> Result<Runtime, CommandError> {
    let what = "an event queue";
    let runtime = builder.enable_all().build();
    runtime.map_err(|source| CliError::System { what, source }.into())
}
