//! A line to the service: one request after the other through budget, journal and network, from any number of workers.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use governor::{DefaultDirectRateLimiter, Quota, RateLimiter};
use jiff::Timestamp;
use rand::SeedableRng;
use rand::rngs::StdRng;
use tokio::sync::Notify;

use crate::api::{Answer, Attempt, Call, Failure, Verdict, verdict};
use crate::journal::{Because, Departure, Journal, Noticed, Settlement, SourceId, Taken};
use crate::model::{Request, RowNumber, Slot, Warning};
use crate::pace::effect::{effect, error, never_left};
use crate::pace::errand::{Errand, Version};
use crate::pace::gate::{Closing, Gate};
use crate::pace::lanes::Lanes;
use crate::pace::pause::Pauses;
use crate::pace::tally::Counters;
use crate::pace::{Clock, Event, Halt, Patience, Setup, StopSignal, Tally};

/// The longest silence that a run waits out when the service asks for it.
const LONGEST_SILENCE: Duration = Duration::from_hours(2);

/// How long a wait sleeps before it looks at the clock again: a machine may have slept meanwhile.
const SLICE: Duration = Duration::from_secs(15);

/// After so many rows in a row without a usable answer the service is not there.
const UNANSWERED: u32 = 10;

/// A request that came to its end.
#[derive(Clone, Debug, PartialEq)]
pub struct Settled {
    /// What its last answer means; never [`Verdict::Again`], [`Verdict::Limited`] or [`Verdict::Stop`].
    pub verdict: Verdict,
    /// What a person should look at.
    pub warnings: Vec<Warning>,
}

/// A line to the service.
pub struct Line {
    pub(super) setup: Setup,
    pub(super) rng: Mutex<StdRng>,
    smoother: Option<DefaultDirectRateLimiter>,
    pub(super) lanes: Lanes,
    counters: Counters,
    unanswered: AtomicU32,
    /// Wakes whoever waits: an answer may have freed a slot.
    pub(super) answered: Notify,
    pub(super) gate: Gate,
    pauses: Mutex<Pauses>,
}

impl std::fmt::Debug for Line {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("Line")
            .field("pacing", &self.setup.pacing)
            .finish_non_exhaustive()
    }
}

impl Line {
    /// A line of that setup. Nothing is sent yet.
    pub fn new(setup: Setup) -> Self {
        Self {
            rng: Mutex::new(StdRng::seed_from_u64(setup.seed)),
            smoother: setup.pacing.max_rps.and_then(smoother),
            lanes: Lanes::new(setup.pacing.concurrency, setup.pacing.share),
            counters: Counters::default(),
            unanswered: AtomicU32::new(0),
            answered: Notify::new(),
            gate: Gate::new(setup.stop.clone()),
            pauses: Mutex::default(),
            setup,
        }
    }

    /// GET /me: [`Verdict::Account`] or [`Verdict::Exhausted`].
    ///
    /// # Errors
    /// Any [`Halt`].
    pub async fn me(&self) -> Result<Settled, Halt> {
        self.send(Errand {
            call: Call::Me,
            origin: None,
        })
        .await
    }

    /// Submits a row: [`Verdict::Accepted`], [`Verdict::Conflict`], [`Verdict::Refused`] or [`Verdict::Exhausted`].
    ///
    /// # Errors
    /// Any [`Halt`].
    pub async fn create(
        &self,
        request: &Request,
        source: SourceId,
        row: RowNumber,
    ) -> Result<Settled, Halt> {
        self.send(Errand {
            call: Call::Create(request),
            origin: Some((source, row)),
        })
        .await
    }

    /// Asks for a measurement: [`Verdict::Read`], [`Verdict::Gone`] or [`Verdict::Exhausted`].
    ///
    /// # Errors
    /// Any [`Halt`].
    pub async fn read(&self, measurement_id: &str, external_id: &str) -> Result<Settled, Halt> {
        let call = Call::Read {
            measurement_id,
            external_id,
        };
        self.send(Errand { call, origin: None }).await
    }

    /// Ends the line: what waits is told so, what is on the wire settles.
    pub fn close(&self) {
        self.gate.close(Closing::Shut);
    }

    /// How many requests it is worth to add to those that are under way: on the wire, and written down meanwhile.
    pub fn room_beside(&self, under_way: usize) -> usize {
        self.lanes.room_beside(under_way)
    }

    /// Requests sent so far.
    pub fn tally(&self) -> Tally {
        self.counters.read()
    }

    /// The time of this line.
    pub fn clock(&self) -> &Clock {
        &self.setup.clock
    }

    /// The user's wish to stop.
    pub fn stop(&self) -> &StopSignal {
        &self.setup.stop
    }

    /// The service's address.
    pub fn base_url(&self) -> String {
        self.setup.client.base_url().to_string()
    }

    /// The journal that this line writes.
    pub fn journal(&self) -> &Arc<Journal> {
        &self.setup.journal
    }

    async fn send(&self, errand: Errand<'_>) -> Result<Settled, Halt> {
        let ended = self.exchange(errand).await;
        match ended {
            // What has its slot may use it.
            Err(Halt::Spent { .. }) => self.gate.close(Closing::Spent),
            // Any other halt ends the run.
            Err(_) => self.close(),
            Ok(_) => {}
        }
        ended
    }

    /// One request through all its attempts.
    async fn exchange(&self, errand: Errand<'_>) -> Result<Settled, Halt> {
        let mut number = 1;
        let mut version = Version::New;
        loop {
            let turn = self.lanes.turn();
            let slot = self.depart(errand, version).await?;
            let Some(lane) = self.enter(turn, slot).await else {
                self.withdraw(errand, version, slot).await?;
                continue;
            };
            version = Version::Recorded;
            self.counters.leaves(errand.call, number);
            let sent_at = self.setup.clock.now();
            let outcome = self.setup.client.send(errand.call).await;
            let now = self.setup.clock.now();
            let attempt = Attempt { number, now };
            let verdict = {
                let mut rng = self.rng.lock().unwrap_or_else(PoisonError::into_inner);
                verdict(errand.call, &outcome, attempt, &mut *rng)
            };
            match verdict {
                Verdict::Limited { .. } => self.pauses().limited(now),
                _ => self.pauses().answered(),
            }
            if never_left(&outcome) {
                self.counters.stayed(errand.call, number);
            }
            self.learn(&verdict, now.duration_since(sent_at));
            let noticed = self.settle(errand, slot, now, &outcome, &verdict).await?;
            // Only now: no more requests than have a lane are ever unrecorded, and repeated after a crash.
            drop(lane);
            match verdict {
                Verdict::Limited { retry_after } => self.limited(retry_after),
                Verdict::Again { after, reason } if self.is_too_late(now + after) => {
                    return self.exhausted(reason);
                }
                Verdict::Again { after, reason } => {
                    number += 1;
                    (self.setup.report)(Event::Retrying { after, reason });
                    self.pause(now + after).await?;
                }
                Verdict::Stop(stop) => return Err(Halt::Stop(stop)),
                Verdict::Exhausted { reason } => return self.exhausted(reason),
                verdict => {
                    self.unanswered.store(0, Ordering::Relaxed);
                    return Ok(settled(verdict, noticed));
                }
            }
        }
    }

    /// Waits for a slot and writes the intent down.
    async fn depart(&self, errand: Errand<'_>, version: Version) -> Result<Slot, Halt> {
        loop {
            self.gate.check(Closing::Spent)?;
            if let Some(smoother) = &self.smoother {
                let ready = smoother.until_ready();
                self.gate.unless_closed(Closing::Spent, ready).await?;
            }
            let moment = self.setup.clock.moment();
            let now = moment.at;
            if self.is_too_late(now) {
                return Err(Halt::TimeIsUp);
            }
            let timeouts = self.setup.client.timeouts();
            let departure = Departure {
                intent: errand.intent(version),
                now: moment,
                times_out_at: now + timeouts.connect + timeouts.call,
                share: self.setup.pacing.share,
            };
            // Listening before asking: an answer in between is not missed.
            let answered = self.answered.notified();
            match self.setup.journal.take(departure).await? {
                Taken::Slot { slot, left } => {
                    (self.setup.report)(Event::Sent { left });
                    return Ok(slot);
                }
                Taken::Wait { until, because } => {
                    self.agree_to_wait(until, because, now)?;
                    (self.setup.report)(Event::Waiting { until, because });
                    let long = until.duration_since(now).unsigned_abs().min(SLICE);
                    let woken = async {
                        tokio::select! {
                            () = tokio::time::sleep(long) => {}
                            () = answered => {}
                        }
                    };
                    self.gate.unless_closed(Closing::Spent, woken).await?;
                }
            }
        }
    }

    /// Whether the user wants nothing to be sent at that time any more.
    pub(super) fn is_too_late(&self, at: Timestamp) -> bool {
        matches!(self.setup.pacing.patience, Patience::Until(end) if end <= at)
    }

    fn agree_to_wait(
        &self,
        until: Timestamp,
        because: Because,
        now: Timestamp,
    ) -> Result<(), Halt> {
        if because == Because::Limited && until.duration_since(now).unsigned_abs() > LONGEST_SILENCE
        {
            return Err(Halt::Limited { until });
        }
        match self.setup.pacing.patience {
            Patience::Wait => Ok(()),
            Patience::Until(end) if until < end => Ok(()),
            Patience::NoWait if self.pauses().is_short(until, because, now) => Ok(()),
            Patience::NoWait | Patience::Until(_) => Err(Halt::Spent { until }),
        }
    }

    fn pauses(&self) -> MutexGuard<'_, Pauses> {
        // Every change of it is whole, so a panic elsewhere does no harm.
        self.pauses.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn settle(
        &self,
        errand: Errand<'_>,
        slot: Slot,
        now: Timestamp,
        outcome: &Result<Answer, Failure>,
        verdict: &Verdict,
    ) -> Result<Noticed, Halt> {
        let settlement = Settlement {
            slot,
            now,
            share: self.setup.pacing.share,
            external_id: errand.external_id().map(str::to_owned),
            status: outcome.as_ref().ok().map(|answer| answer.status),
            body: outcome.as_ref().ok().map(Answer::text),
            error: error(outcome, verdict),
            effect: effect(errand.call, outcome, verdict),
        };
        let noticed = self.setup.journal.settle(settlement).await?;
        self.answered.notify_waiters();
        Ok(noticed)
    }

    fn limited(&self, retry_after: Option<Duration>) {
        self.counters.limited();
        (self.setup.report)(Event::Limited { retry_after });
    }

    fn exhausted(&self, reason: String) -> Result<Settled, Halt> {
        let rows = self.unanswered.fetch_add(1, Ordering::Relaxed) + 1;
        if rows >= UNANSWERED {
            return Err(Halt::Unreachable { rows, reason });
        }
        Ok(settled(Verdict::Exhausted { reason }, Noticed::default()))
    }

    /// Waits until then by the clock, and not by the timer: a machine may sleep meanwhile.
    async fn pause(&self, until: Timestamp) -> Result<(), Halt> {
        loop {
            let left = until.duration_since(self.setup.clock.now());
            let Ok(left) = Duration::try_from(left) else {
                return Ok(());
            };
            if left.is_zero() {
                return Ok(());
            }
            let slept = tokio::time::sleep(left.min(SLICE));
            self.gate.unless_closed(Closing::Spent, slept).await?;
        }
    }
}

fn settled(verdict: Verdict, noticed: Noticed) -> Settled {
    let verdict = match verdict {
        Verdict::Accepted(_, measurement) if noticed.belongs_to_another => {
            Verdict::Conflict(measurement)
        }
        verdict => verdict,
    };
    Settled {
        verdict,
        warnings: noticed.warnings,
    }
}

/// Spaces requests evenly, without a burst.
fn smoother(max_rps: f64) -> Option<DefaultDirectRateLimiter> {
    let period = Duration::try_from_secs_f64(1.0 / max_rps).ok()?;
    Quota::with_period(period).map(RateLimiter::direct)
}
