//! Waiting until everything is final: asks after seconds at first, then ever less often.

use std::time::Duration;

use crate::export::Error;
use crate::export::refresh::{Askable, Policy, Refreshed, ask, askable};
use crate::pace::{Halt, Line, Stopping};

use super::order::Rank;

/// How long to wait between two rounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pauses {
    /// Before the second round.
    pub first: Duration,
    /// Never longer.
    pub longest: Duration,
}

impl Pauses {
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

/// Asks for each of `wanted`, and again until nothing is left that may change. `tell` hears how many are final, of how
/// many.
///
/// # Errors
/// Those of the journal. A halt ends the waiting and stands in what is returned.
pub async fn wait_complete(
    line: &Line,
    wanted: &[Askable],
    concurrency: usize,
    pauses: Pauses,
    mut tell: impl FnMut(u64, u64),
) -> Result<Refreshed, Error> {
    let mut whole = Refreshed::default();
    let mut next = wanted.to_vec();
    for round in 0.. {
        let known = askable(&line.journal().snapshot()?)?;
        let total = known.len() as u64;
        let open = still_open(known, line);
        tell(total.saturating_sub(open.len() as u64), total);
        if round > 0 {
            if open.is_empty() {
                break;
            }
            if pause(line, pauses.after(round - 1)).await.is_err() {
                whole.halt = Some(Halt::Interrupted);
                whole.not_asked = open.len() as u64;
                break;
            }
            next = open;
        }
        let refreshed = ask(line, &next, concurrency, |_| {}).await;
        whole.asked += refreshed.asked;
        whole.changed += refreshed.changed;
        if refreshed.halt.is_some() {
            whole.not_asked = refreshed.not_asked;
            whole.halt = refreshed.halt;
            break;
        }
    }
    Ok(whole)
}

/// What may still change. What the service no longer finds, or answers with another house, is not waited for.
fn still_open(known: Vec<Askable>, line: &Line) -> Vec<Askable> {
    let mut open = super::wanted(known, Policy::Auto, line.clock().now());
    open.retain(|one| one.rank != Rank::Unusable);
    open
}

async fn pause(line: &Line, long: Duration) -> Result<(), Halt> {
    tokio::select! {
        () = tokio::time::sleep(long) => Ok(()),
        () = line.stop().reached(Stopping::Draining) => Err(Halt::Interrupted),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_from_seconds_to_a_quarter_of_an_hour() {
        let pauses = Pauses::USUAL;
        assert_eq!(pauses.after(0), Duration::from_secs(2));
        assert_eq!(pauses.after(1), Duration::from_secs(3));
        assert_eq!(pauses.after(100), pauses.longest);
        assert_eq!(pauses.after(u32::MAX), pauses.longest);
    }
}
