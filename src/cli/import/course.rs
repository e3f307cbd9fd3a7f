//! The course of an import, from the plan to the rejects: what is done with and without the network.

use std::sync::Arc;

use jiff::Timestamp;

use crate::api::BearerToken;
use crate::cli::connection::{AuthorizedClient, permitted, token_of_environment};
use crate::cli::context::Context;
use crate::cli::dispatcher::{DispatcherOptions, dispatcher, share};
use crate::cli::import::flags::Args;
use crate::cli::import::progress::ImportProgress;
use crate::cli::import::record::RunRecorder;
use crate::cli::import::text;
use crate::cli::signals::SignalListener;
use crate::cli::{CommandError, clock};
use crate::dispatch::{DispatchError, Dispatcher, QuotaWait, RequestCounts};
use crate::import::{
    self, CheckedFile, ImportAnswer, ImportContext, ImportError, ImportInput, ImportOptions,
    ImportPrompts, ImportQuestion, ImportSchedule, RowOutcomes, SubmissionPlan, requests_for,
    schedule,
};
use crate::journal::{
    self, Binding, Journal, JournalAccess, QuotaWindow, ReadAhead, RememberedReading, SourceId,
};
use crate::model::Team;
use crate::table::rejects::{self, RejectsPath};

/// What an import is to do.
#[derive(Debug)]
pub(super) struct ImportJob<'a> {
    pub(super) args: &'a Args,
    pub(super) context: &'a Context,
    pub(super) input: &'a ImportInput,
    pub(super) checked: &'a CheckedFile,
    pub(super) options: ImportOptions,
    pub(super) quota_wait: QuotaWait,
}

/// What came of it, however far it came.
#[derive(Debug)]
pub(super) struct ImportRun {
    pub(super) rows: RowOutcomes,
    pub(super) team: Option<Team>,
    pub(super) counts: RequestCounts,
    pub(super) rejects: Option<String>,
    pub(super) resume_at: Option<Timestamp>,
    /// The prefix under which all rows to submit were requested before.
    pub(super) earlier_prefix: Option<String>,
}

impl ImportRun {
    pub(super) fn new(checked: &CheckedFile) -> Self {
        Self {
            rows: RowOutcomes::checked(checked),
            team: None,
            counts: RequestCounts::default(),
            rejects: None,
            resume_at: None,
            earlier_prefix: None,
        }
    }
}

impl ImportJob<'_> {
    /// Plans, submits where something is to be submitted, and writes down what was rejected.
    pub(super) fn go(
        &self,
        course: &mut ImportRun,
        ahead: Option<ReadAhead>,
    ) -> Result<(), CommandError> {
        let path = self.context.journal_path();
        if self.args.dry_run {
            let index = journal::read_index(&path)?;
            let plan = import::plan(self.input, self.checked, &index, &self.options);
            let plan = plan.map_err(CommandError::from)?;
            let window = QuotaWindow::empty(clock::now(), share(&self.args.network));
            self.say_plan(&plan, &self.schedule(&plan, &window));
            course.rows = plan.rows;
            course.earlier_prefix = plan.earlier_prefix;
            return Ok(());
        }
        let holder = format!(
            "{}, process {}",
            self.context.command_line,
            std::process::id()
        );
        let journal = Arc::new(Journal::open(&path, &JournalAccess::Exclusive { holder })?);
        self.rejects_place(&journal)?;
        let path = &self.checked.source.path;
        let origin = journal.rejects_origin(path, rejects::has_both_columns)?;
        let index = journal.submission_index(ahead)?;
        let mut plan = import::plan(self.input, self.checked, &index, &self.options)?;
        drop(index);
        journal.store_decisions(&plan.decisions, clock::now())?;
        course.earlier_prefix.clone_from(&plan.earlier_prefix);
        let run = journal.begin_run(
            &self.checked.source,
            &self.checked.field_names(),
            clock::now(),
        )?;
        let submitted = self.submit(&journal, run.1, &mut plan, course);
        // `--forget-reading` alone, with nothing to send, is a look at the file and no new way to read it.
        let only_looked = self.args.reading.forget && plan.send.is_empty();
        if submitted.is_ok() && !only_looked {
            journal.remember_reading_blocking(&self.reading())?;
        }
        let afterwards = RunRecorder {
            job: self,
            journal: &journal,
            run,
            origin,
        };
        let recorded = afterwards.record(plan, course);
        if submitted.is_err()
            && let Err(failure) = &recorded
        {
            // What ended the run is told first, and its exit code counts.
            let message = failure.message();
            self.context
                .console
                .warn(&format!("the rejects could not be written: {message}"));
        }
        submitted?;
        recorded
    }

    /// Where the rejects go; proved before anything is sent.
    pub(super) fn rejects_place(&self, journal: &Journal) -> Result<RejectsPath, CommandError> {
        let asked = self.args.rejects.as_deref();
        Ok(import::rejects_place(
            self.input,
            self.checked,
            asked,
            journal,
        )?)
    }

    /// How the file is read, for the next command to read it the same way.
    fn reading(&self) -> RememberedReading {
        RememberedReading {
            path: self.checked.source.path.clone(),
            flags: self.args.reading.flags(),
            imported_at: clock::now(),
            headers: self.checked.headers,
        }
    }

    fn submit(
        &self,
        journal: &Arc<Journal>,
        source: SourceId,
        plan: &mut SubmissionPlan,
        course: &mut ImportRun,
    ) -> Result<(), CommandError> {
        let bound = journal.binding()?;
        course.team = bound.as_ref().map(Binding::team);
        self.refuse_other_service(bound.as_ref())?;
        if plan.send.is_empty() {
            return match token_of_environment(self.context)? {
                // Somebody else's token says that somebody else's file may be meant.
                Some(token)
                    if bound.is_some() && !journal.has_verified_token(token.expose())? =>
                {
                    self.online(journal, None, plan, course)
                }
                _ => Ok(()),
            };
        }
        self.online(journal, Some(source), plan, course)
    }

    /// An address that is not the journal's needs no request to be refused.
    fn refuse_other_service(&self, bound: Option<&Binding>) -> Result<(), CommandError> {
        let (Some(bound), Ok(base_url)) = (bound, self.context.base_url()) else {
            return Ok(());
        };
        let here = Binding {
            base_url: base_url.to_string(),
            ..bound.clone()
        };
        Ok(bound.require_same_account(&here)?)
    }

    /// Proves the team, and submits where there is a source.
    fn online(
        &self,
        journal: &Arc<Journal>,
        source: Option<SourceId>,
        plan: &mut SubmissionPlan,
        course: &mut ImportRun,
    ) -> Result<(), CommandError> {
        let AuthorizedClient { client, token } = permitted(self.context, &self.args.network)?;
        let share = share(&self.args.network);
        let window = journal.window(clock::now(), share)?;
        let schedule = self.schedule(plan, &window);
        self.context.block_on(async {
            let signals = SignalListener::listen()?;
            signals.print_stop_messages(&self.context.console);
            journal.clamp_slots(clock::now()).await?;
            let rows = plan.send.len() as u64;
            let view = ImportProgress::new(&self.context.console, rows, share, &schedule);
            let reported = view.clone();
            let dispatcher = dispatcher(
                &self.args.network,
                DispatcherOptions {
                    journal: Arc::clone(journal),
                    client,
                    quota_wait: self.quota_wait,
                    stop: signals.stop(),
                    report: Box::new(move |event| reported.event(&event)),
                },
            );
            let ended = match source {
                None => dispatcher
                    .verify_account(&token)
                    .await
                    .map(drop)
                    .map_err(ImportError::Dispatch),
                Some(source) => {
                    let under_way = RunningImport {
                        dispatcher: &dispatcher,
                        token: &token,
                        signals: &signals,
                        view: &view,
                        schedule: &schedule,
                    };
                    self.run(under_way, source, plan).await
                }
            };
            course.counts = dispatcher.request_counts();
            course.team = journal.binding()?.as_ref().map(Binding::team);
            ended.map_err(|ending| {
                course.resume_at = resume_at(&ending);
                self.failure(ending, &signals)
            })
        })
    }

    async fn run(
        &self,
        live: RunningImport<'_>,
        source: SourceId,
        plan: &mut SubmissionPlan,
    ) -> Result<(), ImportError> {
        let reading = self.reading();
        let session = ImportContext {
            reading: &reading,
            dispatcher: live.dispatcher,
            token: live.token,
            input: self.input,
            checked: self.checked,
            source,
            options: self.options,
        };
        let mut said = text::plan(&self.checked.source, plan, live.schedule, clock::now());
        said.push_str(&text::warnings(self.checked, &self.args.file.file));
        let mut ask = |question: ImportQuestion<'_>| self.ask(question, &said, &live);
        let mut tell = |settled: import::RowSettled<'_>| live.view.settled(&settled);
        let talk = ImportPrompts {
            ask: &mut ask,
            tell: &mut tell,
        };
        import::run(session, plan, talk).await
    }

    fn ask(
        &self,
        question: ImportQuestion<'_>,
        plan: &str,
        live: &RunningImport<'_>,
    ) -> ImportAnswer {
        let console = &self.context.console;
        let (said, asked) = match question {
            ImportQuestion::Begin { team, first } => {
                live.view.show_canary(self.options.canary.unwrap_or(0));
                (
                    format!(
                        "{plan}; team {} ({}); {}; requests cannot be taken back",
                        team.team_name,
                        team.team_id,
                        text::houses(first)
                    ),
                    "submit them?",
                )
            }
            ImportQuestion::GoOn { rows } => (
                format!("{rows} submitted; look at the addresses above"),
                "submit the rest?",
            ),
        };
        console.say(&said);
        if self.args.yes {
            return ImportAnswer::Yes;
        }
        if !console.can_ask() {
            return ImportAnswer::Nobody;
        }
        if live.signals.while_asking(|| console.ask(asked)) {
            ImportAnswer::Yes
        } else {
            ImportAnswer::No
        }
    }

    fn failure(&self, ending: ImportError, signals: &SignalListener) -> CommandError {
        if let ImportError::Dispatch(DispatchError::Interrupted) = ending {
            return CommandError::new(signals.exit(), "interrupted").hinted(format!(
                "nothing is lost; run the same command again to resume: {}",
                self.context.command_line
            ));
        }
        ending.into()
    }

    fn schedule(&self, plan: &SubmissionPlan, window: &QuotaWindow) -> ImportSchedule {
        schedule(
            requests_for(plan.send.len() as u64),
            &window.openings,
            share(&self.args.network),
            clock::now(),
        )
    }

    fn say_plan(&self, plan: &SubmissionPlan, schedule: &ImportSchedule) {
        let text = text::plan(&self.checked.source, plan, schedule, clock::now());
        self.context.console.say(&text);
    }
}

/// What a run that is under way holds.
struct RunningImport<'a> {
    dispatcher: &'a Dispatcher,
    token: &'a BearerToken,
    signals: &'a SignalListener,
    view: &'a ImportProgress,
    schedule: &'a ImportSchedule,
}

fn resume_at(ending: &ImportError) -> Option<Timestamp> {
    match ending {
        ImportError::Dispatch(
            DispatchError::QuotaUsedUp { until } | DispatchError::RateLimited { until },
        ) => Some(*until),
        _ => None,
    }
}
