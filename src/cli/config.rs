//! `config`: an example of `config.toml`, and the list of profiles.

use crate::cli::context::Context;
use crate::cli::document::report;
use crate::cli::{CommandError, ExitStatus, profiles, settings};

/// Print an example of config.toml, or list the profiles
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  gutterbatch config --example
  gutterbatch config --profiles")]
#[group(required = true, multiple = false)]
pub(super) struct Args {
    /// Print a commented config.toml
    #[arg(long)]
    example: bool,

    /// List the profiles that have settings or a journal
    #[arg(long)]
    profiles: bool,
}

impl Args {
    /// Whether the settings of this user are read.
    pub(super) fn uses_settings(&self) -> bool {
        !self.example
    }
}

pub(super) fn run(args: Args, context: &Context) -> Result<ExitStatus, CommandError> {
    if args.profiles {
        let file = context.home.config_file();
        let sections = settings::profile_names(&file).into_iter();
        let wrong = sections.filter_map(|name| settings::profile_section(&file, &name).err());
        wrong.for_each(|failure| context.console.warn(&failure.message()));
    }
    let profiles: Option<Vec<String>> = args
        .profiles
        .then(|| profiles::known(context).into_iter().collect());
    match &profiles {
        Some(names) if names.is_empty() => context.console.info("there are no profiles yet"),
        Some(names) => context.console.print(&(names.join("\n") + "\n"))?,
        None => context.console.print(EXAMPLE)?,
    }
    let config = context.home.config_file().display().to_string();
    let report = match profiles {
        Some(profiles) => report! {"config", ExitStatus::Done; config: config, profiles: profiles},
        None => report! {"config", ExitStatus::Done; config: config, example: EXAMPLE},
    };
    context.console.json(&report)?;
    Ok(ExitStatus::Done)
}

/// Every line is a comment, so that it can be used as a `config.toml` unchanged.
const EXAMPLE: &str = r#"# Settings of gutterbatch. Each section is a profile: one team and one app.
# A flag and an environment variable override a setting; `gutterbatch status -v` shows the values in use.
# Keys are spelled like the flags.

# [profile.default]
# base-url = "https://api.example.com"
# service-version = "2026-01-31"
# client-id = "app_1"

## The team's quota, and the requests in each hour that are left to other programs
# rate = "600/1h"
# reserve = 50

## How sheets are read
# id-prefix = "acme-"
# default-country = "CA"
# map = ["line1=Property address", "name=Homeowner"]

## The time zone of months and days in an export
# tz = "America/Toronto"

## A second team: gutterbatch connect --profile acme
# [profile.acme]
# base-url = "https://api.example.com"
# service-version = "2026-01-31"
"#;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::settings::profile_section;

    #[test]
    fn the_example_is_a_valid_settings_file_with_and_without_its_comments() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("config.toml");
        std::fs::write(&file, EXAMPLE).unwrap();
        assert!(profile_section(&file, "default").unwrap().is_empty());
        let settings = EXAMPLE
            .lines()
            .filter(|line| line.contains(" = ") || line.starts_with("# ["))
            .map(|line| line.trim_start_matches("# "))
            .collect::<Vec<_>>()
            .join("\n");
        std::fs::write(&file, settings).unwrap();
        assert_eq!(profile_section(&file, "default").unwrap().len(), 9);
        assert_eq!(profile_section(&file, "acme").unwrap().len(), 2);
    }
}
