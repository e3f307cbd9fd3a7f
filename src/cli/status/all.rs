//! `status --all`: every profile of this user.

use crate::cli::context::Context;
use crate::cli::document::{ReportWithError, report};
use crate::cli::status::report;
use crate::cli::{CommandError, ExitStatus, profiles, shell, start};

/// Prints the status of every profile, with its own journal and address.
///
/// # Errors
/// The first of a profile whose journal or settings cannot be read, after the status of all others.
pub(super) fn show(context: &Context) -> Result<ExitStatus, CommandError> {
    let (mut texts, mut documents, mut failure) = (Vec::new(), Vec::new(), None);
    for profile in profiles::known(context) {
        let given = flags_of(&profile);
        let shown = start::status_of_profile(&profile, context).and_then(|(args, context)| {
            let context = Context {
                console: context.console.clone().hinting_with(given.clone()),
                ..context
            };
            let report = report(&args, None, &context)?;
            documents.push(report.document());
            let mut text = report.answers();
            if context.console.is_verbose() {
                text.push_str(&report.settings());
            }
            Ok(text)
        });
        let text = shown.unwrap_or_else(|error| {
            let text = format!("error         {}", error.message());
            failure.get_or_insert(of_broken(&profile, &given, error));
            text
        });
        texts.push(format!("profile       {profile}\n{text}"));
    }
    if texts.is_empty() {
        texts.push("there are no profiles yet".to_owned());
    }
    context.console.print_result(&texts.join("\n\n"))?;
    let documents = documents.iter();
    let profiles: Vec<_> = documents
        .map(|report| ReportWithError {
            report,
            error: None,
        })
        .collect();
    let exit = failure
        .as_ref()
        .map_or(ExitStatus::Done, CommandError::exit);
    let report = report! {"status", exit; profiles: profiles};
    context.console.json_with(&report, failure.as_ref())?;
    failure.map_or(Ok(exit), Err)
}

/// The flags that commands in hints need for a profile.
fn flags_of(profile: &str) -> Vec<(String, String)> {
    match profile {
        "default" => Vec::new(),
        profile => vec![("--profile".to_owned(), profile.to_owned())],
    }
}

/// The error of a profile, with its name and with the flags of the command in its hint.
fn of_broken(profile: &str, given: &[(String, String)], error: CommandError) -> CommandError {
    let hint = error.hint();
    let hint = hint.map(|hint| shell::with_connection_flags(hint, given));
    let error = error.within(&format!("profile {profile}"));
    match hint {
        Some(hint) => error.hinted(hint),
        None => error,
    }
}
