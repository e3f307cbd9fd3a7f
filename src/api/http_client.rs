//! The HTTP client that all calls use. It reads whole responses of limited size.
//!
//! Redirects are not followed, so that a token is never sent to another host. The library does not retry, so that every
//! request is counted. No proxy is used for this machine. The size of a body is measured after decompression, because a
//! kilobyte of gzip can contain a gigabyte.

use std::error::Error;
use std::ffi::OsString;
use std::io;
use std::sync::OnceLock;

use reqwest::header::{ACCEPT, DATE, HeaderMap, HeaderName, LOCATION, RETRY_AFTER};
use reqwest::{ClientBuilder, Method, RequestBuilder, Response, redirect, retry};
use url::Url;

use crate::api::settings::is_loopback;
use crate::api::{
    BaseUrl, ClientSetupError, HttpResponse, ServiceVersion, Timeouts, TransportError,
};
use crate::model::printable;

/// Maximum size of a body in bytes. A measurement with every field at its documented limit and a hundred downspouts is
/// smaller than 100 kB.
pub(super) const BODY_LIMIT: usize = 8 * 1024 * 1024;

/// Sends requests to one service. Cheap to clone.
#[derive(Clone, Debug)]
pub(super) struct HttpClient {
    client: reqwest::Client,
}

impl HttpClient {
    /// Initializes the HTTP library for calls to `base_url`.
    pub(super) fn new(base_url: &BaseUrl, timeouts: Timeouts) -> Result<Self, ClientSetupError> {
        if !base_url.is_loopback() {
            require_valid_proxies()?;
        }
        install_crypto_provider();
        let client = builder(base_url, timeouts).build();
        let client = client.map_err(|error| ClientSetupError::HttpLibrary(root_cause(&error)))?;
        Ok(Self { client })
    }

    /// Returns a builder for a request.
    pub(super) fn request(&self, method: Method, url: Url) -> RequestBuilder {
        self.client.request(method, url)
    }

    /// Returns a builder for a call of the service's version.
    ///
    /// # Source
    /// S9. Whether the OAuth endpoints require the header is not documented; they accept it.
    pub(super) fn call(
        &self,
        method: Method,
        url: Url,
        version: &ServiceVersion,
    ) -> RequestBuilder {
        self.request(method, url)
            .header("Service-Version", version.as_str())
            .header(ACCEPT, "application/json")
    }

    /// Sends a request once and reads the whole response.
    pub(super) async fn send(
        &self,
        request: RequestBuilder,
    ) -> Result<HttpResponse, TransportError> {
        let response = request
            .send()
            .await
            .map_err(|error| transport_error(&error))?;
        let head = response_head(&response);
        let (body, end) = read_body(response).await;
        match end {
            // The meaning of these does not depend on their bodies.
            Err(_) if matches!(head.status, 401 | 429 | 500..) => Ok(HttpResponse { body, ..head }),
            Err(failure) => Err(failure),
            Ok(()) => Ok(HttpResponse { body, ..head }),
        }
    }
}

/// Installs a cryptography provider for rustls, which has none in this build; a client without one panics.
fn install_crypto_provider() {
    static INSTALLED: OnceLock<()> = OnceLock::new();
    INSTALLED.get_or_init(|| {
        // Fails only if another part of the process has installed one.
        let _ = rustls::crypto::ring::default_provider().install_default();
    });
}

/// Refuses what the library would ignore, and connect directly.
fn require_valid_proxies() -> Result<(), ClientSetupError> {
    let is_invalid = |(_, value): &(_, OsString)| !value.to_str().is_some_and(is_proxy_address);
    let invalid = proxies().find(is_invalid);
    invalid.map_or(Ok(()), |(name, _)| {
        Err(ClientSetupError::InvalidProxy(name))
    })
}

/// The environment variables that name a proxy, and their values.
fn proxies() -> impl Iterator<Item = (&'static str, OsString)> {
    let names = ["HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"];
    let set = names
        .into_iter()
        .filter_map(|name| Some((name, std::env::var_os(name)?)));
    set.filter(|(_, value)| !value.is_empty())
}

fn is_proxy_address(text: &str) -> bool {
    let scheme = if text.contains("://") { "" } else { "http://" };
    let url = Url::parse(&format!("{scheme}{text}"));
    text.is_ascii() && url.is_ok_and(|url| matches!(url.scheme(), "http" | "https"))
}

fn builder(base_url: &BaseUrl, timeouts: Timeouts) -> ClientBuilder {
    let builder = reqwest::Client::builder()
        .user_agent(concat!("gutterbatch/", env!("CARGO_PKG_VERSION")))
        .redirect(redirect::Policy::none())
        .retry(retry::never())
        .connect_timeout(timeouts.connect)
        .timeout(timeouts.call)
        .gzip(true);
    let builder = if base_url.is_loopback() {
        builder.no_proxy()
    } else {
        builder
    };
    if base_url.is_encrypted() {
        builder
    } else {
        // The library would load the root certificates, which takes time, and fail in a small container without them.
        builder.tls_certs_only([])
    }
}

fn response_head(response: &Response) -> HttpResponse {
    let header = |name: HeaderName| header_text(response.headers(), &name);
    HttpResponse {
        status: response.status().as_u16(),
        retry_after: header(RETRY_AFTER),
        date: header(DATE),
        location: header(LOCATION),
        body: Vec::new(),
    }
}

fn header_text(headers: &HeaderMap, name: &HeaderName) -> Option<String> {
    let value = headers.get(name)?;
    Some(String::from_utf8_lossy(value.as_bytes()).into_owned())
}

/// Reads the body. Returns what was received, and the error that ended it.
async fn read_body(mut response: Response) -> (Vec<u8>, Result<(), TransportError>) {
    let mut body = Vec::new();
    loop {
        match response.chunk().await {
            Ok(None) => return (body, Ok(())),
            Ok(Some(chunk)) if body.len() + chunk.len() > BODY_LIMIT => {
                return (body, Err(TransportError::TooLarge { limit: BODY_LIMIT }));
            }
            Ok(Some(chunk)) => body.extend_from_slice(&chunk),
            Err(error) => return (body, Err(transport_error(&error))),
        }
    }
}

/// Classifies an error of the HTTP library by its causes; the library's own kinds do not distinguish TLS errors. One that
/// came after the handshake, such as a damaged record, says nothing about whether the service has the request.
fn transport_error(error: &reqwest::Error) -> TransportError {
    if error.is_timeout() {
        TransportError::TimedOut
    } else if !error.is_connect() {
        TransportError::Incomplete(root_cause(error))
    } else if let Some(tls) = tls_error(error) {
        TransportError::Tls(printable(&tls.to_string()))
    } else {
        let url = error.url();
        let host = url.and_then(Url::host_str).unwrap_or("the service");
        let has_proxy = !url.is_some_and(is_loopback);
        let proxy = proxies().next().filter(|_| has_proxy);
        let proxy = proxy.map_or_else(String::new, |(name, _)| format!(" ({name} is set)"));
        TransportError::Connect(format!("{host}{proxy}: {}", root_cause(error)))
    }
}

fn tls_error<'a>(error: &'a (dyn Error + 'static)) -> Option<&'a rustls::Error> {
    causes(error).find_map(|cause| cause.downcast_ref())
}

fn root_cause(error: &(dyn Error + 'static)) -> String {
    let deepest = causes(error)
        .last()
        .expect("the error itself is the first of its causes");
    printable(&deepest.to_string())
}

fn causes<'a>(error: &'a (dyn Error + 'static)) -> impl Iterator<Item = &'a (dyn Error + 'static)> {
    std::iter::successors(Some(error), |error| next_cause(*error))
}

/// Returns the next cause of an error. `io::Error::source` skips the error that it wraps, so that one is requested
/// explicitly.
fn next_cause<'a>(error: &'a (dyn Error + 'static)) -> Option<&'a (dyn Error + 'static)> {
    let wrapped = error
        .downcast_ref::<io::Error>()
        .and_then(io::Error::get_ref);
    match wrapped {
        Some(inner) => Some(inner),
        None => error.source(),
    }
}
