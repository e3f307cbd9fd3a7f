//! The report of an import with the public keys of `import --json`.

use std::time::Duration;

use jiff::Timestamp;
use serde::Serialize;

use crate::dispatch::RequestCounts;
use crate::import::{CheckedFile, RowOutcomes};
use crate::model::{Outcome, Team, serialize_optional_json_time};

/// The report of an import.
#[derive(Clone, Debug, Serialize)]
pub struct ImportReport {
    command: &'static str,
    file: String,
    profile: String,
    team: Option<Team>,
    rows: u64,
    outcomes: OutcomesReport,
    blank_skipped: u64,
    changed_after_submit: u64,
    warnings: u64,
    requests: RequestsReport,
    rejects: Option<String>,
    #[serde(serialize_with = "serialize_optional_json_time")]
    resume_at: Option<Timestamp>,
    elapsed_seconds: f64,
    exit_code: u8,
}

#[derive(Clone, Copy, Debug, Serialize)]
struct RequestsReport {
    total: u64,
    post: u64,
    get: u64,
    retried: u64,
    rate_limited: u64,
}

/// Outcomes by name, in the order in which they are shown.
#[derive(Clone, Debug)]
struct OutcomesReport(Vec<(Outcome, u64)>);

impl Serialize for OutcomesReport {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let pairs = self.0.iter().map(|(outcome, rows)| (outcome.name(), rows));
        serializer.collect_map(pairs)
    }
}

/// What a report contains besides the rows.
#[derive(Clone, Debug)]
pub struct ImportReportContext {
    /// The file as it was typed.
    pub file: String,
    /// The profile.
    pub profile: String,
    /// The team, if it is known.
    pub team: Option<Team>,
    /// Requests that were sent.
    pub counts: RequestCounts,
    /// The path of the rejects, if any were written.
    pub rejects: Option<String>,
    /// When the same command can continue, if it has to wait.
    pub resume_at: Option<Timestamp>,
    /// How long the run took.
    pub elapsed: Duration,
    /// The exit code.
    pub exit_code: u8,
}

/// The report of a run.
pub fn summary(
    checked: &CheckedFile,
    rows: &RowOutcomes,
    facts: ImportReportContext,
) -> ImportReport {
    let outcomes = rows.outcomes();
    let RequestCounts {
        post,
        get,
        retried,
        rate_limited,
    } = facts.counts;
    ImportReport {
        command: "import",
        file: facts.file,
        profile: facts.profile,
        team: facts.team,
        rows: outcomes.total(),
        outcomes: OutcomesReport(outcomes.iter().collect()),
        blank_skipped: checked.blank_skipped,
        changed_after_submit: rows.changed().len() as u64,
        warnings: checked.counts.warnings + rows.warnings().len() as u64,
        requests: RequestsReport {
            total: post + get,
            post,
            get,
            retried,
            rate_limited,
        },
        rejects: facts.rejects,
        resume_at: facts.resume_at,
        elapsed_seconds: (facts.elapsed.as_secs_f64() * 1000.0).round() / 1000.0,
        exit_code: facts.exit_code,
    }
}
