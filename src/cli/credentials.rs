//! The app that a command connects or disconnects: its client id and its secret, given, saved or typed.

use std::path::PathBuf;

use crate::api::{ClientSecret, OauthApp, RevocationCredentials};
use crate::cli::CommandError;
use crate::cli::context::Context;
use crate::cli::prompt::{self, PromptedSetting};
use crate::connect::Connection;

/// The app's credentials, as far as the command line and the environment have them.
#[derive(Debug, clap::Args)]
pub(super) struct AppCredentials {
    /// The app's client id, from the service's developer dashboard
    #[arg(long, env = "GUTTERBATCH_CLIENT_ID", value_name = "ID")]
    client_id: Option<String>,

    /// Read the app's client secret from this file; else `GUTTERBATCH_CLIENT_SECRET` or a hidden prompt
    #[arg(long, value_name = "PATH")]
    client_secret_file: Option<PathBuf>,
}

impl AppCredentials {
    /// The app: as given, else as saved, else as a person types it. A saved secret serves only its own client id.
    ///
    /// # Errors
    /// As [`prompt::text`] and [`prompt::secret`].
    pub(super) fn app(
        &self,
        context: &Context,
        saved: Option<Connection>,
    ) -> Result<OauthApp, CommandError> {
        let wanted = PromptedSetting {
            what: "client id",
            flag: "--client-id ID",
            variable: "GUTTERBATCH_CLIENT_ID",
        };
        let known = saved.as_ref().map(|saved| saved.facts.client_id.as_str());
        let given = self.client_id.as_deref().or(known);
        let client_id = prompt::text(context, given, wanted)?;
        let saved = saved.filter(|saved| saved.facts.client_id == client_id);
        let client_secret = prompt::secret(
            context,
            self.client_secret_file.as_deref(),
            saved.and_then(|saved| saved.client_secret),
        )?;
        Ok(OauthApp {
            client_id,
            client_secret,
        })
    }

    /// What there is of the app: as given, else as saved. Nobody is asked for what is missing.
    ///
    /// # Errors
    /// As [`prompt::given_secret`].
    pub(super) fn known(
        &self,
        saved: Option<&Connection>,
    ) -> Result<RevocationCredentials, CommandError> {
        let saved_id = saved.map(|saved| &saved.facts.client_id);
        let client_id = self.client_id.as_ref().or(saved_id).cloned();
        // A saved secret serves only its own client id.
        let saved = saved.filter(|saved| Some(&saved.facts.client_id) == client_id.as_ref());
        let saved = saved.and_then(|saved| saved.client_secret.clone());
        Ok(RevocationCredentials {
            client_id,
            client_secret: prompt::given_secret(self.client_secret_file.as_deref(), saved)?,
        })
    }

    /// The secret without its client id, for a token that came from elsewhere; none where nobody gave one.
    ///
    /// # Errors
    /// As [`prompt::given_secret`].
    pub(super) fn secret(&self) -> Result<Option<ClientSecret>, CommandError> {
        prompt::given_secret(self.client_secret_file.as_deref(), None)
    }
}
