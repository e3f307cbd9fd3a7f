//! A sandbox that runs: its announcement, its truth for tests, and its end.

use std::sync::Arc;
use std::time::Duration;

use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use crate::sandbox::announcement::Announcement;
use crate::sandbox::browser::{self, Click};
use crate::sandbox::error::Error;
use crate::sandbox::faults::Faults;
use crate::sandbox::listen::{Door, Line};
use crate::sandbox::oauth;
use crate::sandbox::options::{Country, Options};
use crate::sandbox::roof::Feet;
use crate::sandbox::server;
use crate::sandbox::service::Service;
use crate::sandbox::world::{
    Downspout, Measurement, NotPossible, Pictures, Survey, World, simulated_survey,
};

/// How long answers under way may take once the sandbox stops.
const FAREWELL: Duration = Duration::from_secs(2);

/// A running sandbox; dropping it stops it too, without waiting.
#[derive(Debug)]
pub struct Running {
    service: Arc<Service>,
    announcement: Announcement,
    stop: oneshot::Sender<()>,
    server: JoinHandle<()>,
}

/// What the service holds, for counting what was lost and what was doubled.
#[derive(Clone, Debug, PartialEq)]
pub struct Held {
    /// The app's own id.
    pub external_id: Option<String>,
    /// `msr_…`.
    pub measurement_id: String,
    /// `req_…`.
    pub request_id: String,
    /// `pending`, `in_progress`, `complete` or `canceled`.
    pub status: &'static str,
    /// The team's name.
    pub team: String,
    /// The customer's name, as stored.
    pub customer: String,
    /// The address as stored, normalised.
    pub line1: String,
    /// The unit.
    pub line2: Option<String>,
    /// The city.
    pub city: String,
    /// Province or state.
    pub region: String,
    /// The postal code, normalised.
    pub postal_code: String,
    /// Where the property is.
    pub country: Country,
    /// The notes as sent.
    pub notes: Option<String>,
    /// Decimal feet, once complete.
    pub gutter_length_ft: Option<f64>,
}

/// One call that arrived.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallSeen {
    /// `GET`, `POST`, …
    pub method: String,
    /// Without the query.
    pub path: String,
    /// What was answered; `None` where the connection was cut instead.
    pub status: Option<u16>,
    /// The external id in the body.
    pub external_id: Option<String>,
}

/// Starts a sandbox.
///
/// # Errors
/// When an option does not fit, the address cannot be listened on, or the data cannot be used.
pub async fn start(options: Options) -> Result<Running, Error> {
    check(&options)?;
    let address = options.listen;
    let fail = |source| Error::Listen { address, source };
    let listener = TcpListener::bind(address).await.map_err(fail)?;
    let base_url = format!("http://{}", listener.local_addr().map_err(fail)?);
    let folder = options.data.clone().unwrap_or_default();
    let service = Arc::new(Service::found(options, base_url)?);
    service.furnish().await.map_err(|_| Error::Data {
        path: folder,
        source: std::io::ErrorKind::Other.into(),
    })?;
    let (stop, stopped) = oneshot::channel::<()>();
    let router = server::router(service.clone());
    let server = tokio::spawn(async move {
        let serving = axum::serve(
            Door(listener),
            router.into_make_service_with_connect_info::<Line>(),
        );
        let until_stopped = serving.with_graceful_shutdown(async {
            let _ = stopped.await;
        });
        // The listener retries by itself, so serving ends by being stopped only.
        let _ = until_stopped.await;
    });
    Ok(Running {
        announcement: announce(&service),
        service,
        stop,
        server,
    })
}

fn check(options: &Options) -> Result<(), Error> {
    if !options.listen.ip().is_loopback() {
        return Err(Error::NotLoopback(options.listen));
    }
    if options.versions.is_empty() {
        return Err(Error::NoVersion);
    }
    let is_date = |version: &&String| version.parse::<jiff::civil::Date>().is_err();
    if let Some(version) = options.versions.iter().find(is_date) {
        return Err(Error::BadVersion(version.clone()));
    }
    let mut uris = options.redirect_uris.iter();
    match uris.find(|uri| !oauth::may_be_registered(uri)) {
        Some(uri) => Err(Error::BadRedirectUri(uri.clone())),
        None => Ok(()),
    }
}

fn announce(service: &Service) -> Announcement {
    service.look(|world| Announcement {
        base_url: service.base_url.clone(),
        service_version: service.versions.last().cloned().unwrap_or_default(),
        client_id: world.app().client_id.clone(),
        client_secret: world.app().client_secret.clone(),
        redirect_uris: world.settings().redirect_uris.clone(),
        token: world
            .connection_of(0)
            .map_or_else(String::new, |(token, _)| token.to_owned()),
    })
}

impl Running {
    /// Where the sandbox is and how to speak with it.
    pub fn announcement(&self) -> &Announcement {
        &self.announcement
    }

    /// Plays the contractor's browser: loads the consent page, clicks Allow, follows the redirect to the app.
    ///
    /// # Errors
    /// When the page refuses, or nobody answers at the redirect URI.
    pub async fn allow(&self, authorize_url: &str) -> Result<(), Error> {
        browser::consent(authorize_url, None, Click::Allow).await
    }

    /// Like [`allow`](Self::allow), for a team by its name.
    ///
    /// # Errors
    /// Also when no team has this name.
    pub async fn allow_for(&self, authorize_url: &str, team: &str) -> Result<(), Error> {
        browser::consent(authorize_url, Some(team), Click::Allow).await
    }

    /// Plays the contractor's browser, clicking Deny.
    ///
    /// # Errors
    /// When the page refuses, or nobody answers at the redirect URI.
    pub async fn deny(&self, authorize_url: &str) -> Result<(), Error> {
        browser::consent(authorize_url, None, Click::Deny).await
    }

    /// Everything the service holds, of all teams, in the order of creation.
    pub fn measurements(&self) -> Vec<Held> {
        self.service.look(|world| {
            let all = world.measurements().iter();
            all.map(|measurement| held(world, measurement)).collect()
        })
    }

    /// The calls of the API and of the token endpoints that arrived, oldest first; the last 50,000.
    pub fn calls(&self) -> Vec<CallSeen> {
        self.service.calls()
    }

    /// Moves the sandbox's clock forward: codes grow old, quotas refill, the simulated contractor works.
    pub fn advance(&self, by: Duration) {
        self.service.clock.advance(by);
    }

    /// How many calls met a fault since the start.
    pub fn faults_met(&self) -> u64 {
        self.service.faults_met()
    }

    /// Puts other faults in force, or none.
    pub fn set_faults(&self, faults: Option<Faults>) {
        self.service.set_faults(faults);
    }

    /// Opens a measurement as its contractor would.
    ///
    /// # Errors
    /// When the id is unknown or the state does not allow it.
    pub async fn open(&self, measurement_id: &str) -> Result<(), Error> {
        self.act(measurement_id, |world, now| world.open(measurement_id, now))
            .await
    }

    /// Completes a measurement with plausible numbers, the same ones for the same seed and id.
    ///
    /// # Errors
    /// When the id is unknown or the state does not allow it.
    pub async fn complete(&self, measurement_id: &str) -> Result<(), Error> {
        let survey = simulated_survey(self.service.seed, measurement_id);
        let survey = Survey {
            pictures: Pictures::Ready,
            ..survey
        };
        self.act(measurement_id, |world, now| {
            world.measure(measurement_id, survey, now)
        })
        .await
    }

    /// Completes a measurement with numbers of one's own, or corrects a complete one. Lengths are in feet and rounded
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
        let survey = by_hand(gutter_length_ft, corners, downspouts)
            .ok_or(Error::Refused("a length is out of range"))?;
        self.act(measurement_id, |world, now| {
            world.measure(measurement_id, survey, now)
        })
        .await
    }

    /// Withdraws a measurement as its contractor would.
    ///
    /// # Errors
    /// When the id is unknown or the measurement is complete.
    pub async fn withdraw(&self, measurement_id: &str) -> Result<(), Error> {
        self.act(measurement_id, |world, now| {
            world.withdraw(measurement_id, now)
        })
        .await
    }

    /// Disconnects the app from the first team, as a contractor does in the settings.
    ///
    /// # Errors
    /// When it cannot be written down.
    pub async fn disconnect(&self) -> Result<(), Error> {
        self.act("", |world, now| {
            world.disconnect(0, now);
            Ok(())
        })
        .await
    }

    /// Stops listening, lets answers under way leave, and closes the log.
    pub async fn stop(self) {
        let _ = self.stop.send(());
        let _ = tokio::time::timeout(FAREWELL, self.server).await;
        let service = self.service;
        let closed = tokio::task::spawn_blocking(move || {
            if let Some(thread) = service.close() {
                let _ = thread.join();
            }
        });
        let _ = closed.await;
    }

    async fn act(
        &self,
        id: &str,
        deed: impl FnOnce(&mut World, jiff::Timestamp) -> Result<(), NotPossible>,
    ) -> Result<(), Error> {
        let done = self.service.act(deed).await;
        let done = done.map_err(|_| Error::Refused("the log cannot be written"))?;
        done.map_err(|refused| match refused {
            NotPossible::Unknown => Error::UnknownMeasurement(id.to_owned()),
            other => Error::Refused(other.describe()),
        })
    }
}

fn held(world: &World, measurement: &Measurement) -> Held {
    let address = &measurement.address;
    let survey = measurement.survey.as_ref();
    Held {
        external_id: measurement.external_id().map(str::to_owned),
        measurement_id: measurement.id.clone(),
        request_id: measurement.request_id.clone(),
        status: measurement.status.word(),
        team: world.teams()[measurement.team].name.clone(),
        customer: measurement.customer.name.clone(),
        line1: address.line1.clone(),
        line2: address.line2.clone(),
        city: address.city.clone(),
        region: address.region.clone(),
        postal_code: address.postal_code.clone(),
        country: address.country,
        notes: measurement.notes.clone(),
        gutter_length_ft: survey.map(|survey| survey.gutter_length.decimal()),
    }
}

fn by_hand(gutter_length_ft: f64, corners: u32, downspouts: &[(f64, u8)]) -> Option<Survey> {
    let gutter_length = Feet::from_decimal(gutter_length_ft)?;
    let downspouts = downspouts.iter().map(|(length, floors)| {
        Some(Downspout {
            length: Feet::from_decimal(*length)?,
            floors: *floors,
            size_in: None,
        })
    });
    Some(Survey::by_hand(
        gutter_length,
        corners,
        downspouts.collect::<Option<_>>()?,
    ))
}
