//! The flags that every command accepts, and what a connection needs, by its flags and variables.

use std::path::PathBuf;

use clap::Args;

use crate::cli::output_style::ColorMode;

/// The environment variable with a token that replaces the saved one.
pub(super) const TOKEN_VARIABLE: &str = "GUTTERBATCH_TOKEN";

/// The environment variable with the app's secret.
pub(super) const SECRET_VARIABLE: &str = "GUTTERBATCH_CLIENT_SECRET";

/// A setting of the connection, which `connect` asks for and the other commands need.
#[derive(Clone, Copy, Debug)]
pub struct ConnectionSetting {
    /// Its name, for messages.
    pub what: &'static str,
    /// What to type and where to find it, for the question.
    pub explanation: &'static str,
    /// The flag that sets it, with the name of its value.
    pub flag: &'static str,
    /// The environment variable that sets it.
    pub variable: &'static str,
}

/// The service's address.
pub(super) const BASE_URL: ConnectionSetting = ConnectionSetting {
    what: "service's address",
    explanation: "from its documentation, for instance https://api.example.com",
    flag: "--base-url URL",
    variable: "GUTTERBATCH_BASE_URL",
};

/// The version of the service's interface.
pub(super) const SERVICE_VERSION: ConnectionSetting = ConnectionSetting {
    what: "service's version",
    explanation: "from its documentation, a date such as 2026-01-31",
    flag: "--service-version YYYY-MM-DD",
    variable: "GUTTERBATCH_SERVICE_VERSION",
};

/// Both of them, for a message.
pub(super) const ADDRESS_AND_VERSION: ConnectionSetting = ConnectionSetting {
    what: "service's address and version",
    explanation: "",
    flag: "--base-url URL --service-version YYYY-MM-DD",
    variable: "GUTTERBATCH_BASE_URL and GUTTERBATCH_SERVICE_VERSION",
};

/// The app's client id.
pub(super) const CLIENT_ID: ConnectionSetting = ConnectionSetting {
    what: "client id",
    explanation: "from the service's developer dashboard",
    flag: "--client-id ID",
    variable: "GUTTERBATCH_CLIENT_ID",
};

/// The app's client secret.
pub(super) const CLIENT_SECRET: ConnectionSetting = ConnectionSetting {
    what: "client secret",
    explanation: "not shown",
    flag: "--client-secret-file PATH",
    variable: SECRET_VARIABLE,
};

/// Flags common to all commands.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Common flags")]
pub(super) struct CommonArgs {
    /// Profile: the settings and the connection of one team and app
    #[arg(long, global = true, env = "GUTTERBATCH_PROFILE", default_value = "default", value_name = "NAME", value_parser = profile_name)]
    pub profile: String,

    /// Address of the service; https, or http on this machine
    #[arg(long, global = true, env = "GUTTERBATCH_BASE_URL", value_name = "URL")]
    pub base_url: Option<String>,

    /// Dated version of the service's interface
    #[arg(
        long,
        global = true,
        env = "GUTTERBATCH_SERVICE_VERSION",
        value_name = "YYYY-MM-DD"
    )]
    pub service_version: Option<String>,

    /// Path of the journal, instead of the profile's default
    #[arg(long, global = true, value_name = "PATH")]
    pub journal: Option<PathBuf>,

    /// Print one JSON document to standard output and nothing else
    #[arg(long, global = true, overrides_with = "json")]
    pub json: bool,

    /// Print nothing if everything is done, except documents and scripts that were asked for
    #[arg(short, long, global = true, overrides_with = "quiet")]
    pub quiet: bool,

    /// Print more details, and a line for each request
    #[arg(short, long, global = true, action = clap::ArgAction::Count)]
    pub verbose: u8,

    /// Append a line of JSON for each request to this file; without bodies and secrets
    #[arg(long, global = true, value_name = "FILE")]
    pub log: Option<PathBuf>,

    /// Do not draw progress bars
    #[arg(long, global = true)]
    pub no_progress: bool,

    /// When to use color
    #[arg(long, global = true, value_enum, default_value_t, value_name = "WHEN")]
    pub color: ColorMode,

    /// Where to store secrets: in the keychain if there is one, otherwise in a private file
    #[arg(long, global = true, value_enum, default_value_t, value_name = "WHERE")]
    pub secrets: SecretsArg,
}

/// The values of `--secrets`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum SecretsArg {
    /// The keychain if there is one, otherwise a private file
    #[default]
    Auto,
    /// The keychain
    Keychain,
    /// A private file
    File,
}

fn profile_name(text: &str) -> Result<String, String> {
    if crate::connect::is_profile_name(text) {
        return Ok(text.to_owned());
    }
    Err("use at most 64 letters, digits, dots, dashes and underscores".to_owned())
}
