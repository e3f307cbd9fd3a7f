//! Downloads images from the URLs in results: over https, limited in size, and never with a token. Loopback addresses,
//! including http, are allowed only if the service itself is on this machine.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};

use reqwest::Method;
use url::{Host, Url};

use crate::api::http_client::HttpClient;
use crate::api::{BaseUrl, Timeouts, TransportError};

/// Why an image was not downloaded.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ImageError {
    /// The URL is neither https nor http on loopback.
    #[error("its address is not safe")]
    UnsafeUrl,
    /// The URL is on this machine, but the service is not.
    #[error("its address is on this machine, and the service is not")]
    Loopback,
    /// There is no complete response.
    #[error(transparent)]
    Transport(#[from] TransportError),
    /// The response has a status other than 200. It holds the status.
    #[error("the status was {0}")]
    Status(u16),
    /// The body is neither PNG nor JPEG.
    #[error("it is neither PNG nor JPEG")]
    NotAnImage,
}

/// The format of an image, detected from its first bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ImageKind {
    /// PNG.
    Png,
    /// JPEG.
    Jpeg,
}

impl ImageKind {
    /// Returns the usual file extension.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Png => "png",
            Self::Jpeg => "jpg",
        }
    }

    /// Returns the kind of an image by its first bytes; `None` for anything else.
    pub fn detect(bytes: &[u8]) -> Option<Self> {
        if bytes.starts_with(b"\x89PNG\r\n\x1a\n") {
            Some(Self::Png)
        } else if bytes.starts_with(b"\xff\xd8\xff") {
            Some(Self::Jpeg)
        } else {
            None
        }
    }
}

/// Downloads images, with one HTTP client per host.
#[derive(Debug)]
pub struct ImageClient {
    timeouts: Timeouts,
    /// Whether the service is on this machine, so that its images may be too.
    is_service_here: bool,
    hosts: Mutex<HashMap<String, HttpClient>>,
}

impl ImageClient {
    /// Creates a client. Nothing is sent yet. The responses of a service on another machine, or of an unknown one, must
    /// not reach programs on this machine.
    pub fn new(timeouts: Timeouts, service: Option<&BaseUrl>) -> Self {
        Self {
            timeouts,
            is_service_here: service.is_some_and(BaseUrl::is_loopback),
            hosts: Mutex::default(),
        }
    }

    /// Downloads a whole image.
    ///
    /// # Errors
    /// Returns an [`ImageError`] if the image is not allowed or not downloaded.
    ///
    /// # Source
    /// S2.4, `asset_pack` rules: the URLs are public.
    pub async fn fetch(&self, address: &str) -> Result<(ImageKind, Vec<u8>), ImageError> {
        let url = Url::parse(address).map_err(|_| ImageError::UnsafeUrl)?;
        if !self.is_service_here && may_be_loopback(&url) {
            return Err(ImageError::Loopback);
        }
        let http = self.http(&url)?;
        let response = http.send(http.request(Method::GET, url)).await?;
        if response.status != 200 {
            return Err(ImageError::Status(response.status));
        }
        let kind = ImageKind::detect(&response.body).ok_or(ImageError::NotAnImage)?;
        Ok((kind, response.body))
    }

    /// Returns the client for a URL's host. Hosts must satisfy the rules of [`BaseUrl`].
    fn http(&self, url: &Url) -> Result<HttpClient, ImageError> {
        let host = url.origin().ascii_serialization();
        let mut hosts = self.hosts.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(http) = hosts.get(&host) {
            return Ok(http.clone());
        }
        let base: BaseUrl = host.parse().map_err(|_| ImageError::UnsafeUrl)?;
        let http = HttpClient::new(&base, self.timeouts).map_err(|_| ImageError::UnsafeUrl)?;
        hosts.insert(host, http.clone());
        Ok(http)
    }
}

/// Whether a URL may denote this machine, without a name look-up; [`BaseUrl::is_loopback`] is true for fewer.
fn may_be_loopback(url: &Url) -> bool {
    let is_here = |address: IpAddr| address.is_loopback() || address.is_unspecified();
    match url.host() {
        Some(Host::Ipv4(address)) => is_here(address.into()),
        Some(Host::Ipv6(address)) => is_here(address.to_canonical()),
        Some(Host::Domain(name)) => {
            let name = name.trim_end_matches('.');
            name == "localhost" || name.ends_with(".localhost")
        }
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    const TIMEOUTS: Timeouts = Timeouts {
        connect: Duration::from_secs(1),
        call: Duration::from_secs(1),
    };

    #[tokio::test]
    async fn loopback_urls_are_fetched_only_from_a_loopback_service() {
        let elsewhere = ImageClient::new(TIMEOUTS, None);
        let service: BaseUrl = "http://127.0.0.1:1".parse().unwrap();
        let here = ImageClient::new(TIMEOUTS, Some(&service));
        for address in [
            "http://127.0.0.1:1/a.png",
            "https://127.8.0.1:1/a.png",
            "https://2130706433:1/a.png",
            "https://LocalHost:1/a.png",
            "https://localhost.:1/a.png",
            "https://a.localhost:1/a.png",
            "https://[::1]:1/a.png",
            "https://[::ffff:127.0.0.1]:1/a.png",
            "https://0.0.0.0:1/a.png",
        ] {
            let refused = elsewhere.fetch(address).await;
            assert_eq!(refused, Err(ImageError::Loopback), "{address}");
        }
        let asked = here.fetch("http://127.0.0.1:1/a.png").await;
        assert!(matches!(asked, Err(ImageError::Transport(_))), "{asked:?}");
    }

    #[tokio::test]
    async fn unsafe_urls_are_not_fetched() {
        let images = ImageClient::new(TIMEOUTS, None);
        for address in [
            "http://example.com/a.png",
            "file:///etc/passwd",
            "ftp://example.com/a.png",
            "not an address",
        ] {
            assert_eq!(
                images.fetch(address).await,
                Err(ImageError::UnsafeUrl),
                "{address}"
            );
        }
    }

    #[test]
    fn an_image_format_is_detected_from_the_first_bytes() {
        assert_eq!(
            ImageKind::detect(b"\x89PNG\r\n\x1a\n..."),
            Some(ImageKind::Png)
        );
        assert_eq!(
            ImageKind::detect(b"\xff\xd8\xff\xe0"),
            Some(ImageKind::Jpeg)
        );
        assert_eq!(ImageKind::detect(b"<svg>"), None);
    }
}
