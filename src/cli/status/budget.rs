//! How many requests the quota still allows, and when it refills.

use std::path::Path;

use jiff::Timestamp;
use serde::Serialize;

use crate::cli::{CommandError, clock};
use crate::journal::window;
use crate::model::{QuotaShare, counted, json_time};

/// The budget that all processes of the connection share.
#[derive(Debug, Serialize)]
pub(super) struct BudgetReport {
    rate: String,
    reserve: u32,
    /// Requests that can be sent now.
    left: usize,
    /// When the next slot becomes free; none if a slot is free.
    next_at: Option<String>,
    /// When all slots are free again.
    full_at: Option<String>,
    /// The time before which the service asked for no requests.
    not_before: Option<String>,
    #[serde(skip)]
    text: String,
}

impl BudgetReport {
    /// Reads the budget at `now` from the journal.
    ///
    /// # Errors
    /// If the journal cannot be read.
    pub(super) fn read(
        journal: &Path,
        share: QuotaShare,
        now: Timestamp,
    ) -> Result<Self, CommandError> {
        let window = window(journal, now, share)?;
        let ahead = |moment: &Timestamp| *moment > now;
        let next = window.openings.nth(0).filter(ahead);
        let full = window.openings.last().filter(ahead);
        let until = |moment: Timestamp| clock::local(moment, now);
        let refill = match (window.not_before, next, full) {
            (Some(moment), ..) => format!("; the service asked to wait until {}", until(moment)),
            (None, Some(next), Some(full)) => {
                format!(
                    "; the next one is free at {}, all are at {}",
                    until(next),
                    until(full)
                )
            }
            (None, None, Some(full)) => format!("; all are free again at {}", until(full)),
            (None, _, None) => String::new(),
        };
        Ok(Self {
            rate: share.rate.to_string(),
            reserve: share.reserve,
            left: window.available,
            next_at: next.map(json_time),
            full_at: full.map(json_time),
            not_before: window.not_before.map(json_time),
            text: format!(
                "{} left of {}{refill}",
                counted(window.available as u64, "request"),
                share.rate
            ),
        })
    }

    /// The budget in one line.
    pub(super) fn text(&self) -> &str {
        &self.text
    }
}
