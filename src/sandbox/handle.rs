//! The handle of a running sandbox: reads what it has, acts as the contractor, and stops it.

use std::sync::Arc;
use std::time::Duration;

use serde::Serialize;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use crate::sandbox::error::Error;
use crate::sandbox::faults::Faults;
use crate::sandbox::random::secret;
use crate::sandbox::records::{ReceivedCall, StoredMeasurement};
use crate::sandbox::roof::Feet;
use crate::sandbox::service::Service;
use crate::sandbox::store::{
    Downspout, ImageState, MeasuredResult, Store, TransitionError, simulated_result,
};

/// How long responses in flight may take once the sandbox stops.
const DRAIN_TIMEOUT: Duration = Duration::from_secs(2);

/// The address, version and credentials of a running sandbox.
#[expect(missing_debug_implementations, reason = "it holds secrets")]
#[derive(Clone, PartialEq, Eq, Serialize)]
pub struct Announcement {
    /// The base address, without a trailing slash.
    pub base_url: String,
    /// The version to send in `Service-Version`.
    pub service_version: String,
    /// The app's client id.
    pub client_id: String,
    /// The app's client secret.
    pub client_secret: String,
    /// The redirect URIs that are registered.
    pub redirect_uris: Vec<String>,
    /// A valid token of the first team.
    pub token: String,
}

/// A running sandbox. Dropping the handle stops it without waiting.
pub struct SandboxHandle {
    service: Arc<Service>,
    announcement: Announcement,
    stop: oneshot::Sender<()>,
    server: JoinHandle<()>,
}

/// A connection of the app to a team, as the exchange of a code gives it.
#[expect(missing_debug_implementations, reason = "it holds a token")]
#[derive(Clone, PartialEq, Eq)]
pub struct GrantedToken {
    /// The bearer token.
    pub token: String,
    /// The team's id.
    pub team_id: String,
    /// The team's name.
    pub team_name: String,
    /// RFC 3339, UTC.
    pub connected_at: String,
}

impl std::fmt::Debug for SandboxHandle {
    /// Hides everything that contains secrets or customers.
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(&self.announcement.base_url)
    }
}

#[expect(
    clippy::unused_async,
    reason = "callers await changes, so that these may become asynchronous"
)]
impl SandboxHandle {
    pub(super) fn new(
        service: Arc<Service>,
        announcement: Announcement,
        stop: oneshot::Sender<()>,
        server: JoinHandle<()>,
    ) -> Self {
        Self {
            service,
            announcement,
            stop,
            server,
        }
    }

    /// The address, version and credentials.
    pub fn announcement(&self) -> &Announcement {
        &self.announcement
    }

    /// Connects the app to the first team without a browser: a new token, which ends the team's earlier one.
    ///
    /// # Errors
    /// When the log cannot be written.
    pub async fn grant_token(&self) -> Result<GrantedToken, Error> {
        let token = secret("gbt_", rand::random());
        let granted = self.service.act(|store, now| {
            store.connect(0, token.clone(), now);
            let team = &store.teams()[0];
            GrantedToken {
                token,
                team_id: team.id.clone(),
                team_name: team.name.clone(),
                connected_at: now.to_string(),
            }
        });
        granted.map_err(|_| Error::NotWritten)
    }

    /// All measurements of all teams, in the order of creation.
    pub fn measurements(&self) -> Vec<StoredMeasurement> {
        self.service.read(|store| {
            let all = store.measurements().iter();
            all.map(|measurement| StoredMeasurement::new(store, measurement))
                .collect()
        })
    }

    /// The calls of the API and of the token endpoints that arrived, oldest first; the last 50,000.
    pub fn calls(&self) -> Vec<ReceivedCall> {
        self.service.calls()
    }

    /// Advances the sandbox's clock.
    pub fn advance(&self, by: Duration) {
        self.service.clock.advance(by);
    }

    /// How many faults were injected since the start.
    pub fn injected_faults(&self) -> u64 {
        self.service.injected_faults()
    }

    /// Replaces the faults to inject.
    pub fn set_faults(&self, faults: Option<Faults>) {
        self.service.set_faults(faults);
    }

    /// Opens a measurement as a contractor.
    ///
    /// # Errors
    /// When the id is unknown or the state does not allow it.
    pub async fn open(&self, measurement_id: &str) -> Result<(), Error> {
        self.act(measurement_id, |store, now| store.open(measurement_id, now))
    }

    /// Completes a measurement with plausible numbers, the same ones for the same seed and id.
    ///
    /// # Errors
    /// When the id is unknown or the state does not allow it.
    pub async fn complete(&self, measurement_id: &str) -> Result<(), Error> {
        let result = simulated_result(self.service.seed, measurement_id);
        let result = MeasuredResult {
            images: ImageState::Ready,
            ..result
        };
        self.act(measurement_id, |store, now| {
            store.measure(measurement_id, result, now)
        })
    }

    /// Completes a measurement with these numbers, or corrects a complete one. Lengths are in feet and rounded
    /// to tenths; each downspout is a length and its storeys.
    ///
    /// # Errors
    /// When a length is out of range, the id is unknown or the state does not allow it.
    pub async fn complete_with(
        &self,
        measurement_id: &str,
        gutter_length_ft: f64,
        corners: u32,
        downspouts: &[(f64, u8)],
    ) -> Result<(), Error> {
        let result = by_hand(gutter_length_ft, corners, downspouts)?;
        self.act(measurement_id, |store, now| {
            store.measure(measurement_id, result, now)
        })
    }

    /// Withdraws a measurement as a contractor.
    ///
    /// # Errors
    /// When the id is unknown or the measurement is complete.
    pub async fn withdraw(&self, measurement_id: &str) -> Result<(), Error> {
        self.act(measurement_id, |store, now| {
            store.withdraw(measurement_id, now)
        })
    }

    /// Disconnects the app from the first team, as in the settings.
    ///
    /// # Errors
    /// When the log cannot be written.
    pub async fn disconnect(&self) -> Result<(), Error> {
        self.act("", |store, _| {
            store.disconnect(0);
            Ok(())
        })
    }

    /// Stops listening, waits for responses in flight, and closes the log.
    pub async fn stop(self) {
        let _ = self.stop.send(());
        let _ = tokio::time::timeout(DRAIN_TIMEOUT, self.server).await;
        self.service.close();
    }

    fn act(
        &self,
        id: &str,
        action: impl FnOnce(&mut Store, jiff::Timestamp) -> Result<(), TransitionError>,
    ) -> Result<(), Error> {
        let done = self.service.act(action).map_err(|_| Error::NotWritten)?;
        let id = id.to_owned();
        done.map_err(|refused| match refused {
            TransitionError::Unknown => Error::UnknownMeasurement(id),
            TransitionError::AlreadyComplete => Error::AlreadyComplete(id),
            TransitionError::Withdrawn => Error::Withdrawn(id),
        })
    }
}

fn by_hand(
    gutter_length_ft: f64,
    corners: u32,
    downspouts: &[(f64, u8)],
) -> Result<MeasuredResult, Error> {
    let feet = |length| Feet::from_decimal(length).ok_or(Error::OutOfRange(length));
    let downspouts = downspouts.iter().map(|(length, floors)| {
        Ok(Downspout {
            length: feet(*length)?,
            floors: *floors,
            size_in: None,
        })
    });
    let downspouts = downspouts.collect::<Result<_, Error>>()?;
    Ok(MeasuredResult::by_hand(
        feet(gutter_length_ft)?,
        corners,
        downspouts,
    ))
}
