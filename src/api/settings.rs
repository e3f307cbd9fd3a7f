//! Settings of a client: base address, version, timeouts and secrets. Each type accepts valid values only.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use secrecy::{ExposeSecret, SecretString};
use url::Url;

use crate::api::ClientSetupError;

/// The service's base address: https, or http on loopback only; without a slash at the end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BaseUrl(Url);

impl BaseUrl {
    /// Returns the URL of a path below the base address, for instance `/measurements`.
    pub fn join(&self, path: &str) -> Url {
        let mut url = self.0.clone();
        let base = self.0.path().trim_end_matches('/');
        url.set_path(&format!("{base}{path}"));
        url
    }

    /// Whether the address is on this machine, for which no proxy is used.
    pub fn is_loopback(&self) -> bool {
        is_loopback(&self.0)
    }

    /// Whether the scheme is https.
    pub fn is_encrypted(&self) -> bool {
        self.0.scheme() == "https"
    }
}

impl FromStr for BaseUrl {
    type Err = ClientSetupError;

    fn from_str(text: &str) -> Result<Self, ClientSetupError> {
        let url = Url::parse(text.trim())
            .map_err(|_| ClientSetupError::InvalidBaseUrl(text.to_owned()))?;
        let bare = url.username().is_empty()
            && url.password().is_none()
            && url.query().is_none()
            && url.fragment().is_none();
        let private = url.scheme() == "https" || (url.scheme() == "http" && is_loopback(&url));
        let Some(host) = url.host_str().filter(|host| !host.is_empty()) else {
            return Err(ClientSetupError::InvalidBaseUrl(text.to_owned()));
        };
        let address = format!("{}://{host}", url.scheme());
        match (private, bare) {
            (false, _) => Err(ClientSetupError::UnsafeBaseUrl(address)),
            (true, false) => Err(ClientSetupError::BaseUrlParts(address)),
            (true, true) => Ok(Self(url)),
        }
    }
}

impl fmt::Display for BaseUrl {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.0.as_str().trim_end_matches('/'))
    }
}

/// Whether an address is on this machine.
pub(super) fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(url::Host::Ipv4(address)) => address.is_loopback(),
        Some(url::Host::Ipv6(address)) => address.is_loopback(),
        Some(url::Host::Domain(name)) => name.eq_ignore_ascii_case("localhost"),
        None => false,
    }
}

/// A dated version of the service, `YYYY-MM-DD`.
///
/// # Source
/// S9.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServiceVersion(String);

impl ServiceVersion {
    /// Returns the value of the version header.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for ServiceVersion {
    type Err = ClientSetupError;

    fn from_str(text: &str) -> Result<Self, ClientSetupError> {
        let text = text.trim();
        match text.parse::<jiff::civil::Date>() {
            Ok(date) if date.to_string() == text => Ok(Self(text.to_owned())),
            _ => Err(ClientSetupError::InvalidVersion(text.to_owned())),
        }
    }
}

/// The timeouts of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timeouts {
    /// Timeout for establishing a connection, including TLS.
    pub connect: Duration,
    /// Timeout for the whole call, from connecting to the end of the response.
    pub call: Duration,
}

impl Default for Timeouts {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(10),
            call: Duration::from_secs(30),
        }
    }
}

/// The bearer token. `Debug` does not show it.
///
/// # Source
/// S5.
#[derive(Clone)]
pub struct BearerToken(SecretString);

impl BearerToken {
    /// Makes a token from a trimmed text; `None` if it is empty or has characters that a header does not allow.
    pub fn new(text: &str) -> Option<Self> {
        let text = text.trim();
        let fits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_graphic());
        fits.then(|| Self(SecretString::from(text)))
    }

    /// Returns the token, for the header, for storing it and for its fingerprint.
    pub fn expose(&self) -> &str {
        self.0.expose_secret()
    }
}

impl fmt::Debug for BearerToken {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("****")
    }
}

/// The app's client secret. `Debug` does not show it.
///
/// # Source
/// S2.1.
#[derive(Clone)]
pub struct ClientSecret(SecretString);

impl ClientSecret {
    /// Makes a secret from a trimmed text, since files and prompts may add white space; `None` if it is empty.
    pub fn new(text: &str) -> Option<Self> {
        let text = text.trim();
        (!text.is_empty()).then(|| Self(SecretString::from(text)))
    }

    /// Returns the secret, for the token endpoint and for storing it.
    pub fn expose(&self) -> &str {
        self.0.expose_secret()
    }
}

impl fmt::Debug for ClientSecret {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("****")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_base_address_is_https_or_on_this_machine() {
        for safe in [
            "https://api.example.com",
            "http://127.0.0.1:8787",
            "http://localhost:1/",
            "http://[::1]:9/base/",
        ] {
            assert!(safe.parse::<BaseUrl>().is_ok(), "{safe}");
        }
        for unsafe_one in [
            "http://api.example.com",
            "ftp://127.0.0.1",
            "http://a:b@example.com",
        ] {
            assert!(
                matches!(
                    unsafe_one.parse::<BaseUrl>(),
                    Err(ClientSetupError::UnsafeBaseUrl(_))
                ),
                "{unsafe_one}"
            );
        }
        for with_parts in ["http://a:b@127.0.0.1:1", "https://e.com/?q=1"] {
            let refused = with_parts.parse::<BaseUrl>();
            assert!(
                matches!(refused, Err(ClientSetupError::BaseUrlParts(_))),
                "{with_parts}"
            );
        }
        assert!(matches!(
            "nonsense".parse::<BaseUrl>(),
            Err(ClientSetupError::InvalidBaseUrl(_))
        ));
    }

    #[test]
    fn a_path_is_joined_below_the_base() {
        let base: BaseUrl = "https://example.com/v/".parse().unwrap();
        assert_eq!(base.join("/me").as_str(), "https://example.com/v/me");
        assert_eq!(base.to_string(), "https://example.com/v");
    }

    #[test]
    fn a_version_is_a_date() {
        assert!("2026-01-31".parse::<ServiceVersion>().is_ok());
        for wrong in ["", "2026-1-31", "2026-02-30", "latest"] {
            assert!(wrong.parse::<ServiceVersion>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_token_never_prints() {
        assert_eq!(format!("{:?}", BearerToken::new("s3cret")), "Some(****)");
        assert!(BearerToken::new(" \n").is_none());
        assert!(BearerToken::new("two words").is_none());
        assert_eq!(format!("{:?}", ClientSecret::new("s3cret\n")), "Some(****)");
    }
}
