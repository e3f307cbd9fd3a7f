//! The running service: the world behind a lock, its log, its clock, and what it saw.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use jiff::Timestamp;

use crate::sandbox::chance::{identifier, secret};
use crate::sandbox::clock::Clock;
use crate::sandbox::error::Error;
use crate::sandbox::faults::Faults;
use crate::sandbox::log::{Log, LogError};
use crate::sandbox::options::Options;
use crate::sandbox::seen::CallSeen;
use crate::sandbox::world::{Settings, World};

/// How many calls are remembered for tests; older ones are forgotten.
const CALLS_REMEMBERED: usize = 50_000;

/// Shared by all handlers.
#[derive(Debug)]
pub(super) struct Service {
    ledger: Mutex<Ledger>,
    calls: Mutex<VecDeque<CallSeen>>,
    faults: Mutex<Option<Arc<Faults>>>,
    faults_met: AtomicU64,
    pub(super) clock: Clock,
    pub(super) base_url: String,
    pub(super) versions: Vec<String>,
    pub(super) latency: Duration,
    pub(super) seed: u64,
    /// Proves that a form comes from a page of this very process.
    pub(super) form_key: [u8; 32],
}

#[derive(Debug)]
struct Ledger {
    world: World,
    log: Log,
}

impl Service {
    /// Sets up the world, from its log where there is one, with the app, its teams and a ready-made connection.
    pub(super) fn found(options: Options, base_url: String) -> Result<Self, Error> {
        let mut world = World::new(settings(&options));
        let clock = Clock::default();
        let log = match &options.data {
            Some(folder) => Log::open(folder, &mut world)?,
            None => Log::Nowhere,
        };
        Ok(Self {
            ledger: Mutex::new(Ledger { world, log }),
            calls: Mutex::default(),
            faults: Mutex::new(options.faults.map(Arc::new)),
            faults_met: AtomicU64::new(0),
            clock,
            base_url,
            versions: options.versions,
            latency: options.latency,
            seed: options.seed,
            form_key: rand::random(),
        })
    }

    /// Makes sure of credentials, teams and the first team's connection, which stay what they are across restarts.
    pub(super) fn furnish(&self) -> Result<(), LogError> {
        self.act(|world, now| {
            world.found(
                identifier("app_", rand::random(), &[]),
                secret("gbs_", rand::random()),
            );
            for _ in world.teams().len()..world.settings().team_names.len() {
                world.found_team(identifier("team_", rand::random(), &[]));
            }
            if world.connection_of(0).is_none() {
                world.connect(0, secret("gbt_", rand::random()), now);
            }
        })
    }

    /// Runs an action on the state, after the simulated contractor has caught up, and waits until the disk has what it
    /// changed. That blocks for one sync, and only with `--data`.
    ///
    /// # Errors
    /// When the disk failed; then the response must not claim that anything happened.
    pub(super) fn act<R>(
        &self,
        action: impl FnOnce(&mut World, Timestamp) -> R,
    ) -> Result<R, LogError> {
        let mut ledger = self.ledger.lock().expect("no action panics");
        let Ledger { world, log } = &mut *ledger;
        let now = self.clock.now();
        world.advance(now);
        let result = action(world, now);
        log.append(&world.take_events())?;
        Ok(result)
    }

    /// Reads the state for the owner of the process, whether or not the disk works.
    pub(super) fn look<R>(&self, view: impl FnOnce(&World) -> R) -> R {
        // An error here is an error of the next call too.
        let _ = self.act(|_, _| ());
        view(&self.ledger.lock().expect("no action panics").world)
    }

    /// Logs the calls that still count against the quota, and closes the log.
    pub(super) fn close(&self) {
        // Nothing is answered for any more, so a failure concerns nobody.
        let _ = self.act(World::log_quota);
        self.ledger.lock().expect("no action panics").log = Log::Closed;
    }

    /// Remembers a call.
    pub(super) fn saw(&self, call: CallSeen) {
        let mut calls = self.calls.lock().expect("no holder of this lock panics");
        if calls.len() == CALLS_REMEMBERED {
            calls.pop_front();
        }
        calls.push_back(call);
    }

    /// The calls remembered, oldest first.
    pub(super) fn calls(&self) -> Vec<CallSeen> {
        let calls = self.calls.lock().expect("no holder of this lock panics");
        calls.iter().cloned().collect()
    }

    /// The faults in force.
    pub(super) fn faults(&self) -> Option<Arc<Faults>> {
        self.faults
            .lock()
            .expect("no holder of this lock panics")
            .clone()
    }

    /// Counts a fault that was inflicted.
    pub(super) fn failed_on_purpose(&self) {
        self.faults_met.fetch_add(1, Ordering::Relaxed);
    }

    /// How many calls met a fault.
    pub(super) fn faults_met(&self) -> u64 {
        self.faults_met.load(Ordering::Relaxed)
    }

    /// Puts other faults in force, counting from the start.
    pub(super) fn set_faults(&self, faults: Option<Faults>) {
        *self.faults.lock().expect("no holder of this lock panics") = faults.map(Arc::new);
    }
}

fn settings(options: &Options) -> Settings {
    let team = options.team_name.clone();
    let more = options.more_teams.iter().cloned();
    Settings {
        seed: options.seed,
        rate: options.rate,
        country: options.team_country,
        team_names: std::iter::once(team).chain(more).collect(),
        app_name: options.app_name.clone(),
        redirect_uris: options.redirect_uris.clone(),
        work: options.work,
    }
}
