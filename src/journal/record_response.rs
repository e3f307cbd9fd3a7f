//! Records a response verbatim and everything that follows from it, in one transaction.

use std::time::Duration;

use rusqlite::{Connection, ErrorCode, params};

use crate::journal::column_values::request_json;
use crate::journal::house_column::StoredHouse;
use crate::journal::measurements::{self, AddressAgreement};
use crate::journal::response_record::{ResponseAnomalies, ResponseEffect, ResponseRecord};
use crate::journal::slot_log::{self, SlotLog};
use crate::journal::{Error, Journal, billed_elsewhere, houses_without_row};
use crate::model::{
    CreationStatus, FieldError, Measurement, Outcome, Request, ResponseMeaning, ResponseWarning,
    Status,
};

impl Journal {
    /// Records the end of an attempt and its effect, durably.
    ///
    /// # Errors
    /// Returns [`Error::Full`], [`Error::Corrupt`], [`Error::Sqlite`] or [`Error::Stopped`]; then the response is not
    /// recorded, and the next run repeats the request.
    pub async fn record_response(
        &self,
        response_record: ResponseRecord,
    ) -> Result<ResponseAnomalies, Error> {
        self.writer
            .write(move |connection, slot_log| {
                store_response(connection, slot_log, &response_record)
            })
            .await
    }
}

fn store_response(
    connection: &Connection,
    slot_log: &mut SlotLog,
    response_record: &ResponseRecord,
) -> rusqlite::Result<ResponseAnomalies> {
    let ResponseRecord {
        slot, now, share, ..
    } = *response_record;
    let budget = slot_log.budget(connection, now, share)?;
    let has_changed = match &response_record.effect {
        ResponseEffect::Unsent | ResponseEffect::Withdrawn => {
            budget.release_slot(slot.attempt);
            false
        }
        ResponseEffect::Means(ResponseMeaning::RateLimited { retry_after }) => {
            budget.record_rate_limit(slot, now, *retry_after, share);
            true
        }
        _ => budget.record_response(slot, now, share),
    };
    if has_changed {
        slot_log::store_adaptive_limit(connection, budget.adaptive_limit())?;
    }
    if let ResponseEffect::Withdrawn = response_record.effect {
        withdraw(connection, response_record)?;
        return Ok(ResponseAnomalies::default());
    }
    let anomalies = apply_effect(connection, response_record)?;
    end_attempt(connection, response_record, &anomalies)?;
    Ok(anomalies)
}

/// Removes the record of an attempt, and of its row if nothing else was ever sent for it.
fn withdraw(connection: &Connection, response_record: &ResponseRecord) -> rusqlite::Result<()> {
    connection
        .prepare_cached("DELETE FROM attempts WHERE id = ?1")?
        .execute([response_record.slot.attempt])?;
    connection
        .prepare_cached(
            "DELETE FROM requests WHERE external_id = ?1 AND state = 'sent'
             AND NOT EXISTS (SELECT 1 FROM attempts WHERE attempts.external_id = ?1)",
        )?
        .execute([&response_record.external_id])
        .map(drop)
}

/// Records the end of the attempt. The newest response about a measurement is stored with the measurement, every other
/// one with its attempt.
fn end_attempt(
    connection: &Connection,
    response_record: &ResponseRecord,
    anomalies: &ResponseAnomalies,
) -> rusqlite::Result<()> {
    let now = response_record.now.as_millisecond();
    // A response that came after its timeout, because the machine was suspended, extends the slot.
    if response_record.now > response_record.slot.times_out_at {
        connection
            .prepare_cached("UPDATE attempts SET times_out_at = ?2 WHERE id = ?1")?
            .execute([response_record.slot.attempt, now])?;
    }
    // Behind a 5xx that asks for a long pause, the measurement may have been created.
    let counted = match response_record.effect {
        ResponseEffect::Unsent => false,
        ResponseEffect::Means(ResponseMeaning::RateLimited { retry_after }) => {
            response_record.status != Some(429) || retry_after == Some(Duration::ZERO)
        }
        _ => true,
    };
    let stands_elsewhere = matches!(
        response_record.effect,
        ResponseEffect::Means(ResponseMeaning::Accepted { .. } | ResponseMeaning::Read(_))
    ) && anomalies.conflict.is_none();
    let body = response_record
        .body
        .as_deref()
        .filter(|_| !stands_elsewhere);
    connection
        .prepare_cached(
            "UPDATE attempts SET settled_at = ?2, counted = ?3, status = ?4, body = ?5, error = ?6 WHERE id = ?1",
        )?
        .execute(params![
            response_record.slot.attempt,
            now,
            counted,
            response_record.status,
            body,
            response_record.error
        ])
        .map(drop)
}

fn apply_effect(
    connection: &Connection,
    response_record: &ResponseRecord,
) -> rusqlite::Result<ResponseAnomalies> {
    let ResponseEffect::Means(meaning) = &response_record.effect else {
        return Ok(ResponseAnomalies::default());
    };
    match meaning {
        ResponseMeaning::RateLimited { .. } => Ok(ResponseAnomalies::default()),
        ResponseMeaning::Accepted {
            creation,
            measurement,
            original,
            normalized,
            warnings,
        } => {
            let accepted = (*creation, &**measurement);
            let anomalies = apply_accepted(connection, response_record, accepted, warnings)?;
            if anomalies.conflict.is_none() {
                if let Some(original) = original {
                    store_submitted_version(connection, original)?;
                }
                if let Some(normalized) = normalized {
                    store_normalized(connection, normalized)?;
                }
            }
            houses_without_row::remove_versions(connection, response_record.id())?;
            Ok(anomalies)
        }
        ResponseMeaning::Conflict(measurement, message) => {
            apply_conflict(connection, response_record, measurement, message)
        }
        ResponseMeaning::Refused(errors) => {
            store_request_result(connection, response_record, Outcome::Refused, errors)
        }
        ResponseMeaning::Read(measurement) => {
            measurements::archive_response(connection, response_record, &measurement.id)?;
            let warnings =
                measurements::record_read_response(connection, response_record, measurement)?;
            Ok(ResponseAnomalies {
                warnings,
                conflict: None,
            })
        }
        ResponseMeaning::NotFound { measurement_id } => {
            connection
                .prepare_cached(
                    "UPDATE measurements SET not_found_since = ?2, fetched_at = ?2 WHERE id = ?1",
                )?
                .execute(params![
                    measurement_id,
                    response_record.now.as_millisecond()
                ])?;
            Ok(ResponseAnomalies::default())
        }
    }
}

/// Records the measurement of a row, whether the row created it, and the warnings that follow from the two.
fn apply_accepted(
    connection: &Connection,
    response_record: &ResponseRecord,
    (creation, measurement): (CreationStatus, &Measurement),
    warnings: &[ResponseWarning],
) -> rusqlite::Result<ResponseAnomalies> {
    let is_foreign = creation == CreationStatus::Existing
        && !billed_elsewhere::was_created_here(
            connection,
            response_record.slot.attempt,
            response_record.id(),
            measurement,
        )?;
    match measurements::store_measurement(
        connection,
        response_record,
        measurement,
        AddressAgreement::AsRequested,
    ) {
        Ok(()) => {}
        Err(error) if error.sqlite_error_code() == Some(ErrorCode::ConstraintViolation) => {
            return store_conflict(connection, response_record, measurement.other_row_message());
        }
        Err(error) => return Err(error),
    }
    houses_without_row::remove_house_without_row(connection, &measurement.id)?;
    if is_foreign {
        let is_complete = measurement.status == Status::Complete;
        let completed_at = measurement.completed_at.unwrap_or(measurement.updated_at);
        billed_elsewhere::add_foreign_measurement(
            connection,
            &measurement.id,
            response_record.now,
            is_complete.then_some(completed_at),
        )?;
    }
    let state = match creation {
        CreationStatus::Created => Outcome::Created,
        CreationStatus::Existing => Outcome::Existing,
    };
    store_request_result(connection, response_record, state, &[])?;
    Ok(ResponseAnomalies {
        warnings: measurements::record_warnings(
            connection,
            response_record,
            measurement,
            warnings.to_vec(),
        )?,
        conflict: None,
    })
}

/// Records a response with another house than the row. If this journal sent an earlier version of the row for that
/// house, the measurement belongs to that version; otherwise the house is recorded as requested under this id. A
/// measurement that this request created is the row's, and is stored as a later response with another address is.
fn apply_conflict(
    connection: &Connection,
    response_record: &ResponseRecord,
    measurement: &Measurement,
    message: &FieldError,
) -> rusqlite::Result<ResponseAnomalies> {
    let id = response_record.id();
    if let Some(version) = houses_without_row::find_version(connection, id, measurement)? {
        let elsewhere = ResponseWarning::placed_elsewhere(&version.request, measurement);
        let warnings: Vec<ResponseWarning> = elsewhere.into_iter().collect();
        let accepted = (CreationStatus::Existing, measurement);
        let anomalies = apply_accepted(connection, response_record, accepted, &warnings)?;
        if anomalies.conflict.is_none() {
            let restored = houses_without_row::restore_version(connection, version, measurement)?;
            if let Some(normalized) = restored.as_normalized(measurement) {
                store_normalized(connection, &normalized)?;
            }
        }
        houses_without_row::remove_versions(connection, id)?;
        return Ok(anomalies);
    }
    houses_without_row::remove_versions(connection, id)?;
    houses_without_row::store_house_without_row(connection, id, measurement, response_record.now)?;
    // The response to an earlier attempt may have been lost.
    let attempt = response_record.slot.attempt;
    let is_created_here = response_record.status == Some(201)
        || billed_elsewhere::was_created_here(connection, attempt, id, measurement)?;
    if !is_created_here {
        return store_conflict(connection, response_record, message.clone());
    }
    // It may belong to another row.
    match measurements::record_read_response(connection, response_record, measurement) {
        Err(error) if error.sqlite_error_code() != Some(ErrorCode::ConstraintViolation) => {
            return Err(error);
        }
        _ => {}
    }
    store_conflict(
        connection,
        response_record,
        measurement.conflict_message(None),
    )
}

fn store_conflict(
    connection: &Connection,
    response_record: &ResponseRecord,
    message: FieldError,
) -> rusqlite::Result<ResponseAnomalies> {
    let messages = std::slice::from_ref(&message);
    store_request_result(connection, response_record, Outcome::Conflict, messages)?;
    Ok(ResponseAnomalies {
        conflict: Some(message),
        ..ResponseAnomalies::default()
    })
}

/// Stores the version that the service has, so that a later run detects that the row was edited.
fn store_submitted_version(connection: &Connection, original: &Request) -> rusqlite::Result<()> {
    let request = request_json(original);
    connection
        .prepare_cached("UPDATE requests SET content = ?2, request = ?3 WHERE external_id = ?1")?
        .execute(params![
            original.external_id,
            original.content_hash().to_bytes(),
            request
        ])
        .map(drop)
}

/// Stores the address of the service, by which the house is recognized as well.
fn store_normalized(connection: &Connection, normalized: &Request) -> rusqlite::Result<()> {
    let [house, _] = StoredHouse::from(normalized).store(connection)?;
    let request = request_json(normalized);
    connection
        .prepare_cached(
            "UPDATE requests SET normalized = ?2, normalized_house = ?3 WHERE external_id = ?1",
        )?
        .execute(params![normalized.external_id, request, house])
        .map(drop)
}

fn store_request_result(
    connection: &Connection,
    response_record: &ResponseRecord,
    state: Outcome,
    messages: &[FieldError],
) -> rusqlite::Result<ResponseAnomalies> {
    let messages = (!messages.is_empty())
        .then(|| serde_json::to_string(messages).expect("messages have only string keys"));
    connection
        .prepare_cached(
            "UPDATE requests SET state = ?2, messages = ?3, answered_at = ?4 WHERE external_id = ?1",
        )?
        .execute(params![
            response_record.id(),
            state.name(),
            messages,
            response_record.now.as_millisecond()
        ])?;
    Ok(ResponseAnomalies::default())
}
