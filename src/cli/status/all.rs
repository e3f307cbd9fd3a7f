//! `status --all`: every profile of this user.

use crate::cli::common_args::CommonArgs;
use crate::cli::context::Context;
use crate::cli::document::{ReportWithError, report};
use crate::cli::status::{Args, report};
use crate::cli::{CommandError, ExitStatus, profiles, settings};

/// Prints the status of every profile, with its own journal and address.
///
/// # Errors
/// If a journal or the settings cannot be read.
pub(super) fn show(args: &Args, context: &Context) -> Result<ExitStatus, CommandError> {
    let (mut texts, mut documents) = (Vec::new(), Vec::new());
    for profile in profiles::known(context) {
        let context = of_profile(&profile, context)?;
        let report = report(args, None, &context)?;
        texts.push(format!("profile       {profile}\n{}", report.answers()));
        documents.push(report.document());
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
    context
        .console
        .json(&report! {"status", ExitStatus::Done; profiles: profiles})?;
    Ok(ExitStatus::Done)
}

/// The context of one profile.
fn of_profile(profile: &str, context: &Context) -> Result<Context, CommandError> {
    let section = settings::profile_section(&context.home.config_file(), profile)?;
    let text = |key: &str| section.get(key).and_then(|item| item.as_str());
    let common = CommonArgs {
        profile: profile.to_owned(),
        base_url: text("base-url").map(str::to_owned),
        service_version: text("service-version").map(str::to_owned),
        journal: text("journal").map(Into::into),
        ..context.common.clone()
    };
    let given = match profile {
        "default" => Vec::new(),
        profile => vec![("--profile".to_owned(), profile.to_owned())],
    };
    Ok(Context {
        common,
        console: context.console.clone().hinting_with(given),
        settings: Vec::new(),
        ..context.clone()
    })
}
