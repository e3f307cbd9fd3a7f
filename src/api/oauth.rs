//! The OAuth endpoints: the URL of the consent page, the exchange of a code for a token, and the revocation of a token.
//!
//! Implemented here because only one URL and two forms are needed, and because the `oauth2` crate prints token
//! responses that it cannot parse, including the token, and refuses to revoke at a loopback address. The code challenge
//! is tested against the example of RFC 7636. No call is retried: a code can be used once, and a lost response may have
//! been a success.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use reqwest::header::AUTHORIZATION;
use reqwest::{Method, RequestBuilder};
use ring::digest::{SHA256, digest};
use secrecy::{ExposeSecret, SecretString};
use url::Url;

use crate::api::client::bearer;
use crate::api::http_client::HttpClient;
use crate::api::verdict::redirect_target;
use crate::api::wire::{self, TokenGrant};
use crate::api::{
    BaseUrl, BearerToken, CallObserver, ClientSecret, ClientSetupError, HttpResponse,
    ServiceVersion, Timeouts, TransportError,
};
use crate::model::printable;

/// The app's credentials from the service's developer dashboard.
///
/// # Source
/// S2.1.
#[derive(Clone, Debug)]
pub struct OauthApp {
    /// The client id, which is not secret.
    pub client_id: String,
    /// The client secret.
    pub client_secret: ClientSecret,
}

/// The known credentials of the app whose token is revoked.
#[derive(Clone, Debug, Default)]
pub struct RevocationCredentials {
    /// The app's client id.
    pub client_id: Option<String>,
    /// The app's client secret; unknown for a token that was obtained elsewhere.
    pub client_secret: Option<ClientSecret>,
}

/// An authorization that was requested: the expected state, and the PKCE verifier.
#[derive(Clone, Debug)]
pub struct PendingAuthorization {
    state: SecretString,
    verifier: SecretString,
    redirect_uri: String,
}

impl PendingAuthorization {
    /// Starts an authorization that redirects to `redirect_uri`. Both seeds must be fresh random bytes.
    pub fn new(redirect_uri: String, state: [u8; 32], verifier: [u8; 32]) -> Self {
        // 32 bytes become 43 characters, the minimum length of a verifier (RFC 7636 section 4.1).
        Self {
            state: URL_SAFE_NO_PAD.encode(state).into(),
            verifier: URL_SAFE_NO_PAD.encode(verifier).into(),
            redirect_uri,
        }
    }

    /// Returns the URL of the consent page.
    ///
    /// # Source
    /// S4.1.
    pub fn authorization_url(&self, base_url: &BaseUrl, client_id: &str) -> Url {
        let mut url = base_url.join("/oauth/authorize");
        url.query_pairs_mut()
            .append_pair("client_id", client_id)
            .append_pair("redirect_uri", &self.redirect_uri)
            .append_pair("response_type", "code")
            .append_pair("state", self.state.expose_secret())
            .append_pair(
                "code_challenge",
                &code_challenge(self.verifier.expose_secret()),
            )
            .append_pair("code_challenge_method", "S256");
        url
    }

    /// Whether `state` is the one that was sent. Digests are compared, so that timing reveals nothing about it.
    pub fn matches_state(&self, state: &str) -> bool {
        let sha256 = |text: &str| digest(&SHA256, text.as_bytes());
        sha256(self.state.expose_secret()).as_ref() == sha256(state).as_ref()
    }
}

/// Returns the PKCE code challenge of a verifier.
///
/// # Source
/// RFC 7636 section 4.2.
fn code_challenge(verifier: &str) -> String {
    URL_SAFE_NO_PAD.encode(digest(&SHA256, verifier.as_bytes()))
}

/// Why a call of an OAuth endpoint failed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OauthError {
    /// There is no complete response.
    #[error(transparent)]
    Transport(#[from] TransportError),
    /// An error in the format that OAuth defines.
    #[error("{error}{}", after(", ", .description.as_ref()))]
    Refused {
        /// The error code, for instance `invalid_grant`.
        error: String,
        /// The description for people, if there is one.
        description: Option<String>,
    },
    /// An error in the format of the service's other calls, for instance about the version.
    #[error("{status} {code}")]
    Service {
        /// HTTP status.
        status: u16,
        /// The service's error code.
        code: String,
    },
    /// A redirect, which is not followed.
    #[error("the service redirects {}", redirect_target(.location.as_deref()))]
    Redirected {
        /// The `Location` of the response.
        location: Option<String>,
    },
    /// A response that is not from an OAuth endpoint. Its body is never shown, because it may contain a token.
    #[error("status {status}, {reason}")]
    NotOauth {
        /// HTTP status.
        status: u16,
        /// What is wrong with it.
        reason: String,
    },
}

fn after(separator: &str, description: Option<&String>) -> String {
    description.map_or_else(String::new, |description| {
        format!("{separator}{description}")
    })
}

/// Calls the OAuth endpoints.
#[derive(Clone, Debug)]
pub struct OauthClient {
    http: HttpClient,
    base_url: BaseUrl,
    version: ServiceVersion,
    observer: CallObserver,
}

impl OauthClient {
    /// Creates a client. Nothing is sent yet.
    ///
    /// # Errors
    /// Returns [`ClientSetupError::HttpLibrary`] if the HTTP library cannot be initialized.
    pub fn new(
        base_url: BaseUrl,
        version: ServiceVersion,
        timeouts: Timeouts,
    ) -> Result<Self, ClientSetupError> {
        Ok(Self {
            http: HttpClient::new(&base_url, timeouts)?,
            base_url,
            version,
            observer: CallObserver::default(),
        })
    }

    /// Sets the observer of the calls.
    #[must_use]
    pub fn observed_by(self, observer: CallObserver) -> Self {
        Self { observer, ..self }
    }

    /// Returns the service's base address.
    pub fn base_url(&self) -> &BaseUrl {
        &self.base_url
    }

    /// Exchanges the code that `consent` received for a token of the app. It invalidates the team's earlier token.
    ///
    /// # Errors
    /// Returns an [`OauthError`]. After [`OauthError::Transport`] the service may have accepted the code.
    ///
    /// # Source
    /// S4.2, S2.2.
    pub async fn exchange(
        &self,
        app: &OauthApp,
        consent: &PendingAuthorization,
        code: &str,
    ) -> Result<TokenGrant, OauthError> {
        let form = [
            ("grant_type", "authorization_code"),
            ("code", code),
            ("redirect_uri", &consent.redirect_uri),
            ("client_id", &app.client_id),
            ("client_secret", app.client_secret.expose()),
            ("code_verifier", consent.verifier.expose_secret()),
        ];
        let request = self.post_form("/oauth/token", &form);
        let call = self.http.send(request);
        let response = self.observer.observe("/oauth/token", call).await?;
        let (secret, verifier) = (&app.client_secret, &consent.verifier);
        let response = response.redacted(&[code, secret.expose(), verifier.expose_secret()]);
        let foreign = |reason| OauthError::NotOauth {
            status: response.status,
            reason,
        };
        if !(200..300).contains(&response.status) {
            return Err(error_response(&response));
        }
        let json = response
            .json()
            .ok_or_else(|| foreign("not an object in UTF-8".to_owned()))?;
        wire::grant(json).map_err(|error| foreign(error.to_string()))
    }

    /// Revokes `token`. The parameters are those of RFC 7009 with the known credentials, because the service's
    /// description shows neither parameters nor authentication of this call. Without a secret, the token authenticates
    /// itself.
    ///
    /// # Errors
    /// Returns an [`OauthError`] if the service does not confirm it.
    ///
    /// # Source
    /// S4.3; RFC 7009 section 2.
    pub async fn revoke(
        &self,
        credentials: &RevocationCredentials,
        token: &BearerToken,
    ) -> Result<(), OauthError> {
        let mut form = vec![
            ("token", token.expose()),
            ("token_type_hint", "access_token"),
        ];
        if let Some(client_id) = &credentials.client_id {
            form.push(("client_id", client_id));
        }
        if let Some(secret) = &credentials.client_secret {
            form.push(("client_secret", secret.expose()));
        }
        let mut request = self.post_form("/oauth/revoke", &form);
        if credentials.client_secret.is_none() {
            request = request.header(AUTHORIZATION, bearer(token));
        }
        let call = self.http.send(request);
        let response = self.observer.observe("/oauth/revoke", call).await?;
        let credential = credentials.client_secret.as_ref();
        let secret = credential.map_or("", ClientSecret::expose);
        let response = response.redacted(&[token.expose(), secret]);
        if (200..300).contains(&response.status) {
            Ok(())
        } else {
            Err(error_response(&response))
        }
    }

    fn post_form(&self, path: &str, form: &[(&str, &str)]) -> RequestBuilder {
        let url = self.base_url.join(path);
        let call = self.http.call(Method::POST, url, &self.version);
        call.form(form)
    }
}

fn error_response(response: &HttpResponse) -> OauthError {
    let status = response.status;
    if (300..400).contains(&status) {
        let location = response.location.as_deref().map(printable);
        return OauthError::Redirected { location };
    }
    if let Ok((error, description)) = wire::oauth_error(&response.text()) {
        return OauthError::Refused {
            error: printable(&error),
            description: description.as_deref().map(printable),
        };
    }
    match wire::service_error(&response.text()) {
        Ok(error) => OauthError::Service {
            status,
            code: printable(&error.code),
        },
        Err(_) => OauthError::NotOauth {
            status,
            reason: "its body has no OAuth error".to_owned(),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_challenge_is_the_one_of_rfc_7636_appendix_b() {
        assert_eq!(
            code_challenge("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"),
            "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
        );
    }

    #[test]
    fn the_link_carries_all_six_parameters_and_no_verifier() {
        let consent = PendingAuthorization::new(
            "http://127.0.0.1:4711/callback".to_owned(),
            [1; 32],
            [2; 32],
        );
        let base_url: BaseUrl = "https://s.example/base".parse().unwrap();
        let link = consent.authorization_url(&base_url, "app & co");
        let names: Vec<_> = link
            .query_pairs()
            .map(|(name, _)| name.into_owned())
            .collect();
        assert_eq!(
            names,
            [
                "client_id",
                "redirect_uri",
                "response_type",
                "state",
                "code_challenge",
                "code_challenge_method"
            ]
        );
        assert_eq!(link.path(), "/base/oauth/authorize");
        assert!(!link.as_str().contains(consent.verifier.expose_secret()));
    }

    #[test]
    fn a_verifier_has_between_43_and_128_unreserved_characters() {
        let consent = PendingAuthorization::new(String::new(), [255; 32], [254; 32]);
        let verifier = consent.verifier.expose_secret();
        assert!((43..=128).contains(&verifier.len()));
        assert!(
            verifier
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte))
        );
    }

    #[test]
    fn only_the_state_that_was_sent_answers_a_consent() {
        let consent = PendingAuthorization::new(String::new(), [7; 32], [8; 32]);
        assert!(consent.matches_state(&URL_SAFE_NO_PAD.encode([7; 32])));
        for forged in ["", "x", &URL_SAFE_NO_PAD.encode([9; 32])] {
            assert!(!consent.matches_state(forged), "{forged}");
        }
    }

    #[test]
    fn nothing_secret_prints() {
        let consent = PendingAuthorization::new(String::new(), [7; 32], [8; 32]);
        let shown = format!("{consent:?}");
        for seed in [[7; 32], [8; 32]] {
            assert!(!shown.contains(&URL_SAFE_NO_PAD.encode(seed)), "{shown}");
        }
    }
}
