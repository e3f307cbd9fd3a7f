//! The authorization-code flow from the listener to the stored token.
//!
//! A consent ends the team's earlier token. So everything that can fail without the service (the storage, the port) is
//! tried before the browser opens. Once the code is sent, nothing interrupts the flow until the token is stored, and a
//! token that is not stored is revoked.

use std::time::Duration;

use rand::TryRng as _;
use rand::rngs::SysRng;
use secrecy::{ExposeSecret, SecretString};
use tokio::time::timeout;

use crate::api::wire::TokenGrant;
use crate::api::{BearerToken, OauthApp, OauthClient, PendingAuthorization, RevocationCredentials};
use crate::connect::callback::{CallbackResult, CallbackServer, show};
use crate::connect::page::BrowserPage;
use crate::connect::{CheckedStorage, Connection, DiscardedToken, Error};
use crate::model::Account;

/// The parameters of a new connection.
#[derive(Clone, Debug)]
pub struct ConnectionRequest {
    /// Calls the service.
    pub oauth: OauthClient,
    /// The app that asks for consent.
    pub app: OauthApp,
    /// The port of this machine for the redirect URI; 0 means any free port.
    pub port: u16,
    /// How long to wait for the answer of the consent page.
    pub timeout: Duration,
    /// The account that the profile belongs to, if any; another team is refused.
    pub owner: Option<Account>,
}

/// Asks for consent, exchanges the code for a token, and stores the token. `open` is called with the link of the consent
/// page once the program listens for the answer; `interrupted` ends the wait for it.
///
/// # Errors
/// Any [`Error`] except those of settings. After every error except [`Error::Unstored`], nothing was stored.
///
/// # Source
/// S4.1, S4.2; RFC 8252; RFC 9700.
pub async fn run(
    request: ConnectionRequest,
    storage: CheckedStorage<'_>,
    open: impl FnOnce(&str),
    interrupted: impl Future<Output = ()>,
) -> Result<Connection, Error> {
    let port = request.port;
    let callback = CallbackServer::bind(port)
        .await
        .map_err(|source| Error::Port { port, source })?;
    let consent = PendingAuthorization::new(callback.redirect_uri(), random()?, random()?);
    let mut listener = callback.listen(consent.clone());
    let link = consent.authorization_url(request.oauth.base_url(), &request.app.client_id);
    open(link.as_str());
    let CallbackResult { answer, browser } = tokio::select! {
        answer = timeout(request.timeout, listener.answer()) => answer.map_err(|_| listener.timed_out(request.timeout))?,
        () = interrupted => return Err(Error::Interrupted),
    };
    let flow = ConnectionFlow {
        request: &request,
        consent: &consent,
        storage,
    };
    let outcome = flow.finish(answer).await;
    let page = match &outcome {
        Ok(_) => BrowserPage::CONNECTED,
        Err(Error::Denied) => BrowserPage::DENIED,
        Err(_) => BrowserPage::FAILED,
    };
    show(browser, page).await;
    outcome
}

/// The steps from the answer of the consent page to the stored token.
struct ConnectionFlow<'a> {
    request: &'a ConnectionRequest,
    consent: &'a PendingAuthorization,
    storage: CheckedStorage<'a>,
}

impl ConnectionFlow<'_> {
    async fn finish(&self, answer: Result<SecretString, Error>) -> Result<Connection, Error> {
        let code = answer?;
        let exchanged = self
            .request
            .oauth
            .exchange(&self.request.app, self.consent, code.expose_secret())
            .await;
        self.store(exchanged.map_err(Error::Exchange)?).await
    }

    /// Stores a new token, or revokes it if it belongs to another team or cannot be stored.
    async fn store(&self, grant: TokenGrant) -> Result<Connection, Error> {
        let connection = self.connection(grant);
        let details = &connection.details;
        let owner = self.request.owner.as_ref();
        if let Some(owner) = owner.filter(|owner| owner.team_id != details.team_id) {
            return Err(Error::OtherTeam {
                expected: format!("{} ({})", owner.team_name, owner.team_id),
                found: Box::new(details.clone()),
                token: self.revoke(&connection.token).await,
            });
        }
        if let Err(source) = self.storage.save(&connection) {
            let token = self.revoke(&connection.token).await;
            let source = Box::new(source);
            return Err(Error::Unstored { source, token });
        }
        Ok(connection)
    }

    fn connection(&self, grant: TokenGrant) -> Connection {
        let app = &self.request.app;
        Connection {
            details: Account {
                base_url: self.request.oauth.base_url().to_string(),
                client_id: app.client_id.clone(),
                app_name: None,
                team_id: grant.team.id,
                team_name: grant.team.name,
                connected_at: grant.connected_at,
            },
            token: grant.token,
            client_secret: Some(app.client_secret.clone()),
        }
    }

    async fn revoke(&self, token: &BearerToken) -> DiscardedToken {
        let app = &self.request.app;
        let credentials = RevocationCredentials {
            client_id: Some(app.client_id.clone()),
            client_secret: Some(app.client_secret.clone()),
        };
        match self.request.oauth.revoke(&credentials, token).await {
            Ok(()) => DiscardedToken::Revoked,
            Err(error) => DiscardedToken::Alive(error),
        }
    }
}

fn random() -> Result<[u8; 32], Error> {
    let mut bytes = [0; 32];
    SysRng
        .try_fill_bytes(&mut bytes)
        .map_err(|error| Error::Random(error.to_string()))?;
    Ok(bytes)
}
