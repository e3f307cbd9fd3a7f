//! `import`: submits the rows that are not yet submitted, and reports the outcome of every row.

mod advice;
mod connect;
mod flags;
mod planned_time;
mod printed_rejects;
mod progress;
mod report;
mod restore;
mod text;
mod until;

use std::cell::{OnceCell, RefCell};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Instant;

use crate::cli::connection::token_of_environment;
use crate::cli::context::Context;
use crate::cli::failure::RESTORE;
use crate::cli::lock_wait::open_journal;
use crate::cli::progress::ProgressLine;
use crate::cli::reading::ReadingArgs;
use crate::cli::reading_change::warn_of_stop;
use crate::cli::{CliError, CommandError, ExitStatus, clock, profiles, shell};
use crate::dispatch::QuotaWait;
use crate::import::{
    self, CheckedFile, HOUSES_SHOWN, ImportContext, ImportInput, ImportStop, ImportSummary,
    RejectsTarget, RowOutcomes, SubmissionPlan, requests_for, schedule,
};
use crate::journal::{self, Journal, QuotaWindow, ReadAhead};
use crate::model::{Outcome, pluralize, printable};
use crate::sheet::stored_path;
use crate::table::TableError;

pub(super) use flags::Args;
pub(super) use report::LEFT_ROWS_ADVICE;

use planned_time::PlannedTime;
use printed_rejects::{PrintedRejects, require_printable};

pub(super) fn run(mut args: Args, context: &Context) -> Result<ExitStatus, CommandError> {
    if args.restore {
        return restore::run(&args, context);
    }
    let started = clock::instant();
    profiles::warn_of_unknown(context);
    let printed_rejects = PrintedRejects::new(&args, context)?;
    if args.network.lock_wait.is_some() && !args.dry_run && context.journal_path().exists() {
        // What the other run imports decides how the file is read.
        open_journal(context, &args.network, &context.exclusive_access())?;
    }
    let input = args
        .reading
        .with_remembered_reading(&args.file.file, context)?;
    let read_ahead = ReadAhead::start(&context.journal_path());
    let mut progress = ProgressLine::start(&context.console, None);
    let checked = import::check(&input, |read| progress.update(read.rows, "rows read"));
    let checked = match checked {
        // No hint of the table may lead to other ids.
        Err(error) if input.has_unknown_rejects && !matches!(error.cause, TableError::Sheet(_)) => {
            return Err(CliError::ImportStopped(ImportStop::UnknownRejects).into());
        }
        checked => checked?,
    };
    drop(progress);
    if let Some(names) = checked.layout.unread_sheets() {
        context.console.note(&format!("sheets not read: {names}"));
    }
    if printed_rejects.is_some() {
        require_printable(&checked)?;
    }
    let command = ImportCommand {
        args: &args,
        detected_reading: &args.reading.with_detected(&checked.columns),
        context,
        input: &input,
        checked: &checked,
        quota_wait: args.quota_wait(),
        started,
        printed_rejects: printed_rejects.as_ref(),
        shown: &RefCell::default(),
    };
    let summary = if args.dry_run {
        command.dry_run()
    } else {
        command.import(read_ahead)
    };
    let mut summary = summary.unwrap_or_else(|error| command.not_started(error));
    command.set_resume_at(&mut summary);
    command.report(summary)
}

/// What the command does, and with which file.
#[derive(Clone, Copy, Debug)]
struct ImportCommand<'a> {
    args: &'a Args,
    /// The reading flags, and those that rejects need because they have fewer rows.
    detected_reading: &'a ReadingArgs,
    context: &'a Context,
    input: &'a ImportInput,
    checked: &'a CheckedFile,
    quota_wait: QuotaWait,
    started: Instant,
    printed_rejects: Option<&'a PrintedRejects>,
    /// The warnings that were printed before the first request, which the end of the run does not repeat.
    shown: &'a RefCell<BTreeSet<String>>,
}

impl ImportCommand<'_> {
    /// `--dry-run`: prints what would be sent.
    fn dry_run(&self) -> Result<ImportSummary<CommandError>, CommandError> {
        let plan = self.plan()?;
        let share = self.args.network.quota.share();
        let window = journal::window(&self.context.journal_path(), clock::now(), share)?;
        let time = self.planned_time(&plan, &window);
        let mut text = text::plan(&self.checked.source, &plan, &time, clock::now());
        if !plan.send.is_empty() {
            let is_sent = |index: usize| plan.send.binary_search(&index).is_ok();
            let requests = self.checked.requests(self.input, is_sent)?;
            let first = requests.take(HOUSES_SHOWN);
            let first = first.map(|request| request.map(|(_, request)| request));
            let houses = text::houses(&first.collect::<Result<Vec<_>, _>>()?);
            text.push_str("; ");
            text.push_str(&houses);
        }
        self.context.console.info(&text);
        warn_of_stop(&plan, self.context);
        Ok(ImportSummary {
            rows: plan.rows,
            earlier_prefix: plan.earlier_prefix,
            known_prefix: plan.known_prefix,
            stop: plan.stop,
            reported_before: plan.reported_before,
            ..ImportSummary::new(self.checked)
        })
    }

    /// What is done with each row, according to the journal; without one, no row is known.
    fn plan(&self) -> Result<SubmissionPlan, CommandError> {
        let index = journal::read_index(&self.context.journal_path())?;
        Ok(import::plan(
            self.input,
            self.checked,
            &index,
            &self.args.options(),
        )?)
    }

    /// Says what only the user can know before the first rows of a journal are submitted: whether another journal has
    /// submitted them.
    pub(super) fn advise_for_other_journal(&self, journal: &Journal) {
        let console = &self.context.console;
        let restore = console.command(RESTORE);
        // A journal that cannot be read ends the run when the first row is recorded.
        if journal.has_requests().unwrap_or(true) {
            if journal.has_only_existing().unwrap_or(false) {
                console.info_progress(&format!(
                    "another journal requested all measurements of this one; houses that it has requested since are not recognized, so restore its newest results first: {restore}"
                ));
            }
            return;
        }
        let record = journal.seal_record_path();
        if record.exists() {
            console.warn(&format!(
                "the journal is new, but {} shows that an earlier one billed measurements",
                shell::quoted(&record.to_string_lossy())
            ));
        }
        console.info_progress(&format!(
            "the journal is empty; if another one (lost, or on another computer) has these leads, restore it first: {restore}"
        ));
    }

    /// Submits the rows and writes the rejects.
    fn import(
        &self,
        read_ahead: Option<ReadAhead>,
    ) -> Result<ImportSummary<CommandError>, CommandError> {
        let (args, context) = (self.args, self.context);
        let settings = context.base_url().and(context.service_version());
        if let Err(missing) = settings
            && !context.journal_path().exists()
            && !self.plan()?.send.is_empty()
        {
            // Before a journal is created.
            return Err(missing);
        }
        let supplied_token = token_of_environment()?;
        let access = context.exclusive_access();
        let journal = Arc::new(open_journal(context, &args.network, &access)?);
        let is_empty = !journal.has_requests()?;
        let signals = OnceCell::new();
        let rejects = match self.printed_rejects {
            Some(printed) => Some(printed.path(self.checked)),
            None => args.rejects.clone(),
        };
        let import = ImportContext {
            input: self.input,
            checked: self.checked,
            options: args.options(),
            rejects: match (rejects.as_deref(), args.no_rejects) {
                (Some(path), _) => RejectsTarget::File(path),
                (None, true) => RejectsTarget::None,
                (None, false) => RejectsTarget::BesideInput,
            },
            journal: &journal,
            base_url: context.configured_base_url()?.map(|url| url.to_string()),
            other_journals: profiles::other_journals(context),
            supplied_token: supplied_token.as_ref(),
            reading: self.detected_reading.stored_flags(&self.checked.layout),
            remember_on_submission_only: args.reading.forget,
            rejects_reading: self.detected_reading.for_rejects().flags(),
            now: clock::now,
        };
        let mut summary = import::run(&import, read_ahead, |plan| {
            self.connect(plan, &journal, &signals)
        })?;
        if let Some(reason) = &summary.unverified_token {
            context.console.warn(&format!(
                "there is nothing to send, but the new token could not be verified: {}",
                printable(reason)
            ));
        }
        if is_empty {
            self.warn_of_other_ids(&summary.rows, &journal)?;
        }
        if matches!(&summary.ended, Err(error) if error.exit() == ExitStatus::Interrupted) {
            summary.ended = Err(self.interrupted());
        }
        let printed = self.print_rejects(&summary, &journal);
        summary.ended = summary.ended.and(printed);
        Ok(summary)
    }

    /// Warns if the service had some rows of the first file of a journal: another journal may have requested the houses
    /// of the other rows too.
    fn warn_of_other_ids(&self, rows: &RowOutcomes, journal: &Journal) -> Result<(), CommandError> {
        // Those that this run requested itself, with an answer that was lost, do not count.
        let existing = journal.foreign_measurements()?;
        let mut created = (0..self.checked.rows.len())
            .filter(|index| rows.outcome(*index) == Outcome::Created)
            .map(|index| self.checked.rows[index].number.0)
            .peekable();
        let Some(first) = created.peek().copied().filter(|_| existing > 0) else {
            return Ok(());
        };
        self.context.console.warn(&format!(
            "the journal was empty, but the service had {} of this file already: if another journal requested the houses of the {} that were created now (the first is row {first}) under other ids, they are requested twice; before the next import, restore that journal: gutterbatch import --restore RESULTS.xlsx",
            pluralize(existing, "row"),
            pluralize(created.count() as u64, "row")
        ));
        Ok(())
    }

    /// `--rejects -`: prints the rejects of the temporary file.
    fn print_rejects(
        &self,
        summary: &ImportSummary<CommandError>,
        journal: &Journal,
    ) -> Result<(), CommandError> {
        let Some(file) = summary
            .rejects
            .as_ref()
            .filter(|_| self.printed_rejects.is_some())
        else {
            return Ok(());
        };
        let rejects = std::fs::read(&file.path)
            .map_err(|error| CommandError::file("read", &file.path, error))?;
        journal.keep_printed_rejects(&stored_path(&file.path))?;
        let delivered = self.context.console.write_stdout_or_fail(&rejects);
        delivered.map_err(|failure| {
            let failure = failure.within("the rejected rows are not printed");
            failure.hinted("run the same command again, or name a file with --rejects PATH")
        })
    }

    /// The outcome of an import that could not start, with what the journal says about its rows.
    fn not_started(&self, error: CommandError) -> ImportSummary<CommandError> {
        let summary = ImportSummary {
            ended: Err(error),
            ..ImportSummary::new(self.checked)
        };
        match self.plan() {
            Ok(plan) => ImportSummary {
                rows: plan.rows,
                reported_before: plan.reported_before,
                ..summary
            },
            Err(_) => summary,
        }
    }

    /// Sets when the same command can send the next request, if rows are pending and the quota is used up.
    fn set_resume_at(&self, summary: &mut ImportSummary<CommandError>) {
        let is_pending = summary.rows.outcomes().count(Outcome::Pending) > 0;
        if self.args.dry_run || summary.resume_at.is_some() || !is_pending {
            return;
        }
        let now = clock::now();
        // A journal that cannot be read has already been reported.
        let window = journal::window(
            &self.context.journal_path(),
            now,
            self.args.network.quota.share(),
        );
        let Ok(window) = window else {
            return;
        };
        let next = window.openings.nth(0).filter(|next| *next > now);
        summary.resume_at = window.not_before.max(next);
    }

    fn planned_time(&self, plan: &SubmissionPlan, window: &QuotaWindow) -> PlannedTime {
        let now = clock::now();
        let schedule = schedule(
            requests_for(plan.send.len() as u64),
            &window.openings,
            self.args.network.quota.share(),
            now,
        );
        PlannedTime {
            schedule: match self.args.network.max_rps {
                Some(max_rps) => schedule.spaced(max_rps, now),
                None => schedule,
            },
            wait: self.quota_wait,
            available: window.available,
        }
    }

    /// The user stopped the run; the exit code is that of the signal.
    fn interrupted(&self) -> CommandError {
        CommandError::from(CliError::Interrupted(self.context.listener.exit())).hinted(format!(
            "nothing is lost; run the same command again to resume: {}",
            self.context.command_line()
        ))
    }
}
