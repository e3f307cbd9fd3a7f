//! `export`: refreshes what is not yet final, and writes or seals the results.

mod course;
mod customer_sheet;
mod flags;
mod images;
mod job;
mod list;
mod progress;
mod refresh;
mod text;
mod undeclared;

use crate::cli::context::Context;
use crate::cli::{CommandError, ExitStatus};
use crate::export::{ExportReportContext, summary};

pub(super) use flags::Args;

use course::ExportRun;
use flags::ExportDestination;
use job::ExportJob;

#[expect(
    clippy::needless_pass_by_value,
    reason = "every command is run the same way"
)]
pub(super) fn run(args: Args, context: &Context) -> Result<ExitStatus, CommandError> {
    if args.sealed {
        return list::list(context);
    }
    if let Some(number) = args.again {
        return list::write_again(&args, number, context);
    }
    let order = args.order()?;
    let destination = args.destination(context.console.format())?;
    let job = ExportJob {
        args: &args,
        context,
        order,
        destination: destination.clone(),
        own: customer_sheet::own(&args, context)?,
    };
    let course = job.go()?;
    report(&args, context, &destination, &course)
}

fn report(
    args: &Args,
    context: &Context,
    destination: &ExportDestination,
    course: &ExportRun,
) -> Result<ExitStatus, CommandError> {
    let exit = exit(course);
    let facts = ExportReportContext {
        profile: context.common.profile.clone(),
        team: course.team.clone(),
        counts: course.counts,
        refreshed: course.refreshed.asked,
        changed: course.refreshed.changed,
        partial: course.order.partial.clone(),
        conflicts: course.own.in_conflict.len() as u64,
        exit_code: exit.code(),
    };
    let console = &context.console;
    console.json(&summary(&course.exported, facts))?;
    match destination {
        // Standard output carries the export itself.
        ExportDestination::Stream => console.say(&text::summary(args, course)),
        ExportDestination::Place(_) => console.answer(&text::summary(args, course))?,
    }
    for image in text::each_image_missing(course) {
        console.detail(&image);
    }
    for warning in text::warnings(args, course) {
        console.warn(&warning);
    }
    if let Some(hint) = text::hint(args, course, &context.command_line) {
        console.hint(&hint);
    }
    if course.order.partial.is_some() {
        console.hint(&text::hint_for_open(args, &context.command_line));
    }
    Ok(exit)
}

fn exit(course: &ExportRun) -> ExitStatus {
    if course.order.partial.is_some() {
        ExitStatus::Pending
    } else if needs_a_person(course) {
        ExitStatus::Attention
    } else {
        ExitStatus::Done
    }
}

fn needs_a_person(course: &ExportRun) -> bool {
    course.exported.not_found > 0
        || course.exported.address_differs > 0
        || !course.own.in_conflict.is_empty()
        || course.own.prefix.is_some()
}
