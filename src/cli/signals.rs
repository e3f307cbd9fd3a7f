//! Ctrl-C, SIGTERM and SIGHUP: while requests are sent, the first signal stops the run gracefully and the second ends the
//! program. At any other time, the first ends it: nothing is in flight.
//!
//! A separate thread listens, so that signals are handled while the program is busy.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock, mpsc};
use std::time::Duration;

use tokio::runtime::Builder;

use crate::cli::console::Console;
use crate::cli::{CliError, CommandError, ExitStatus};
use crate::dispatch::{StopHandle, StopSignal, StopStage, stop_signal};

/// Time to restore the terminal before the program ends.
const RESTORE_TIME: Duration = Duration::from_millis(500);

/// Listens for signals until the program ends.
#[derive(Clone, Debug)]
pub(super) struct SignalListener {
    state: Arc<SignalState>,
    /// A share of the state's, while the first signal is to stop the run gracefully.
    _graceful: Option<Arc<()>>,
}

/// What decides what a signal does.
#[derive(Debug)]
struct SignalState {
    stop_handle: StopHandle,
    /// The exit code of the first signal.
    first: OnceLock<ExitStatus>,
    /// Shared by the listeners that stop gracefully.
    graceful: Arc<()>,
    /// Whether the user is being asked a question.
    asking: AtomicBool,
    /// Whether the first signal prints what the run still waits for.
    is_announced: AtomicBool,
    console: Console,
}

impl SignalListener {
    /// Starts to handle the signals of this process: the first one ends the program.
    ///
    /// # Errors
    /// [`ExitStatus::Files`] if the system refuses a thread or a handler.
    pub(super) fn listen(console: &Console) -> Result<Self, CommandError> {
        let state = Arc::new(SignalState {
            stop_handle: stop_signal().0,
            first: OnceLock::new(),
            graceful: Arc::default(),
            asking: AtomicBool::default(),
            is_announced: AtomicBool::default(),
            console: console.clone(),
        });
        let what = "a handler for Ctrl-C";
        listen(&state).map_err(|source| CliError::System { what, source })?;
        Ok(Self {
            state,
            _graceful: None,
        })
    }

    /// The same listener; until it is dropped, the first signal stops the run gracefully.
    pub(super) fn graceful(&self) -> Self {
        Self {
            state: Arc::clone(&self.state),
            _graceful: Some(Arc::clone(&self.state.graceful)),
        }
    }

    /// The stop signal for the run.
    pub(super) fn stop(&self) -> StopSignal {
        self.state.stop_handle.signal()
    }

    /// Makes the first signal print what the run still waits for, and how to quit now.
    pub(super) fn announce_stop(&self) {
        self.state.is_announced.store(true, Ordering::Relaxed);
    }

    /// The exit code of the first signal.
    pub(super) fn exit(&self) -> ExitStatus {
        self.state.exit()
    }

    /// Asks the user a question. A signal meanwhile ends the program.
    pub(super) fn while_asking<T>(&self, ask: impl FnOnce() -> T) -> T {
        self.state.asking.store(true, Ordering::Relaxed);
        let answer = ask();
        self.state.asking.store(false, Ordering::Relaxed);
        answer
    }
}

/// Starts the thread, and waits until it listens.
fn listen(state: &Arc<SignalState>) -> io::Result<()> {
    let (report, started) = mpsc::channel();
    let state = Arc::clone(state);
    let listen = move || {
        let runtime = Builder::new_current_thread().enable_all().build();
        // The receiver waits for one report.
        let runtime = match runtime {
            Ok(runtime) => runtime,
            Err(error) => return drop(report.send(Err(error))),
        };
        runtime.block_on(async {
            let _ = report.send(watch(&state));
            std::future::pending::<()>().await;
        });
    };
    std::thread::Builder::new()
        .name("signals".to_owned())
        .spawn(listen)?;
    started.recv().map_err(io::Error::other)?
}

#[cfg(unix)]
fn watch(state: &Arc<SignalState>) -> io::Result<()> {
    use rustix::process::Signal;
    use tokio::signal::unix::{SignalKind, signal};
    // With a handler, a write beyond the limit for files (ulimit -f) fails, instead of ending the program silently.
    let _ = signal(SignalKind::from_raw(Signal::XFSZ.as_raw()))?;
    let kinds = [
        (SignalKind::interrupt(), ExitStatus::Interrupted),
        (SignalKind::terminate(), ExitStatus::Terminated),
        // A closed terminal has no exit code of its own.
        (SignalKind::hangup(), ExitStatus::Terminated),
    ];
    for (kind, exit) in kinds {
        if kind == SignalKind::hangup() && is_hangup_ignored() {
            continue;
        }
        let mut stream = signal(kind)?;
        let state = Arc::clone(state);
        tokio::spawn(async move {
            while stream.recv().await.is_some() {
                state.handle_signal(exit).await;
            }
        });
    }
    Ok(())
}

#[cfg(windows)]
fn watch(state: &Arc<SignalState>) -> io::Result<()> {
    let mut presses = tokio::signal::windows::ctrl_c()?;
    let state = Arc::clone(state);
    tokio::spawn(async move {
        while presses.recv().await.is_some() {
            state.handle_signal(ExitStatus::Interrupted).await;
        }
    });
    Ok(())
}

impl SignalState {
    fn exit(&self) -> ExitStatus {
        self.first.get().copied().unwrap_or(ExitStatus::Interrupted)
    }

    async fn handle_signal(&self, exit: ExitStatus) {
        let is_asking = self.asking.load(Ordering::Relaxed);
        // The first signal names the exit code.
        let _ = self.first.set(exit);
        // Must be read before `escalate`, because a run ended by the stop no longer counts as graceful.
        let is_graceful = Arc::strong_count(&self.graceful) > 1;
        let stage = self.stop_handle.escalate();
        if !is_graceful || is_asking {
            self.end_now();
        }
        if stage == StopStage::Now {
            tokio::time::sleep(RESTORE_TIME).await;
            self.end_now();
        }
        if self.is_announced.load(Ordering::Relaxed) {
            let quit = match self.exit() {
                ExitStatus::Interrupted => "press Ctrl-C again",
                _ => "send the signal again",
            };
            self.console.info_progress(&format!(
                "stopping: waiting up to 30 s for requests in flight, if any; {quit} to quit now"
            ));
        }
    }

    /// Ends the program; the journal is consistent at any time.
    fn end_now(&self) -> ! {
        let failure = CommandError::from(CliError::Interrupted(self.exit()));
        if self.asking.load(Ordering::Relaxed) {
            let failure =
                failure.hinted("the question was not answered; run the same command again");
            self.console.failure_in_question(&failure);
        } else {
            self.console.bar().finish_and_clear();
            self.console.failure(&failure);
        }
        std::process::exit(i32::from(self.exit().code()))
    }
}

/// Whether SIGHUP is ignored (nohup). Without unsafe code this can be read on Linux only.
#[cfg(unix)]
fn is_hangup_ignored() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.is_some_and(|mask| mask & 1 == 1)
}
