//! One row's whole story: every attempt, every answer, every sealed export.

use serde::Serialize;
use serde_json::Value;

use crate::cli::context::Context;
use crate::cli::{CommandError, ExitStatus, clock};
use crate::journal::{AttemptRecord, KnownMeasurement, RowHistory, row_history};
use crate::model::Field;

#[derive(Serialize)]
struct RowHistoryReport<'a> {
    command: &'static str,
    profile: &'a str,
    external_id: &'a str,
    file: &'a str,
    row: u32,
    state: &'a str,
    message: Option<&'a str>,
    request: Value,
    measurement: Option<MeasurementReport<'a>>,
    warnings: &'a [String],
    attempts: Vec<AttemptReport<'a>>,
    sealed: Vec<SealedEntryReport<'a>>,
}

#[derive(Serialize)]
struct MeasurementReport<'a> {
    id: &'a str,
    status: &'a str,
    fetched_at: String,
    answer: Value,
}

#[derive(Serialize)]
struct AttemptReport<'a> {
    kind: &'a str,
    at: String,
    settled_at: Option<String>,
    status: Option<u16>,
    error: Option<&'a str>,
    answer: Option<Value>,
}

#[derive(Serialize)]
struct SealedEntryReport<'a> {
    number: u32,
    kind: &'a str,
}

/// Shows the story of one external id.
pub(super) fn show(external_id: &str, context: &Context) -> Result<ExitStatus, CommandError> {
    let path = context.journal_path();
    let Some(story) = row_history(&path, external_id)? else {
        return Err(CommandError::new(ExitStatus::Usage, format!("the journal {} knows no external id `{external_id}`", path.display()))
            .hinted("ids count with their --id-prefix; a row that was never about to be sent is known to `check` alone"));
    };
    context.console.json(&document(&story, context))?;
    context.console.answer(&text(&story))?;
    Ok(ExitStatus::Done)
}

fn document<'a>(story: &'a RowHistory, context: &'a Context) -> RowHistoryReport<'a> {
    RowHistoryReport {
        command: "status",
        profile: &context.common.profile,
        external_id: &story.external_id,
        file: &story.file,
        row: story.row,
        state: &story.state,
        message: story.message.as_deref(),
        request: answer(&story.request),
        measurement: story.measurement.as_ref().map(measurement),
        warnings: &story.warnings,
        attempts: story.attempts.iter().map(attempt).collect(),
        sealed: story
            .sealed
            .iter()
            .map(|(number, kind)| SealedEntryReport {
                number: *number,
                kind,
            })
            .collect(),
    }
}

fn measurement(known: &KnownMeasurement) -> MeasurementReport<'_> {
    MeasurementReport {
        id: &known.id,
        status: &known.status,
        fetched_at: known.fetched_at.to_string(),
        answer: answer(&known.body),
    }
}

fn attempt(attempted: &AttemptRecord) -> AttemptReport<'_> {
    AttemptReport {
        kind: &attempted.kind,
        at: attempted.at.to_string(),
        settled_at: attempted.ended_at.map(|at| at.to_string()),
        status: attempted.status,
        error: attempted.error.as_deref(),
        answer: attempted.body.as_deref().map(answer),
    }
}

/// An answer as JSON where it is JSON, else as the text that it is.
fn answer(body: &str) -> Value {
    serde_json::from_str(body).unwrap_or_else(|_| Value::String(body.to_owned()))
}

fn text(story: &RowHistory) -> String {
    let mut lines = vec![
        format!("{}  row {} of {}", story.external_id, story.row, story.file),
        format!(
            "  request      {}{}",
            story.state,
            story
                .message
                .as_ref()
                .map(|said| format!(": {}", named(said, story)))
                .unwrap_or_default()
        ),
    ];
    if let Some(known) = &story.measurement {
        lines.push(format!(
            "  measurement  {} {}, as of {}",
            known.id,
            known.status,
            shown(known.fetched_at)
        ));
    }
    lines.extend(
        story
            .warnings
            .iter()
            .map(|warning| format!("  look at it   {warning}")),
    );
    lines.extend(
        story
            .attempts
            .iter()
            .map(|attempted| format!("  {}", told(attempted))),
    );
    lines.extend(
        story
            .sealed
            .iter()
            .map(|(number, kind)| format!("  {kind} in sealed export {number}")),
    );
    lines.join("\n")
}

/// What the service said, its paths replaced by the user's headers.
fn named(said: &str, story: &RowHistory) -> String {
    let lines = said.lines().map(|line| {
        let field = line
            .split_once(": ")
            .and_then(|(path, message)| Some((Field::from_wire_path(path)?, message)));
        match field {
            Some((field, message)) => format!("{}: {message}", story.names.name_of(field)),
            None => line.to_owned(),
        }
    });
    lines.collect::<Vec<_>>().join("; ")
}

fn told(attempted: &AttemptRecord) -> String {
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
        (None, None, None) => "no answer was seen: the run ended first".to_owned(),
    };
    format!("{}  {what}: {ended}", shown(attempted.at))
}

fn shown(moment: jiff::Timestamp) -> String {
    clock::local(moment, jiff::Timestamp::UNIX_EPOCH)
}
