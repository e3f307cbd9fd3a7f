//! The history of one row: every attempt, response and sealed export.

use crate::cli::context::Context;
use crate::cli::document::report;
use crate::cli::status::as_of;
use crate::cli::{CliError, CommandError, ExitStatus, clock};
use crate::journal::{AttemptRecord, RowHistory, row_history, similar_ids};
use crate::model::{FieldError, RowNumber, row_name};

/// Prints the history of one external id.
///
/// # Errors
/// [`ExitStatus::Usage`] if the journal does not contain the id.
pub(super) fn show(external_id: &str, context: &Context) -> Result<ExitStatus, CommandError> {
    let path = context.journal_path();
    let Some(history) = row_history(&path, external_id)? else {
        return Err(CliError::NoExternalId {
            near: similar_ids(&path, external_id)?,
            journal: path,
            external_id: external_id.to_owned(),
        }
        .into());
    };
    let message: Vec<String> = history.messages.iter().map(FieldError::to_string).collect();
    context.console.json(&report! {"status", ExitStatus::Done;
        profile: context.common.profile,
        external_id: history.external_id,
        file: history.file,
        row: history.row,
        state: history.state,
        message: (!message.is_empty()).then(|| message.join("\n")),
        corrects: history.corrects,
        request: history.request,
        measurement: history.measurement,
        warnings: history.warnings,
        attempts: history.attempts,
        sealed: history.sealed,
    })?;
    context.console.print_result(&text(&history))?;
    Ok(ExitStatus::Done)
}

fn text(history: &RowHistory) -> String {
    let messages = if history.messages.is_empty() {
        String::new()
    } else {
        format!(": {}", named(history))
    };
    let row = row_name(
        RowNumber(history.row),
        history.sheet.as_deref(),
        &history.file,
    );
    let mut lines = vec![format!("{}  {row}", history.external_id)];
    if !history.house.is_empty() {
        lines.push(format!("  house        {}", history.house.join(", ")));
    }
    lines.extend(history.corrects.as_ref().map(|one| {
        let row = row_name(one.row, one.sheet.as_deref(), &one.file);
        format!("  corrects     {row}")
    }));
    let what = if history.request.is_null() {
        "rejected"
    } else {
        "request "
    };
    lines.push(format!("  {what}     {}{messages}", history.state));
    lines.extend(history.measurement.as_ref().map(|known| {
        let fetched_at = known.fetched_at.unwrap_or_default();
        let as_of = as_of(fetched_at, jiff::Timestamp::UNIX_EPOCH);
        format!("  measurement  {} {}, {as_of}", known.id, known.status)
    }));
    let warnings = history.warnings.iter();
    lines.extend(warnings.map(|warning| format!("  warning      {warning}")));
    lines.extend(history.attempts.iter().map(attempt_text));
    let sealed = history.sealed.iter();
    lines.extend(sealed.map(|one| format!("  {} in sealed export {}", one.kind, one.number)));
    lines.join("\n")
}

/// The messages in one line, with the user's headers for the fields.
fn named(history: &RowHistory) -> String {
    let messages = history.messages.iter().map(|error| match error.by_field() {
        (Some(field), message) => format!("{}: {message}", history.names.name_of(field)),
        (None, message) => message,
    });
    messages.collect::<Vec<_>>().join("; ")
}

fn attempt_text(attempted: &AttemptRecord) -> String {
    let what = match attempted.kind.as_str() {
        "create" => "submitted",
        "read" => "requested again",
        other => other,
    };
    let ended = match (attempted.status, &attempted.error, attempted.ended_at) {
        (Some(status), None, _) => format!("response {status}"),
        (Some(status), Some(error), _) => format!("response {status}: {error}"),
        (None, Some(error), _) => error.clone(),
        (None, None, Some(_)) => "no response".to_owned(),
        (None, None, None) => "no response recorded: the run ended first".to_owned(),
    };
    let at = clock::dated(attempted.at);
    format!("  {at}  {what}: {ended}")
}
