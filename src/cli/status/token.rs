//! Where the token is that speaks for the profile. The keychain is not asked: it may want to be unlocked.

use serde::Serialize;

use crate::cli::CommandError;
use crate::cli::connection::{self, TOKEN_VARIABLE};
use crate::cli::context::Context;
use crate::connect::SecretStorage;

/// Where the token is, and since when it holds.
#[derive(Debug, Serialize)]
pub(super) struct TokenReport {
    /// `environment`, `keychain` or `file`; none without a connection.
    place: Option<&'static str>,
    /// The file of the saved connection; secrets stand in it only where the place is `file`.
    file: String,
    /// RFC 3339, of the saved connection.
    connected_at: Option<String>,
}

impl TokenReport {
    /// Looks for the profile's token.
    ///
    /// # Errors
    /// Where the saved connection cannot be read.
    pub(super) fn find(context: &Context) -> Result<Self, CommandError> {
        let secrets = connection::secrets(context);
        let saved = secrets.facts()?;
        let place = match (connection::token_of_environment(context)?, &saved) {
            (Some(_), _) => Some("environment"),
            (None, Some((_, place))) => Some(place.name()),
            (None, None) => None,
        };
        Ok(Self {
            place,
            file: secrets.file().display().to_string(),
            connected_at: saved.map(|(facts, _)| facts.connected_at),
        })
    }

    /// The line for a person.
    pub(super) fn text(&self) -> String {
        let place = match self.place {
            None => "none: connect with `gutterbatch connect`".to_owned(),
            Some("environment") => format!("from {TOKEN_VARIABLE}"),
            Some(place) if place == SecretStorage::Keychain.name() => "in the keychain".to_owned(),
            Some(_) => self.file.clone(),
        };
        format!("token         {place}")
    }
}
