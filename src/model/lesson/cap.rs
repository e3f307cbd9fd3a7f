//! A window that holds fewer requests than documented.
//!
//! One trial goes beyond the cap, and each success lifts it by twice as much; a refused trial doubles the time to the
//! next one, so that the limit is not run into again and again.

use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

use crate::model::lesson::{Contradicted, Leave, Limited, longest_gap};
use crate::model::{Rate, Share};

/// How much may speak against a cap in a row: two windows that met look like one that is larger, and a window that slides
/// opens bit by bit. What is refused on and on without being reached is no cap.
const ENOUGH: u32 = 9;

/// A full window that held less.
const FULL: u32 = 3;

/// A short pause before it was reached.
const SHORT: u32 = 1;

/// Fewer requests in a window than documented.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Cap {
    /// In a window.
    requests: usize,
    /// What the next success adds.
    step: usize,
    /// The next trial.
    tries_at: Timestamp,
    /// From one trial to the next.
    gap: Duration,
    /// How much spoke against it in a row.
    against: u32,
}

impl Cap {
    /// As many as the window held that was full.
    pub(super) fn learned(held: usize, not_before: Timestamp, rate: Rate) -> Self {
        Self {
            requests: held,
            step: 1,
            tries_at: not_before,
            gap: rate.window,
            against: 0,
        }
    }

    /// Learns from a refused trial, or from a window that was full with less: then it is what the window `held`.
    ///
    /// # Errors
    /// [`Contradicted`] where it holds less again and again.
    pub(super) fn refused(
        &mut self,
        limited: Limited,
        held: usize,
        not_before: Timestamp,
        rate: Rate,
    ) -> Result<(), Contradicted> {
        if self.is_reached(limited.accepted) {
            self.against = 0;
            self.requests = self.requests.max(held);
        } else {
            self.speak_against(FULL)?;
            self.requests = held;
        }
        self.step = 1;
        self.gap = (self.gap * 2).min(longest_gap(rate));
        self.tries_at = not_before.max(limited.now + self.gap);
        Ok(())
    }

    /// Notes a short pause that came before the cap was reached.
    ///
    /// # Errors
    /// [`Contradicted`] where that is so again and again.
    pub(super) fn paused_below(&mut self) -> Result<(), Contradicted> {
        self.speak_against(SHORT)
    }

    fn speak_against(&mut self, weight: u32) -> Result<(), Contradicted> {
        self.against += weight;
        if self.against >= ENOUGH {
            return Err(Contradicted);
        }
        Ok(())
    }

    /// A request that was in flight with the refused one looked accepted until it was refused too.
    pub(super) fn lower(&mut self) {
        self.requests = self.requests.saturating_sub(1);
    }

    pub(super) fn accepted(&mut self, taken_at: Timestamp, live: usize, share: Share) {
        if taken_at < self.tries_at || self.requests >= share.allowed() {
            return;
        }
        if live + self.step > self.requests {
            self.requests = live + self.step;
            self.against = 0;
        }
        self.step *= 2;
    }

    /// Whether as many as that are the cap's.
    pub(super) fn is_reached(&self, live: usize) -> bool {
        live >= self.requests
    }

    pub(super) fn leave(&self, live: usize) -> Leave {
        if !self.is_reached(live) {
            return Leave::Free;
        }
        Leave::Alone {
            from: self.tries_at,
            cap: Some(self.requests),
        }
    }

    pub(super) fn requests(&self) -> usize {
        self.requests
    }

    pub(super) fn moved(&mut self, by: SignedDuration) {
        self.tries_at += by;
    }
}
