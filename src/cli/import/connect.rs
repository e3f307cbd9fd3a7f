//! The connection of an import, and the questions to the user while it is used.

use std::cell::OnceCell;
use std::fmt::Write as _;
use std::sync::Arc;

use tokio::runtime::{Builder, Runtime};

use crate::cli::connection::{AuthorizedClient, permitted};
use crate::cli::context::start_runtime;
use crate::cli::dispatcher::{DispatcherOptions, dispatcher};
use crate::cli::import::ImportCommand;
use crate::cli::import::progress::ImportProgress;
use crate::cli::import::text;
use crate::cli::signals::SignalListener;
use crate::cli::{CommandError, clock};
use crate::import::{ImportAnswer, ImportConnection, ImportQuestion, SubmissionPlan};
use crate::journal::Journal;
use crate::model::counted;

impl<'a> ImportCommand<'a> {
    /// Connects to the service, and starts to listen for signals and to show progress.
    pub(super) fn connect(
        &self,
        plan: &SubmissionPlan,
        journal: &Arc<Journal>,
        signals: &OnceCell<SignalListener>,
    ) -> Result<(ImportConnection<'a>, Runtime), CommandError> {
        let (args, console) = (self.args, &self.context.console);
        let AuthorizedClient { client, token } = permitted(self.context, &args.network)?;
        let share = args.network.quota.share();
        let schedule = self.schedule(plan, &journal.window(clock::now(), share)?);
        let runtime = start_runtime(&mut Builder::new_current_thread())?;
        let listener = self.context.signals();
        listener.announce_stop();
        let progress = ImportProgress::new(console, plan.send.len() as u64, share, &schedule);
        let (reported, told) = (progress.clone(), progress.clone());
        let dispatcher = dispatcher(
            &args.network,
            DispatcherOptions {
                journal: Arc::clone(journal),
                client,
                quota_wait: self.quota_wait,
                stop: listener.stop(),
                log: self.context.request_log.clone(),
                report: Box::new(move |event| reported.event(&event)),
            },
        );
        let mut planned = text::plan(&self.checked.source, plan, &schedule, clock::now());
        let check = args.reading.command("check", &args.file.file);
        let (warned, warnings) = text::first_warnings(self.checked, &plan.rows)?;
        if warned > 0 {
            let rows = counted(warned, "row");
            let _ = write!(planned, "; {rows} with warnings, listed by `{check}`");
        }
        signals.get_or_init(|| listener);
        let prompt = ImportPrompt {
            command: *self,
            planned,
            warnings,
            journal: Arc::clone(journal),
            progress,
        };
        let connection = ImportConnection {
            dispatcher,
            token,
            ask: Box::new(move |question| prompt.ask(question)),
            tell: Box::new(move |result| told.row(&result)),
        };
        Ok((connection, runtime))
    }
}

/// The questions of an import.
struct ImportPrompt<'a> {
    command: ImportCommand<'a>,
    /// The plan as text, shown with the first question.
    planned: String,
    /// What may be one house, written before the question.
    warnings: Vec<String>,
    journal: Arc<Journal>,
    progress: ImportProgress,
}

impl ImportPrompt<'_> {
    fn ask(&self, question: ImportQuestion<'_>) -> ImportAnswer {
        let (args, console) = (self.command.args, &self.command.context.console);
        let (statement, asked) = match question {
            ImportQuestion::Begin { team, first } => {
                self.progress.show_canary(args.canary.unwrap_or(0));
                let statement = format!(
                    "{}; team {} ({}); {}; requests cannot be taken back",
                    self.planned,
                    team.team_name,
                    team.team_id,
                    text::houses(first)
                );
                (statement, "submit them?")
            }
            ImportQuestion::Continue { rows } => (
                format!("{rows} submitted; look at the addresses above"),
                "submit the rest?",
            ),
        };
        let is_asked = !args.yes && console.can_ask();
        if is_asked {
            console.write_wrapped(&statement);
            if matches!(question, ImportQuestion::Begin { .. }) {
                for warning in &self.warnings {
                    console.write_wrapped(&format!("warning: {warning}"));
                }
            }
        } else {
            console.say_progress(&statement);
        }
        if matches!(question, ImportQuestion::Begin { .. }) {
            self.command.advise_for_empty_journal(&self.journal);
        }
        if args.yes {
            return ImportAnswer::Yes;
        }
        if !is_asked {
            return ImportAnswer::CannotAsk;
        }
        if self.command.context.asking(|| console.ask(asked)) {
            ImportAnswer::Yes
        } else {
            ImportAnswer::No
        }
    }
}
