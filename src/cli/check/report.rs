//! The report of `check --json`.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde::Serialize;

use crate::cli::ExitStatus;
use crate::cli::check::Args;
use crate::cli::problem_list::ProblemList;
use crate::import::{
    self, CheckResult, CheckedFile, MappedColumn, SkippedRows, requests_for, schedule,
};
use crate::journal::QuotaWindow;
use crate::model::{Outcome, QuotaShare, serialize_json_time};

/// The report of a check.
#[derive(Debug, Serialize)]
pub(super) struct CheckReport<'a> {
    command: &'static str,
    file: String,
    sheet: Option<String>,
    reading: String,
    pub(super) rows: u64,
    pub(super) valid: u64,
    pub(super) invalid: u64,
    pub(super) duplicate: u64,
    /// Rows whose corrected versions were accepted or skipped.
    pub(super) corrected: u64,
    pub(super) blank_skipped: u64,
    skipped_rows: &'a [SkippedRows],
    pub(super) warnings: u64,
    pub(super) tidied: u64,
    mapping: BTreeMap<&'static str, String>,
    unused_columns: Vec<String>,
    pub(super) problems: ProblemList<'a>,
    pub(super) plan: PlanReport,
    exit_code: u8,
}

/// What an import would do now, and which requests it would need.
#[derive(Debug, Serialize)]
pub(super) struct PlanReport {
    pub(super) known: u64,
    pub(super) same_house: u64,
    pub(super) conflict: u64,
    changed_after_submit: u64,
    pub(super) requests: u64,
    pub(super) windows: u64,
    pub(super) seconds: u64,
    #[serde(serialize_with = "serialize_json_time")]
    pub(super) finishes_at: Timestamp,
    /// Why nothing would be sent.
    stop: Option<String>,
    /// Rows that the user decided not to send.
    #[serde(skip)]
    pub(super) decided_skip: u64,
}

impl<'a> CheckReport<'a> {
    pub(super) fn new(
        checked: &'a CheckedFile,
        plan: &'a import::SubmissionPlan,
        args: &Args,
        (window, now): (&QuotaWindow, Timestamp),
    ) -> Self {
        let (mut valid, mut invalid, mut duplicate, mut corrected) = (0, 0, 0, 0);
        for (index, row) in checked.rows.iter().enumerate() {
            match row.result {
                _ if plan.rows.corrected().contains_key(&index) => corrected += 1,
                CheckResult::Valid { .. } if plan.rows.outcome(index) != Outcome::Invalid => {
                    valid += 1;
                }
                CheckResult::Invalid { .. } if plan.rows.is_corrected_or_skipped(index) => {
                    corrected += 1;
                }
                CheckResult::Valid { .. } | CheckResult::Invalid { .. } => invalid += 1,
                CheckResult::Duplicate { .. } => duplicate += 1,
            }
        }
        let exit = match plan.rows.rejected().next() {
            Some(_) => ExitStatus::Attention,
            None => ExitStatus::Done,
        };
        let counts = checked.counts;
        Self {
            command: "check",
            file: args.file.file.display().to_string(),
            sheet: checked.source.sheet.clone(),
            reading: checked.layout.sentence(),
            rows: checked.rows.len() as u64,
            valid,
            invalid,
            duplicate,
            corrected,
            blank_skipped: checked.blank_skipped,
            skipped_rows: &checked.skipped,
            warnings: counts.warnings + plan.rows.warning_count(),
            tidied: counts.tidied,
            mapping: mapping(&checked.mapping),
            unused_columns: checked.unused.clone(),
            problems: ProblemList::from_check(checked, &plan.rows),
            plan: PlanReport {
                decided_skip: plan.rows.outcomes().count(Outcome::Duplicate) - duplicate,
                ..PlanReport::new(plan, window, args.quota.share(), now)
            },
            exit_code: exit.code(),
        }
    }
}

impl CheckReport<'_> {
    /// Number of skipped rows that are not blank.
    pub(super) fn other_skipped(&self) -> u64 {
        let rows = self
            .skipped_rows
            .iter()
            .map(|group| group.rows.len() as u64);
        rows.sum()
    }
}

impl PlanReport {
    /// The requests include GET /me, unless there is nothing to send.
    fn new(
        plan: &import::SubmissionPlan,
        window: &QuotaWindow,
        share: QuotaShare,
        now: Timestamp,
    ) -> Self {
        let requests = requests_for(plan.send.len() as u64);
        let schedule = schedule(requests, &window.openings, share, now);
        let outcomes = plan.rows.outcomes();
        Self {
            known: outcomes.count(Outcome::Known),
            same_house: outcomes.count(Outcome::SameHouse),
            conflict: outcomes.count(Outcome::Conflict),
            changed_after_submit: plan.rows.edited().len() as u64,
            requests: schedule.requests,
            windows: schedule.windows,
            seconds: schedule.duration.as_secs(),
            finishes_at: schedule.finishes_at,
            stop: plan.stop.as_ref().map(ToString::to_string),
            decided_skip: 0,
        }
    }
}

/// The headers of the columns by field; the column that is read first is first.
fn mapping(columns: &[MappedColumn]) -> BTreeMap<&'static str, String> {
    let mut mapping: BTreeMap<&'static str, String> = BTreeMap::new();
    for column in columns {
        mapping
            .entry(column.field.name())
            .and_modify(|headers| {
                headers.push_str(", ");
                headers.push_str(&column.header);
            })
            .or_insert_with(|| column.header.clone());
    }
    mapping
}
