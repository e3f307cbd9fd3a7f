//! Ctrl-C, SIGTERM and SIGHUP: while requests are sent, the first signal stops the run gracefully and the second ends the
//! program. At any other time, the first ends it: nothing is in flight.
//!
//! A separate thread listens, so that signals are handled while the program is busy.

use std::io;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicUsize, Ordering};
use std::sync::{Arc, mpsc};
use std::time::Duration;

use tokio::runtime::{Builder, Handle, Runtime};
use tokio::sync::oneshot;

use crate::cli::console::Console;
use crate::cli::failure::io_reason;
use crate::cli::{CommandError, ExitStatus, runtime};
use crate::dispatch::{StopHandle, StopSignal, StopStage, stop_signal};

/// Time to restore the terminal before the program ends.
const RESTORE_TIME: Duration = Duration::from_millis(500);

/// Listens for signals until the last clone is dropped.
#[derive(Clone, Debug)]
pub(super) struct SignalListener {
    stop: StopSignal,
    mode: SignalMode,
    listening: Arc<SignalThread>,
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

/// The thread that listens until this value is dropped.
#[derive(Debug)]
struct SignalThread {
    thread: Handle,
    _kept: oneshot::Sender<()>,
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
    /// Prints the JSON document if the program ends at once.
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
            console: console.clone(),
        };
        let listening = mode.listen(&stop_handle).map_err(|error| {
            let reason = io_reason(&error);
            CommandError::new(
                ExitStatus::Files,
                format!("cannot listen for Ctrl-C: {reason}"),
            )
        })?;
        Ok(Self {
            stop,
            mode,
            listening: Arc::new(listening),
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

    /// Prints, once the user stops the run, what it still waits for and how to quit now.
    pub(super) fn print_stop_messages(&self, console: &Console) {
        let (stop, mode, console) = (self.stop(), self.mode.clone(), console.clone());
        self.listening.thread.spawn(async move {
            stop.reached(StopStage::Draining).await;
            let quit = match mode.exit() {
                ExitStatus::Interrupted => "press Ctrl-C again",
                _ => "send the signal again",
            };
            console.say_progress(&format!(
                "stopping: waiting up to 30 s for requests in flight; {quit} to quit now"
            ));
        });
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
    fn listen(&self, stop_handle: &StopHandle) -> io::Result<SignalThread> {
        let (kept, dropped) = oneshot::channel();
        let (hand_over, handed_over) = mpsc::channel::<Runtime>();
        // The thread starts before the runtime exists: if the system refused the thread, the runtime would be dropped
        // here, and tokio panics if that happens inside another runtime.
        std::thread::Builder::new()
            .name("signals".to_owned())
            .spawn(move || {
                if let Ok(runtime) = handed_over.recv() {
                    let _ = runtime.block_on(dropped);
                }
            })?;
        let runtime = runtime::build(&mut Builder::new_current_thread())?;
        let watching = {
            let _within = runtime.enter();
            self.watch(stop_handle)
        };
        if let Err(error) = watching {
            runtime.shutdown_background();
            return Err(error);
        }
        let thread = runtime.handle().clone();
        hand_over
            .send(runtime)
            .expect("the thread waits for its runtime");
        Ok(SignalThread {
            thread,
            _kept: kept,
        })
    }

    fn exit(&self) -> ExitStatus {
        match self.first.load(Ordering::Relaxed) {
            code if code == ExitStatus::Terminated.code() => ExitStatus::Terminated,
            _ => ExitStatus::Interrupted,
        }
    }

    #[cfg(unix)]
    fn watch(&self, stop_handle: &StopHandle) -> io::Result<()> {
        use tokio::signal::unix::{SignalKind, signal};
        let kinds = [
            (SignalKind::interrupt(), ExitStatus::Interrupted),
            (SignalKind::terminate(), ExitStatus::Terminated),
            // A closed terminal has no exit code of its own.
            (SignalKind::hangup(), ExitStatus::Terminated),
        ];
        for (kind, exit) in kinds {
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
        // The first signal names the exit code.
        let _ = self
            .first
            .compare_exchange(0, exit.code(), Ordering::Relaxed, Ordering::Relaxed);
        let stage = stop_handle.escalate();
        let is_graceful = self.graceful.load(Ordering::Relaxed) > 0;
        if !is_graceful || self.asking.load(Ordering::Relaxed) {
            self.end_now();
        }
        if stage == StopStage::Now {
            tokio::time::sleep(RESTORE_TIME).await;
            self.end_now();
        }
    }

    /// Ends the program; the journal is consistent at any time.
    fn end_now(&self) -> ! {
        let failure = CommandError::new(self.exit(), "interrupted")
            .hinted("nothing is lost; run the same command again to resume");
        if self.asking.load(Ordering::Relaxed) {
            self.console.failure_in_question(&failure);
        } else {
            self.console.failure(&failure);
        }
        std::process::exit(i32::from(self.exit().code()))
    }
}
