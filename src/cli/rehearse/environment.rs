//! The environment of a rehearsal: a folder, the sandbox, and a connection to it.

use std::path::{Path, PathBuf};
use std::time::Duration;

use tokio::runtime::{Builder, Runtime};

use crate::api::{BaseUrl, BearerToken, ClientSecret};
use crate::cli::context::{Context, start_runtime};
use crate::cli::rehearse::Args;
use crate::cli::signals::SignalListener;
use crate::cli::{CliError, CommandError};
use crate::connect::{Connection, HomeFolders, SecretStorage, SecretStore, StoragePreference};
use crate::export::REHEARSAL_TEAM;
use crate::import::{CheckedFile, ImportInput};
use crate::model::Account;
use crate::sandbox::{self, Faults, Options, SandboxHandle};
use crate::sheet::{self, FileFormat};
use crate::table::rejects::rejects_name;

/// The profile of the commands.
pub(super) const PROFILE: &str = "rehearsal";

/// The user's sheet.
#[derive(Clone, Copy, Debug)]
pub(super) struct RehearsedSheet<'a> {
    pub(super) input: &'a ImportInput,
    pub(super) checked: &'a CheckedFile,
}

/// A running sandbox, and a home folder that nothing else uses.
#[derive(Debug)]
pub(super) struct RehearsalEnvironment<'a> {
    pub(super) outer: &'a Context,
    /// A signal ends the rehearsal only after its command was killed and its folder removed.
    pub(super) signals: SignalListener,
    /// Removed at the end, unless the user named a folder with `--keep`.
    _temporary: Option<tempfile::TempDir>,
    /// The folder of journal, settings and rejects.
    pub(super) folder: PathBuf,
    /// The file to import.
    pub(super) file: PathBuf,
    /// The format of the file by its content.
    format: FileFormat,
    /// The runtime of the sandbox.
    pub(super) runtime: Runtime,
    pub(super) sandbox: SandboxHandle,
}

impl<'a> RehearsalEnvironment<'a> {
    /// Creates the folder, starts the sandbox, and copies standard input into the folder.
    ///
    /// # Errors
    /// `ExitStatus::Files` if the folder cannot be created or the sandbox cannot listen.
    pub(super) fn start(
        args: &Args,
        sheet: RehearsedSheet<'_>,
        outer: &'a Context,
    ) -> Result<Self, CommandError> {
        let (temporary, folder) = folder(args.keep.as_deref())?;
        let runtime = start_runtime(Builder::new_multi_thread().worker_threads(2))?;
        let sandbox = runtime.block_on(sandbox::start(sandbox_options(args)))?;
        let file = file(sheet.input, &folder)?;
        Ok(Self {
            outer,
            signals: outer.signals(),
            _temporary: temporary,
            folder,
            file,
            format: sheet.checked.layout.format,
            runtime,
            sandbox,
        })
    }

    /// Saves a token that the sandbox grants without a browser, as `connect` saves one.
    pub(super) fn connect(&self) -> Result<(), CommandError> {
        let announced = self.sandbox.connection_info();
        let granted = self.sandbox.grant_token()?;
        let unusable = || CliError::Bug {
            place: "the sandbox".to_owned(),
            reason: "it granted an unusable token".to_owned(),
        };
        let connection = Connection {
            details: Account {
                base_url: announced.base_url.parse::<BaseUrl>()?.to_string(),
                client_id: announced.client_id.clone(),
                app_name: None,
                team_id: granted.team_id,
                team_name: granted.team_name,
                connected_at: granted.connected_at,
            },
            token: BearerToken::new(&granted.token).ok_or_else(unusable)?,
            client_secret: ClientSecret::new(&announced.client_secret),
        };
        let preference = StoragePreference::Only(SecretStorage::File);
        let secrets = SecretStore::new(&self.home(), PROFILE, preference);
        secrets.check_writable()?.save(&connection)?;
        Ok(())
    }

    /// The home folder of the commands.
    pub(super) fn home(&self) -> HomeFolders {
        HomeFolders::in_folder(&self.folder)
    }

    /// The path of the rejects file.
    pub(super) fn rejects(&self) -> PathBuf {
        let stem = self.file.file_stem().unwrap_or_default();
        self.folder
            .join(rejects_name(stem, &self.file, self.format))
    }

    /// Stops the sandbox.
    pub(super) fn stop(self) {
        self.runtime.block_on(self.sandbox.stop());
    }
}

/// The folder of `--keep`, which must be new or empty: nothing in it may be replaced, and an earlier rehearsal's
/// connection is to a sandbox that has ended. Without the flag, a temporary folder.
fn folder(keep: Option<&Path>) -> Result<(Option<tempfile::TempDir>, PathBuf), CommandError> {
    if let Some(folder) = keep {
        std::fs::create_dir_all(folder)
            .map_err(|error| CommandError::file("create", folder, error))?;
        let mut entries =
            std::fs::read_dir(folder).map_err(|error| CommandError::file("read", folder, error))?;
        if entries.next().is_some() {
            return Err(CliError::FolderNotEmpty(folder.to_owned()).into());
        }
        let folder = std::path::absolute(folder)
            .map_err(|error| CommandError::file("find", folder, error))?;
        Ok((None, folder))
    } else {
        let temporary = sheet::temporary_folder().map_err(|error| {
            CommandError::file("create a folder in", &std::env::temp_dir(), error)
        })?;
        let path = temporary.path().to_owned();
        Ok((Some(temporary), path))
    }
}

/// The file to import. Several commands read it, but standard input can be read only once, so it is copied.
fn file(input: &ImportInput, folder: &Path) -> Result<PathBuf, CommandError> {
    if !input.file.is_spooled() {
        return Ok(input.file.place().to_owned());
    }
    let copy = folder.join("standard-input.csv");
    std::fs::copy(input.file.place(), &copy)
        .map_err(|error| CommandError::file("write", &copy, error))?;
    Ok(copy)
}

/// How long the simulated contractor takes from opening a request to completing it.
const WORK: Duration = Duration::from_millis(400);

/// The faults of a rough rehearsal; about one call in four has one.
const FAULTS: &str = r#"{"rules": [
  {"do": "drop", "method": "POST", "path": "/measurements", "chance": 0.04},
  {"do": "drop", "method": "POST", "path": "/measurements", "chance": 0.05, "handled": true},
  {"do": "cut_body", "method": "POST", "path": "/measurements", "chance": 0.04, "handled": true},
  {"do": "status", "status": 500, "path": "/measurements*", "chance": 0.03},
  {"do": "status", "status": 503, "retry_after": "1", "path": "/measurements*", "chance": 0.02},
  {"do": "status", "status": 502, "method": "POST", "chance": 0.02, "path": "/measurements", "handled": true},
  {"do": "status", "status": 429, "retry_after": "1", "path": "/measurements*", "chance": 0.004},
  {"do": "html", "path": "/measurements", "chance": 0.02, "handled": true},
  {"do": "no_id", "path": "/measurements", "chance": 0.01, "handled": true},
  {"do": "delay", "for": "120ms", "path": "/measurements*", "chance": 0.05}
]}"#;

/// Added to each call of a rough rehearsal, so that kills meet requests in flight.
const LATENCY: Duration = Duration::from_millis(15);

/// The options that the flags describe.
fn sandbox_options(args: &Args) -> Options {
    let calm = Options {
        rate: args.rate,
        seed: args.seed,
        work: Some(WORK),
        // The workbook names the team, so that invented numbers are not mistaken for a contractor's.
        team_names: vec![REHEARSAL_TEAM.to_owned()],
        ..Options::default()
    };
    if !args.rough {
        return calm;
    }
    let faults: Faults = FAULTS.parse().expect("the rules above are well-formed");
    Options {
        faults: Some(faults),
        latency: LATENCY,
        ..calm
    }
}
