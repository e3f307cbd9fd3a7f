//! `export`: refreshes what is not yet final, and writes or seals the results.

mod album;
mod course;
mod flags;
mod job;
mod list;
mod own;
mod page;
mod questions;
mod undeclared;
mod view;

use crate::cli::context::Context;
use crate::cli::{Exit, Failure};
use crate::export::{Facts, summary};

pub(super) use flags::Args;

use course::Course;
use flags::Destination;
use job::Job;

#[expect(
    clippy::needless_pass_by_value,
    reason = "every command is run the same way"
)]
pub(super) fn run(args: Args, context: &Context) -> Result<Exit, Failure> {
    if args.sealed {
        return list::list(context);
    }
    if let Some(number) = args.again {
        return list::write_again(&args, number, context);
    }
    let order = args.order()?;
    let destination = args.destination(context.console.format())?;
    let job = Job {
        args: &args,
        context,
        order,
        destination: destination.clone(),
        own: own::own(&args, context)?,
    };
    let course = job.go()?;
    report(&args, context, &destination, &course)
}

fn report(
    args: &Args,
    context: &Context,
    destination: &Destination,
    course: &Course,
) -> Result<Exit, Failure> {
    let exit = exit(course);
    let facts = Facts {
        profile: context.common.profile.clone(),
        team: course.team.clone(),
        tally: course.tally,
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
        Destination::Stream => console.say(&page::summary(args, course)),
        Destination::Place(_) => console.answer(&page::summary(args, course))?,
    }
    for image in page::each_image_missing(course) {
        console.detail(&image);
    }
    for warning in page::warnings(args, course) {
        console.warn(&warning);
    }
    if let Some(hint) = page::hint(args, course, &context.command_line) {
        console.hint(&hint);
    }
    if course.order.partial.is_some() {
        console.hint(&page::hint_for_the_rest(args, &context.command_line));
    }
    Ok(exit)
}

fn exit(course: &Course) -> Exit {
    if course.order.partial.is_some() {
        Exit::Pending
    } else if needs_a_person(course) {
        Exit::Attention
    } else {
        Exit::Done
    }
}

fn needs_a_person(course: &Course) -> bool {
    course.exported.not_found > 0
        || course.exported.address_differs > 0
        || !course.own.in_conflict.is_empty()
        || course.own.prefix.is_some()
}
