//! What a process costs: time, CPU time and memory.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use wait4::Wait4 as _;

/// The cost of one process.
#[derive(Clone, Copy)]
pub(crate) struct Cost {
    /// From its start to its end.
    pub(crate) time: Duration,
    /// The CPU time of all its threads, in user and kernel mode.
    pub(crate) cpu: Duration,
    /// The largest resident set, in bytes.
    pub(crate) memory: u64,
}

impl Cost {
    /// A time to compare with that no process took.
    pub(crate) fn of_time(time: Duration) -> Self {
        Self {
            time,
            cpu: Duration::ZERO,
            memory: 0,
        }
    }

    /// The smaller of two values of each kind.
    pub(crate) fn smaller(self, other: Self) -> Self {
        Self {
            time: self.time.min(other.time),
            cpu: self.cpu.min(other.cpu),
            memory: self.memory.min(other.memory),
        }
    }
}

/// A process to be measured.
pub(crate) struct Program(Command);

impl Program {
    /// `command`, without input and output.
    pub(crate) fn new(mut command: Command) -> Self {
        command
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        Self(command)
    }

    /// The work of the bare library that `words` name, in another process of this benchmark.
    pub(crate) fn bare(words: &[&str]) -> Self {
        let this = std::env::current_exe().expect("the benchmark has a path");
        let mut command = Command::new(this);
        command.arg("bare").args(words);
        Self::new(command)
    }

    /// Runs the process.
    #[expect(
        clippy::disallowed_methods,
        reason = "a benchmark reads the computer's clock"
    )]
    pub(crate) fn run(mut self) -> Cost {
        let start = Instant::now();
        let mut child = self.0.spawn().expect("the process starts");
        let used = child.wait4().expect("the process can be waited for");
        let time = start.elapsed();
        assert!(used.status.success(), "{:?}: {}", self.0, used.status);
        Cost {
            time,
            cpu: used.rusage.utime + used.rusage.stime,
            memory: used.rusage.maxrss,
        }
    }
}

/// Runs both three times in turn, so that both meet the same conditions, and returns the smallest costs.
pub(crate) fn in_turn(
    mut measured: impl FnMut() -> Program,
    mut compared: impl FnMut() -> Program,
) -> (Cost, Cost) {
    (0..3)
        .map(|_| (measured().run(), compared().run()))
        .reduce(|one, other| (one.0.smaller(other.0), one.1.smaller(other.1)))
        .expect("both ran")
}
