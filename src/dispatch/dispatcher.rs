//! Sends requests through quota, journal, network and retries, for any number of concurrent workers.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use governor::{DefaultDirectRateLimiter, Quota, RateLimiter};
use jiff::Timestamp;
use rand::SeedableRng;
use rand::rngs::StdRng;
use tokio::sync::Notify;

use crate::api::{ApiCall, Attempt, Verdict, is_service_response, verdict};
use crate::dispatch::attempt_record::AttemptEnd;
use crate::dispatch::in_flight::InFlightWindow;
use crate::dispatch::outbound_request::{IntentState, OutboundRequest};
use crate::dispatch::rate_limit_pauses::RateLimitPauses;
use crate::dispatch::shutdown::{Shutdown, ShutdownStage};
use crate::dispatch::{
    Clock, CompletedRequest, DispatchError, DispatchEvent, DispatcherConfig, RequestCounts,
    StopSignal,
};
use crate::journal::{Journal, ResponseAnomalies, RunLimits, SourceId};
use crate::model::{Account, QuotaShare, Request, ResponseMeaning, ResponseWarning, RowNumber};

/// A wait reads the clock again after this time, because the machine may have been suspended meanwhile.
pub(super) const MAX_SLEEP: Duration = Duration::from_secs(15);

/// After this many consecutive rows without a usable response, the service counts as unreachable.
const MAX_EXHAUSTED_ROWS: u32 = 10;

/// The result of a request.
#[derive(Clone, Debug, PartialEq)]
pub struct DispatchResult {
    /// What the last response means; never [`Verdict::Retry`], [`ResponseMeaning::RateLimited`] or [`Verdict::Fatal`].
    pub verdict: Verdict,
    /// Warnings that the user should check.
    pub warnings: Vec<ResponseWarning>,
}

/// Sends requests to the service.
pub struct Dispatcher {
    /// The parts and settings.
    pub(super) config: DispatcherConfig,
    /// The random numbers, for the jitter of retries.
    rng: Mutex<StdRng>,
    /// Spaces requests evenly, for `--max-rps`.
    pub(super) rate_limiter: Option<DefaultDirectRateLimiter>,
    /// The requests in flight.
    pub(super) in_flight: InFlightWindow,
    counts: Mutex<RequestCounts>,
    /// Number of consecutive rows without a usable response.
    exhausted_rows: AtomicU32,
    /// Wakes the tasks that wait for a slot: a response may have freed one.
    pub(super) response_recorded: Notify,
    /// Whether requests may still be sent.
    pub(super) shutdown: Shutdown,
    pauses: Mutex<RateLimitPauses>,
}

impl std::fmt::Debug for Dispatcher {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("Dispatcher")
            .field("limits", &self.config.limits)
            .finish_non_exhaustive()
    }
}

impl Dispatcher {
    /// Creates a dispatcher. Nothing is sent yet.
    pub fn new(config: DispatcherConfig) -> Self {
        Self {
            rng: Mutex::new(StdRng::seed_from_u64(config.seed)),
            rate_limiter: config.limits.max_rps.and_then(new_rate_limiter),
            in_flight: InFlightWindow::new(config.limits.concurrency, config.limits.share),
            counts: Mutex::default(),
            exhausted_rows: AtomicU32::new(0),
            response_recorded: Notify::new(),
            shutdown: Shutdown::new(config.stop.clone()),
            pauses: Mutex::default(),
            config,
        }
    }

    /// Returns how many requests may be sent at once.
    pub fn concurrency(&self) -> usize {
        self.config.limits.concurrency.max(1)
    }

    /// Requests the account that the token belongs to.
    ///
    /// # Errors
    /// Returns a [`DispatchError`] if the run has to end or the service did not respond.
    ///
    /// # Source
    /// S4.4.
    pub async fn me(&self) -> Result<Account, DispatchError> {
        let request = OutboundRequest {
            call: ApiCall::Me,
            row: None,
        };
        match self.send(request).await?.verdict {
            Verdict::Account(account) => Ok(account.at(self.config.client.base_url().to_string())),
            Verdict::Exhausted { reason } => Err(DispatchError::Unreachable { rows: 1, reason }),
            other => unreachable!("GET /me has no such verdict: {other:?}"),
        }
    }

    /// Submits a row. It is accepted, in conflict or refused, or the verdict is [`Verdict::Exhausted`].
    ///
    /// # Errors
    /// Returns a [`DispatchError`] if the run has to end.
    pub async fn create(
        &self,
        request: &Request,
        source: SourceId,
        row: RowNumber,
    ) -> Result<DispatchResult, DispatchError> {
        self.send(OutboundRequest {
            call: ApiCall::Create(request),
            row: Some((source, row)),
        })
        .await
    }

    /// Reads a measurement. It is read or not found, or the verdict is [`Verdict::Exhausted`].
    ///
    /// # Errors
    /// Returns a [`DispatchError`] if the run has to end.
    pub async fn read(
        &self,
        measurement_id: &str,
        external_id: &str,
    ) -> Result<DispatchResult, DispatchError> {
        let call = ApiCall::Read {
            measurement_id,
            external_id,
        };
        self.send(OutboundRequest { call, row: None }).await
    }

    /// Ends the run. Waiting requests fail; requests that were sent are completed.
    pub fn close(&self) {
        self.shutdown.advance(ShutdownStage::Closed);
    }

    /// Returns how many requests may be added to `in_flight` requests that are being sent or recorded in advance.
    pub fn in_flight_capacity(&self, in_flight: usize) -> usize {
        self.in_flight.capacity(in_flight)
    }

    /// Returns the numbers of requests sent so far.
    pub fn request_counts(&self) -> RequestCounts {
        *self.counts()
    }

    /// Returns this program's share of the quota.
    pub fn share(&self) -> QuotaShare {
        self.config.limits.share
    }

    /// Returns how fast this run sends its requests.
    pub fn run_limits(&self) -> RunLimits {
        RunLimits {
            share: self.share(),
            max_rps: self.config.limits.max_rps,
        }
    }

    /// Returns the clock of this run.
    pub fn clock(&self) -> &Clock {
        &self.config.clock
    }

    /// Returns the signal of the user's stop.
    pub fn stop(&self) -> &StopSignal {
        &self.config.stop
    }

    /// Returns the journal of this run.
    pub fn journal(&self) -> &Arc<Journal> {
        &self.config.journal
    }

    async fn send(&self, request: OutboundRequest<'_>) -> Result<DispatchResult, DispatchError> {
        let result = self.send_with_retries(request).await;
        if let Err(error) = &result {
            self.shutdown.advance(ShutdownStage::after(error));
        }
        result
    }

    /// Sends one request, with all its retries.
    async fn send_with_retries(
        &self,
        request: OutboundRequest<'_>,
    ) -> Result<DispatchResult, DispatchError> {
        let mut number = 1;
        let mut state = IntentState::New;
        loop {
            let generation = self.in_flight.generation();
            let (slot, left) = self.acquire_slot(request, state).await?;
            let Some(permit) = self.acquire_permit(generation, slot).await else {
                self.withdraw(request, state, slot).await?;
                continue;
            };
            state = IntentState::Recorded;
            (self.config.report)(DispatchEvent::Sent { left });
            self.counts().sent(request.call, number);
            let sent_at = self.config.clock.now();
            let result = self.config.client.send(request.call).await;
            let now = self.config.clock.now();
            let attempt = Attempt {
                number,
                ended_at: now,
            };
            let verdict = verdict(request.call, &result, attempt, &mut *self.rng());
            let end = AttemptEnd {
                attempt,
                sent_at,
                result: &result,
                verdict: &verdict,
            };
            self.report_end(request, end);
            let anomalies = self.record_response(request, slot, end).await?;
            // The permit is held until the response is recorded: after a crash, no more requests are repeated than
            // there are permits.
            drop(permit);
            if matches!(verdict, Verdict::Retry { .. } | Verdict::Exhausted { .. })
                && is_service_response(request.call, &result)
            {
                self.exhausted_rows.store(0, Ordering::Relaxed);
            }
            match verdict {
                Verdict::Means(ResponseMeaning::RateLimited { .. }) => {
                    self.counts().rate_limited += 1;
                    (self.config.report)(DispatchEvent::RateLimited);
                }
                Verdict::Retry { after, reason } if self.is_past_deadline(now + after) => {
                    return self.exhausted(reason);
                }
                Verdict::Retry { after, reason } => {
                    number += 1;
                    (self.config.report)(DispatchEvent::Retrying { after, reason });
                    self.pause_until(now + after).await?;
                }
                Verdict::Fatal(stop) => return Err(DispatchError::Service(stop)),
                Verdict::Exhausted { reason } => return self.exhausted(reason),
                verdict => {
                    self.exhausted_rows.store(0, Ordering::Relaxed);
                    return Ok(dispatch_result(verdict, anomalies));
                }
            }
        }
    }

    /// Reports the end of an attempt, and counts it.
    fn report_end(&self, request: OutboundRequest<'_>, end: AttemptEnd<'_>) {
        let Attempt { number, ended_at } = end.attempt;
        let completed = CompletedRequest::new(request, end);
        (self.config.report)(DispatchEvent::Completed(completed));
        match end.verdict {
            Verdict::Means(ResponseMeaning::RateLimited { .. }) => {
                self.in_flight.rate_limited();
                self.pauses().record_rate_limit(ended_at);
            }
            _ => self.pauses().record_other_response(),
        }
        if end.was_not_sent() {
            self.counts().not_sent(request.call, number);
        }
    }

    pub(super) fn rng(&self) -> MutexGuard<'_, StdRng> {
        self.rng.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn pauses(&self) -> MutexGuard<'_, RateLimitPauses> {
        // Every change is complete, so a panic elsewhere does no harm.
        self.pauses.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn counts(&self) -> MutexGuard<'_, RequestCounts> {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends a row without a usable response, and the run if the service counts as unreachable.
    fn exhausted(&self, reason: String) -> Result<DispatchResult, DispatchError> {
        let rows = self.exhausted_rows.fetch_add(1, Ordering::Relaxed) + 1;
        if rows >= MAX_EXHAUSTED_ROWS {
            return Err(DispatchError::Unreachable { rows, reason });
        }
        Ok(dispatch_result(
            Verdict::Exhausted { reason },
            ResponseAnomalies::default(),
        ))
    }

    /// Waits until the clock shows `until`; a timer alone would be late after the machine was suspended.
    async fn pause_until(&self, until: Timestamp) -> Result<(), DispatchError> {
        loop {
            let left = until.duration_since(self.config.clock.now());
            let Ok(left) = Duration::try_from(left) else {
                return Ok(());
            };
            if left.is_zero() {
                return Ok(());
            }
            let slice = tokio::time::sleep(left.min(MAX_SLEEP));
            self.shutdown
                .run_before(ShutdownStage::NoNewSlots, slice)
                .await?;
        }
    }
}

fn dispatch_result(verdict: Verdict, anomalies: ResponseAnomalies) -> DispatchResult {
    let verdict = match (verdict, anomalies.conflict) {
        (
            Verdict::Means(
                ResponseMeaning::Accepted { measurement, .. }
                | ResponseMeaning::Conflict(measurement, _),
            ),
            Some(message),
        ) => Verdict::Means(ResponseMeaning::Conflict(measurement, message)),
        (verdict, _) => verdict,
    };
    DispatchResult {
        verdict,
        warnings: anomalies.warnings,
    }
}

/// A limiter that spaces requests evenly, without bursts.
fn new_rate_limiter(max_rps: f64) -> Option<DefaultDirectRateLimiter> {
    let period = Duration::try_from_secs_f64(1.0 / max_rps).ok()?;
    Quota::with_period(period).map(RateLimiter::direct)
}
