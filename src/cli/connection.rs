//! The connection that a command speaks through: address, version and token of the profile, and where each is from.

use std::time::Duration;

use crate::api::{ApiClient, BaseUrl, BearerToken};
use crate::cli::context::{Context, TokenSource};
use crate::cli::network::NetworkArgs;
use crate::cli::{CommandError, ExitStatus, shell};
use crate::connect::{SecretStorage, SecretStore, StoragePreference};

/// Holds a token for the whole process, in place of the saved one.
pub(super) const TOKEN_VARIABLE: &str = "GUTTERBATCH_TOKEN";

/// A client that may speak for the team, and the token that it speaks with.
#[derive(Clone, Debug)]
pub(super) struct AuthorizedClient {
    /// Sends the calls.
    pub(super) client: ApiClient,
    /// For the journal, which knows by its fingerprint whether it was proved.
    pub(super) token: BearerToken,
}

/// The client of the profile.
///
/// # Errors
/// [`ExitStatus::Usage`] for settings that are missing, [`ExitStatus::NotConnected`] without a token, [`ExitStatus::Unsafe`] where the
/// saved token is another service's, [`ExitStatus::Files`] where it cannot be read.
pub(super) fn permitted(
    context: &Context,
    network: &NetworkArgs,
) -> Result<AuthorizedClient, CommandError> {
    let base_url = context.base_url()?;
    let version = context.service_version()?;
    let token = token(context, &base_url)?;
    let client = ApiClient::new(base_url, version, token.clone(), network.timeouts())?;
    Ok(AuthorizedClient { client, token })
}

/// Where the profile's connection is saved.
pub(super) fn secrets(context: &Context) -> SecretStore {
    let wish = match context.common.secrets.as_str() {
        "keychain" => StoragePreference::Only(SecretStorage::Keychain),
        "file" => StoragePreference::Only(SecretStorage::File),
        _ => StoragePreference::Auto,
    };
    let console = context.console.clone();
    let on_wait = move |patience: Duration| {
        console.say(&format!(
            "waiting for the keychain, up to {} seconds; it may ask for its password in a window of its own",
            patience.as_secs()
        ));
        console
            .say("to keep secrets in a private file instead: gutterbatch connect --secrets file");
    };
    SecretStore::new(&context.home, &context.common.profile, wish, on_wait)
}

/// The token of the environment, if it is set.
///
/// # Errors
/// [`ExitStatus::Usage`] for one that cannot be a token.
pub(super) fn token_of_environment(context: &Context) -> Result<Option<BearerToken>, CommandError> {
    if context.voice != TokenSource::Anyone {
        return Ok(None);
    }
    let Some(text) = std::env::var_os(TOKEN_VARIABLE).filter(|text| !text.is_empty()) else {
        return Ok(None);
    };
    let token = text.to_str().and_then(BearerToken::new);
    token.map(Some).ok_or_else(|| {
        let message = format!("{TOKEN_VARIABLE} holds no token");
        CommandError::new(ExitStatus::Usage, message)
            .hinted("a token is one word of plain characters")
    })
}

fn token(context: &Context, base_url: &BaseUrl) -> Result<BearerToken, CommandError> {
    if let Some(token) = token_of_environment(context)? {
        return Ok(token);
    }
    let profile = &context.common.profile;
    let Some(connection) = secrets(context).load()? else {
        return Err(not_connected(profile));
    };
    let theirs = &connection.facts.base_url;
    if *theirs != base_url.to_string() {
        // A token goes to the service that gave it, and nowhere else.
        let message = format!("profile `{profile}` is connected to {theirs}, not to {base_url}");
        return Err(CommandError::new(ExitStatus::Unsafe, message).hinted(
            "leave the address to the profile, or give each service a profile of its own: --profile NAME",
        ));
    }
    Ok(connection.token)
}

/// No token for this profile.
pub(super) fn not_connected(profile: &str) -> CommandError {
    let command = match profile {
        "default" => shell::command(["connect"]),
        profile => shell::command(["connect", "--profile", profile]),
    };
    CommandError::new(
        ExitStatus::NotConnected,
        format!("profile `{profile}` is not connected"),
    )
    .hinted(format!("{command}, or set {TOKEN_VARIABLE}"))
}
