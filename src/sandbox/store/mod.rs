//! The data of the service and its changes, without I/O: time and randomness are arguments.
//!
//! Each change is handed to the log as an [`Event`]: the changed part as a whole. At the next start the events of the
//! log are applied in order, so that memory and log agree.

mod contractor;
mod creation;
mod measurement;
mod quota;
#[cfg(test)]
mod replay;
mod tokens;
mod transitions;

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

pub(super) use contractor::simulated_result;
pub(super) use creation::{CreateOutcome, NewRequest};
pub(super) use measurement::{
    Address, Customer, Downspout, ExternalLink, Figures, ImageState, Location, MeasuredResult,
    Measurement, Status,
};
pub(super) use tokens::{CodeExchange, Connection, Grant};
pub(super) use transitions::TransitionError;

use crate::sandbox::options::Options;
use crate::sandbox::store::quota::Quota;
use crate::sandbox::store::tokens::Access;

/// The app's credentials.
///
/// # Source
/// S2.1.
#[derive(Clone, Default, Serialize, Deserialize)]
pub(super) struct App {
    pub(super) client_id: String,
    pub(super) client_secret: String,
}

/// A contractor team.
#[derive(Clone, Debug)]
pub(super) struct Team {
    pub(super) id: String,
    pub(super) name: String,
    quota: Quota,
}

/// A part of the data after a change, which is one line of the log.
#[derive(Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Event {
    Access(Access),
    Measurement(Box<Measurement>),
}

/// All data of the service.
#[derive(Default)]
pub(super) struct Store {
    options: Options,
    teams: Vec<Team>,
    access: Access,
    measurements: Vec<Measurement>,
    by_id: HashMap<String, usize>,
    by_request: HashMap<String, usize>,
    by_external: HashMap<String, usize>,
    due: BinaryHeap<Reverse<(Timestamp, usize)>>,
    unlogged: Vec<Event>,
}

impl Store {
    /// An empty store.
    pub(super) fn new(options: Options) -> Self {
        Self {
            options,
            ..Self::default()
        }
    }

    pub(super) fn options(&self) -> &Options {
        &self.options
    }

    pub(super) fn app(&self) -> &App {
        &self.access.app
    }

    pub(super) fn teams(&self) -> &[Team] {
        &self.teams
    }

    pub(super) fn measurements(&self) -> &[Measurement] {
        &self.measurements
    }

    /// Sets the app's credentials, and adds teams as long as there are more names than teams, unless the log has them.
    pub(super) fn provision(&mut self, app: App, new_id: impl Fn() -> String) {
        let wanted = self.options.team_names.len().max(1);
        let missing = wanted.saturating_sub(self.teams.len());
        if self.access.app.client_id.is_empty() || missing > 0 {
            self.change_access(|access| {
                if access.app.client_id.is_empty() {
                    access.app = app;
                }
                access.team_ids.extend((0..missing).map(|_| new_id()));
            });
        }
    }

    /// The events since the last call, oldest first.
    pub(super) fn take_events(&mut self) -> Vec<Event> {
        std::mem::take(&mut self.unlogged)
    }

    /// Counts one authenticated call of a team. Nothing is logged for it: a new start forgets it.
    ///
    /// # Errors
    /// The seconds to wait, at least 1, where the quota is used up; such a call does not count.
    ///
    /// # Source
    /// S7, 429; S8, rate.
    pub(super) fn admit(&mut self, team: usize, now: Timestamp) -> Result<(), u64> {
        self.teams[team].quota.admit(self.options.rate, now)
    }

    /// Changes the access of the app, and logs it.
    fn change_access(&mut self, edit: impl FnOnce(&mut Access)) {
        edit(&mut self.access);
        self.add_teams();
        self.unlogged.push(Event::Access(self.access.clone()));
    }

    /// Applies an event of the log.
    pub(super) fn apply(&mut self, event: Event) {
        match event {
            Event::Access(access) => {
                self.access = access;
                self.add_teams();
            }
            Event::Measurement(measurement) => self.put(*measurement),
        }
    }

    /// Adds the teams that have an id only.
    fn add_teams(&mut self) {
        for (index, id) in self
            .access
            .team_ids
            .iter()
            .enumerate()
            .skip(self.teams.len())
        {
            let name = self.options.team_names.get(index).cloned();
            self.teams.push(Team {
                id: id.clone(),
                name: name.unwrap_or_else(|| format!("Team {}", index + 1)),
                quota: Quota::default(),
            });
        }
    }

    /// Adds a measurement, or replaces the one with its id.
    fn put(&mut self, measurement: Measurement) {
        let next = self.measurements.len();
        let index = *self.by_id.entry(measurement.id.clone()).or_insert(next);
        if index < next {
            self.measurements[index] = measurement;
        } else {
            self.by_request
                .insert(measurement.request_id.clone(), index);
            if let Some(id) = measurement.external_id() {
                self.by_external.insert(id.to_owned(), index);
            }
            self.measurements.push(measurement);
        }
        self.schedule(index);
    }
}
