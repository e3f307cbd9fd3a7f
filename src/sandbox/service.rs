//! The state that all handlers share: the store with its log, the clock, the faults and the received calls.

use std::collections::VecDeque;
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use jiff::Timestamp;

use crate::sandbox::clock::Clock;
use crate::sandbox::error::Error;
use crate::sandbox::faults::Faults;
use crate::sandbox::log::{Log, LogError};
use crate::sandbox::options::Options;
use crate::sandbox::random::{secret, seeded_id};
use crate::sandbox::received_call::ReceivedCall;
use crate::sandbox::store::{App, Store};

/// The maximum number of calls kept for tests.
const MAX_CALLS: usize = 50_000;

/// Shared by all handlers.
pub(super) struct Service {
    logged: Mutex<LoggedStore>,
    calls: Mutex<VecDeque<ReceivedCall>>,
    faults: Mutex<Option<Arc<Faults>>>,
    pub(super) injected_faults: AtomicU64,
    pub(super) clock: Clock,
    pub(super) base_url: String,
    pub(super) versions: Vec<String>,
    pub(super) latency: Duration,
    pub(super) seed: u64,
}

struct LoggedStore {
    store: Store,
    log: Log,
}

impl Service {
    /// Creates the store and replays its log, if there is one.
    pub(super) fn new(mut options: Options, base_url: String) -> Result<Self, Error> {
        let faults = options.faults.take().map(Arc::new);
        let mut store = Store::new(options.clone());
        let clock = Clock::default();
        let log = match &options.data {
            Some(folder) => Log::open(folder, &mut store)?,
            None => Log::Nowhere,
        };
        Ok(Self {
            logged: Mutex::new(LoggedStore { store, log }),
            calls: Mutex::default(),
            faults: Mutex::new(faults),
            injected_faults: AtomicU64::new(0),
            clock,
            base_url,
            versions: options.versions,
            latency: options.latency,
            seed: options.seed,
        })
    }

    /// Creates credentials, teams and the first team's token, unless the log has them.
    pub(super) fn provision(&self) -> Result<(), LogError> {
        self.act(|store, now| {
            let app = App {
                client_id: seeded_id("app_", rand::random(), &[]),
                client_secret: secret("gbs_", rand::random()),
            };
            store.provision(app, || seeded_id("team_", rand::random(), &[]));
            if store.connection_of(0).is_none() {
                store.connect(0, secret("gbt_", rand::random()), now);
            }
        })
    }

    /// Runs an action on the store, after the simulated contractor has caught up, and waits until the disk has what it
    /// changed. That blocks for one sync, and only with `--data`.
    ///
    /// # Errors
    /// When the disk failed; then the response must not claim that anything happened.
    pub(super) fn act<R>(
        &self,
        action: impl FnOnce(&mut Store, Timestamp) -> R,
    ) -> Result<R, LogError> {
        let mut logged = self.logged.lock().expect("no action panics");
        let LoggedStore { store, log } = &mut *logged;
        let now = self.clock.now();
        store.advance(now);
        let result = action(store, now);
        log.append(&store.take_events())?;
        Ok(result)
    }

    /// Reads the state for the owner of the process, whether or not the disk works.
    pub(super) fn read<R>(&self, view: impl FnOnce(&Store) -> R) -> R {
        // The next call fails with the same error.
        let _ = self.act(|_, _| ());
        view(&self.logged.lock().expect("no action panics").store)
    }

    /// Closes the log.
    pub(super) fn close(&self) {
        self.logged.lock().expect("no action panics").log = Log::Closed;
    }

    /// Records a call.
    pub(super) fn remember_call(&self, call: ReceivedCall) {
        let mut calls = self.calls.lock().expect("no holder of this lock panics");
        if calls.len() == MAX_CALLS {
            calls.pop_front();
        }
        calls.push_back(call);
    }

    /// The recorded calls, oldest first.
    pub(super) fn calls(&self) -> Vec<ReceivedCall> {
        let calls = self.calls.lock().expect("no holder of this lock panics");
        calls.iter().cloned().collect()
    }

    /// The faults to inject.
    pub(super) fn faults(&self) -> Option<Arc<Faults>> {
        self.faults
            .lock()
            .expect("no holder of this lock panics")
            .clone()
    }

    /// Replaces the faults to inject.
    pub(super) fn set_faults(&self, faults: Option<Faults>) {
        *self.faults.lock().expect("no holder of this lock panics") = faults.map(Arc::new);
    }
}
