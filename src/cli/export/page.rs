//! What an export says in words.

use crate::cli::export::course::Course;
use crate::cli::export::flags::Args;
use crate::cli::failure::unsynced_folder;
use crate::model::counted;

/// The summary, line by line.
pub(super) fn summary(args: &Args, course: &Course) -> String {
    let exported = &course.exported;
    let mut lines = vec![first_line(args, course)];
    if exported.completed > 0 {
        let totals = &exported.totals;
        lines.push(format!(
            "gutter {} ft, {}, {} of {} ft",
            totals.gutter_length.value(),
            counted(totals.corners, "corner"),
            counted(totals.downspouts, "downspout"),
            totals.downspout_length.value()
        ));
    }
    let states: Vec<String> = exported
        .by_status
        .iter()
        .filter(|(_, lines)| *lines > 0)
        .map(|(name, lines)| format!("{lines} {}", name.replace('_', " ")))
        .collect();
    if !states.is_empty() {
        lines.push(states.join(", "));
    }
    if exported.billed_elsewhere > 0 {
        lines.push(format!(
            "{} left out: billed elsewhere, as --billed-until said",
            counted(exported.billed_elsewhere, "measurement")
        ));
    }
    if course.refreshed.asked > 0 {
        let changed = match course.refreshed.changed {
            0 => String::new(),
            changed => format!(", {} changed", counted(changed, "result")),
        };
        lines.push(format!(
            "asked again about {}{changed}; {}",
            counted(course.refreshed.asked, "measurement"),
            counted(course.tally.total(), "request")
        ));
    }
    if let Some(pictures) = &course.pictures {
        let place = pictures.folder.as_ref();
        let place = place.map_or("in the workbook".to_owned(), |folder| {
            format!("in {}", folder.display())
        });
        lines.push(format!("{} {place}", counted(pictures.came, "image")));
    }
    lines.join("\n")
}

fn first_line(args: &Args, course: &Course) -> String {
    let exported = &course.exported;
    let completed = counted(exported.completed, "completed measurement");
    let Some(number) = exported.sealed else {
        return match &exported.written {
            None if args.new => "nothing new to bill; nothing was written".to_owned(),
            None => completed,
            Some(_) => format!("{}: {completed}", args.path().display()),
        };
    };
    let adjusted = match exported.adjusted {
        0 => String::new(),
        adjusted => format!(" and {}", counted(adjusted, "adjustment")),
    };
    format!(
        "{}: sealed export {number}, {completed}{adjusted}",
        args.path().display()
    )
}

/// What a person should know besides.
pub(super) fn warnings(course: &Course) -> Vec<String> {
    let mut warnings = Vec::new();
    if let Some(partial) = &course.order.partial {
        warnings.push(format!(
            "partial: {} could not be asked for again: {}",
            counted(partial.not_asked, "measurement"),
            partial.reason
        ));
    }
    if let Some(unsynced) = &course.exported.unsynced {
        warnings.push(unsynced_folder(unsynced));
    }
    if let (Some(reason), Some(number)) = (&course.exported.unnoted, course.exported.sealed) {
        warnings.push(format!(
            "export {number} is sealed and its file is in its place, but the journal could not note the delivery: {reason}; the next export notes it"
        ));
    }
    if course.exported.not_found > 0 {
        warnings.push(format!(
            "the service no longer finds {}; see the sheet Open, or the status not_found",
            counted(course.exported.not_found, "measurement")
        ));
    }
    if let Some(failed) = course
        .pictures
        .as_ref()
        .map(|pictures| pictures.failed)
        .filter(|failed| *failed > 0)
    {
        warnings.push(format!(
            "{} could not be fetched; their links stand in the export",
            counted(failed, "image")
        ));
    }
    if course.exported.waiting > 0 {
        warnings.push(format!(
            "{} changed after billing; a workbook alone has a place for adjustments: seal the next export as .xlsx",
            counted(course.exported.waiting, "measurement")
        ));
    }
    warnings
}
