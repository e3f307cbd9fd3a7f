//! `import`: submits what is not yet submitted, and says what became of every row.

mod course;
mod flags;
mod progress;
mod record;
mod restore;
mod text;
mod until;

use std::time::Instant;

use jiff::Zoned;
use jiff::tz::TimeZone;

use crate::cli::context::Context;
use crate::cli::progress::ProgressLine;
use crate::cli::{CommandError, ExitStatus, clock, conflicts, same_house, shell};
use crate::import::{self, ImportReportContext, InvalidRows};
use crate::journal::ReadAhead;
use crate::model::{Outcome, counted};

pub(super) use flags::Args;

use course::{ImportJob, ImportRun};

pub(super) fn run(mut args: Args, context: &Context) -> Result<ExitStatus, CommandError> {
    if args.restore {
        return restore::run(&args, context);
    }
    let started = clock::instant();
    let now = clock::now();
    let quota_wait = args.quota_wait(&Zoned::new(now, TimeZone::system()))?;
    let input = args.reading.with_remembered_reading(&args.file, context)?;
    let ahead = ReadAhead::start(&context.journal_path());
    let mut shown = ProgressLine::start(&context.console, None);
    let checked = import::check(&input, |progress| {
        shown.update(progress.rows, "rows read");
    })?;
    drop(shown);
    let job = ImportJob {
        args: &args,
        context,
        input: &input,
        checked: &checked,
        options: args.options(),
        quota_wait,
    };
    let mut course = ImportRun::new(&checked);
    let ended = job.go(&mut course, ahead);
    job.report(&course, ended, started)
}

impl ImportJob<'_> {
    /// Says what became of every row, whatever ended the run.
    fn report(
        &self,
        course: &ImportRun,
        ended: Result<(), CommandError>,
        started: Instant,
    ) -> Result<ExitStatus, CommandError> {
        let exit = match &ended {
            Err(failure) => failure.exit,
            Ok(()) => self.exit(course),
        };
        let facts = ImportReportContext {
            file: self.args.file.file.display().to_string(),
            profile: self.context.common.profile.clone(),
            team: course.team.clone(),
            counts: course.counts,
            rejects: course.rejects.clone(),
            resume_at: course.resume_at,
            elapsed: clock::instant().duration_since(started),
            exit_code: exit.code(),
        };
        let console = &self.context.console;
        console.json(&import::summary(self.checked, &course.rows, facts))?;
        let team = course.team.as_ref().map(|team| team.name.as_str());
        console.answer(&text::summary(self.checked, &course.rows, team))?;
        for line in text::attention(self.checked, &course.rows) {
            console.warn(&line);
        }
        if let Some(path) = &course.rejects {
            console.say(&format!("rejected rows are in {path}"));
        }
        ended?;
        self.advise(course);
        Ok(exit)
    }

    fn exit(&self, course: &ImportRun) -> ExitStatus {
        let outcomes = course.rows.outcomes();
        let attention =
            course.rows.rejected().next().is_some() || !course.rows.same_locations().is_empty();
        let pending = outcomes.count(Outcome::Pending) > 0;
        let held =
            self.options.invalid == InvalidRows::HoldAll && outcomes.count(Outcome::Invalid) > 0;
        if pending && !held && !self.args.dry_run {
            return ExitStatus::Pending;
        }
        if attention {
            ExitStatus::Attention
        } else {
            ExitStatus::Done
        }
    }

    /// What to do next, after a run that came to its end.
    fn advise(&self, course: &ImportRun) {
        let outcomes = course.rows.outcomes();
        let console = &self.context.console;
        let pending = outcomes.count(Outcome::Pending);
        let prefix = course.earlier_prefix.as_deref();
        if let Some(hint) = same_house::hint(
            &course.rows,
            prefix,
            course.rejects.as_deref(),
            &self.context.command_line,
        ) {
            console.hint(&hint);
        }
        let conflicts = conflicts::hint(
            &course.rows,
            &self.args.file.file,
            &self.context.command_line,
        );
        if let Some(hint) = &conflicts {
            console.hint(hint);
        }
        if self.args.dry_run {
            return;
        }
        // Where all rows only lack a prefix, or are in conflict for one reason, there is nothing to correct in the rejects.
        let has_others = course
            .rows
            .rejected()
            .any(|(_, outcome)| outcome != Outcome::Conflict);
        if let (Some(path), None) = (&course.rejects, prefix)
            && (has_others || conflicts.is_none())
        {
            let mut words = vec!["import".to_owned(), path.clone()];
            words.extend(self.args.reading.of_rejects().words());
            console.hint(&format!(
                "correct {} and import it as it is: {}",
                shell::quoted(path),
                shell::command(words)
            ));
        }
        if pending > 0 {
            console.hint(&format!(
                "{} pending; run the same command again to resume: {}",
                counted(pending, "row"),
                self.context.command_line
            ));
        }
    }
}
