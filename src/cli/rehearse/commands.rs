//! The commands of a rehearsal: processes of this program, with the stand-in as their service and with no secret of the
//! user.

use std::ffi::OsString;
use std::fs::File;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::Value;

use crate::cli::progress::ProgressLine;
use crate::cli::rehearse::Args;
use crate::cli::rehearse::environment::{PROFILE, RehearsalEnvironment};
use crate::cli::{CliError, CommandError, ErrorKind, ExitStatus};
use crate::dispatch::StopStage;

/// The files of the folder that have what a command prints.
const DOCUMENT: &str = "last.json";
const LOG: &str = "last.log";

/// Time between two looks at a process that runs.
const POLLED: Duration = Duration::from_millis(50);

/// The arguments of `import`.
pub(super) fn import(args: &Args, environment: &RehearsalEnvironment<'_>) -> Vec<OsString> {
    let mut words: Vec<OsString> = vec!["import".into(), environment.file.clone().into()];
    words.extend([
        "--yes".into(),
        "--rate".into(),
        args.rate.to_string().into(),
    ]);
    match args.keep {
        Some(_) => words.extend(["--rejects".into(), environment.rejects().into_os_string()]),
        None => words.push("--no-rejects".into()),
    }
    words.extend(args.reading.words().into_iter().map(OsString::from));
    words
}

/// The arguments of `export`, which waits until every measurement is final.
pub(super) fn export(args: &Args, output: &Path) -> Vec<OsString> {
    let output = output.as_os_str().to_owned();
    let rate = args.rate.to_string().into();
    vec![
        "export".into(),
        output,
        "--wait-complete".into(),
        "--rate".into(),
        rate,
    ]
}

impl RehearsalEnvironment<'_> {
    /// Starts a command.
    pub(super) fn spawn(&self, words: &[OsString]) -> Result<Child, CommandError> {
        let create = |name: &str| {
            let path = self.folder.join(name);
            File::create(&path).map_err(|error| CommandError::file("write", &path, error))
        };
        let announced = self.sandbox.connection_info();
        let mut command = Command::new(std::env::current_exe().map_err(not_run)?);
        command
            .args(words)
            .args(["--json", "--no-progress", "--secrets", "file"])
            // A rehearsal never uses the user's own connection.
            .env_remove("GUTTERBATCH_TOKEN")
            .env_remove("GUTTERBATCH_CLIENT_ID")
            .env_remove("GUTTERBATCH_CLIENT_SECRET")
            .env("GUTTERBATCH_HOME", &self.folder)
            .env("GUTTERBATCH_PROFILE", PROFILE)
            .env("GUTTERBATCH_BASE_URL", &announced.base_url)
            .env("GUTTERBATCH_SERVICE_VERSION", &announced.service_version)
            .stdin(Stdio::null())
            .stdout(create(DOCUMENT)?)
            .stderr(create(LOG)?);
        if let Some(log) = &self.outer.common.log {
            command.arg("--log").arg(log);
        }
        Ok(command.spawn().map_err(not_run)?)
    }

    /// Lets a command run for this time.
    ///
    /// # Errors
    /// [`ExitStatus::Interrupted`] for a signal, which kills the command.
    pub(super) fn wait(&self, child: &mut Child, time: Duration) -> Result<(), CommandError> {
        let stop = self.signals.stop();
        let is_stopped = self.runtime.block_on(async {
            tokio::select! {
                () = tokio::time::sleep(time) => false,
                () = stop.reached(StopStage::Draining) => true,
            }
        });
        if !is_stopped {
            return Ok(());
        }
        child.kill().map_err(not_run)?;
        child.wait().map_err(not_run)?;
        Err(CliError::Interrupted(self.signals.exit()).into())
    }

    /// Runs a command to its end, and prints its warnings. Returns its document and its exit code.
    ///
    /// # Errors
    /// As [`RehearsalEnvironment::run_showing`].
    pub(super) fn run(&self, words: &[OsString]) -> Result<(Value, ExitStatus), CommandError> {
        let mut progress = ProgressLine::start(&self.outer.console, None);
        let name = words
            .first()
            .map_or("".into(), |name| name.to_string_lossy());
        let state = format!("requests to the stand-in; running `{name}`");
        self.run_showing(words, || {
            progress.update(self.sandbox.calls().len() as u64, &state);
        })
    }

    /// As [`RehearsalEnvironment::run`]; `show` is called while the command runs.
    ///
    /// # Errors
    /// Its own error, if it ended with one, and as [`RehearsalEnvironment::wait`].
    pub(super) fn run_showing(
        &self,
        words: &[OsString],
        mut show: impl FnMut(),
    ) -> Result<(Value, ExitStatus), CommandError> {
        let mut child = self.spawn(words)?;
        let console = &self.outer.console;
        while child.try_wait().map_err(not_run)?.is_none() {
            show();
            self.wait(&mut child, POLLED)?;
        }
        let log = std::fs::read_to_string(self.folder.join(LOG)).unwrap_or_default();
        let warnings = log
            .lines()
            .filter_map(|line| line.strip_prefix("warning: "));
        warnings.for_each(|warning| console.warn(warning));
        let document = std::fs::read(self.folder.join(DOCUMENT)).unwrap_or_default();
        let document: Value = serde_json::from_slice(&document).unwrap_or_default();
        if let Some(failure) = failure(&document["error"]) {
            return Err(failure);
        }
        let mut exits = ExitStatus::MEANINGS.iter().map(|(exit, _)| *exit);
        let code = document["exit_code"].as_u64();
        let exit = exits.find(|exit| Some(exit.code().into()) == code);
        match exit {
            Some(exit) => Ok((document, exit)),
            None => Err(failed(format!("it printed no JSON: {}", log.trim())).into()),
        }
    }
}

/// The error of a document; `None` if it is null.
fn failure(error: &Value) -> Option<CommandError> {
    let kind: ErrorKind = serde_json::from_value(error["kind"].clone()).ok()?;
    let failure = CommandError::new(kind, error["message"].as_str()?);
    Some(match error["hint"].as_str() {
        Some(hint) => failure.hinted(hint),
        None => failure,
    })
}

/// A bug in a command.
pub(super) fn failed(reason: String) -> CliError {
    let place = "a command of the rehearsal".to_owned();
    CliError::Bug { place, reason }
}

/// A process that the system does not run.
pub(super) fn not_run(source: std::io::Error) -> CliError {
    let what = "a process for the rehearsal";
    CliError::System { what, source }
}
