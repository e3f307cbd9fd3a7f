//! Where the token of the profile is stored. The keychain is not opened, because it may ask for a password.

use serde::Serialize;

use crate::cli::CommandError;
use crate::cli::connection::{self, TOKEN_VARIABLE};
use crate::cli::context::Context;
use crate::connect::SecretStorage;
use crate::model::json_time_of_service;

/// The place of a token that an environment variable gives.
const ENVIRONMENT: &str = "environment";

/// Where the token is stored, and since when the team is connected.
#[derive(Debug, Serialize)]
pub(super) struct TokenReport {
    /// `environment`, `keychain` or `file`; none without a connection.
    place: Option<&'static str>,
    /// The file of the saved connection; it contains secrets only if `place` is `file`.
    file: String,
    /// When the saved connection was made, RFC 3339.
    connected_at: Option<String>,
}

impl TokenReport {
    /// Finds the profile's token.
    ///
    /// # Errors
    /// If the saved connection cannot be read.
    pub(super) fn find(context: &Context) -> Result<Self, CommandError> {
        let secrets = connection::secrets(context);
        let saved = secrets.details()?;
        let place = match (connection::token_of_environment(context)?, &saved) {
            (Some(_), _) => Some(ENVIRONMENT),
            (None, Some((_, place))) => Some(place.name()),
            (None, None) => None,
        };
        Ok(Self {
            place,
            file: secrets.file().display().to_string(),
            connected_at: saved.map(|(details, _)| json_time_of_service(&details.connected_at)),
        })
    }

    /// Whether there is a token.
    pub(super) fn exists(&self) -> bool {
        self.place.is_some()
    }

    /// The report in one line.
    pub(super) fn text(&self) -> String {
        let place = match self.place {
            None => "none: connect with `gutterbatch connect`".to_owned(),
            Some(ENVIRONMENT) => format!("from {TOKEN_VARIABLE}"),
            Some(place) if place == SecretStorage::Keychain.name() => "in the keychain".to_owned(),
            Some(_) => self.file.clone(),
        };
        format!("token         {place}")
    }
}
