//! Writing down an answer, verbatim, with all that follows from it, in one transaction, before it is counted.

use jiff::Timestamp;
use rusqlite::{Connection, ErrorCode, Row, params};

use crate::journal::measured::{self, AddressAgreement};
use crate::journal::response_record::{ResponseAnomalies, ResponseEffect, ResponseRecord};
use crate::journal::slot_log::{self, SlotLog};
use crate::journal::{Error, Journal, billed_elsewhere, held_houses};
use crate::model::{CreationStatus, FieldError, Measurement, Request, ResponseWarning};

impl Journal {
    /// Records the end of an attempt and what follows from it, durably.
    ///
    /// # Errors
    /// [`Error::Full`], [`Error::Corrupt`], [`Error::Sqlite`], [`Error::Stopped`]: then the answer counts for nothing,
    /// and the next run asks again.
    pub async fn record_response(
        &self,
        settlement: ResponseRecord,
    ) -> Result<ResponseAnomalies, Error> {
        self.write_ledger(move |connection, ledger| settle(connection, ledger, &settlement))
            .await
    }
}

fn settle(
    connection: &Connection,
    ledger: &mut SlotLog,
    settlement: &ResponseRecord,
) -> rusqlite::Result<ResponseAnomalies> {
    let ResponseRecord {
        slot, now, share, ..
    } = *settlement;
    let budget = ledger.budget(connection, now, share)?;
    let has_changed = match &settlement.effect {
        ResponseEffect::Unsent | ResponseEffect::Withdrawn => {
            budget.release(slot.attempt);
            false
        }
        ResponseEffect::Limited { retry_after } => {
            budget.limited(slot, now, *retry_after, share);
            true
        }
        _ => budget.record_answer(slot, now, share),
    };
    if has_changed {
        slot_log::store_adaptive_limit(connection, budget.adaptive_limit())?;
    }
    if let ResponseEffect::Withdrawn = settlement.effect {
        withdraw(connection, settlement)?;
        return Ok(ResponseAnomalies::default());
    }
    let noticed = follow(connection, settlement)?;
    close(connection, settlement, &noticed)?;
    Ok(noticed)
}

/// Takes an intent back, and with it the row, where nothing else was ever sent of it.
fn withdraw(connection: &Connection, settlement: &ResponseRecord) -> rusqlite::Result<()> {
    connection
        .prepare_cached("DELETE FROM attempts WHERE id = ?1")?
        .execute([settlement.slot.attempt])?;
    connection
        .prepare_cached(
            "DELETE FROM requests WHERE external_id = ?1 AND state = 'sent'
             AND NOT EXISTS (SELECT 1 FROM attempts WHERE attempts.external_id = ?1)",
        )?
        .execute([&settlement.external_id])
        .map(drop)
}

/// Closes the attempt. The newest answer about a measurement stands with it; every other one stands here.
fn close(
    connection: &Connection,
    settlement: &ResponseRecord,
    noticed: &ResponseAnomalies,
) -> rusqlite::Result<()> {
    if settlement.now > settlement.slot.times_out_at {
        record_late_response(connection, settlement)?;
    }
    let counted = !matches!(
        settlement.effect,
        ResponseEffect::Unsent | ResponseEffect::Limited { .. }
    );
    let stands_elsewhere = matches!(
        settlement.effect,
        ResponseEffect::Accepted { .. } | ResponseEffect::Read(_)
    ) && !noticed.belongs_to_another;
    let body = settlement.body.as_deref().filter(|_| !stands_elsewhere);
    connection
        .prepare_cached(
            "UPDATE attempts SET settled_at = ?2, counted = ?3, status = ?4, body = ?5, error = ?6 WHERE id = ?1",
        )?
        .execute(params![
            settlement.slot.attempt,
            settlement.now.as_millisecond(),
            counted,
            settlement.status,
            body,
            settlement.error
        ])
        .map(drop)
}

/// An answer that came after its time-out, since the machine slept meanwhile, holds its slot from then on.
fn record_late_response(
    connection: &Connection,
    settlement: &ResponseRecord,
) -> rusqlite::Result<()> {
    connection
        .prepare_cached("UPDATE attempts SET times_out_at = ?2 WHERE id = ?1")?
        .execute(params![
            settlement.slot.attempt,
            settlement.now.as_millisecond()
        ])
        .map(drop)
}

fn follow(
    connection: &Connection,
    settlement: &ResponseRecord,
) -> rusqlite::Result<ResponseAnomalies> {
    let id = settlement.external_id.as_deref().unwrap_or_default();
    match &settlement.effect {
        ResponseEffect::Nothing
        | ResponseEffect::Unsent
        | ResponseEffect::Withdrawn
        | ResponseEffect::Limited { .. } => Ok(ResponseAnomalies::default()),
        ResponseEffect::Accepted {
            creation,
            measurement,
            original,
            warnings,
        } => {
            let noticed = accept(connection, settlement, *creation, measurement, warnings)?;
            if let Some(original) = original.as_ref().filter(|_| !noticed.belongs_to_another) {
                store_submitted_version(connection, original)?;
            }
            held_houses::forget_versions(connection, id)?;
            Ok(noticed)
        }
        ResponseEffect::Conflict {
            measurement,
            message,
        } => conflict(connection, settlement, measurement, message),
        ResponseEffect::Refused { errors } => {
            let end = RequestEnd {
                state: "refused",
                measurement_id: None,
                messages: errors,
            };
            end_request(connection, id, settlement.now, &end)
        }
        ResponseEffect::Read(measurement) => {
            measured::archive_result(connection, settlement, &measurement.id)?;
            let warnings = measured::read(connection, settlement, measurement)?;
            Ok(ResponseAnomalies {
                warnings,
                belongs_to_another: false,
            })
        }
        ResponseEffect::Gone { measurement_id } => {
            connection
                .prepare_cached(
                    "UPDATE measurements SET gone_at = ?2, fetched_at = ?2 WHERE id = ?1",
                )?
                .execute(params![measurement_id, settlement.now.as_millisecond()])?;
            Ok(ResponseAnomalies::default())
        }
    }
}

fn accept(
    connection: &Connection,
    settlement: &ResponseRecord,
    creation: CreationStatus,
    measurement: &Measurement,
    warnings: &[ResponseWarning],
) -> rusqlite::Result<ResponseAnomalies> {
    let id = settlement.external_id.as_deref().unwrap_or_default();
    let is_foreign = creation == CreationStatus::Existing
        && !billed_elsewhere::created_here(connection, settlement.slot.attempt, id, measurement)?;
    match measured::store_measurement(
        connection,
        settlement,
        measurement,
        AddressAgreement::AsRequested,
    ) {
        Ok(()) => {}
        Err(error) if error.sqlite_error_code() == Some(ErrorCode::ConstraintViolation) => {
            let end = RequestEnd {
                state: "conflict",
                measurement_id: Some(&measurement.id),
                messages: &[FieldError::of_row(
                    "the service answered with another row's measurement",
                )],
            };
            end_request(connection, id, settlement.now, &end)?;
            return Ok(ResponseAnomalies {
                belongs_to_another: true,
                ..ResponseAnomalies::default()
            });
        }
        Err(error) => return Err(error),
    }
    held_houses::release(connection, &measurement.id)?;
    if is_foreign {
        billed_elsewhere::add(connection, &measurement.id, settlement.now)?;
    }
    let end = RequestEnd {
        state: match creation {
            CreationStatus::Created => "created",
            CreationStatus::Existing => "existing",
        },
        measurement_id: Some(&measurement.id),
        messages: &[],
    };
    end_request(connection, id, settlement.now, &end)?;
    Ok(ResponseAnomalies {
        warnings: measured::warn(connection, settlement, measurement, warnings.to_vec())?,
        belongs_to_another: false,
    })
}

/// The answer names another house than the row. Where this journal sent an earlier version of the row for that house, the
/// measurement is that version's; otherwise the house is remembered as requested under this id.
fn conflict(
    connection: &Connection,
    settlement: &ResponseRecord,
    measurement: &Measurement,
    message: &FieldError,
) -> rusqlite::Result<ResponseAnomalies> {
    let id = settlement.external_id.as_deref().unwrap_or_default();
    if let Some(version) = held_houses::version_of(connection, id, measurement)? {
        let elsewhere = ResponseWarning::elsewhere(&version.request, measurement);
        let warnings: Vec<ResponseWarning> = elsewhere.into_iter().collect();
        let noticed = accept(
            connection,
            settlement,
            CreationStatus::Existing,
            measurement,
            &warnings,
        )?;
        if !noticed.belongs_to_another {
            held_houses::restore_version(connection, version, measurement)?;
        }
        held_houses::forget_versions(connection, id)?;
        return Ok(noticed);
    }
    held_houses::forget_versions(connection, id)?;
    held_houses::hold(connection, id, measurement, settlement.now)?;
    let end = RequestEnd {
        state: "conflict",
        measurement_id: Some(&measurement.id),
        messages: std::slice::from_ref(message),
    };
    end_request(connection, id, settlement.now, &end)
}

/// The version that was submitted is the one that the service holds, so that a later run finds the edited row changed.
fn store_submitted_version(connection: &Connection, original: &Request) -> rusqlite::Result<()> {
    let request = serde_json::to_string(original).expect("a request has string keys alone");
    connection
        .prepare_cached("UPDATE requests SET content = ?2, request = ?3 WHERE external_id = ?1")?
        .execute(params![
            original.external_id,
            original.content_hash().to_bytes(),
            request
        ])
        .map(drop)
}

struct RequestEnd<'a> {
    state: &'static str,
    measurement_id: Option<&'a str>,
    messages: &'a [FieldError],
}

fn end_request(
    connection: &Connection,
    external_id: &str,
    now: Timestamp,
    end: &RequestEnd<'_>,
) -> rusqlite::Result<ResponseAnomalies> {
    let messages = (!end.messages.is_empty())
        .then(|| serde_json::to_string(end.messages).expect("messages have string keys alone"));
    connection
        .prepare_cached(
            "UPDATE requests SET state = ?2, measurement_id = ?3, messages = ?4, answered_at = ?5 WHERE external_id = ?1",
        )?
        .execute(params![
            external_id,
            end.state,
            end.measurement_id,
            messages,
            now.as_millisecond()
        ])?;
    Ok(ResponseAnomalies::default())
}

/// The messages of a request, from a column that [`end_request`] wrote.
pub(super) fn messages(row: &Row<'_>, column: usize) -> rusqlite::Result<Vec<FieldError>> {
    let messages: Option<String> = row.get(column)?;
    let messages = messages.and_then(|messages| serde_json::from_str(&messages).ok());
    Ok(messages.unwrap_or_default())
}
