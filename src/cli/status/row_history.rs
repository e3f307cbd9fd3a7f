//! The history of one row: every attempt, response and sealed export.

use crate::cli::context::Context;
use crate::cli::document::report;
use crate::cli::status::as_of;
use crate::cli::{CliError, CommandError, ExitStatus, clock};
use crate::journal::{AttemptRecord, RowHistory, prefixed_id, row_history};
use crate::model::FieldError;

/// Prints the history of one external id.
///
/// # Errors
/// [`ExitStatus::Usage`] if the journal does not contain the id.
pub(super) fn show(external_id: &str, context: &Context) -> Result<ExitStatus, CommandError> {
    let path = context.journal_path();
    let Some(story) = row_history(&path, external_id)? else {
        return Err(CliError::NoExternalId {
            near: prefixed_id(&path, external_id)?,
            journal: path,
            external_id: external_id.to_owned(),
        }
        .into());
    };
    let message: Vec<String> = story.messages.iter().map(FieldError::to_string).collect();
    context.console.json(&report! {"status", ExitStatus::Done;
        profile: context.common.profile,
        external_id: story.external_id,
        file: story.file,
        row: story.row,
        state: story.state,
        message: (!message.is_empty()).then(|| message.join("\n")),
        request: story.request,
        measurement: story.measurement,
        warnings: story.warnings,
        attempts: story.attempts,
        sealed: story.sealed,
    })?;
    context.console.print_result(&text(&story))?;
    Ok(ExitStatus::Done)
}

fn text(story: &RowHistory) -> String {
    let messages = if story.messages.is_empty() {
        String::new()
    } else {
        format!(": {}", named(story))
    };
    let mut lines = vec![
        format!("{}  row {} of {}", story.external_id, story.row, story.file),
        format!("  request      {}{messages}", story.state),
    ];
    lines.extend(story.measurement.as_ref().map(|known| {
        let fetched_at = known.fetched_at.unwrap_or_default();
        let as_of = as_of(fetched_at, jiff::Timestamp::UNIX_EPOCH);
        format!("  measurement  {} {}, {as_of}", known.id, known.status)
    }));
    let warnings = story.warnings.iter();
    lines.extend(warnings.map(|warning| format!("  warning       {warning}")));
    lines.extend(story.attempts.iter().map(attempt_text));
    let sealed = story.sealed.iter();
    lines.extend(sealed.map(|one| format!("  {} in sealed export {}", one.kind, one.number)));
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
    let at = clock::local(attempted.at, jiff::Timestamp::UNIX_EPOCH);
    format!("  {at}  {what}: {ended}")
}
