//! The authorization-code flow from the listener to the stored token.
//!
//! The order is the point. Whatever can fail without the service (the place for the token, the port) fails before the
//! browser opens, because a consent ends the team's earlier token. Once the code is sent, nothing stops on the way to
//! the stored token, and a token that is not to be kept is revoked.

use std::time::Duration;

use rand::TryRng as _;
use rand::rngs::SysRng;
use secrecy::{ExposeSecret, SecretString};
use tokio::time::timeout;

use crate::api::wire::TokenGrant;
use crate::api::{
    BaseUrl, BearerToken, OauthApp, OauthClient, PendingAuthorization, ServiceVersion, Timeouts,
};
use crate::connect::callback::{CallbackListener, CallbackResult, CallbackServer};
use crate::connect::page::BrowserPage;
use crate::connect::{Connection, ConnectionDetails, DiscardedToken, Error, ProvenStorage};

/// All that a connection is made with.
#[derive(Clone, Debug)]
pub struct ConnectionRequest {
    /// The service.
    pub base_url: BaseUrl,
    /// Its version.
    pub version: ServiceVersion,
    /// The app.
    pub app: OauthApp,
    /// Where to listen on this machine; 0 for any free port.
    pub port: u16,
    /// How long a person may take.
    pub patience: Duration,
    /// How long a call may take.
    pub timeouts: Timeouts,
    /// The team that the profile belongs to, where it does; any other is refused.
    pub expected: Option<ExpectedTeam>,
}

/// The team that a profile belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExpectedTeam {
    /// The team's id.
    pub team_id: String,
    /// The team's name.
    pub team_name: String,
}

/// Asks for consent, and stores the token that it gives. `open` is handed the link once everything is ready for the
/// answer; `interrupted` ends the wait for it.
///
/// # Errors
/// Any [`Error`] but those of settings. Unless it is [`Error::Unstored`], nothing was stored.
///
/// # Source
/// S4.1, S4.2; RFC 8252; RFC 9700.
pub async fn run(
    plan: ConnectionRequest,
    vault: ProvenStorage<'_>,
    open: impl FnOnce(&str),
    interrupted: impl Future<Output = ()>,
) -> Result<Connection, Error> {
    let port = plan.port;
    let callback = CallbackServer::bind(port)
        .await
        .map_err(|source| Error::Port { port, source })?;
    let consent = PendingAuthorization::new(callback.redirect_uri(), random()?, random()?);
    let oauth = OauthClient::new(
        plan.base_url.clone(),
        plan.version.clone(),
        plan.app.clone(),
        plan.timeouts,
    )?;
    let mut landing = callback.listen(consent.clone());
    open(oauth.authorization_url(&consent).as_str());
    let CallbackResult { answer, browser } = tokio::select! {
        landed = timeout(plan.patience, landing.hit()) => landed.map_err(|_| Error::TimedOut(plan.patience))?,
        () = interrupted => return Err(Error::Interrupted),
    };
    let flow = ConnectionFlow {
        plan: &plan,
        oauth: &oauth,
        consent: &consent,
        vault,
    };
    let outcome = flow.finish(answer, &landing).await;
    let page = match &outcome {
        Ok(connection) => BrowserPage::connected(&connection.facts.team_name),
        Err(error) => BrowserPage::failed(error),
    };
    browser.show(page).await;
    outcome
}

/// From the browser's answer to the stored token.
struct ConnectionFlow<'a> {
    plan: &'a ConnectionRequest,
    oauth: &'a OauthClient,
    consent: &'a PendingAuthorization,
    vault: ProvenStorage<'a>,
}

impl ConnectionFlow<'_> {
    async fn finish(
        &self,
        answer: Result<SecretString, Error>,
        landing: &CallbackListener,
    ) -> Result<Connection, Error> {
        let code = answer?;
        let exchanged = self
            .oauth
            .exchange(self.consent, code.expose_secret())
            .await;
        self.keep(exchanged.map_err(Error::Exchange)?, landing)
            .await
    }

    /// Stores a fresh grant, or ends it where it must not be kept.
    async fn keep(
        &self,
        grant: TokenGrant,
        landing: &CallbackListener,
    ) -> Result<Connection, Error> {
        let connection = self.connection(grant);
        let facts = &connection.facts;
        if landing.is_repeated() {
            self.revoke(&connection.token).await;
            return Err(Error::Twice);
        }
        let expected = self.plan.expected.as_ref();
        if let Some(expected) = expected.filter(|team| team.team_id != facts.team_id) {
            return Err(Error::OtherTeam {
                expected: format!("{} ({})", expected.team_name, expected.team_id),
                found: Box::new(facts.clone()),
                token: self.revoke(&connection.token).await,
            });
        }
        if let Err(source) = self.vault.save(&connection) {
            let token = self.revoke(&connection.token).await;
            let source = Box::new(source);
            return Err(Error::Unstored { source, token });
        }
        Ok(connection)
    }

    fn connection(&self, grant: TokenGrant) -> Connection {
        let app = &self.plan.app;
        Connection {
            facts: ConnectionDetails {
                base_url: self.plan.base_url.to_string(),
                client_id: app.client_id.clone(),
                app_name: None,
                team_id: grant.team_id,
                team_name: grant.team_name,
                connected_at: grant.connected_at,
            },
            token: grant.token,
            client_secret: Some(app.client_secret.clone()),
        }
    }

    async fn revoke(&self, token: &BearerToken) -> DiscardedToken {
        match self.oauth.revoke(token).await {
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
