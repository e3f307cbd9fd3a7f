//! Waiting until everything is final: asks after seconds at first, then ever less often.

use std::collections::HashSet;
use std::time::Duration;

use crate::dispatch::{DispatchError, Dispatcher, StopStage};
use crate::export::Error;
use crate::export::refresh::{
    RefreshCandidate, RefreshConnection, RefreshOutcome, RefreshPolicy, RefreshProgress, ask,
    refresh_candidates,
};

use super::order::RefreshPriority;

/// How long to wait between two rounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RoundPauses {
    /// Before the second round.
    pub first: Duration,
    /// Never longer.
    pub longest: Duration,
}

impl RoundPauses {
    /// Seconds at first; a contractor's day has a few quarter hours.
    pub const USUAL: Self = Self {
        first: Duration::from_secs(2),
        longest: Duration::from_mins(15),
    };

    /// The pause after so many rounds: half as long again each time.
    pub fn after(self, rounds: u32) -> Duration {
        let exponent = i32::try_from(rounds).unwrap_or(i32::MAX);
        let factor = 1.5_f64.powi(exponent);
        let seconds = self.first.as_secs_f64() * factor;
        Duration::try_from_secs_f64(seconds.min(self.longest.as_secs_f64())).unwrap_or(self.longest)
    }
}

/// Asks for each of `wanted`, and again until nothing is left that may change. `tell` hears how many are final, and each
/// pause.
///
/// # Errors
/// Those of the journal. An error of the dispatcher ends the waiting and is returned in [`RefreshOutcome::error`].
pub(super) async fn wait_complete(
    connection: RefreshConnection<'_>,
    wanted: &[RefreshCandidate],
    pauses: RoundPauses,
    mut tell: impl FnMut(RefreshProgress),
) -> Result<RefreshOutcome, Error> {
    let dispatcher = connection.dispatcher;
    let mut whole = RefreshOutcome::default();
    let awaited = wanted.iter().map(|one| one.measurement_id.as_str());
    let awaited: HashSet<&str> = awaited.collect();
    let mut next = wanted.to_vec();
    for round in 0.. {
        let mut known = refresh_candidates(&dispatcher.journal().snapshot()?)?;
        known.retain(|one| awaited.contains(one.measurement_id.as_str()));
        let total = known.len() as u64;
        let open = still_open(known, dispatcher);
        tell(RefreshProgress::Final {
            done: total.saturating_sub(open.len() as u64),
            total,
        });
        if round > 0 {
            if open.is_empty() {
                break;
            }
            let long = pauses.after(round - 1);
            tell(RefreshProgress::Pausing {
                until: dispatcher.clock().now() + long,
            });
            if pause(dispatcher, long).await.is_err() {
                whole.error = Some(DispatchError::Interrupted);
                whole.not_asked = open.len() as u64;
                break;
            }
            next = open;
        }
        let refreshed = ask(dispatcher, &next, connection.concurrency, |_| {}).await;
        whole.asked += refreshed.asked;
        whole.changed += refreshed.changed;
        if refreshed.error.is_some() {
            whole.not_asked = refreshed.not_asked;
            whole.error = refreshed.error;
            break;
        }
    }
    Ok(whole)
}

/// What may still change. What the service no longer finds, or answers with another house, is not waited for.
fn still_open(known: Vec<RefreshCandidate>, dispatcher: &Dispatcher) -> Vec<RefreshCandidate> {
    let mut open = super::wanted(known, RefreshPolicy::Auto, dispatcher.clock().now());
    open.retain(|one| one.rank != RefreshPriority::Unusable);
    open
}

async fn pause(dispatcher: &Dispatcher, long: Duration) -> Result<(), DispatchError> {
    tokio::select! {
        () = tokio::time::sleep(long) => Ok(()),
        () = dispatcher.stop().reached(StopStage::Draining) => Err(DispatchError::Interrupted),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_from_seconds_to_a_quarter_of_an_hour() {
        let pauses = RoundPauses::USUAL;
        assert_eq!(pauses.after(0), Duration::from_secs(2));
        assert_eq!(pauses.after(1), Duration::from_secs(3));
        assert_eq!(pauses.after(100), pauses.longest);
        assert_eq!(pauses.after(u32::MAX), pauses.longest);
    }
}
