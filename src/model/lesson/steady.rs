//! A service that refills steadily: one request after the other, at the pace that was seen.
//!
//! After successes it is tried twice as fast; a refusal takes that back, and the next try needs three times as many. A
//! service that refuses no fewer at the slower pace is not one that refills.

use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

use crate::model::lesson::{Contradicted, Leave};

/// So many successes first, before it goes twice as fast.
const FIRST_TRIAL: u32 = 8;

/// What a refused trial multiplies that by.
const LATER: u32 = 3;

/// So often it goes twice as fast until nothing is left of it.
const HALVINGS: u32 = 5;

/// The fewest refusals at the slower pace that tell anything.
const REFUSALS: u32 = 3;

/// Fewer successes than that to each of those refusals: the pace does not help.
const SUCCESSES: u32 = 8;

/// One after the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Steady {
    /// From one request to the next.
    gap: Duration,
    /// The next.
    next_at: Timestamp,
    /// How often it was halved.
    halvings: u32,
    /// Successes in a row that it takes to go twice as fast.
    patience: u32,
    /// Successes since the gap was changed.
    in_a_row: u32,
    /// Successes since it was learned.
    accepted: u32,
    /// Refusals since then, but for those of a trial.
    refused: u32,
}

impl Steady {
    pub(super) fn learned(gap: Duration, next_at: Timestamp) -> Self {
        Self {
            gap,
            next_at,
            halvings: 0,
            patience: FIRST_TRIAL,
            in_a_row: 0,
            accepted: 0,
            refused: 0,
        }
    }

    pub(super) fn left(&mut self, now: Timestamp) {
        self.next_at = now + self.gap;
    }

    /// Notes a refusal.
    ///
    /// # Errors
    /// [`Contradicted`] where refusals come at this pace as at any.
    pub(super) fn refused(&mut self, not_before: Timestamp) -> Result<(), Contradicted> {
        self.in_a_row = 0;
        self.next_at = self.next_at.max(not_before);
        if self.halvings > 0 {
            self.halvings -= 1;
            self.gap *= 2;
            self.patience = self.patience.saturating_mul(LATER);
            return Ok(());
        }
        self.gap = self.gap * 5 / 4;
        self.refused += 1;
        let is_useless = self.refused >= REFUSALS && self.accepted < SUCCESSES * self.refused;
        if is_useless {
            Err(Contradicted)
        } else {
            Ok(())
        }
    }

    /// Notes a success.
    ///
    /// # Errors
    /// [`Contradicted`] where it went faster and faster without a refusal.
    pub(super) fn accepted(&mut self) -> Result<(), Contradicted> {
        self.accepted += 1;
        self.in_a_row += 1;
        if self.in_a_row < self.patience {
            return Ok(());
        }
        self.in_a_row = 0;
        self.halvings += 1;
        self.gap /= 2;
        if self.halvings >= HALVINGS {
            return Err(Contradicted);
        }
        Ok(())
    }

    pub(super) fn leave(&self, now: Timestamp) -> Leave {
        if now < self.next_at {
            return Leave::Not(self.next_at);
        }
        Leave::Free
    }

    pub(super) fn moved(&mut self, by: SignedDuration) {
        self.next_at += by;
    }
}
