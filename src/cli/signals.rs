//! Ctrl-C, SIGTERM and SIGHUP: while requests are sent, the first signal stops the run gracefully and the second ends the
//! program. At any other time, the first ends it: nothing is in flight.
//!
//! A separate thread listens, so that signals are handled while the program is busy.

use std::io;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicUsize, Ordering};
use std::sync::{Arc, mpsc};
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
    stop: StopSignal,
    mode: SignalMode,
    _graceful: Option<Arc<GracefulStop>>,
}

/// While one exists, the first signal stops the run gracefully.
#[derive(Debug)]
struct GracefulStop(Arc<AtomicUsize>);

impl Drop for GracefulStop {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// The state that decides what a signal does.
#[derive(Clone, Debug)]
struct SignalMode {
    /// The exit code of the first signal; 0 before it.
    first: Arc<AtomicU8>,
    /// Number of listeners that stop gracefully.
    graceful: Arc<AtomicUsize>,
    /// Whether the user is being asked a question.
    asking: Arc<AtomicBool>,
    /// Whether the first signal prints what the run still waits for.
    is_announced: Arc<AtomicBool>,
    console: Console,
}

impl SignalListener {
    /// Starts to handle the signals of this process: the first one ends the program.
    ///
    /// # Errors
    /// [`ExitStatus::Files`] if the system refuses a thread or a handler.
    pub(super) fn listen(console: &Console) -> Result<Self, CommandError> {
        let (stop_handle, stop) = stop_signal();
        let mode = SignalMode {
            first: Arc::default(),
            graceful: Arc::default(),
            asking: Arc::default(),
            is_announced: Arc::default(),
            console: console.clone(),
        };
        let what = "a handler for Ctrl-C";
        let listening = mode.listen(stop_handle);
        listening.map_err(|source| CliError::System { what, source })?;
        Ok(Self {
            stop,
            mode,
            _graceful: None,
        })
    }

    /// The same listener; until it is dropped, the first signal stops the run gracefully.
    pub(super) fn graceful(&self) -> Self {
        self.mode.graceful.fetch_add(1, Ordering::Relaxed);
        Self {
            _graceful: Some(Arc::new(GracefulStop(Arc::clone(&self.mode.graceful)))),
            ..self.clone()
        }
    }

    /// The stop signal for the run.
    pub(super) fn stop(&self) -> StopSignal {
        self.stop.clone()
    }

    /// Makes the first signal print what the run still waits for, and how to quit now.
    pub(super) fn announce_stop(&self) {
        self.mode.is_announced.store(true, Ordering::Relaxed);
    }

    /// The exit code of the first signal.
    pub(super) fn exit(&self) -> ExitStatus {
        self.mode.exit()
    }

    /// Asks the user a question. A signal meanwhile ends the program.
    pub(super) fn while_asking<T>(&self, ask: impl FnOnce() -> T) -> T {
        self.mode.asking.store(true, Ordering::Relaxed);
        let answer = ask();
        self.mode.asking.store(false, Ordering::Relaxed);
        answer
    }
}

impl SignalMode {
    /// Starts the thread, and waits until it listens.
    fn listen(&self, stop_handle: StopHandle) -> io::Result<()> {
        let (report, started) = mpsc::channel();
        let mode = self.clone();
        let listen = move || {
            let runtime = Builder::new_current_thread().enable_all().build();
            // The receiver waits for one report.
            let runtime = match runtime {
                Ok(runtime) => runtime,
                Err(error) => return drop(report.send(Err(error))),
            };
            runtime.block_on(async {
                let _ = report.send(mode.watch(&stop_handle));
                std::future::pending::<()>().await;
            });
        };
        std::thread::Builder::new()
            .name("signals".to_owned())
            .spawn(listen)?;
        started.recv().map_err(io::Error::other)?
    }

    fn exit(&self) -> ExitStatus {
        match self.first.load(Ordering::Relaxed) {
            code if code == ExitStatus::Terminated.code() => ExitStatus::Terminated,
            _ => ExitStatus::Interrupted,
        }
    }

    #[cfg(unix)]
    fn watch(&self, stop_handle: &StopHandle) -> io::Result<()> {
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
            let (mode, stop_handle) = (self.clone(), stop_handle.clone());
            tokio::spawn(async move {
                while stream.recv().await.is_some() {
                    mode.handle_signal(&stop_handle, exit).await;
                }
            });
        }
        Ok(())
    }

    #[cfg(not(unix))]
    fn watch(&self, stop_handle: &StopHandle) -> io::Result<()> {
        let (mode, stop_handle) = (self.clone(), stop_handle.clone());
        tokio::spawn(async move {
            while tokio::signal::ctrl_c().await.is_ok() {
                mode.handle_signal(&stop_handle, ExitStatus::Interrupted)
                    .await;
            }
        });
        Ok(())
    }

    async fn handle_signal(&self, stop_handle: &StopHandle, exit: ExitStatus) {
        let is_asking = self.asking.load(Ordering::Relaxed);
        // The first signal names the exit code.
        let _ = self
            .first
            .compare_exchange(0, exit.code(), Ordering::Relaxed, Ordering::Relaxed);
        // Must be read before `escalate`, because a run ended by the stop no longer counts as graceful.
        let is_graceful = self.graceful.load(Ordering::Relaxed) > 0;
        let stage = stop_handle.escalate();
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
                "stopping: waiting up to 30 s for requests in flight; {quit} to quit now"
            ));
        }
    }

    /// Ends the program; the journal is consistent at any time.
    fn end_now(&self) -> ! {
        let failure = CliError::Interrupted(self.exit()).into();
        if self.asking.load(Ordering::Relaxed) {
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
