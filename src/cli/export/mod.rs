//! `export`: parses arguments, draws progress and reports the outcome. [`ExportRun`] does the work.

mod args;
mod bill_text;
mod customer_sheet;
mod error;
mod requests;
mod sealed_exports;
mod text;
mod values;

use std::sync::Arc;

use crate::cli::connection::authorized_client;
use crate::cli::console::Console;
use crate::cli::context::{Context, block_on};
use crate::cli::document::{CommandReport, report};
use crate::cli::{CommandError, ExitStatus, clock, lock_wait, shell};
use crate::dispatch::Clock;
use crate::export::{
    CompletionPeriod, ExportJob, ExportNotice, ExportRun, ExportSummary, RefreshPolicy,
    WrittenExport,
};
use crate::journal::{self, Journal, JournalAccess};

pub(super) use args::Args;
#[cfg(feature = "sandbox")]
pub(super) use bill_text::sums;

use customer_sheet::{CustomerSheetFindings, CustomerSheetInput};

pub(super) fn run(args: &Args, context: &Context) -> Result<ExitStatus, CommandError> {
    if args.sealed {
        return sealed_exports::list(args, context);
    }
    if let Some(number) = args.again {
        return sealed_exports::write_again(args, number, context);
    }
    let options = args.options()?;
    let period = options.filter.period.clone();
    let command = ExportCommand {
        args,
        context,
        period: period.as_ref(),
    };
    let images = args.images(options.format, context)?;
    let notes = args.zone_note().into_iter();
    for note in notes.chain(bill_text::waits_for_end(args, command.period)) {
        context.console.info(&note);
    }
    let output = args.output(&context.console)?;
    let input = customer_sheet::read(args, context)?;
    if args.policy() != RefreshPolicy::Never && !context.journal_path().exists() {
        // Without a service, the first step is to connect.
        context.base_url()?;
        context.service_version()?;
    }
    let sheet = input.as_ref().map(CustomerSheetInput::sheet);
    let journal = open_journal(args, context, &journal_access(args, context))?;
    if let Some(warning) = args.zone_warning(&journal.sealed_exports()?) {
        context.console.warn(&warning);
    }
    let job = ExportJob {
        journal: Arc::new(journal),
        options,
        target: args.target(output, sheet, clock::now())?,
        overwrite: args.overwrite(),
        refresh: args.policy(),
        images,
        clock: Clock::new(clock::now),
        report: &|notice| print_notice(&context.console, &notice),
    };
    let export = command.export(job)?;
    let none = CustomerSheetFindings::default();
    let findings = input.as_ref().map_or(&none, |input| &input.findings);
    let exit = command.print_report(&export.summary, findings)?;
    export.reported();
    Ok(exit)
}

/// The command, for its requests and its errors.
#[derive(Clone, Copy, Debug)]
struct ExportCommand<'a> {
    args: &'a Args,
    context: &'a Context,
    /// The period of `args`.
    period: Option<&'a CompletionPeriod>,
}

impl ExportCommand<'_> {
    /// Runs the export, with progress on standard error.
    fn export(self, job: ExportJob<'_>) -> Result<WrittenExport<'_>, CommandError> {
        let (args, context) = (self.args, self.context);
        let explain = |error| self.explain(error);
        let mut run = ExportRun::start(job).map_err(explain)?;
        let candidates = run.refresh_candidates()?;
        let client = match candidates.as_slice() {
            [] => None,
            _ => Some(authorized_client(context, &args.network)?),
        };
        let signals = context.signals();
        signals.announce_stop();
        run.stop_on(signals.stop());
        block_on(async {
            if let Some(client) = client {
                let refreshed = self.refresh(&mut run, client, &candidates).await;
                refreshed.map_err(explain)?;
            }
            self.fetch_images(&mut run).await.map_err(explain)
        })?;
        run.write().map_err(explain)
    }

    /// Prints the outcome of the export.
    fn print_report(
        self,
        summary: &ExportSummary,
        findings: &CustomerSheetFindings,
    ) -> Result<ExitStatus, CommandError> {
        let Self {
            args,
            context,
            period,
        } = self;
        let console = &context.console;
        let exit = exit_status(args, summary, findings);
        let document = document(args, context, summary, findings);
        let text = text::summary_text(args, period, summary);
        // A program that sends bills may know of this one by its document alone.
        let printed = if args.new {
            console.json_or_fail(&document)
        } else {
            console.json(&document)
        };
        let answered = printed.and_then(|()| {
            if args.is_to_stdout() {
                // Standard output carries the export itself.
                console.info(&text);
                Ok(())
            } else {
                console.print_result(&text)
            }
        });
        answered.map_err(|error| match summary.sealed {
            Some(number) => error::after_seal(number, args, error),
            None => error,
        })?;
        for warning in text::warnings(args, period, summary, findings) {
            console.warn(&warning);
        }
        if let Some(hint) = text::prefix_hint(findings, &context.arguments) {
            console.hint(&hint);
        } else if exit == ExitStatus::Attention
            && let Some(hint) = text::attention_hint(args, summary, findings)
        {
            console.hint(&hint);
        }
        if summary.partial.is_some() {
            console.hint(&text::partial_hint(args, summary, &context.arguments));
        }
        Ok(exit)
    }
}

/// Opens the journal, which must exist; waits for another run as `--lock-wait` says.
fn open_journal(
    args: &Args,
    context: &Context,
    access: &JournalAccess,
) -> Result<Journal, CommandError> {
    let path = context.journal_path();
    if !path.exists() {
        return Err(journal::Error::Missing { path }.into());
    }
    lock_wait::open_journal(context, &args.network, access)
}

/// An export that requests or seals must be the only run of the journal; any other can work beside one.
fn journal_access(args: &Args, context: &Context) -> JournalAccess {
    if args.policy() == RefreshPolicy::Never && !args.new {
        return JournalAccess::Shared;
    }
    context.exclusive_access()
}

/// The document of a finished export.
fn document(
    args: &Args,
    context: &Context,
    summary: &ExportSummary,
    findings: &CustomerSheetFindings,
) -> CommandReport {
    let statistics = &summary.statistics;
    let written = summary.written.as_ref();
    // Only a bill counts them.
    let of_bill = |number: u64| args.new.then_some(number);
    report! {"export", exit_status(args, summary, findings);
        profile: context.common.profile,
        team: summary.team,
        measurements: statistics.selected.total(),
        by_status: statistics.selected,
        completed: statistics.completed,
        open: statistics.all.open(),
        rejected: statistics.rejected(),
        totals: statistics.totals.figures,
        refreshed: summary.refreshed.read,
        changed: summary.refreshed.changed,
        partial: summary.partial,
        requests: summary.counts,
        written: written.map(|_| args.path().display().to_string()),
        sealed: summary.sealed,
        delivered: summary.delivered,
        undelivered: summary.undelivered,
        billed_elsewhere: of_bill(summary.billed_elsewhere),
        unbilled_earlier: of_bill(summary.unbilled_before_period),
        unbilled_later: of_bill(summary.unbilled_after_period),
        adjustments: of_bill(summary.adjusted),
        adjustment_totals: summary.adjustment_totals,
        adjustments_waiting: of_bill(summary.waiting),
        unanswered: of_bill(summary.unanswered),
        conflicts: findings.in_conflict.len(),
        other_addresses: statistics.other_addresses,
    }
}

fn exit_status(
    args: &Args,
    summary: &ExportSummary,
    findings: &CustomerSheetFindings,
) -> ExitStatus {
    let lacks_bill = args.new && !summary.undelivered.is_empty();
    let has_open_questions = has_questioned(summary) || summary.unanswered > 0;
    if summary.partial.is_some() {
        ExitStatus::Pending
    } else if has_open_questions || lacks_bill || findings.need_attention() {
        ExitStatus::Attention
    } else {
        ExitStatus::Done
    }
}

/// Whether the service no longer finds measurements, or returns them with other addresses.
pub(super) fn has_questioned(summary: &ExportSummary) -> bool {
    let all = &summary.statistics.all;
    all.not_found() > 0 || all.address_differs() > 0
}

/// Prints a notice, with a hint if there is something to do about it.
fn print_notice(console: &Console, notice: &ExportNotice) {
    match notice {
        ExportNotice::SealDelivered(seal) => console.warn(&format!(
            "an earlier run was interrupted after it sealed export {}; its file is there now: {}",
            seal.number,
            seal.path.display()
        )),
        ExportNotice::DeliveryNotRecorded { number, error } => console.warn(&format!(
            "export {number} is sealed and its file is written, but the journal could not record the delivery: {error}; the next export with --new reports it again"
        )),
        ExportNotice::SealNotDelivered(seal) => {
            console.warn(&format!(
                "the file of sealed export {} was never written: {}",
                seal.number,
                seal.path.display()
            ));
            let again = shell::export_again(seal.number, &seal.path);
            console.hint(&format!("{again} writes it to another file"));
        }
        ExportNotice::SealRecordFailed(error) => console.warn(&format!(
            "the seals are in the journal, but not in the record beside it: {error}"
        )),
    }
}
