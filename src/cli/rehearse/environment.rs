//! What a rehearsal takes place in: a folder, the sandbox, and a connection to it.

use std::path::{Path, PathBuf};

use tokio::runtime::Runtime;

use crate::api::{BearerToken, ClientSecret};
use crate::cli::common::CommonArgs;
use crate::cli::connection::secrets;
use crate::cli::console::NestedReports;
use crate::cli::context::{Context, TokenSource};
use crate::cli::rehearse::{Args, service};
use crate::cli::{CommandError, ExitStatus};
use crate::connect::{Connection, ConnectionDetails, HomeFolders};
use crate::import::ImportInput;
use crate::sandbox::{SandboxHandle, start};

/// A running sandbox, and a home that nothing else uses.
#[derive(Debug)]
pub(super) struct RehearsalEnvironment<'a> {
    outer: &'a Context,
    /// Removed at the end, unless the user keeps a folder of their own.
    _temporary: Option<tempfile::TempDir>,
    folder: PathBuf,
    file: PathBuf,
    runtime: Runtime,
    sandbox: SandboxHandle,
}

impl<'a> RehearsalEnvironment<'a> {
    /// Sets the scene: folder, sandbox, and a copy of what came by standard input.
    ///
    /// # Errors
    /// [`ExitStatus::Files`] where the folder cannot be made or nothing can listen.
    pub(super) fn set(
        args: &Args,
        input: &ImportInput,
        outer: &'a Context,
    ) -> Result<Self, CommandError> {
        let (temporary, folder) = folder(args.keep.as_deref())?;
        let runtime = runtime()?;
        let sandbox = runtime.block_on(start(service::options(args)))?;
        let file = sheet(args, input, &folder)?;
        Ok(Self {
            outer,
            _temporary: temporary,
            folder,
            file,
            runtime,
            sandbox,
        })
    }

    /// Saves a token that the sandbox grants without a browser, as `connect` saves one.
    pub(super) fn connect(&self) -> Result<(), CommandError> {
        let (inner, _) = self.context();
        let announced = self.sandbox.announcement();
        let granted = self.runtime.block_on(self.sandbox.grant_token())?;
        let unusable =
            || CommandError::new(ExitStatus::Bug, "the sandbox granted an unusable token");
        let connection = Connection {
            facts: ConnectionDetails {
                base_url: inner.base_url()?.to_string(),
                client_id: announced.client_id.clone(),
                app_name: None,
                team_id: granted.team_id,
                team_name: granted.team_name,
                connected_at: granted.connected_at,
            },
            token: BearerToken::new(&granted.token).ok_or_else(unusable)?,
            client_secret: ClientSecret::new(&announced.client_secret),
        };
        secrets(&inner).prove()?.save(&connection)?;
        Ok(())
    }

    /// The surroundings of a command inside the rehearsal, and where its document goes.
    pub(super) fn context(&self) -> (Context, NestedReports) {
        let announced = self.sandbox.announcement();
        let (console, gathered) = self.outer.console.gathering();
        let common = CommonArgs {
            profile: "rehearsal".to_owned(),
            base_url: Some(announced.base_url.clone()),
            service_version: Some(announced.service_version.clone()),
            journal: None,
            secrets: "file".to_owned(),
            ..self.outer.common.clone()
        };
        let context = Context {
            voice: TokenSource::Saved,
            common,
            console,
            home: HomeFolders::in_folder(&self.folder),
            settings: Vec::new(),
            command_line: self.outer.command_line.clone(),
        };
        (context, gathered)
    }

    /// The user's sheet.
    pub(super) fn file(&self) -> &Path {
        &self.file
    }

    /// The folder of journal, settings and rejects.
    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Where rejected rows go.
    pub(super) fn rejects(&self) -> PathBuf {
        let stem = self.file.file_stem().unwrap_or_default().to_string_lossy();
        let extension = self.file.extension().unwrap_or_default().to_string_lossy();
        self.folder.join(format!("{stem}.rejects.{extension}"))
    }

    /// The service.
    pub(super) fn sandbox(&self) -> &SandboxHandle {
        &self.sandbox
    }

    /// Runs a future where the sandbox runs.
    pub(super) fn block_on<T>(&self, future: impl Future<Output = T>) -> T {
        self.runtime.block_on(future)
    }

    /// Takes the sandbox down.
    pub(super) fn end(self) {
        self.runtime.block_on(self.sandbox.stop());
    }
}

fn folder(keep: Option<&Path>) -> Result<(Option<tempfile::TempDir>, PathBuf), CommandError> {
    if let Some(folder) = keep {
        std::fs::create_dir_all(folder)
            .map_err(|error| CommandError::file("make", folder, &error))?;
        let folder = std::path::absolute(folder)
            .map_err(|error| CommandError::file("find", folder, &error))?;
        Ok((None, folder))
    } else {
        let temporary = tempfile::tempdir().map_err(|error| {
            CommandError::file("make a folder in", &std::env::temp_dir(), &error)
        })?;
        let path = temporary.path().to_owned();
        Ok((Some(temporary), path))
    }
}

/// The user's sheet, which several commands read; standard input can be read only once.
fn sheet(args: &Args, input: &ImportInput, folder: &Path) -> Result<PathBuf, CommandError> {
    if !input.document.is_spooled() {
        return Ok(args.file.file.clone());
    }
    let copy = folder.join("standard-input.csv");
    std::fs::copy(input.document.place(), &copy)
        .map_err(|error| CommandError::file("write", &copy, &error))?;
    Ok(copy)
}

fn runtime() -> Result<Runtime, CommandError> {
    let mut builder = tokio::runtime::Builder::new_multi_thread();
    crate::cli::runtime::build(builder.worker_threads(2)).map_err(|error| {
        let reason = crate::cli::failure::io_reason(&error);
        CommandError::new(ExitStatus::Files, format!("cannot start: {reason}"))
    })
}
