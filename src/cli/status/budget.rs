//! How many requests the quota still allows, and when it refills.

use jiff::Timestamp;
use serde::Serialize;

use crate::cli::clock;
use crate::journal::QuotaWindow;
use crate::model::{QuotaShare, json_time, pluralize};

/// The budget that all processes of the connection share.
#[derive(Debug, Serialize)]
pub(super) struct BudgetReport {
    rate: String,
    reserve: u32,
    /// Requests that can be sent now.
    left: usize,
    /// When the next slot becomes free; `None` if a slot is free.
    next_at: Option<String>,
    /// When all slots are free again.
    full_at: Option<String>,
    /// The time before which the service asked for no requests.
    not_before: Option<String>,
    /// The budget in one line.
    #[serde(skip)]
    pub(super) text: String,
}

impl BudgetReport {
    /// The budget at `now`, from the window of the journal.
    pub(super) fn new(window: &QuotaWindow, share: QuotaShare, now: Timestamp) -> Self {
        let ahead = |moment: &Timestamp| *moment > now;
        let next = window.openings.nth(0).filter(ahead);
        let full = window.openings.last().filter(ahead);
        let moments = [
            (window.not_before, "the service asked to wait until"),
            (next, "the next one is free at"),
            (full, "all are free at"),
        ];
        let known = moments.into_iter();
        let known = known.filter_map(|(moment, what)| Some((clock::local(moment?, now), what)));
        let mut known: Vec<(String, &str)> = known.collect();
        known.dedup_by(|one, before| one.0 == before.0);
        let refill = known.iter().fold(String::new(), |text, (moment, what)| {
            text + &format!("; {what} {moment}")
        });
        Self {
            rate: share.rate.to_string(),
            reserve: share.reserve,
            left: window.available,
            next_at: next.map(json_time),
            full_at: full.map(json_time),
            not_before: window.not_before.map(json_time),
            text: format!(
                "{} left of {}{refill}",
                pluralize(window.available as u64, "request"),
                share.rate
            ),
        }
    }
}
