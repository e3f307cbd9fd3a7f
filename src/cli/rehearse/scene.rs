//! What a rehearsal takes place in: a folder, the sandbox, and a connection to it by the real exchange.

use std::path::{Path, PathBuf};
use std::time::Duration;

use tokio::runtime::Runtime;

use crate::api::{App, ClientSecret, Timeouts};
use crate::cli::common::Common;
use crate::cli::connection::secrets;
use crate::cli::console::Gathered;
use crate::cli::context::{Context, Voice};
use crate::cli::rehearse::{Args, service};
use crate::cli::{Exit, Failure};
use crate::connect::{Connecting, Home};
use crate::import::Input;
use crate::sandbox::{Running, start};

/// How long the simulated consent may take.
const CONSENT: Duration = Duration::from_secs(30);

/// A running sandbox, and a home that nothing else uses.
#[derive(Debug)]
pub(super) struct Scene<'a> {
    outer: &'a Context,
    /// Removed at the end, unless the user keeps a folder of their own.
    _temporary: Option<tempfile::TempDir>,
    folder: PathBuf,
    file: PathBuf,
    runtime: Runtime,
    sandbox: Running,
}

impl<'a> Scene<'a> {
    /// Sets the scene: folder, sandbox, and a copy of what came by standard input.
    ///
    /// # Errors
    /// [`Exit::Files`] where the folder cannot be made or nothing can listen.
    pub(super) fn set(args: &Args, input: &Input, outer: &'a Context) -> Result<Self, Failure> {
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

    /// Connects as a person would; the simulated contractor allows it in their browser.
    pub(super) fn connect(&self) -> Result<(), Failure> {
        let (inner, _) = self.context();
        let announced = self.sandbox.announcement();
        let plan = Connecting {
            base_url: inner.base_url()?,
            version: inner.service_version()?,
            app: App {
                client_id: announced.client_id.clone(),
                client_secret: ClientSecret::new(&announced.client_secret).ok_or_else(|| {
                    Failure::new(Exit::Bug, "the sandbox announced no client secret")
                })?,
            },
            port: 0,
            patience: CONSENT,
            timeouts: Timeouts::default(),
            expected: None,
        };
        let secrets = secrets(&inner);
        let vault = secrets.prove()?;
        let (link_sender, link) = tokio::sync::oneshot::channel::<String>();
        let allowing = async {
            match link.await {
                Ok(link) => self.sandbox.allow(&link).await.map_err(Failure::from),
                // The exchange ended before it had a link; it says why itself.
                Err(_) => Ok(()),
            }
        };
        let open = |link: &str| {
            // The receiver lives in this very function.
            let _ = link_sender.send(link.to_owned());
        };
        let connecting = crate::connect::run(plan, vault, open, std::future::pending());
        let (connected, allowed) = self
            .runtime
            .block_on(async { tokio::join!(connecting, allowing) });
        connected?;
        allowed
    }

    /// The surroundings of a command inside the rehearsal, and where its document goes.
    pub(super) fn context(&self) -> (Context, Gathered) {
        let announced = self.sandbox.announcement();
        let (console, gathered) = self.outer.console.gathering();
        let common = Common {
            profile: "rehearsal".to_owned(),
            base_url: Some(announced.base_url.clone()),
            service_version: Some(announced.service_version.clone()),
            journal: None,
            secrets: "file".to_owned(),
            ..self.outer.common.clone()
        };
        let context = Context {
            voice: Voice::Saved,
            common,
            console,
            home: Home::in_folder(&self.folder),
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
    pub(super) fn sandbox(&self) -> &Running {
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

fn folder(keep: Option<&Path>) -> Result<(Option<tempfile::TempDir>, PathBuf), Failure> {
    if let Some(folder) = keep {
        std::fs::create_dir_all(folder).map_err(|error| Failure::file("make", folder, &error))?;
        let folder =
            std::path::absolute(folder).map_err(|error| Failure::file("find", folder, &error))?;
        Ok((None, folder))
    } else {
        let temporary = tempfile::tempdir()
            .map_err(|error| Failure::file("make a folder in", &std::env::temp_dir(), &error))?;
        let path = temporary.path().to_owned();
        Ok((Some(temporary), path))
    }
}

/// The user's sheet, which several commands read; standard input can be read only once.
fn sheet(args: &Args, input: &Input, folder: &Path) -> Result<PathBuf, Failure> {
    if !input.document.is_spooled() {
        return Ok(args.file.file.clone());
    }
    let copy = folder.join("standard-input.csv");
    std::fs::copy(input.document.place(), &copy)
        .map_err(|error| Failure::file("write", &copy, &error))?;
    Ok(copy)
}

fn runtime() -> Result<Runtime, Failure> {
    let mut builder = tokio::runtime::Builder::new_multi_thread();
    crate::cli::runtime::build(builder.worker_threads(2)).map_err(|error| {
        let reason = crate::cli::failure::io_reason(&error);
        Failure::new(Exit::Files, format!("cannot start: {reason}"))
    })
}
