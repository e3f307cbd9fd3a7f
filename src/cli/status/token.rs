//! Where the token of the profile is stored. The keychain is not opened, because it may ask for a password.

use std::path::Path;

use jiff::Timestamp;
use serde::Serialize;

use crate::cli::common_args::TOKEN_VARIABLE;
use crate::cli::connection;
use crate::cli::context::Context;
use crate::cli::{CommandError, clock};
use crate::connect::SecretStorage;
use crate::journal::TokenRefusal;
use crate::model::{json_time, json_time_of_service};

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
    /// When the service refused the token, RFC 3339; `None` if it accepted it since, or if there is a newer connection.
    refused_at: Option<String>,
    #[serde(skip)]
    refused: Option<Timestamp>,
}

impl TokenReport {
    /// Finds the profile's token; `refusal` is the newest response, if it refused a token.
    ///
    /// # Errors
    /// If the saved connection cannot be read.
    pub(super) fn find(
        context: &Context,
        refusal: Option<&TokenRefusal>,
    ) -> Result<Self, CommandError> {
        let secrets = connection::secrets(context);
        let saved = secrets.details()?;
        let of_environment = connection::token_of_environment()?;
        let place = of_environment.as_ref().map(|_| ENVIRONMENT);
        let place = place.or(saved.as_ref().map(|(_, place)| place.name()));
        let refusal = refusal.filter(|refusal| match (&of_environment, &saved) {
            (Some(token), _) => refusal.concerns(token.expose()),
            (None, Some((_, SecretStorage::File))) => {
                // A file whose token cannot be read is reported by the commands that need it.
                let saved = secrets.load().ok().flatten();
                saved.is_none_or(|saved| refusal.concerns(saved.token.expose()))
                    && !was_written_after(secrets.file(), refusal.at)
            }
            (None, Some(_)) => !was_written_after(secrets.file(), refusal.at),
            (None, None) => false,
        });
        let refused = refusal.map(|refusal| refusal.at);
        Ok(Self {
            place,
            file: secrets.file().display().to_string(),
            connected_at: saved.map(|(details, _)| json_time_of_service(&details.connected_at)),
            refused_at: refused.map(json_time),
            refused,
        })
    }

    /// Why there is no usable token, as far as it is known; `None` if there is one. `connect` helps.
    pub(super) fn problem(&self, now: Timestamp) -> Option<String> {
        match (self.place, self.refused) {
            (None, _) => Some("not connected".to_owned()),
            (Some(_), None) => None,
            (Some(place), Some(at)) => {
                let (token, advice) = match place {
                    ENVIRONMENT => (
                        " in GUTTERBATCH_TOKEN",
                        "; put a new one there, or unset it and connect again",
                    ),
                    _ => ("", ""),
                };
                let at = clock::local(at, now);
                Some(format!(
                    "the service refused the token{token} at {at}{advice}"
                ))
            }
        }
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

/// Whether the file of the saved connection is newer, so that its token is another one.
fn was_written_after(file: &Path, at: Timestamp) -> bool {
    let modified = file.metadata().and_then(|metadata| metadata.modified());
    modified.is_ok_and(|modified| Timestamp::try_from(modified).is_ok_and(|modified| modified > at))
}
