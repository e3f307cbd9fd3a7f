//! A sandbox, and a folder for the files of a benchmark and the program's journals.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use gutterbatch::sandbox::{Options, SandboxHandle, start};
use tokio::runtime::Runtime;

use crate::cost::{Cost, Program};

/// Both, until they are dropped.
pub(crate) struct Stage {
    // Serves the sandbox.
    _runtime: Runtime,
    sandbox: SandboxHandle,
    folder: tempfile::TempDir,
    loops: std::cell::Cell<u32>,
}

impl Stage {
    /// A sandbox with the quota `rate`, whose contractor completes each measurement after a millisecond.
    pub(crate) fn new(rate: &str) -> Self {
        let runtime = Runtime::new().expect("threads start");
        let options = Options {
            rate: rate.parse().expect("the rate is well-formed"),
            work: Some(Duration::from_millis(1)),
            ..Options::default()
        };
        let sandbox = runtime
            .block_on(start(options))
            .expect("the sandbox can listen on loopback");
        Self {
            _runtime: runtime,
            sandbox,
            folder: tempfile::tempdir().expect("a temporary folder can be created"),
            loops: std::cell::Cell::new(0),
        }
    }

    /// The path of a file in the folder.
    pub(crate) fn path(&self, name: &str) -> String {
        let path = self.folder.path().join(name);
        path.to_str().expect("the path is UTF-8").to_owned()
    }

    /// Writes a sheet of the kind `csv` or `xlsx` with so many rows into the folder and returns its path.
    pub(crate) fn sheet(&self, kind: &str, rows: usize) -> String {
        let path = self.path(&format!("leads.{kind}"));
        Program::bare(&[&format!("sheet {kind}"), &path, &rows.to_string()]).run();
        path
    }

    /// The program with the arguments `words` and its journal in the folder `home`.
    pub(crate) fn program(&self, home: &str, words: &[&str]) -> Program {
        let announced = self.sandbox.connection_info();
        let mut command = Command::new(env!("CARGO_BIN_EXE_gutterbatch"));
        command
            .args(words)
            .current_dir(self.folder.path())
            .env("GUTTERBATCH_HOME", self.home(home))
            .env("GUTTERBATCH_BASE_URL", &announced.base_url)
            .env("GUTTERBATCH_SERVICE_VERSION", &announced.service_version)
            .env("GUTTERBATCH_TOKEN", &announced.token);
        Program::new(command)
    }

    /// Runs that program once.
    pub(crate) fn run(&self, home: &str, words: &[&str]) -> Cost {
        self.program(home, words).run()
    }

    /// The folder of a journal.
    pub(crate) fn home(&self, name: &str) -> impl AsRef<Path> + AsRef<std::ffi::OsStr> {
        self.folder.path().join(name)
    }

    /// A process that posts the rows of a file under ids of its own and keeps nothing.
    pub(crate) fn loop_of_requests(&self, path: &str) -> Program {
        self.loops.set(self.loops.get() + 1);
        let prefix = format!("loop{}-", self.loops.get());
        let announced = self.sandbox.connection_info();
        Program::bare(&[
            "requests",
            path,
            &prefix,
            &announced.base_url,
            &announced.service_version,
            &announced.token,
        ])
    }
}
