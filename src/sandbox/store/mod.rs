//! The data of the service and its changes, without I/O: time and randomness are arguments.
//!
//! Each change is an [`Event`], which is applied and handed to the log. At the next start the events of the log are
//! applied again, so that memory and log agree.

mod contractor;
mod creation;
mod event;
mod measurement;
mod quota;
#[cfg(test)]
mod replay;
mod tokens;
mod transitions;

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

use jiff::Timestamp;

pub(super) use contractor::simulated_result;
pub(super) use creation::{CreateOutcome, NewRequest};
pub(super) use event::Event;
pub(super) use measurement::{
    Address, Customer, Downspout, ExternalLink, ImageState, Location, MeasuredResult, Measurement,
    Status,
};
pub(super) use tokens::{CodeExchange, Connection, Grant};
pub(super) use transitions::TransitionError;

use crate::sandbox::geocode;
use crate::sandbox::options::Options;
use crate::sandbox::store::quota::Quota;

/// The app's credentials.
///
/// # Source
/// S2.1.
#[derive(Clone, Default)]
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

/// All data of the service.
pub(super) struct Store {
    options: Options,
    app: App,
    teams: Vec<Team>,
    access: tokens::Tokens,
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
            app: App::default(),
            teams: Vec::new(),
            access: tokens::Tokens::default(),
            measurements: Vec::new(),
            by_id: HashMap::new(),
            by_request: HashMap::new(),
            by_external: HashMap::new(),
            due: BinaryHeap::new(),
            unlogged: Vec::new(),
        }
    }

    pub(super) fn options(&self) -> &Options {
        &self.options
    }

    pub(super) fn app(&self) -> &App {
        &self.app
    }

    pub(super) fn teams(&self) -> &[Team] {
        &self.teams
    }

    pub(super) fn measurements(&self) -> &[Measurement] {
        &self.measurements
    }

    /// Sets the app's credentials, unless it has some.
    pub(super) fn create_app(&mut self, client_id: String, client_secret: String) {
        if self.app.client_id.is_empty() {
            self.record(Event::AppCreated {
                client_id,
                client_secret,
            });
        }
    }

    /// Adds a team, if there are more names than teams.
    pub(super) fn add_team(&mut self, id: String) {
        if self.teams.len() < self.options.team_count() {
            self.record(Event::TeamAdded { id });
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

    fn record(&mut self, event: Event) {
        self.apply(&event);
        self.unlogged.push(event);
    }

    /// Applies an event, a new one or one of the log.
    pub(super) fn apply(&mut self, event: &Event) {
        match event {
            Event::AppCreated {
                client_id,
                client_secret,
            } => {
                self.app = App {
                    client_id: client_id.clone(),
                    client_secret: client_secret.clone(),
                };
            }
            Event::TeamAdded { id } => self.apply_team(id),
            Event::Granted(grant) => self.access.grant(grant.clone()),
            Event::Connected {
                connection,
                token,
                code,
            } => self.access.connect(connection, token, code.as_deref()),
            Event::Disconnected { team, .. } => self.access.disconnect(*team),
            Event::Created(measurement) => self.apply_created(measurement),
            Event::Opened { id, at } => self.change(id, *at, |measurement| {
                measurement.status = Status::InProgress;
                measurement.opened_at = Some(*at);
            }),
            Event::Measured { id, at, result } => self.change(id, *at, |measurement| {
                measurement.status = Status::Complete;
                measurement.completed_at.get_or_insert(*at);
                measurement.place = geocode::refine(&measurement.address);
                measurement.result = Some((**result).clone());
            }),
            Event::ImagesReady { id, at } => self.change(id, *at, |measurement| {
                if let Some(result) = &mut measurement.result {
                    result.images = ImageState::Ready;
                }
            }),
            Event::Withdrawn { id, at } => {
                self.change(id, *at, |measurement| measurement.status = Status::Canceled);
            }
            Event::Corrected { id, at, customer } => {
                self.change(id, *at, |measurement| {
                    measurement.customer = customer.clone();
                });
            }
        }
    }

    fn apply_team(&mut self, id: &str) {
        let nameless = || format!("Team {}", self.teams.len() + 1);
        let name = self.options.team_name_at(self.teams.len()).cloned();
        self.teams.push(Team {
            id: id.to_owned(),
            name: name.unwrap_or_else(nameless),
            quota: Quota::default(),
        });
    }
}
