//! The connection of a command: address, version and token of the profile.

use crate::api::{ApiClient, BaseUrl, BearerToken};
use crate::cli::common_args::{SecretsArg, TOKEN_VARIABLE};
use crate::cli::context::Context;
use crate::cli::network::NetworkArgs;
use crate::cli::{CliError, CommandError};
use crate::connect::{SecretStorage, SecretStore, StoragePreference};

/// Creates the client of the profile.
///
/// # Errors
/// `ExitStatus::Usage` if a setting is missing, `ExitStatus::NotConnected` without a token, `ExitStatus::Unsafe` if
/// the saved token belongs to another service, `ExitStatus::Files` if it cannot be read.
pub(super) fn authorized_client(
    context: &Context,
    network: &NetworkArgs,
) -> Result<ApiClient, CommandError> {
    let base_url = context.base_url()?;
    let version = context.service_version()?;
    let token = token(context, &base_url)?;
    let client = ApiClient::new(base_url, version, token, network.timeouts())?;
    Ok(client)
}

/// The store of the profile's connection.
pub(super) fn secrets(context: &Context) -> SecretStore {
    secrets_of(context, &context.common.profile)
}

/// The store of another profile's connection.
pub(super) fn secrets_of(context: &Context, profile: &str) -> SecretStore {
    let preference = match context.common.secrets {
        SecretsArg::Keychain => StoragePreference::Only(SecretStorage::Keychain),
        SecretsArg::File => StoragePreference::Only(SecretStorage::File),
        SecretsArg::Auto => StoragePreference::Auto,
    };
    SecretStore::new(&context.home, profile, preference)
}

/// The token of the environment, if it is set.
///
/// # Errors
/// `ExitStatus::Usage` if it is not a valid token.
pub(super) fn token_of_environment() -> Result<Option<BearerToken>, CommandError> {
    let Some(text) = std::env::var_os(TOKEN_VARIABLE).filter(|text| !text.is_empty()) else {
        return Ok(None);
    };
    let token = text.to_str().and_then(BearerToken::new);
    let invalid = || CliError::InvalidToken(TOKEN_VARIABLE).into();
    token.map(Some).ok_or_else(invalid)
}

fn token(context: &Context, base_url: &BaseUrl) -> Result<BearerToken, CommandError> {
    if let Some(token) = token_of_environment()? {
        return Ok(token);
    }
    let profile = &context.common.profile;
    let Some(connection) = secrets(context).load()? else {
        return Err(CliError::NotConnected(profile.clone()).into());
    };
    if !connection.is_to(base_url) {
        return Err(CliError::OtherAddress {
            profile: profile.clone(),
            connected_to: connection.details.base_url,
            base_url: base_url.to_string(),
        }
        .into());
    }
    Ok(connection.token)
}
