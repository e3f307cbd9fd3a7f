//! The limits of the newest import that sent rows, by which `status` says when it ends: they may be flags of that import.

use rusqlite::Connection;

use crate::journal::{Error, Journal, metadata};
use crate::model::QuotaShare;

/// Named value: rate, reserve and requests per second, as JSON.
const RUN_LIMITS: &str = "run_limits";

/// How fast a run sends its requests.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RunLimits {
    /// The part of the quota that it uses.
    pub share: QuotaShare,
    /// Maximum number of requests per second.
    pub max_rps: Option<f64>,
}

impl Journal {
    /// Stores the limits of a run that begins.
    ///
    /// # Errors
    /// Returns an [`Error`] if the journal cannot be written.
    pub async fn store_run_limits(&self, limits: RunLimits) -> Result<(), Error> {
        let QuotaShare { rate, reserve } = limits.share;
        let value = serde_json::json!([rate.to_string(), reserve, limits.max_rps]).to_string();
        self.writer
            .write(move |connection, _| {
                metadata::write_metadata(connection, RUN_LIMITS, Some(&value))
            })
            .await
    }
}

pub(super) fn read_run_limits(connection: &Connection) -> rusqlite::Result<Option<RunLimits>> {
    let stored = metadata::read_metadata(connection, RUN_LIMITS)?;
    Ok(stored.and_then(|text| {
        let (rate, reserve, max_rps): (String, u32, _) = serde_json::from_str(&text).ok()?;
        let rate = rate.parse().ok()?;
        let share = QuotaShare { rate, reserve };
        Some(RunLimits { share, max_rps })
    }))
}
