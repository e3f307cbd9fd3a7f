//! The connection to one service, which the measurement calls and the OAuth calls share.

use reqwest::header::ACCEPT;
use reqwest::{Method, RequestBuilder};
use url::Url;

use crate::api::http_client::HttpClient;
use crate::api::{
    BaseUrl, ClientSetupError, HttpResponse, ServiceVersion, Timeouts, TransportError,
};

/// The base address, version and HTTP client of one service. Cheap to clone.
#[derive(Clone, Debug)]
pub(super) struct ServiceConnection {
    http: HttpClient,
    base_url: BaseUrl,
    version: ServiceVersion,
}

impl ServiceConnection {
    /// Creates a connection. Nothing is sent yet.
    ///
    /// # Errors
    /// Returns [`ClientSetupError::HttpLibrary`] if the HTTP library cannot be initialized.
    pub(super) fn new(
        base_url: BaseUrl,
        version: ServiceVersion,
        timeouts: Timeouts,
    ) -> Result<Self, ClientSetupError> {
        Ok(Self {
            http: HttpClient::new(&base_url, timeouts)?,
            base_url,
            version,
        })
    }

    /// Returns the service's base address.
    pub(super) fn base_url(&self) -> &BaseUrl {
        &self.base_url
    }

    /// Returns a builder for a request with the version header.
    ///
    /// # Source
    /// S9. Whether the OAuth endpoints require the header is not documented; they accept it.
    pub(super) fn request(&self, method: Method, url: Url) -> RequestBuilder {
        self.http
            .request(method, url)
            .header("Service-Version", self.version.as_str())
            .header(ACCEPT, "application/json")
    }

    /// Sends a request once and reads the whole response.
    ///
    /// # Errors
    /// Returns a [`TransportError`] if there is no complete response.
    pub(super) async fn send(
        &self,
        request: RequestBuilder,
    ) -> Result<HttpResponse, TransportError> {
        self.http.send(request).await
    }
}
