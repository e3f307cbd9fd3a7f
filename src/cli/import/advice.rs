//! What `import` advises at its end: what to correct, and how to resume.

use std::path::Path;

use crate::cli::import::ImportCommand;
use crate::cli::import::report::kept_rejects;
use crate::cli::reading::ReadingArgs;
use crate::cli::row_hints::{RowHints, with_unused_contact};
use crate::cli::status::needed_actions::{NOT_IN_REJECTS, reading_of};
use crate::cli::{CommandError, ExitStatus, shell};
use crate::import::ImportSummary;
use crate::journal::{self, LastRun, RejectedRowsPlace};
use crate::model::{Outcome, pluralize};

impl ImportCommand<'_> {
    /// Prints what to correct and how to resume, after a run that was completed.
    pub(super) fn advise(&self, summary: &ImportSummary<CommandError>, exit: ExitStatus) {
        let mut hints = self.hints(summary);
        if hints.is_empty() && exit == ExitStatus::Attention {
            hints.push(self.general_advice(summary));
        }
        for hint in &hints {
            self.context.console.hint(hint);
        }
        if !self.args.dry_run
            && self.checked.columns.are_of_rejects()
            && exit == ExitStatus::Done
            // A skipped row of the original is rejected there until its next import.
            && summary.rows.outcomes().count(Outcome::Duplicate) == 0
            && let Some(warning) = self.rows_left_out()
        {
            self.context.console.warn(&warning);
        }
    }

    /// Says that imported rejects do not have all rows that are still rejected in their original.
    fn rows_left_out(&self) -> Option<String> {
        let snapshot = journal::read_snapshot(&self.context.journal_path()).ok()??;
        let runs = snapshot.last_runs().ok()?;
        let is_of_these = |run: &&LastRun| {
            let place = run.rejected_rows_place(&runs);
            run.rejected.total() > 0
                && place == RejectedRowsPlace::Nowhere(&self.checked.source.path)
        };
        let run = runs.iter().find(is_of_these)?;
        let import = reading_of(run, &runs).command("import", Path::new(&run.file));
        let rows = pluralize(run.rejected.total(), "rejected row");
        let file = Path::new(&run.file).file_name()?.display();
        Some(format!("{rows} of {file}, {NOT_IN_REJECTS}: {import}"))
    }

    fn hints(&self, summary: &ImportSummary<CommandError>) -> Vec<String> {
        let rejects = self.rejects_path(summary).map(|path| {
            let command = self.import_of_rejects(Path::new(&path), summary);
            (path, command)
        });
        let rejects = rejects
            .as_ref()
            .map(|(path, command)| (path.as_str(), command.as_str()));
        let hints = RowHints {
            command: "import",
            file: &self.args.file.file,
            reading: &self.args.reading,
            input: self.input,
            rows: &summary.rows,
            has_derived_ids: !self.checked.derived_ids.is_empty(),
            earlier_prefix: summary.earlier_prefix.as_deref(),
            known_prefix: summary.known_prefix.as_ref(),
            rejects,
            saved_rejects: self.import_of_saved(summary),
        };
        let mut hints: Vec<String> = hints.all().collect();
        if self.args.dry_run {
            return hints;
        }
        // Where all rows only lack a prefix, or are in conflict for one reason, there is nothing to correct in the
        // rejects.
        let has_common_cause =
            summary.rows.conflict_cause().is_some() || summary.earlier_prefix.is_some();
        let has_others = summary.rows.rejected().any(|(_, outcome)| {
            outcome != Outcome::SameHouse && (outcome != Outcome::Conflict || !has_common_cause)
        });
        hints.extend(match rejects {
            Some(rejects) if has_others => Some(correct_rejects(rejects)),
            _ => self.advice_without_rejects_file(summary),
        });
        hints.extend(self.advice_on_pending(summary));
        hints
    }

    /// What to do where no other hint applies.
    fn general_advice(&self, summary: &ImportSummary<CommandError>) -> String {
        let rejected = summary.rows.rejected().count() as u64;
        if self.args.dry_run && rejected > 0 {
            if summary.stop.is_some() {
                return "correct the cells above".to_owned();
            }
            if let Some(hint) = with_unused_contact(self.checked, &self.context.arguments) {
                return hint;
            }
            let import = self.args.reading.command("import", &self.args.file.file);
            let sends = if summary.rows.outcomes().count(Outcome::Pending) > 0 {
                "sends the other rows and "
            } else {
                ""
            };
            return format!(
                "correct the cells above; `{import}` {sends}writes {} to a file beside the input",
                pluralize(rejected, "rejected row")
            );
        }
        if let Some(path) = kept_rejects(summary).next() {
            // With the flags that the journal remembers for them.
            let import = ReadingArgs::default().command("import", Path::new(&path));
            return format!(
                "correct the rows in {} and import that file: {import}; or delete it if nobody needs them",
                shell::quoted(&path)
            );
        }
        "check what the warnings name; `gutterbatch status --id ID` shows the history of a row"
            .to_owned()
    }

    /// Where to correct rows whose rejects were printed, or not written.
    fn advice_without_rejects_file(&self, summary: &ImportSummary<CommandError>) -> Option<String> {
        if let Some(import) = self.import_of_saved(summary) {
            return Some(format!(
                "correct the rows in {}, or save the printed ones as a file, and correct and import that: {import}",
                self.checked.source.file_name()
            ));
        }
        let has_rejected = self.args.no_rejects && summary.rows.rejected().next().is_some();
        has_rejected.then(|| {
            "correct the rejected rows in your sheet; without --no-rejects they are written to a file with their errors".to_owned()
        })
    }

    /// The command that imports rejects which were printed, under the name that they may be saved as.
    fn import_of_saved(&self, summary: &ImportSummary<CommandError>) -> Option<String> {
        let rejects = summary.rejects.as_ref();
        let rejects = rejects.filter(|_| self.printed_rejects.is_some())?;
        let extension = rejects.path.extension().unwrap_or_default();
        let saved = Path::new("rejects").with_extension(extension);
        Some(self.import_of_rejects(&saved, summary))
    }

    /// How to resume a run that left rows pending.
    fn advice_on_pending(&self, summary: &ImportSummary<CommandError>) -> Option<String> {
        let pending = summary.rows.outcomes().count(Outcome::Pending);
        if pending == 0 {
            return None;
        }
        let resume = if self.is_held(summary) {
            "once no row is invalid, run the same command again to submit them"
        } else {
            "run the same command again to resume"
        };
        Some(format!(
            "{} pending; {resume}: {}",
            pluralize(pending, "row"),
            self.context.command_line()
        ))
    }
}

/// How to correct the rejected rows, which `command` imports.
pub(super) fn correct_rejects((path, command): (&str, &str)) -> String {
    let path = shell::quoted(path);
    format!("correct the rows in {path} and import that file: {command}")
}
