//! Requests measurements again until all are final: after seconds at first, then less and less often.

use std::collections::HashSet;
use std::time::Duration;

use jiff::Timestamp;

use crate::dispatch::{DispatchError, Dispatcher, StopStage};
use crate::export::Error;
use crate::export::refresh::{
    RefreshPolicy, RefreshProgress, RefreshSummary, request_each, select_candidates,
};
use crate::journal::MeasurementState;
use crate::model::QuotaShare;

/// The pause before the second round.
const FIRST_PAUSE: Duration = Duration::from_secs(2);

const LONGEST_PAUSE: Duration = Duration::from_mins(15);

/// Returns the pause after a number of rounds: half as long again each time.
fn pause_after(rounds: u32) -> Duration {
    let exponent = i32::try_from(rounds).unwrap_or(i32::MAX);
    let seconds = FIRST_PAUSE.as_secs_f64() * 1.5_f64.powi(exponent);
    let longest = LONGEST_PAUSE.as_secs_f64();
    Duration::try_from_secs_f64(seconds.min(longest)).unwrap_or(LONGEST_PAUSE)
}

/// Returns the shortest pause before `open` measurements are requested again, after `requested` requests of this wait:
/// once they would use more than half of the quota, so long that they use half of each window, and others have the
/// rest.
fn shortest_pause(open: usize, requested: usize, share: QuotaShare) -> Duration {
    let half = (share.allowed() / 2).max(1);
    if requested + open <= half {
        return Duration::ZERO;
    }
    let [open, half] = [open, half].map(|count| u32::try_from(count).unwrap_or(u32::MAX));
    share.slot_lifetime().saturating_mul(open) / half
}

/// Requests each of `candidates`, and again until none of them can change, or until a round has begun after `period_end`.
/// One without a response in two rounds in a row is not waited for. `progress` receives the responses of the first round,
/// how many are final, and each pause.
///
/// # Errors
/// [`Error::Journal`]. An error of the dispatcher ends the waiting and is returned in [`RefreshSummary::error`].
pub(super) async fn wait_until_final(
    dispatcher: &Dispatcher,
    candidates: &[MeasurementState],
    period_end: Option<Timestamp>,
    mut progress: impl FnMut(RefreshProgress),
) -> Result<RefreshSummary, Error> {
    let mut summary = RefreshSummary::default();
    let awaited = candidates.iter().map(|one| one.measurement_id.as_str());
    let awaited: HashSet<&str> = awaited.collect();
    let mut next = candidates.to_vec();
    let (mut unanswered, mut given_up) = (HashSet::new(), HashSet::new());
    let (mut is_last, mut requested) = (false, 0);
    for round in 0.. {
        let mut known = dispatcher.journal().snapshot()?.measurement_states()?;
        known.retain(|candidate| awaited.contains(candidate.measurement_id.as_str()));
        let total = known.len() as u64;
        let mut open = still_open(known, dispatcher);
        open.retain(|candidate| !given_up.contains(&candidate.measurement_id));
        progress(RefreshProgress::Final {
            done: total.saturating_sub(open.len() as u64),
            total,
        });
        if round > 0 {
            open.retain(|candidate| !is_last || unanswered.contains(&candidate.measurement_id));
            if open.is_empty() {
                break;
            }
            let shortest = shortest_pause(open.len(), requested, dispatcher.share());
            let long = pause_after(round - 1).max(shortest);
            progress(RefreshProgress::Pausing {
                until: dispatcher.clock().now() + long,
            });
            if pause(dispatcher, long).await.is_err() {
                summary.error = Some(DispatchError::Interrupted);
                summary.not_read = open.len() as u64;
                return Ok(summary);
            }
            next = open;
        }
        is_last = period_end.is_some_and(|end| end <= dispatcher.clock().now());
        let answered = |done| {
            if round == 0 {
                progress(RefreshProgress::Answered(done));
            }
        };
        let refreshed = request_each(dispatcher, &next, answered).await?;
        requested += next.len();
        // Each round requests some of the same measurements.
        summary.read = summary.read.max(refreshed.read);
        summary.changed += refreshed.changed;
        if refreshed.error.is_some() {
            summary.not_read = refreshed.not_read + given_up.len() as u64;
            summary.error = refreshed.error;
            return Ok(summary);
        }
        summary.reason = refreshed.reason.or(summary.reason);
        given_up.extend(refreshed.unanswered.intersection(&unanswered).cloned());
        unanswered = refreshed.unanswered;
    }
    summary.not_read = given_up.len() as u64;
    Ok(summary)
}

/// Returns the measurements that can still change. One that the service no longer finds, or for which it returns another
/// house, is not waited for.
fn still_open(known: Vec<MeasurementState>, dispatcher: &Dispatcher) -> Vec<MeasurementState> {
    let mut open = select_candidates(known, RefreshPolicy::Auto, dispatcher.clock().now());
    open.retain(|candidate| candidate.is_usable);
    open
}

async fn pause(dispatcher: &Dispatcher, duration: Duration) -> Result<(), DispatchError> {
    tokio::select! {
        () = tokio::time::sleep(duration) => Ok(()),
        () = dispatcher.stop().reached(StopStage::Draining) => Err(DispatchError::Interrupted),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn measurements_that_stay_open_use_at_most_half_of_the_quota() {
        let share = QuotaShare {
            rate: "600/1h".parse().unwrap(),
            reserve: 0,
        };
        assert_eq!(shortest_pause(60, 240, share), Duration::ZERO);
        let later = shortest_pause(60, 300, share).as_secs();
        assert!((720..725).contains(&later), "{later}");
        let many = shortest_pause(600, 600, share).as_secs();
        assert!((7200..7220).contains(&many), "{many}");
    }

    #[test]
    fn pauses_grow_from_seconds_to_a_quarter_of_an_hour() {
        assert_eq!(pause_after(0), Duration::from_secs(2));
        assert_eq!(pause_after(1), Duration::from_secs(3));
        assert_eq!(pause_after(100), LONGEST_PAUSE);
        assert_eq!(pause_after(u32::MAX), LONGEST_PAUSE);
    }
}
