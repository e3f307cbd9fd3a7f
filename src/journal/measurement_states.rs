//! The state of each measurement that a refresh needs, read without parsing responses.

use jiff::Timestamp;
use rusqlite::{OptionalExtension, Row};

use crate::journal::column_values::{column_name, column_time, query_rows};
use crate::journal::{Error, JournalSnapshot};
use crate::model::Status;

/// The state of a measurement, as of its newest response.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MeasurementState {
    /// The measurement id, `msr_…`.
    pub measurement_id: String,
    /// The external id.
    pub external_id: String,
    /// The newest status.
    pub status: Status,
    /// When the newest response came; the Unix epoch for a restored measurement.
    pub fetched_at: Timestamp,
    /// When it was completed, or when it last changed.
    pub changed_at: Timestamp,
    /// Whether the newest response is neither a 404 nor about another house.
    pub is_usable: bool,
    /// Whether the newest response has a result.
    pub has_result: bool,
    /// Whether that result has images.
    pub has_images: bool,
}

impl JournalSnapshot {
    /// Returns the state of every measurement, in no particular order.
    ///
    /// # Errors
    /// Returns an [`Error`] if the file cannot be read.
    pub fn measurement_states(&self) -> Result<Vec<MeasurementState>, Error> {
        Ok(query_rows(
            &self.connection(),
            STATES,
            [],
            measurement_state,
        )?)
    }

    /// Returns the last result of a measurement as JSON; `None` if it never had one.
    ///
    /// # Errors
    /// Returns an [`Error`] if the file cannot be read.
    pub fn last_result(&self, measurement_id: &str) -> Result<Option<String>, Error> {
        let connection = self.connection();
        let mut statement = connection.prepare_cached(
            "SELECT nullif(coalesce(result, CASE WHEN json_valid(body) THEN body -> '$.result' END), 'null')
             FROM measurements WHERE id = ?1",
        )?;
        let result = statement.query_row([measurement_id], |row| row.get(0));
        Ok(result.optional()?.flatten())
    }
}

// SQLite refuses some texts that are JSON, for instance one that is nested too deep.
const STATES: &str = "
SELECT m.id, m.external_id, m.status, m.fetched_at, coalesce(m.completed_at, m.updated_at),
    m.not_found_since IS NULL AND NOT EXISTS
        (SELECT 1 FROM warnings w WHERE w.external_id = m.external_id AND w.kind = 'address_differs'),
    CASE WHEN m.status = 'complete' AND json_valid(m.body)
        THEN coalesce(json_type(m.body, '$.result') = 'object', 0) ELSE 0 END,
    CASE WHEN m.status = 'complete' AND json_valid(m.body)
        THEN coalesce(json_array_length(m.body, '$.result.asset_pack'), 0) > 0 ELSE 0 END
FROM requests q JOIN measurements m ON m.external_id = q.external_id";

fn measurement_state(row: &Row<'_>) -> rusqlite::Result<MeasurementState> {
    Ok(MeasurementState {
        measurement_id: row.get(0)?,
        external_id: row.get(1)?,
        status: column_name(row, 2, Status::from_name)?,
        fetched_at: column_time(row, 3)?,
        changed_at: column_time(row, 4)?,
        is_usable: row.get(5)?,
        has_result: row.get(6)?,
        has_images: row.get(7)?,
    })
}
