//! `status --open`: the measurements that are not final, the oldest first.

use jiff::Timestamp;
use serde::Serialize;
use serde_json::Value;

use crate::cli::context::Context;
use crate::cli::document::report;
use crate::cli::{CommandError, ExitStatus, clock};
use crate::journal;
use crate::model::{Status, json_time_of_service, pluralize, printable};

#[derive(Debug, Serialize)]
struct OpenMeasurementReport {
    external_id: String,
    measurement_id: String,
    status: &'static str,
    /// When it was requested, as the service reports it.
    created_at: Option<String>,
    address: String,
    file: String,
    row: u32,
}

/// Prints the open measurements.
///
/// # Errors
/// If there is no journal, or if it cannot be read.
pub(super) fn show(context: &Context) -> Result<ExitStatus, CommandError> {
    let path = context.journal_path();
    let Some(snapshot) = journal::read_snapshot(&path)? else {
        return Err(journal::Error::Missing { path }.into());
    };
    let mut open = Vec::new();
    snapshot.for_each_measurement(|stored| -> Result<(), journal::Error> {
        if matches!(stored.status, Status::Pending | Status::InProgress) {
            let body: Value = serde_json::from_str(&stored.body).unwrap_or_default();
            open.push(OpenMeasurementReport {
                external_id: stored.external_id,
                measurement_id: stored.measurement_id,
                status: stored.status.name(),
                created_at: body["created_at"].as_str().map(json_time_of_service),
                address: stored.request.address.one_line(),
                file: stored.source.path.display().to_string(),
                row: stored.row.0,
            });
        }
        Ok(())
    })?;
    open.sort_by(|one, other| {
        (&one.created_at, &one.file, one.row).cmp(&(&other.created_at, &other.file, other.row))
    });
    context.console.print_result(&text(&open))?;
    let profile = &context.common.profile;
    context
        .console
        .json(&report! {"status", ExitStatus::Done; profile: profile, open: open})?;
    Ok(ExitStatus::Done)
}

fn text(open: &[OpenMeasurementReport]) -> String {
    if open.is_empty() {
        return "no measurement is open".to_owned();
    }
    let now = clock::now();
    let line = |one: &OpenMeasurementReport| {
        let created: Option<Timestamp> = one.created_at.as_deref().and_then(|at| at.parse().ok());
        let age = created.map_or_else(String::new, |created| {
            clock::duration(now.duration_since(created).as_secs().unsigned_abs())
        });
        let (id, address) = (printable(&one.external_id), printable(&one.address));
        format!("{age:>19}  {:<11}  {id}  {address}", one.status)
    };
    let count = pluralize(open.len() as u64, "open measurement");
    let lines: Vec<String> = open.iter().map(line).collect();
    format!("{count}\n{}", lines.join("\n"))
}
