//! A whole import of a checked file: plan, submit, record, write the rejects.

use std::path::PathBuf;
use std::sync::Arc;

use jiff::Timestamp;
use tokio::runtime::Runtime;

use crate::api::BearerToken;
use crate::dispatch::{DispatchError, RequestCounts};
use crate::import::missing_rows::ReplaceableRejects;
use crate::import::record_run::RunRecorder;
use crate::import::rejects_target::rejects_path;
use crate::import::same_house::earlier_prefix;
use crate::import::submit::submit_plan;
use crate::import::{
    self, CheckedFile, Error, ImportConnection, ImportError, ImportInput, ImportOptions,
    ImportStop, KnownPrefix, RejectsTarget, RowOutcomes, SubmissionPlan,
};
use crate::journal::{FlagsByName, Journal, ReadAhead, ReportedProblems};
use crate::model::{Account, Outcome, Team};
use crate::sheet;
use crate::table::rejects::{self, RejectsFile, RejectsPath};

/// What an import reads, and what it is allowed to do.
#[derive(Clone, Debug)]
pub struct ImportContext<'a> {
    /// The file.
    pub input: &'a ImportInput,
    /// The result of its check.
    pub checked: &'a CheckedFile,
    /// How many rows are submitted, and when the run stops.
    pub options: ImportOptions,
    /// Where the rejects are written.
    pub rejects: RejectsTarget<'a>,
    /// The journal, opened for a run.
    pub journal: &'a Arc<Journal>,
    /// The service's address, if it is known. A journal that is bound to another one is refused before any request.
    pub base_url: Option<String>,
    /// The journals of the user's other profiles: no id may be that of a measurement of another team of the app.
    pub other_journals: Vec<PathBuf>,
    /// A token that the user supplied for this run. If it was never verified with this journal, it is verified even
    /// when no row is to be submitted, because it may belong to another team.
    pub supplied_token: Option<&'a BearerToken>,
    /// The flags with which the file was read, stored for the next import of the file.
    pub reading: FlagsByName,
    /// Whether they are stored only in a run that submits rows.
    pub remember_on_submission_only: bool,
    /// The flags with which the rejects are to be read.
    pub rejects_reading: FlagsByName,
    /// The clock.
    pub now: fn() -> Timestamp,
}

/// What an import did, whether or not it was completed.
#[derive(Debug)]
pub struct ImportSummary<E> {
    /// The outcome of every row.
    pub rows: RowOutcomes,
    /// The team, if the journal is bound to one.
    pub team: Option<Team>,
    /// Requests that were sent.
    pub counts: RequestCounts,
    /// The rejects, if any were written.
    pub rejects: Option<RejectsFile>,
    /// The path of the rejects, with the existing files that were kept; `None` if the run ended before.
    pub rejects_path: Option<RejectsPath>,
    /// The flags with which the rejects are read, if those of the import would read other columns.
    pub rejects_reading: Option<FlagsByName>,
    /// When the same import can continue, if the quota or the service stopped it.
    pub resume_at: Option<Timestamp>,
    /// The prefix under which most rows were requested before.
    pub earlier_prefix: Option<String>,
    /// The prefix of another sheet of the workbook.
    pub known_prefix: Option<KnownPrefix>,
    /// Why nothing would be sent, of a run that only plans.
    pub stop: Option<ImportStop>,
    /// Number of rows that earlier runs of the table left pending, that are not in it any more and that the service did
    /// not answer.
    pub missing: u64,
    /// The problems that the previous run of the table reported.
    pub reported_before: ReportedProblems,
    /// Why the service could not be asked about a token that was never verified, in a run that had nothing to submit.
    pub unverified_token: Option<String>,
    /// Whether it ended before any row was submitted because the user declined, or because the ids are another team's;
    /// such a run is not recorded.
    pub is_withdrawn: bool,
    /// Why the import ended early.
    pub ended: Result<(), E>,
    /// Why the rejects could not be written after the submission had ended early.
    pub unrecorded: Option<ImportError>,
}

impl<E> ImportSummary<E> {
    /// The outcome before anything was planned.
    pub fn new(checked: &CheckedFile) -> Self {
        Self {
            rows: RowOutcomes::from_check(checked),
            team: None,
            counts: RequestCounts::default(),
            rejects: None,
            rejects_path: None,
            rejects_reading: None,
            resume_at: None,
            earlier_prefix: None,
            known_prefix: None,
            stop: None,
            missing: 0,
            reported_before: ReportedProblems::default(),
            unverified_token: None,
            is_withdrawn: false,
            ended: Ok(()),
            unrecorded: None,
        }
    }
}

/// Imports a file: plans every row, submits those that are new, records the run and writes the rejects.
///
/// `connect` is called once if a request is needed; it gets the plan, so that it can show it, and returns the connection
/// with the runtime in which the requests are sent. Blocks the calling thread, which must not be inside another runtime.
///
/// # Errors
/// An [`ImportError`] as the caller's error if the run could not begin. [`ImportSummary::ended`] has that or the error of
/// `connect` if it ended early.
pub fn run<'a, E: From<ImportError>>(
    context: &ImportContext<'_>,
    read_ahead: Option<ReadAhead>,
    connect: impl FnOnce(&SubmissionPlan) -> Result<(ImportConnection<'a>, Runtime), E>,
) -> Result<ImportSummary<E>, E> {
    let (mut plan, mut recorder) = plan_run(context, read_ahead).map_err(ImportError::from)?;
    let mut summary = ImportSummary::new(context.checked);
    let submitted = submit(context, &mut recorder, &mut plan, &mut summary, connect);
    if summary.is_withdrawn {
        // The last run of the file is still the one before.
        summary.rows = plan.rows;
        summary.ended = submitted;
        return Ok(summary);
    }
    plan.rows.release_same_house(context.checked);
    plan.rows.leave_out_advice();
    let remembers = are_flags_proven(&plan.rows)
        && (!context.remember_on_submission_only || !plan.send.is_empty());
    // The rows that were accepted since may be more.
    let earlier_prefix = earlier_prefix(context.input, context.checked, &plan.rows);
    summary.earlier_prefix = plan
        .earlier_prefix
        .and(earlier_prefix)
        .map(|(prefix, _)| prefix);
    summary.known_prefix = plan.known_prefix;
    summary.rows = plan.rows;
    summary.missing = plan.missing.len() as u64;
    summary.reported_before = plan.reported_before;
    let remembered = if remembers {
        recorder.remember_flags()
    } else {
        Ok(())
    };
    let stored = remembered.and_then(|()| recorder.finish(&mut summary));
    let stored = stored.map_err(ImportError::from);
    summary.ended = match submitted {
        Ok(()) => stored.map_err(E::from),
        Err(error) => {
            summary.unrecorded = stored.err();
            Err(error)
        }
    };
    Ok(summary)
}

/// Plans the run, and records its table in the journal.
///
/// # Errors
/// If the plan must not be carried out, the path of the rejects cannot be used, or the file or the journal cannot be
/// read or written.
fn plan_run<'a>(
    context: &'a ImportContext<'a>,
    read_ahead: Option<ReadAhead>,
) -> Result<(SubmissionPlan, RunRecorder<'a>), Error> {
    let (checked, journal) = (context.checked, context.journal);
    journal.record_killed_rejects(|path| sheet::file_sha256(path).ok())?;
    // Most files are no rejects, and a workbook is not opened again to learn that.
    let may_be = checked.layout.header_row.is_none() || checked.columns.are_of_rejects();
    let sample = || {
        let sample = may_be.then(|| rejects::sample(context.input.file.place()))?;
        Some(sample?.rows)
    };
    let original = journal.original_of_rejects(&checked.source.path, sample)?;
    let replaceable = ReplaceableRejects::default();
    let rejects = rejects_path(context, original.as_ref(), &replaceable)?;
    let index = journal.submission_index(read_ahead)?;
    let mut plan = import::plan(context.input, checked, &index, &context.options)?;
    if original.is_some() {
        // The original has its rows.
        plan.missing = Vec::new();
    }
    drop(index);
    if let Some(stop) = &plan.stop {
        return Err(Error::Stopped(stop.clone()));
    }
    let has_rejects = plan.rows.rejected().next().is_some();
    if let Some(path) = rejects.filter(|_| has_rejects && !plan.send.is_empty()) {
        path.require_writable(&context.input.file)?;
    }
    let recorder = RunRecorder::new(context, &plan, original, replaceable)?;
    Ok((plan, recorder))
}

/// Whether the next import of the file or its headers may be read with the flags of this run: they brought rows to the
/// service, or all that they read was known there.
fn are_flags_proven(rows: &RowOutcomes) -> bool {
    let count = |outcome| rows.outcomes().count(outcome);
    let is_submitted = count(Outcome::Created) + count(Outcome::Existing) > 0;
    // Those that are known as corrected may have been sent with other flags.
    let are_own = rows.known_by_own_ids() > 0 || rows.same_house_rows().is_empty();
    let is_known = count(Outcome::Known) > 0 && are_own && !rows.has_other_reading();
    is_known || is_submitted && rows.conflict_cause().is_none()
}

/// Verifies the account where that is needed, and submits the rows of the plan.
fn submit<'a, E: From<ImportError>>(
    context: &ImportContext<'_>,
    recorder: &mut RunRecorder<'_>,
    plan: &mut SubmissionPlan,
    summary: &mut ImportSummary<E>,
    connect: impl FnOnce(&SubmissionPlan) -> Result<(ImportConnection<'a>, Runtime), E>,
) -> Result<(), E> {
    if !needs_connection(context, plan, summary)? {
        return Ok(());
    }
    let (mut connection, runtime) = connect(plan)?;
    let ended = runtime.block_on(async {
        context.journal.clamp_slots((context.now)()).await?;
        if plan.send.is_empty() {
            match connection.dispatcher.verify_account().await {
                // Nothing is sent with it, so that the import is finished.
                Err(DispatchError::Unreachable { reason, .. }) => {
                    summary.unverified_token = Some(reason);
                }
                verified => drop(verified?),
            }
            return Ok(());
        }
        submit_plan(context, recorder, plan, &mut connection).await
    });
    // A name look-up may still run in a thread of the runtime; the import does not wait for it.
    runtime.shutdown_background();
    summary.counts = connection.dispatcher.request_counts();
    summary.is_withdrawn = matches!(
        ended,
        Err(ImportError::Declined
            | ImportError::Storage(Error::Stopped(ImportStop::IdsOfOtherTeam(_))))
    );
    let bound = context.journal.binding().map_err(ImportError::from)?;
    summary.team = bound.as_ref().map(Account::team);
    ended.map_err(|error| {
        summary.resume_at = resume_at(&error);
        error.into()
    })
}

/// Whether a request must be sent.
fn needs_connection<E>(
    context: &ImportContext<'_>,
    plan: &SubmissionPlan,
    summary: &mut ImportSummary<E>,
) -> Result<bool, ImportError> {
    let Some(bound) = context.journal.binding()? else {
        return Ok(!plan.send.is_empty());
    };
    summary.team = Some(bound.team());
    if let Some(base_url) = &context.base_url {
        bound.require_service(base_url)?;
    }
    let unverified = match context.supplied_token {
        Some(token) => !context.journal.has_verified_token(token.expose())?,
        None => false,
    };
    Ok(unverified || !plan.send.is_empty())
}

fn resume_at(error: &ImportError) -> Option<Timestamp> {
    match error {
        ImportError::Dispatch(
            DispatchError::QuotaUsedUp { until } | DispatchError::RateLimited { until },
        ) => Some(*until),
        _ => None,
    }
}
