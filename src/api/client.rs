//! The HTTP client for the measurement calls. Only this module and the revocation in `oauth` send the token.

use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, HeaderValue};
use reqwest::{Method, RequestBuilder};
use url::Url;

use crate::api::http_client::HttpClient;
use crate::api::{
    ApiCall, BaseUrl, BearerToken, ClientSetupError, HttpResponse, ServiceVersion, Timeouts,
    TransportError, wire,
};

/// Sends calls for one service and token. Cheap to clone.
#[derive(Clone, Debug)]
pub struct ApiClient {
    http: HttpClient,
    base_url: BaseUrl,
    version: ServiceVersion,
    token: BearerToken,
    timeouts: Timeouts,
}

impl ApiClient {
    /// Creates a client. Nothing is sent yet.
    ///
    /// # Errors
    /// Returns [`ClientSetupError::HttpLibrary`] if the HTTP library cannot be initialized.
    pub fn new(
        base_url: BaseUrl,
        version: ServiceVersion,
        token: BearerToken,
        timeouts: Timeouts,
    ) -> Result<Self, ClientSetupError> {
        Ok(Self {
            http: HttpClient::new(&base_url, timeouts)?,
            base_url,
            version,
            token,
            timeouts,
        })
    }

    /// Returns the timeouts of a call.
    pub fn timeouts(&self) -> Timeouts {
        self.timeouts
    }

    /// Returns the token of the calls.
    pub fn token(&self) -> &BearerToken {
        &self.token
    }

    /// Returns the service's base address.
    pub fn base_url(&self) -> &BaseUrl {
        &self.base_url
    }

    /// Sends `call` once and reads the whole response.
    ///
    /// # Errors
    /// Returns a [`TransportError`] if there is no complete response. A 4xx or 5xx is not an error but an
    /// [`HttpResponse`].
    ///
    /// # Source
    /// S4.4 to S4.6, S5, S9.
    pub async fn send(&self, call: ApiCall<'_>) -> Result<HttpResponse, TransportError> {
        let request = match call {
            ApiCall::Me => self.request(Method::GET, self.base_url.join("/me")),
            ApiCall::Create(request) => self
                .request(Method::POST, self.base_url.join("/measurements"))
                .header(CONTENT_TYPE, "application/json")
                .body(wire::request_body(request)),
            ApiCall::Read { measurement_id, .. } => {
                self.request(Method::GET, self.measurement_url(measurement_id))
            }
        };
        let response = self.http.send(request).await?;
        Ok(response
            .redacted(&[self.token.expose()])
            .with_whole_characters())
    }

    fn request(&self, method: Method, url: Url) -> RequestBuilder {
        self.http
            .call(method, url, &self.version)
            .header(AUTHORIZATION, bearer(&self.token))
    }

    fn measurement_url(&self, measurement_id: &str) -> Url {
        let mut url = self.base_url.join("/measurements");
        url.path_segments_mut()
            .expect("an http address has a path")
            .push(measurement_id);
        url
    }
}

/// Returns the value of the `Authorization` header.
pub(super) fn bearer(token: &BearerToken) -> HeaderValue {
    let bearer = format!("Bearer {}", token.expose());
    let mut bearer = HeaderValue::try_from(bearer)
        .expect("a token of graphic ASCII characters can stand in a header");
    // Logged headers show `Sensitive` instead of the value.
    bearer.set_sensitive(true);
    bearer
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_stays_one_segment_of_the_path() {
        let client = ApiClient::new(
            "http://127.0.0.1:1/base".parse().unwrap(),
            "2026-01-01".parse().unwrap(),
            BearerToken::new("secret").unwrap(),
            Timeouts::default(),
        )
        .unwrap();
        let path = |id| client.measurement_url(id).path().to_owned();
        assert_eq!(path("msr_1"), "/base/measurements/msr_1");
        assert_eq!(
            path("msr_/../me?a#b%2f é"),
            "/base/measurements/msr_%2F..%2Fme%3Fa%23b%252f%20%C3%A9"
        );
    }
}
