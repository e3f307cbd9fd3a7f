//! Ctrl-C, SIGTERM and a terminal that closes: the first drains, the second ends at once.
//!
//! A thread of its own listens, so that a signal is heard whatever the program is busy with.

use std::io;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::sync::{Arc, mpsc};
use std::time::Duration;

use tokio::runtime::{Builder, Handle, Runtime};
use tokio::sync::oneshot;

use crate::cli::console::Console;
use crate::cli::failure::io_reason;
use crate::cli::{CommandError, ExitStatus, runtime};
use crate::dispatch::{StopHandle, StopSignal, StopStage, stop_signal};

/// How long a run that was told to end at once may take to put its terminal in order.
const LAST_WORDS: Duration = Duration::from_millis(500);

/// Listens from now on, until the last clone is dropped.
#[derive(Clone, Debug)]
pub(super) struct SignalListener {
    stop: StopSignal,
    heard: SignalMode,
    listening: Arc<SignalThread>,
}

/// The thread that listens, as long as this is kept.
#[derive(Debug)]
struct SignalThread {
    thread: Handle,
    _kept: oneshot::Sender<()>,
}

/// What a signal meets.
#[derive(Clone, Debug, Default)]
struct SignalMode {
    /// The exit code that the first one names.
    first: Arc<AtomicU8>,
    /// Whether the user is being asked.
    asking: Arc<AtomicBool>,
}

impl SignalListener {
    /// Takes over the signals of this process.
    ///
    /// # Errors
    /// [`ExitStatus::Files`] where the system refuses.
    pub(super) fn listen() -> Result<Self, CommandError> {
        let (stop_handle, stop) = stop_signal();
        let heard = SignalMode::default();
        let listening = heard.listen(&stop_handle).map_err(|error| {
            let reason = io_reason(&error);
            CommandError::new(
                ExitStatus::Files,
                format!("cannot listen for Ctrl-C: {reason}"),
            )
        })?;
        Ok(Self {
            stop,
            heard,
            listening: Arc::new(listening),
        })
    }

    /// What the run listens to.
    pub(super) fn stop(&self) -> StopSignal {
        self.stop.clone()
    }

    /// Tells a person who stopped the run what it still waits for, and how not to wait.
    pub(super) fn print_stop_messages(&self, console: &Console) {
        let (stop, console) = (self.stop(), console.clone());
        self.listening.thread.spawn(async move {
            stop.reached(StopStage::Draining).await;
            console.say("stopping: waiting up to 30 s for requests in flight; press Ctrl-C again to quit now");
        });
    }

    /// The failure of a run that was stopped, with the exit code of the signal that did it.
    pub(super) fn exit(&self) -> ExitStatus {
        self.heard.exit()
    }

    /// Runs a question to the user: a signal then ends the program at once, since nothing is on its way.
    pub(super) fn while_asking<T>(&self, ask: impl FnOnce() -> T) -> T {
        self.heard.asking.store(true, Ordering::Relaxed);
        let answer = ask();
        self.heard.asking.store(false, Ordering::Relaxed);
        answer
    }
}

impl SignalMode {
    fn listen(&self, stop_handle: &StopHandle) -> io::Result<SignalThread> {
        let (kept, dropped) = oneshot::channel();
        let (hand_over, handed_over) = mpsc::channel::<Runtime>();
        // Started before there is a runtime: where the system refuses the thread, the runtime would be dropped here, and
        // tokio panics where that happens inside another one.
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
            // A terminal that closes: as if told to end, since there is no code of its own.
            (SignalKind::hangup(), ExitStatus::Terminated),
        ];
        for (kind, exit) in kinds {
            let mut stream = signal(kind)?;
            let (heard, stop_handle) = (self.clone(), stop_handle.clone());
            tokio::spawn(async move {
                while stream.recv().await.is_some() {
                    heard.handle_signal(&stop_handle, exit).await;
                }
            });
        }
        Ok(())
    }

    #[cfg(not(unix))]
    fn watch(&self, stop_handle: &StopHandle) -> io::Result<()> {
        let (heard, stop_handle) = (self.clone(), stop_handle.clone());
        tokio::spawn(async move {
            while tokio::signal::ctrl_c().await.is_ok() {
                heard.press(&stop_handle, ExitStatus::Interrupted).await;
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
        if self.asking.load(Ordering::Relaxed) {
            self.end_now();
        }
        if stage == StopStage::Now {
            tokio::time::sleep(LAST_WORDS).await;
            self.end_now();
        }
    }

    /// The user asked twice; the journal is safe at any instant.
    fn end_now(&self) -> ! {
        std::process::exit(i32::from(self.exit().code()))
    }
}
