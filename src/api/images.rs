//! Pictures from the addresses that the service gives: over https, bounded in size, and never with a token. This
//! machine is asked for one only where the service is on it too, http included.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};

use reqwest::Method;
use url::{Host, Url};

use crate::api::http_client::HttpClient;
use crate::api::{BaseUrl, Timeouts, TransportError};

/// Why a picture did not come.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ImageError {
    /// Neither https nor http on loopback.
    #[error("its address is not safe")]
    UnsafeUrl,
    /// On this machine, where the service is not.
    #[error("its address is on this machine, and the service is not")]
    Loopback,
    /// No answer, or one that was cut off or too large.
    #[error(transparent)]
    Transport(#[from] TransportError),
    /// An answer that is no picture.
    #[error("the answer was {0}")]
    Status(u16),
    /// Neither PNG nor JPEG.
    #[error("it is neither PNG nor JPEG")]
    NotAnImage,
}

/// What a picture is, by its first bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ImageKind {
    /// Portable Network Graphics.
    Png,
    /// JPEG.
    Jpeg,
}

impl ImageKind {
    /// The usual extension.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Png => "png",
            Self::Jpeg => "jpg",
        }
    }

    fn detect(bytes: &[u8]) -> Option<Self> {
        if bytes.starts_with(b"\x89PNG\r\n\x1a\n") {
            Some(Self::Png)
        } else if bytes.starts_with(b"\xff\xd8\xff") {
            Some(Self::Jpeg)
        } else {
            None
        }
    }
}

/// Where the service is, as far as pictures go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ServiceHost {
    /// On this machine: so may be its pictures.
    Loopback,
    /// Anywhere else: what runs on this machine is no business of its answers.
    Remote,
}

/// Fetches pictures. Keeps one client a host.
#[derive(Debug)]
pub struct ImageClient {
    timeouts: Timeouts,
    service: ServiceHost,
    hosts: Mutex<HashMap<String, HttpClient>>,
}

impl ImageClient {
    /// A fetcher; nothing is sent yet.
    pub fn new(timeouts: Timeouts, service: ServiceHost) -> Self {
        Self {
            timeouts,
            service,
            hosts: Mutex::default(),
        }
    }

    /// Fetches a picture whole.
    ///
    /// # Errors
    /// Any [`ImageError`].
    ///
    /// # Source
    /// S2.4, `asset_pack` rules: the addresses are public.
    pub async fn fetch(&self, address: &str) -> Result<(ImageKind, Vec<u8>), ImageError> {
        let url = Url::parse(address).map_err(|_| ImageError::UnsafeUrl)?;
        if self.service == ServiceHost::Remote && is_loopback_url(&url) {
            return Err(ImageError::Loopback);
        }
        let http = self.http(&url)?;
        let answer = http.send(http.request(Method::GET, url)).await?;
        if answer.status != 200 {
            return Err(ImageError::Status(answer.status));
        }
        let kind = ImageKind::detect(&answer.body).ok_or(ImageError::NotAnImage)?;
        Ok((kind, answer.body))
    }

    /// The client of an address's host; the rules for hosts are those of the service's own address.
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

/// Every spelling of this machine that needs no look-up.
fn is_loopback_url(url: &Url) -> bool {
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
    async fn this_machine_is_asked_only_where_the_service_is_on_it() {
        let elsewhere = ImageClient::new(TIMEOUTS, ServiceHost::Remote);
        let here = ImageClient::new(TIMEOUTS, ServiceHost::Loopback);
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
    async fn only_safe_addresses_are_asked() {
        let images = ImageClient::new(TIMEOUTS, ServiceHost::Remote);
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
    fn a_picture_is_told_by_its_first_bytes() {
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
