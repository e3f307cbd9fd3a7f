//! The history of one row: every attempt, response and sealed export.

use serde_json::{Value, json};

use crate::cli::context::Context;
use crate::cli::document::{CommandReport, report};
use crate::cli::status::as_of;
use crate::cli::{CliError, CommandError, ExitStatus, clock};
use crate::journal::{AttemptRecord, KnownMeasurement, RowHistory, row_history};
use crate::model::{FieldError, json_time};

/// Prints the history of one external id.
///
/// # Errors
/// [`ExitStatus::Usage`] if the journal does not contain the id.
pub(super) fn show(external_id: &str, context: &Context) -> Result<ExitStatus, CommandError> {
    let path = context.journal_path();
    let Some(story) = row_history(&path, external_id)? else {
        return Err(CliError::NoExternalId {
            journal: path,
            external_id: external_id.to_owned(),
        }
        .into());
    };
    context.console.json(&document(&story, context))?;
    context.console.answer(&text(&story))?;
    Ok(ExitStatus::Done)
}

fn document(story: &RowHistory, context: &Context) -> CommandReport {
    let sealed = story.sealed.iter();
    let sealed = sealed.map(|(number, kind)| json!({"number": number, "kind": kind}));
    report! {"status", ExitStatus::Done;
        profile: context.common.profile,
        external_id: story.external_id,
        file: story.file,
        row: story.row,
        state: story.state,
        message: message(story),
        request: answer(&story.request),
        measurement: story.measurement.as_ref().map(measurement),
        warnings: story.warnings,
        attempts: story.attempts.iter().map(attempt).collect::<Vec<Value>>(),
        sealed: sealed.collect::<Vec<Value>>(),
    }
}

fn measurement(known: &KnownMeasurement) -> Value {
    json!({
        "id": known.id,
        "status": known.status,
        "fetched_at": known.fetched_at.map(json_time),
        "answer": answer(&known.body),
    })
}

fn attempt(attempted: &AttemptRecord) -> Value {
    json!({
        "kind": attempted.kind,
        "at": json_time(attempted.at),
        "settled_at": attempted.ended_at.map(json_time),
        "status": attempted.status,
        "error": attempted.error,
        "answer": attempted.body.as_deref().map(answer),
    })
}

/// A response body as JSON if it is JSON, otherwise as text.
fn answer(body: &str) -> Value {
    serde_json::from_str(body).unwrap_or_else(|_| Value::String(body.to_owned()))
}

fn text(story: &RowHistory) -> String {
    let mut lines = vec![
        format!("{}  row {} of {}", story.external_id, story.row, story.file),
        if story.messages.is_empty() {
            format!("  request      {}", story.state)
        } else {
            format!("  request      {}: {}", story.state, named(story))
        },
    ];
    if let Some(known) = &story.measurement {
        lines.push(format!(
            "  measurement  {} {}, {}",
            known.id,
            known.status,
            as_of(
                known.fetched_at.unwrap_or_default(),
                jiff::Timestamp::UNIX_EPOCH
            )
        ));
    }
    lines.extend(
        story
            .warnings
            .iter()
            .map(|warning| format!("  warning       {warning}")),
    );
    lines.extend(
        story
            .attempts
            .iter()
            .map(|attempted| format!("  {}", attempt_text(attempted))),
    );
    lines.extend(
        story
            .sealed
            .iter()
            .map(|(number, kind)| format!("  {kind} in sealed export {number}")),
    );
    lines.join("\n")
}

/// The messages in one line, with the user's headers for the fields.
fn named(story: &RowHistory) -> String {
    let messages = story.messages.iter().map(|error| match error.by_field() {
        (Some(field), message) => format!("{}: {message}", story.names.name_of(field)),
        (None, message) => message,
    });
    messages.collect::<Vec<_>>().join("; ")
}

/// A line for each message, with the service's name for the field.
fn message(story: &RowHistory) -> Option<String> {
    let lines: Vec<String> = story.messages.iter().map(FieldError::to_string).collect();
    (!lines.is_empty()).then(|| lines.join("\n"))
}

fn attempt_text(attempted: &AttemptRecord) -> String {
    let what = match attempted.kind.as_str() {
        "create" => "submitted",
        "read" => "asked for",
        other => other,
    };
    let ended = match (attempted.status, &attempted.error, attempted.ended_at) {
        (Some(status), None, _) => format!("answer {status}"),
        (Some(status), Some(error), _) => format!("answer {status}: {error}"),
        (None, Some(error), _) => error.clone(),
        (None, None, Some(_)) => "no answer".to_owned(),
        (None, None, None) => "no response recorded: the run ended first".to_owned(),
    };
    format!("{}  {what}: {ended}", shown(attempted.at))
}

fn shown(moment: jiff::Timestamp) -> String {
    clock::local(moment, jiff::Timestamp::UNIX_EPOCH)
}
