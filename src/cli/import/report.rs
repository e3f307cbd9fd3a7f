//! What `import` prints at its end, as JSON and as text, its hints and its exit code.

use std::path::Path;

use serde::Serialize;

use crate::cli::failure::{SuggestedFlag, command_with};
use crate::cli::import::advice::correct_rejects;
use crate::cli::import::{ImportCommand, text};
use crate::cli::problem_list::ProblemList;
use crate::cli::reading::ReadingArgs;
use crate::cli::{CommandError, ErrorKind, ExitStatus, clock, shell};
use crate::dispatch::RequestCounts;
use crate::import::{self, ImportSummary};
use crate::model::{Outcome, OutcomeCounts, Team, json_time, pluralize};
use crate::table::rejects::RejectsPath;

/// The document of `import --json`, without its error. Its fields are the public keys.
#[derive(Debug, Serialize)]
struct ImportReport<'a> {
    command: &'static str,
    file: String,
    profile: &'a str,
    team: Option<&'a Team>,
    rows: u64,
    outcomes: OutcomeCounts,
    blank_skipped: u64,
    changed_after_submit: usize,
    missing_rows: u64,
    warnings: u64,
    requests: RequestCounts,
    rejects: Option<&'a str>,
    kept_rejects: Vec<String>,
    resume_at: Option<String>,
    elapsed_seconds: f64,
    exit_code: u8,
    problems: ProblemList<'a>,
}

impl ImportCommand<'_> {
    /// Prints the outcome of every row, also after an error.
    ///
    /// # Errors
    /// The error that ended the import.
    pub(super) fn report(
        &self,
        mut summary: ImportSummary<CommandError>,
    ) -> Result<ExitStatus, CommandError> {
        let ended = std::mem::replace(&mut summary.ended, Ok(()))
            .or_else(|failure| self.expected_end(failure))
            .map_err(|failure| self.with_rejects(failure, &summary));
        if summary.missing > 0 {
            let missing = text::missing_rows(summary.missing, &self.checked.layout.file);
            self.context.console.warn(&missing);
        }
        let unrecorded = summary.unrecorded.take();
        self.warn_about_rejects(&summary);
        if let Some(error) = unrecorded {
            // The first error has the exit code.
            let unrecorded = CommandError::from(error);
            let message = unrecorded.message();
            // A journal that cannot be written is reported once.
            if ended
                .as_ref()
                .is_err_and(|failure| failure.message() != message)
            {
                let console = &self.context.console;
                console.warn(&format!("the rejects could not be written: {message}"));
            }
        }
        let exit = match &ended {
            Err(failure) => failure.exit(),
            Ok(()) => self.exit(&summary),
        };
        let ended = ended.map_err(|failure| with_unsent(failure, &summary));
        self.print(&summary, ended.as_ref().err(), exit)?;
        ended?;
        if self.is_held(&summary) && summary.counts.post == 0 {
            let invalid = summary.rows.outcomes().count(Outcome::Invalid);
            let are = if invalid == 1 { "is" } else { "are" };
            let rows = pluralize(invalid, "row");
            let console = &self.context.console;
            console.note(&format!(
                "nothing was sent: {rows} {are} invalid (--all-or-nothing)"
            ));
        }
        self.advise(&summary, exit);
        let console = &self.context.console;
        if console.is_quiet()
            && exit == ExitStatus::Attention
            && !self.args.dry_run
            && !self.has_more_than_rejects(&summary)
            && !ProblemList::from_import(self.checked, &summary).has_news()?
        {
            let file = self.args.file.file.display();
            let rows = summary.rows.rejected().count() as u64;
            let kept: Vec<String> = kept_rejects(&summary).collect();
            console.shorten(&format!("{file}: {}", text::still_to_do(rows, &kept)));
        }
        if exit == ExitStatus::Done && summary.stop.is_none() {
            self.context.console.next(&self.next(&summary));
        }
        Ok(exit)
    }

    /// Turns an end that the user asked for into a note: by `--no-wait`, or by the time of `--until`.
    fn expected_end(&self, failure: CommandError) -> Result<(), CommandError> {
        let is_expected = match failure.kind() {
            ErrorKind::QuotaUsedUp => self.args.no_wait || self.args.until.is_some(),
            ErrorKind::DeadlineReached => true,
            _ => false,
        };
        if !is_expected {
            return Err(failure);
        }
        self.context
            .console
            .note(&format!("stopped: {}", failure.message()));
        Ok(())
    }

    /// Names the rejects and the next commands in the hint of a run that ended because too many rows were refused.
    fn with_rejects(
        &self,
        failure: CommandError,
        summary: &ImportSummary<CommandError>,
    ) -> CommandError {
        let Some(path) = self.rejects_path(summary) else {
            return failure;
        };
        if failure.kind() != ErrorKind::TooManyRefused {
            return failure;
        }
        let hint = correct_rejects((&path, &self.import_of_rejects(Path::new(&path), summary)));
        let rest = if self.args.max_refused.is_some() {
            " with a larger --max-refused".to_owned()
        } else {
            let half = SuggestedFlag::new("--max-refused", "50%");
            format!(": {}", command_with(&self.context.arguments, &[half]))
        };
        failure.hinted(format!("{hint}\nor submit the other rows first{rest}"))
    }

    fn print(
        &self,
        summary: &ImportSummary<CommandError>,
        failure: Option<&CommandError>,
        exit: ExitStatus,
    ) -> Result<(), CommandError> {
        let console = &self.context.console;
        let rejects = self.rejects_path(summary);
        let rows = &summary.rows;
        let elapsed = clock::instant().duration_since(self.started);
        let document = ImportReport {
            command: "import",
            file: self.args.file.file.display().to_string(),
            profile: &self.context.common.profile,
            team: summary.team.as_ref(),
            rows: rows.outcomes().total(),
            outcomes: rows.outcomes(),
            blank_skipped: self.checked.blank_skipped,
            changed_after_submit: rows.edited().len(),
            missing_rows: summary.missing,
            warnings: self.checked.counts.warnings + rows.warning_count(),
            requests: summary.counts,
            rejects: rejects.as_deref(),
            kept_rejects: kept_rejects(summary).collect(),
            resume_at: summary.resume_at.map(json_time),
            elapsed_seconds: (elapsed.as_secs_f64() * 1000.0).round() / 1000.0,
            exit_code: exit.code(),
            problems: ProblemList::from_import(self.checked, summary),
        };
        console.json_with(&document, failure)?;
        let team = summary.team.as_ref().map(|team| team.name.as_str());
        let text = text::summary(self.checked, &summary.rows, team);
        if self.printed_rejects.is_some() {
            // Standard output has the rejects.
            console.note(&text);
        } else {
            console.print_result(&text)?;
        }
        let shown = self.shown.borrow();
        let warnings = text::row_warnings(self.input, self.checked, rows);
        for line in warnings.iter().filter(|line| !shown.contains(*line)) {
            console.warn(line);
        }
        // Rejects on standard output name their errors.
        if self.printed_rejects.is_none() {
            let rejected = text::rejected_rows(self.checked, rows, rejects.as_deref())?;
            for line in &rejected {
                console.warn(line);
            }
            if let Some(numbering) = self
                .checked
                .row_numbering()
                .filter(|_| !rejected.is_empty())
            {
                console.info(numbering);
            }
        }
        if let Some(path) = rejects {
            console.info(&format!("rejected rows are in {path}"));
        }
        Ok(())
    }

    /// Says which existing rejects were kept, and how the new ones differ from the input.
    fn warn_about_rejects(&self, summary: &ImportSummary<CommandError>) {
        let console = &self.context.console;
        let Some(rejects_path) = &summary.rejects_path else {
            return;
        };
        for path in kept_rejects(summary) {
            console.warn(&format!(
                "{path} has rows that are not in {} any more and were never requested, so it is kept: {LEFT_ROWS_ADVICE}",
                self.checked.layout.file
            ));
        }
        let edited = rejects_path.edited().iter().map(|path| {
            // With the flags that the journal remembers for them: this run's prefix may be another.
            let import = ReadingArgs::default().command("import", path);
            format!(
                "{} was edited since it was written, so it is kept; if it has corrections that were not imported: {import}",
                path.display()
            )
        });
        let of_others = rejects_path.of_others().iter().map(|path| {
            format!(
                "{} has the rejects of another sheet, id prefix or journal, so it is kept",
                path.display()
            )
        });
        for kept in edited.chain(of_others) {
            match self.rejects_path(summary) {
                Some(_) => console.warn(&kept),
                None => console.info(&kept),
            }
        }
        if let Some(rejects) = &summary.rejects {
            for note in &rejects.notes {
                console.warn(&format!("in the rejects, {}", note.sentence()));
            }
        }
    }

    /// The command that imports rejects of the file.
    pub(super) fn import_of_rejects(
        &self,
        path: &Path,
        summary: &ImportSummary<CommandError>,
    ) -> String {
        let flags = summary.rejects_reading.clone();
        let reading = flags.and_then(ReadingArgs::from_flags);
        let reading = reading.unwrap_or_else(|| self.detected_reading.for_rejects());
        reading.command("import", path)
    }

    fn exit(&self, summary: &ImportSummary<CommandError>) -> ExitStatus {
        let outcomes = summary.rows.outcomes();
        let attention = summary.rows.rejected().next().is_some()
            || kept_rejects(summary).next().is_some()
            || self.has_more_than_rejects(summary);
        let pending = outcomes.count(Outcome::Pending) > 0;
        if pending && !self.is_held(summary) && !self.args.dry_run {
            return ExitStatus::Pending;
        }
        if attention {
            ExitStatus::Attention
        } else {
            ExitStatus::Done
        }
    }

    /// Whether `--all-or-nothing` keeps the valid rows from being sent.
    pub(super) fn is_held(&self, summary: &ImportSummary<CommandError>) -> bool {
        self.args.all_or_nothing && summary.rows.outcomes().count(Outcome::Invalid) > 0
    }

    /// Whether something needs a person besides rejected rows, of this run or of earlier ones.
    fn has_more_than_rejects(&self, summary: &ImportSummary<CommandError>) -> bool {
        !summary.rows.same_locations().is_empty()
            || summary.missing > 0
            || import::has_address_edit(self.checked, &summary.rows, &summary.reported_before)
    }

    /// What to do after a run in which every row was accepted, or would be.
    fn next(&self, summary: &ImportSummary<CommandError>) -> String {
        let file = &self.args.file.file;
        let pending = summary.rows.outcomes().count(Outcome::Pending);
        if self.args.dry_run && pending > 0 {
            let words = self.context.arguments.iter();
            let words = words.filter(|word| *word != "--dry-run");
            let connect = match self.context.base_url() {
                Ok(_) => "",
                Err(_) => "connect with `gutterbatch connect`, then ",
            };
            return format!(
                "{connect}submit {}: {}",
                pluralize(pending.min(self.args.limit.unwrap_or(u64::MAX)), "row"),
                shell::command(words)
            );
        }
        // Standard input cannot be read again.
        let status = if file.to_str() == Some("-") {
            shell::command(["status"])
        } else {
            let reading = ReadingArgs {
                sheet: self.args.reading.sheet.clone(),
                ..ReadingArgs::default()
            };
            reading.command("status", file)
        };
        format!(
            "see what is measured with `{status}` and write the results: gutterbatch export results.xlsx"
        )
    }

    /// The path of the rejects, if they were written to a file.
    pub(super) fn rejects_path(&self, summary: &ImportSummary<CommandError>) -> Option<String> {
        let rejects = summary.rejects.as_ref();
        let rejects = rejects.filter(|_| self.printed_rejects.is_none());
        rejects.map(|rejects| rejects.path.display().to_string())
    }
}

/// What to do about rejects whose rows have left their sheet.
pub(in crate::cli) const LEFT_ROWS_ADVICE: &str =
    "correct and import it, or delete it if nobody needs them";

/// Says that an import which a local file ended has sent nothing, if rows are left.
fn with_unsent(failure: CommandError, summary: &ImportSummary<CommandError>) -> CommandError {
    let is_left = summary.rows.outcomes().count(Outcome::Pending) > 0;
    if failure.kind() == ErrorKind::File && summary.counts.post == 0 && is_left {
        return failure.within("nothing was sent");
    }
    failure
}

/// The rejects of earlier runs with rows that are not in the file any more.
pub(super) fn kept_rejects(summary: &ImportSummary<CommandError>) -> impl Iterator<Item = String> {
    let rejects_path = summary.rejects_path.iter();
    let kept = rejects_path.flat_map(RejectsPath::with_left_rows);
    kept.map(|path| path.display().to_string())
}
