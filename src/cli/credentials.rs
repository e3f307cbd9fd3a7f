//! The client id and secret of the app: from flags, the environment, the saved connection or a prompt.

use std::path::PathBuf;

use crate::api::{ClientSecret, OauthApp, RevocationCredentials};
use crate::cli::CommandError;
use crate::cli::common_args::{CLIENT_ID, CLIENT_SECRET, ConnectionSetting};
use crate::cli::context::Context;
use crate::cli::prompt;
use crate::connect::Connection;

/// The app's credentials on the command line and in the environment.
#[derive(Debug, clap::Args)]
pub(super) struct AppCredentials {
    /// The app's client id, from the service's developer dashboard
    #[arg(long, env = "GUTTERBATCH_CLIENT_ID", value_name = "ID")]
    client_id: Option<String>,

    /// Read the app's client secret from this file; otherwise `GUTTERBATCH_CLIENT_SECRET` or a hidden prompt
    #[arg(long, value_name = "PATH")]
    client_secret_file: Option<PathBuf>,
}

impl AppCredentials {
    /// The client id as given, as saved, or as the user types it.
    ///
    /// # Errors
    /// As [`prompt::text`].
    pub(super) fn client_id(
        &self,
        context: &Context,
        saved: Option<&Connection>,
    ) -> Result<String, CommandError> {
        let saved = saved.map(|saved| saved.details.client_id.as_str());
        prompt::text(context, self.client_id.as_deref().or(saved), CLIENT_ID)
    }

    /// The app with this client id, and its secret as given, as saved, or as the user types it. A saved secret is used
    /// only with its own client id.
    ///
    /// # Errors
    /// As [`prompt::secret`].
    pub(super) fn app(
        &self,
        context: &Context,
        client_id: String,
        saved: Option<Connection>,
    ) -> Result<OauthApp, CommandError> {
        let saved = saved.filter(|saved| saved.details.client_id == client_id);
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

    /// The credentials as given or as saved; the user is not asked for missing ones.
    ///
    /// # Errors
    /// As [`prompt::given_secret`].
    pub(super) fn known(
        &self,
        saved: Option<&Connection>,
    ) -> Result<RevocationCredentials, CommandError> {
        let saved_id = saved.map(|saved| &saved.details.client_id);
        let client_id = self.client_id.as_ref().or(saved_id).cloned();
        // A saved secret is used only with its own client id.
        let saved = saved.filter(|saved| Some(&saved.details.client_id) == client_id.as_ref());
        let saved = saved.and_then(|saved| saved.client_secret.clone());
        Ok(RevocationCredentials {
            client_id,
            client_secret: prompt::given_secret(self.client_secret_file.as_deref(), saved)?,
        })
    }

    /// Those of the credentials that are neither given nor saved. A file with the secret is not read: it may be a pipe.
    pub(super) fn missing(&self, saved: Option<&Connection>) -> Vec<ConnectionSetting> {
        let saved_id = saved.map(|saved| saved.details.client_id.as_str());
        let given_id = self.client_id.as_deref().map(str::trim);
        let id = given_id.filter(|id| !id.is_empty()).or(saved_id);
        let saved = saved.filter(|_| id == saved_id);
        let has_secret =
            self.is_secret_given() || saved.is_some_and(|saved| saved.client_secret.is_some());
        let id = id.is_none().then_some(CLIENT_ID);
        let secret = (!has_secret).then_some(CLIENT_SECRET);
        id.into_iter().chain(secret).collect()
    }

    /// Whether the secret is given. The file is not read: it may be a pipe.
    pub(super) fn is_secret_given(&self) -> bool {
        self.client_secret_file.is_some() || matches!(prompt::given_secret(None, None), Ok(Some(_)))
    }

    /// The secret as given, without a client id; `None` if it is not given.
    ///
    /// # Errors
    /// As [`prompt::given_secret`].
    pub(super) fn secret(&self) -> Result<Option<ClientSecret>, CommandError> {
        prompt::given_secret(self.client_secret_file.as_deref(), None)
    }
}
