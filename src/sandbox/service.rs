//! The running service: the world behind a lock, its log, its clock, and what it saw.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

use jiff::Timestamp;

use crate::sandbox::chance::{identifier, secret};
use crate::sandbox::clock::Clock;
use crate::sandbox::error::Error;
use crate::sandbox::faults::Faults;
use crate::sandbox::log::{Log, NotDurable};
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
            Some(folder) => Log::open(folder, &mut world, clock.now())?,
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
    pub(super) async fn furnish(&self) -> Result<(), NotDurable> {
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
        .await
    }

    /// Does something in the world, after the simulated contractor has caught up, and waits until the disk has it.
    ///
    /// # Errors
    /// When the disk failed; then the answer must not claim that anything happened.
    pub(super) async fn act<R>(
        &self,
        deed: impl FnOnce(&mut World, Timestamp) -> R,
    ) -> Result<R, NotDurable> {
        let (result, mark) = {
            let mut ledger = self.ledger.lock().expect("no deed panics half-way");
            let now = self.clock.now();
            let ledger = &mut *ledger;
            ledger.world.advance(now);
            let result = deed(&mut ledger.world, now);
            (result, ledger.log.append(&mut ledger.world, now))
        };
        mark.durable().await?;
        Ok(result)
    }

    /// Looks at the world without waiting for the disk; for the owner of the process, not for clients.
    pub(super) fn look<R>(&self, view: impl FnOnce(&World) -> R) -> R {
        let mut ledger = self.ledger.lock().expect("no deed panics half-way");
        let ledger = &mut *ledger;
        let now = self.clock.now();
        ledger.world.advance(now);
        // The mark is for answers that leave the process.
        let _ = ledger.log.append(&mut ledger.world, now);
        view(&ledger.world)
    }

    /// Ends the log; whatever comes later is answered with an error.
    pub(super) fn close(&self) -> Option<JoinHandle<()>> {
        let mut ledger = self.ledger.lock().expect("no deed panics half-way");
        ledger.log.close()
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
