//! The handle of a running sandbox: reads what it has, completes measurements, and stops it.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use serde::Serialize;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use crate::sandbox::error::Error;
use crate::sandbox::faults::Faults;
use crate::sandbox::random::secret;
use crate::sandbox::received_call::ReceivedCall;
use crate::sandbox::records::StoredMeasurement;
use crate::sandbox::service::Service;
use crate::sandbox::store::{ImageState, MeasuredResult, simulated_result};

/// How long responses in flight may take once the sandbox stops.
const DRAIN_TIMEOUT: Duration = Duration::from_secs(2);

/// The address, version and credentials of a running sandbox.
#[expect(missing_debug_implementations, reason = "it holds secrets")]
#[derive(Clone, PartialEq, Eq, Serialize)]
pub struct ConnectionInfo {
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
    pub(super) service: Arc<Service>,
    pub(super) connection_info: ConnectionInfo,
    pub(super) stop: oneshot::Sender<()>,
    pub(super) server: JoinHandle<()>,
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
        formatter.write_str(&self.connection_info.base_url)
    }
}

impl SandboxHandle {
    /// The address, version and credentials.
    pub fn connection_info(&self) -> &ConnectionInfo {
        &self.connection_info
    }

    /// Connects the app to the first team without a browser: a new token, which ends the team's earlier one.
    ///
    /// # Errors
    /// When the log cannot be written.
    pub fn grant_token(&self) -> Result<GrantedToken, Error> {
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
            all.map(StoredMeasurement::new).collect()
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
        self.service.injected_faults.load(Ordering::Relaxed)
    }

    /// Replaces the faults to inject.
    pub fn set_faults(&self, faults: Option<Faults>) {
        self.service.set_faults(faults);
    }

    /// Completes a measurement with plausible numbers, the same ones for the same seed and id.
    ///
    /// # Errors
    /// When the id is unknown, the measurement was withdrawn, or the log cannot be written.
    pub fn complete(&self, measurement_id: &str) -> Result<(), Error> {
        let result = MeasuredResult {
            images: ImageState::Ready,
            ..simulated_result(self.service.seed, measurement_id)
        };
        let done = self
            .service
            .act(|store, now| store.measure(measurement_id, result, now))
            .map_err(|_| Error::NotWritten)?;
        done.map_err(|_| Error::NotCompleted(measurement_id.to_owned()))
    }

    /// Stops listening, waits for responses in flight, and closes the log.
    pub async fn stop(self) {
        let _ = self.stop.send(());
        let _ = tokio::time::timeout(DRAIN_TIMEOUT, self.server).await;
        self.service.close();
    }
}
