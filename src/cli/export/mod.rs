//! `export`: parses arguments, draws progress and reports the outcome. [`ExportRun`] does the work.

mod args;
mod customer_sheet;
mod error;
mod notice;
mod progress;
mod requests;
mod sealed_exports;
mod stdout;
mod text;

use std::sync::Arc;

use crate::cli::connection::permitted;
use crate::cli::context::Context;
use crate::cli::{CommandError, ExitStatus, clock, lock_wait};
use crate::dispatch::Clock;
use crate::export::{CompletedExport, ExportJob, ExportReport, ExportRun, RefreshPolicy};
use crate::journal::{self, Journal, JournalAccess};

pub(super) use args::Args;

use customer_sheet::CustomerSheetFindings;
use error::ErrorContext;
use requests::ExportRequests;

pub(super) fn run(args: &Args, context: &Context) -> Result<ExitStatus, CommandError> {
    if args.sealed {
        return sealed_exports::list(context);
    }
    if let Some(number) = args.again {
        return sealed_exports::write_again(args, number, context);
    }
    let options = args.options()?;
    if let Some(note) = args.zone_note() {
        context.console.say(&note);
    }
    let destination = args.destination(context.console.format())?;
    let input = customer_sheet::read(args, context)?;
    let job = ExportJob {
        journal: Arc::new(open_for_run(args, context)?),
        options,
        target: args.target(destination, input.as_ref(), clock::now())?,
        overwrite: args.overwrite(),
        refresh: args.policy(),
        images: args.images,
        clock: Clock::new(clock::now),
        report: &|notice| notice::print(&context.console, &notice),
    };
    let completed = export(job, args, context)?;
    let findings = input.map(|input| input.findings).unwrap_or_default();
    report(args, context, &completed, &findings)
}

/// Runs the export, with progress on standard error.
fn export(
    job: ExportJob<'_>,
    args: &Args,
    context: &Context,
) -> Result<CompletedExport, CommandError> {
    let journal = Arc::clone(&job.journal);
    let mut errors = ErrorContext::new(args, context);
    let mut run = ExportRun::start(job).map_err(|error| errors.explain(error))?;
    let candidates = run.refresh_candidates()?;
    let client = match candidates.as_slice() {
        [] => None,
        _ => Some(permitted(context, &args.network)?),
    };
    let signals = context.signals();
    signals.announce_stop();
    run.stop_on(signals.stop());
    errors.signals = Some(signals.clone());
    let requests = ExportRequests {
        args,
        context,
        journal,
        stop: signals.stop(),
    };
    context.block_on(async {
        if let Some(client) = client {
            let refreshed = requests.refresh(&mut run, &client, &candidates).await;
            refreshed.map_err(|error| errors.explain(error))?;
        }
        let fetched = requests.fetch_images(&mut run).await;
        fetched.map_err(|error| errors.explain(error))
    })?;
    run.finish().map_err(|error| errors.explain(error))
}

/// Opens the journal, which must exist, for this export; waits for another run as `--lock-wait` says.
fn open_for_run(args: &Args, context: &Context) -> Result<Journal, CommandError> {
    refuse_missing(context)?;
    lock_wait::open_journal(context, &args.network, &journal_access(args, context))
}

/// Opens the journal, which must exist, whether or not another run uses it.
fn open_shared(context: &Context) -> Result<Journal, CommandError> {
    refuse_missing(context)?;
    let path = context.journal_path();
    Ok(Journal::open(&path, &JournalAccess::Shared)?)
}

fn refuse_missing(context: &Context) -> Result<(), CommandError> {
    let path = context.journal_path();
    if path.exists() {
        return Ok(());
    }
    Err(journal::Error::Missing { path }.into())
}

/// An export that requests or seals must be the only run of the journal; any other can work beside one.
fn journal_access(args: &Args, context: &Context) -> JournalAccess {
    if args.policy() == RefreshPolicy::Never && !args.new {
        return JournalAccess::Shared;
    }
    let holder = format!("{}, process {}", context.command_line(), std::process::id());
    JournalAccess::Exclusive { holder }
}

fn report(
    args: &Args,
    context: &Context,
    completed: &CompletedExport,
    findings: &CustomerSheetFindings,
) -> Result<ExitStatus, CommandError> {
    let console = &context.console;
    let exit = exit_status(completed, findings);
    let conflicts = findings.in_conflict.len() as u64;
    let profile = context.common.profile.clone();
    let document = ExportReport::new(completed, profile, conflicts, exit.code())
        .with_path_as_typed(args.path());
    let summary = text::summary(args, completed);
    let answered = console.json(&document).and_then(|()| {
        if args.is_to_stdout() {
            // Standard output carries the export itself.
            console.say(&summary);
            Ok(())
        } else {
            console.answer(&summary)
        }
    });
    answered.map_err(|error| match completed.outcome.sealed {
        Some(number) => error::after_seal(number, args, &error),
        None => error,
    })?;
    for image in text::each_image_missing(completed) {
        console.detail(&image);
    }
    for warning in text::warnings(args, completed, findings) {
        console.warn(&warning);
    }
    if let Some(hint) = text::prefix_hint(findings, &context.words) {
        console.hint(&hint);
    }
    if completed.partial.is_some() {
        console.hint(&text::partial_hint(
            args,
            completed,
            &context.command_line(),
        ));
    }
    Ok(exit)
}

fn exit_status(completed: &CompletedExport, findings: &CustomerSheetFindings) -> ExitStatus {
    let all = &completed.outcome.statistics.all;
    if completed.partial.is_some() {
        ExitStatus::Pending
    } else if all.not_found() > 0 || all.address_differs() > 0 || findings.need_attention() {
        ExitStatus::Attention
    } else {
        ExitStatus::Done
    }
}
