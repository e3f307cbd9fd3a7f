//! The connection that a command speaks through: address, version and token of the profile, and where each is from.

use std::time::Duration;

use crate::api::{BaseUrl, Client, Token};
use crate::cli::context::{Context, Voice};
use crate::cli::network::Network;
use crate::cli::{Exit, Failure, shell};
use crate::connect::{Place, Secrets, Wish};

/// Holds a token for the whole process, in place of the saved one.
pub(super) const TOKEN_VARIABLE: &str = "GUTTERBATCH_TOKEN";

/// A client that may speak for the team, and the token that it speaks with.
#[derive(Clone, Debug)]
pub(super) struct Permitted {
    /// Sends the calls.
    pub(super) client: Client,
    /// For the journal, which knows by its fingerprint whether it was proved.
    pub(super) token: Token,
}

/// The client of the profile.
///
/// # Errors
/// [`Exit::Usage`] for settings that are missing, [`Exit::NotConnected`] without a token, [`Exit::Unsafe`] where the
/// saved token is another service's, [`Exit::Files`] where it cannot be read.
pub(super) fn permitted(context: &Context, network: &Network) -> Result<Permitted, Failure> {
    let base_url = context.base_url()?;
    let version = context.service_version()?;
    let token = token(context, &base_url)?;
    let client = Client::new(base_url, version, token.clone(), network.timeouts())?;
    Ok(Permitted { client, token })
}

/// Where the profile's connection is saved.
pub(super) fn secrets(context: &Context) -> Secrets {
    let wish = match context.common.secrets.as_str() {
        "keychain" => Wish::Only(Place::Keychain),
        "file" => Wish::Only(Place::File),
        _ => Wish::Auto,
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
    Secrets::new(&context.home, &context.common.profile, wish, on_wait)
}

/// The token of the environment, if it is set.
///
/// # Errors
/// [`Exit::Usage`] for one that cannot be a token.
pub(super) fn token_of_environment(context: &Context) -> Result<Option<Token>, Failure> {
    if context.voice != Voice::Anyone {
        return Ok(None);
    }
    let Some(text) = std::env::var_os(TOKEN_VARIABLE).filter(|text| !text.is_empty()) else {
        return Ok(None);
    };
    let token = text.to_str().and_then(Token::new);
    token.map(Some).ok_or_else(|| {
        let message = format!("{TOKEN_VARIABLE} holds no token");
        Failure::new(Exit::Usage, message).hinted("a token is one word of plain characters")
    })
}

fn token(context: &Context, base_url: &BaseUrl) -> Result<Token, Failure> {
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
        return Err(Failure::new(Exit::Unsafe, message).hinted(
            "leave the address to the profile, or give each service a profile of its own: --profile NAME",
        ));
    }
    Ok(connection.token)
}

/// No token for this profile.
pub(super) fn not_connected(profile: &str) -> Failure {
    let command = match profile {
        "default" => shell::command(["connect"]),
        profile => shell::command(["connect", "--profile", profile]),
    };
    Failure::new(
        Exit::NotConnected,
        format!("profile `{profile}` is not connected"),
    )
    .hinted(format!("{command}, or set {TOKEN_VARIABLE}"))
}
