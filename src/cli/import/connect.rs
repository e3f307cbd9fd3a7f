//! The connection of an import, and the questions to the user while it is used.

use std::cell::OnceCell;
use std::sync::Arc;

use tokio::runtime::{Builder, Runtime};

use crate::cli::connection::authorized_client;
use crate::cli::context::start_runtime;
use crate::cli::dispatcher::{config, logged};
use crate::cli::import::ImportCommand;
use crate::cli::import::progress::ImportProgress;
use crate::cli::import::text::{self, FirstWarnings};
use crate::cli::output_style::{can_ask, hides_questions};
use crate::cli::signals::SignalListener;
use crate::cli::{CliError, CommandError, clock, shell};
use crate::dispatch::Dispatcher;
use crate::import::{Confirmation, ImportConnection, ImportQuestion, SubmissionPlan};
use crate::journal::Journal;
use crate::model::{Outcome, group_digits, pluralize};

impl<'a> ImportCommand<'a> {
    /// Connects to the service, and starts to listen for signals and to show progress.
    pub(super) fn connect(
        &self,
        plan: &SubmissionPlan,
        journal: &Arc<Journal>,
        signals: &OnceCell<SignalListener>,
    ) -> Result<(ImportConnection<'a>, Runtime), CommandError> {
        let (args, console) = (self.args, &self.context.console);
        if !args.yes && !plan.send.is_empty() && hides_questions() {
            let words = shell::with_words(&self.context.arguments, ["--yes".to_owned()]);
            let command = shell::command(words);
            let rows = plan.send.len() as u64;
            return Err(CliError::QuestionNotShown { rows, command }.into());
        }
        let client = authorized_client(self.context, &args.network)?;
        let share = args.network.quota.share();
        let time = self.planned_time(plan, &journal.window(clock::now(), share)?);
        let runtime = start_runtime(&mut Builder::new_current_thread())?;
        let listener = self.context.signals();
        listener.announce_stop();
        let progress = ImportProgress::new(console, plan.send.len() as u64, share, &time.schedule);
        let (event_progress, row_progress) = (progress.clone(), progress.clone());
        let mut config = config(self.context, &args.network, Arc::clone(journal), client);
        config.limits.quota_wait = self.quota_wait;
        config.report = logged(self.context, move |event| event_progress.event(&event));
        let planned = text::plan(&self.checked.source, plan, &time, clock::now());
        let check = args.reading.command("check", &args.file.file);
        let warnings = text::first_warnings(self.input, self.checked, &plan.rows)?;
        let count = self.checked.counts.warnings + plan.rows.warning_count();
        let warned = pluralize(count, "warning");
        let warned = (count > 0).then(|| format!("{warned}, listed by `{check}`"));
        let total = plan.send.len() as u64;
        let first = total.min(args.canary.unwrap_or(u64::MAX));
        let pending = plan.rows.outcomes().count(Outcome::Pending);
        let first_question = match if first < total { total } else { pending } {
            all if first < all => format!(
                "submit the first {} of {}?",
                group_digits(first),
                group_digits(all)
            ),
            _ => "submit them?".to_owned(),
        };
        signals.get_or_init(|| listener);
        let prompt = ImportPrompt {
            command: *self,
            planned,
            warned,
            warnings,
            first_question,
            journal: Arc::clone(journal),
            progress,
        };
        let connection = ImportConnection {
            dispatcher: Dispatcher::new(config),
            confirm: Box::new(move |question| prompt.confirm(question)),
            on_row_result: Box::new(move |result| row_progress.row(&result)),
        };
        Ok((connection, runtime))
    }
}

/// The questions of an import.
struct ImportPrompt<'a> {
    command: ImportCommand<'a>,
    /// The plan as text, shown with the first question.
    planned: String,
    /// How many warnings there are.
    warned: Option<String>,
    warnings: FirstWarnings,
    first_question: String,
    journal: Arc<Journal>,
    progress: ImportProgress,
}

impl ImportPrompt<'_> {
    fn confirm(&self, question: ImportQuestion<'_>) -> Confirmation {
        let args = self.command.args;
        let text = match question {
            ImportQuestion::Begin { team, first } => {
                self.progress.show_canary(args.canary.unwrap_or(0));
                let planned = [
                    self.planned.clone(),
                    format!("team {} ({})", team.team_name, team.team_id),
                    text::houses(first),
                ];
                let last = "requests cannot be taken back".to_owned();
                let lines = planned.into_iter().chain(self.warned.clone());
                self.state(lines.chain([last]).collect(), Some(&self.warnings));
                self.command.advise_for_other_journal(&self.journal);
                &self.first_question
            }
            ImportQuestion::Continue { rows } => {
                let statement = format!("{rows} submitted; look at the addresses above");
                self.state(vec![statement], None);
                "submit the rest?"
            }
        };
        if args.yes {
            return Confirmation::Yes;
        }
        let context = self.command.context;
        if !can_ask() {
            return Confirmation::CannotAsk;
        }
        if context.asking(|| context.console.ask(text)) {
            Confirmation::Yes
        } else {
            Confirmation::No
        }
    }

    /// Writes what a question is about: lines to a user who is asked, otherwise one line.
    fn state(&self, lines: Vec<String>, warnings: Option<&FirstWarnings>) {
        let console = &self.command.context.console;
        if self.command.args.yes || !can_ask() {
            if console.draws() {
                for line in &lines {
                    console.info(line);
                }
            } else {
                console.info_progress(&lines.join("; "));
            }
            for line in warnings.iter().flat_map(|first| &first.about_houses) {
                console.warn(line);
                self.command.shown.borrow_mut().insert(line.clone());
            }
            return;
        }
        for line in &lines {
            console.write_wrapped(line);
        }
        let warnings = warnings.iter();
        for line in warnings.flat_map(|first| first.about_houses.iter().chain(&first.about_rows)) {
            console.write_wrapped(&format!("warning: {line}"));
            self.command.shown.borrow_mut().insert(line.clone());
        }
    }
}
