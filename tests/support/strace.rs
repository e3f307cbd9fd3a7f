//! System calls of the program that fail, or kill it, as a test says.

use std::path::Path;
use std::process::{Command, Stdio};

use crate::support::Run;

/// Whether `strace` is installed and may trace here; says why a test is skipped where it is not.
#[expect(clippy::print_stderr, reason = "a test that is left out says so")]
pub(crate) fn can_trace() -> bool {
    let traced = Command::new("strace")
        .args(["-o", "/dev/null", "true"])
        .stdin(Stdio::null())
        .output();
    match traced {
        Ok(output) if output.status.success() => true,
        Ok(output) => {
            let reason = String::from_utf8_lossy(&output.stderr);
            eprintln!("skipped: strace may not trace here: {}", reason.trim());
            false
        }
        Err(error) => {
            eprintln!("skipped: strace cannot be run: {error}");
            false
        }
    }
}

/// Runs the program with system calls injected, for instance `fsync:error=EIO:when=2`. With a path, only calls on that
/// path count.
pub(crate) fn injected(program: &Command, inject: &str, path: Option<&Path>, stdin: Stdio) -> Run {
    let call = inject.split(':').next().unwrap();
    let mut command = Command::new("strace");
    command
        .args(["-f", "-qq", "-o", "/dev/null", "-e"])
        .arg(format!("trace={call}"))
        .arg("-e")
        .arg(format!("inject={inject}"));
    if let Some(path) = path {
        command.arg("-P").arg(path);
    }
    command
        .arg(program.get_program())
        .args(program.get_args())
        .current_dir(program.get_current_dir().unwrap())
        .stdin(stdin);
    for (name, value) in program.get_envs() {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    Run::of(command.output().unwrap())
}
