//! The builder of every test that runs the program: arrange, run, look.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use gutterbatch::sandbox::{Options, SandboxHandle};

use crate::support::Canned;
use crate::support::browser::{Decision, decide};

/// A temporary folder with a home of its own, and the sandbox where asked for.
#[derive(Debug)]
pub(crate) struct Stage {
    folder: tempfile::TempDir,
    sandbox: Option<SandboxHandle>,
    /// The address of a service that a test plays itself.
    service: Option<String>,
    runtime: tokio::runtime::Runtime,
}

/// What a run of the program left.
#[derive(Debug)]
pub(crate) struct Run {
    /// The exit code; none after a signal.
    pub(crate) code: Option<i32>,
    /// Standard output.
    pub(crate) stdout: String,
    /// Standard error.
    pub(crate) stderr: String,
}

impl Stage {
    /// A stage without a service.
    pub(crate) fn offline() -> Self {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()
            .unwrap();
        Self {
            folder: tempfile::tempdir().unwrap(),
            sandbox: None,
            service: None,
            runtime,
        }
    }

    /// A stage with a sandbox that is in nobody's way.
    pub(crate) fn open() -> Self {
        Self::with(Options {
            rate: "1000000/1s".parse().unwrap(),
            ..Options::default()
        })
    }

    /// A stage with a sandbox of those options.
    pub(crate) fn with(options: Options) -> Self {
        let mut stage = Self::offline();
        stage.sandbox = Some(
            stage
                .runtime
                .block_on(gutterbatch::sandbox::start(options))
                .unwrap(),
        );
        stage
    }

    /// A stage that speaks to a service of the test's own.
    pub(crate) fn speaking_to(url: String) -> Self {
        Self {
            service: Some(url),
            ..Self::offline()
        }
    }

    /// The sandbox of this stage.
    pub(crate) fn sandbox(&self) -> &SandboxHandle {
        self.sandbox.as_ref().expect("this stage has a sandbox")
    }

    /// Runs a future to its end.
    pub(crate) fn block_on<T>(&self, future: impl Future<Output = T>) -> T {
        self.runtime.block_on(future)
    }

    /// Clicks Allow on the consent page behind a link, and follows the redirect.
    pub(crate) fn allow(&self, link: &str) {
        self.block_on(decide(link, None, Decision::Allow));
    }

    /// Clicks Allow for a team by its name.
    pub(crate) fn allow_for(&self, link: &str, team: &str) {
        self.block_on(decide(link, Some(team), Decision::Allow));
    }

    /// Clicks Deny.
    pub(crate) fn deny(&self, link: &str) {
        self.block_on(decide(link, None, Decision::Deny));
    }

    /// A path in the stage's folder.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Writes a file into the stage's folder.
    pub(crate) fn file(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, content).unwrap();
        path
    }

    /// The program, in the stage's folder, connected to its sandbox, with nothing of the machine's own settings.
    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = self.bare_command(args);
        if let Some(url) = &self.service {
            command
                .env("GUTTERBATCH_BASE_URL", url)
                .env("GUTTERBATCH_SERVICE_VERSION", "2026-01-31")
                .env("GUTTERBATCH_TOKEN", "token-1");
        }
        if let Some(sandbox) = &self.sandbox {
            let announced = sandbox.connection_info();
            command
                .env("GUTTERBATCH_BASE_URL", &announced.base_url)
                .env("GUTTERBATCH_SERVICE_VERSION", &announced.service_version)
                .env("GUTTERBATCH_CLIENT_ID", &announced.client_id)
                .env("GUTTERBATCH_CLIENT_SECRET", &announced.client_secret)
                .env("GUTTERBATCH_TOKEN", &announced.token);
        }
        command
    }

    /// The program in the stage's folder, with a home of its own and no connection.
    pub(crate) fn bare_command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_gutterbatch"));
        let ours = std::env::vars_os().map(|(name, _)| name);
        for name in ours.filter(|name| name.to_string_lossy().starts_with("GUTTERBATCH_")) {
            command.env_remove(name);
        }
        command
            .args(args)
            .current_dir(self.folder.path())
            .stdin(Stdio::null())
            .env("GUTTERBATCH_HOME", self.path("home"))
            .env("HOME", self.folder.path())
            .env("NO_COLOR", "1");
        command
    }

    /// The program in the stage's folder, with a token for a service that says what it is told to.
    pub(crate) fn against(&self, service: &Canned, args: &[&str]) -> Command {
        let mut command = self.bare_command(args);
        command
            .env("GUTTERBATCH_BASE_URL", service.url())
            .env("GUTTERBATCH_SERVICE_VERSION", "2026-01-15")
            .env("GUTTERBATCH_TOKEN", "a-token");
        command
    }

    /// Runs the program to its end.
    pub(crate) fn run(&self, args: &[&str]) -> Run {
        Run::of(self.command(args).output().unwrap())
    }

    /// The profile's journal.
    pub(crate) fn journal(&self) -> PathBuf {
        self.path("home").join("journals").join("default.db")
    }

    /// The stage's folder.
    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }
}

impl Run {
    /// What a finished process left.
    pub(crate) fn of(output: Output) -> Self {
        Self {
            code: output.status.code(),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// Asserts the exit code, showing everything where it differs.
    #[track_caller]
    pub(crate) fn expect(self, code: i32) -> Self {
        assert_eq!(
            self.code,
            Some(code),
            "\nstdout:\n{}\nstderr:\n{}",
            self.stdout,
            self.stderr
        );
        self
    }

    /// Standard output as JSON.
    #[track_caller]
    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.stdout)
            .unwrap_or_else(|error| panic!("{error}: {}", self.stdout))
    }
}
