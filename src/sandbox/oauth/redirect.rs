//! Redirect URIs: which may be registered, and which match a registered one.

use url::{Host, Url};

/// Whether the service would register this URI.
///
/// # Source
/// S2.1.
pub(in crate::sandbox) fn may_be_registered(uri: &str) -> bool {
    let Ok(url) = Url::parse(uri) else {
        return false;
    };
    let secure = url.scheme() == "https" && url.has_host();
    url.fragment().is_none() && (secure || is_local(&url))
}

/// Whether a URI is registered: the same text, or on loopback the same text but for the port.
///
/// # Source
/// S2.1; RFC 8252, section 7.3.
pub(super) fn is_registered(asked: &str, registered: &[String]) -> bool {
    let portless = without_port(asked);
    let mut registered = registered.iter();
    registered.any(|uri| uri == asked || portless.is_some() && without_port(uri) == portless)
}

/// A local URI without its port. None for another spelling of one, because everything but the port must be identical.
fn without_port(uri: &str) -> Option<Url> {
    let mut url = Url::parse(uri).ok()?;
    if !is_local(&url) || url.as_str() != uri || url.port() == Some(0) {
        return None;
    }
    url.set_port(None).ok()?;
    Some(url)
}

fn is_local(url: &Url) -> bool {
    let local = match url.host() {
        Some(Host::Domain(name)) => name == "localhost",
        Some(Host::Ipv4(address)) => address == std::net::Ipv4Addr::LOCALHOST,
        Some(Host::Ipv6(_)) | None => false,
    };
    url.scheme() == "http" && local
}

#[cfg(test)]
mod tests {
    use super::*;

    fn registered() -> Vec<String> {
        [
            "https://crm.example.com/back",
            "http://127.0.0.1/callback",
            "http://localhost:9000/callback",
        ]
        .map(str::to_owned)
        .to_vec()
    }

    #[test]
    fn a_registered_uri_matches_exactly() {
        assert!(is_registered("https://crm.example.com/back", &registered()));
        for other in [
            "https://crm.example.com/back/",
            "https://crm.example.com/back?x=1",
            "https://crm.example.com:444/back",
            "https://CRM.example.com/back",
            "http://crm.example.com/back",
            "https://crm.example.com/back#part",
        ] {
            assert!(!is_registered(other, &registered()), "{other}");
        }
    }

    #[test]
    fn a_loopback_uri_matches_on_any_port_and_on_nothing_else() {
        for port in ["", ":1", ":65535"] {
            for host in ["127.0.0.1", "localhost"] {
                let uri = format!("http://{host}{port}/callback");
                assert!(is_registered(&uri, &registered()), "{uri}");
            }
        }
        for other in [
            "http://127.0.0.1:8080/callback/",
            "http://127.0.0.1:8080/other",
            "http://127.0.0.1:8080/callback?x=1",
            "http://127.0.0.1.example.com/callback",
            "http://user@127.0.0.1/callback",
            "http://127.0.0.1:80@example.com/callback",
            "http://127.0.0.1:/callback",
            "http://127.0.0.1:0/callback",
            "http://127.0.0.1:080/callback",
            "http://127.0.0.1:+80/callback",
            "http://127.0.0.1:65536/callback",
            "https://127.0.0.1/callback",
            "http://127.0.0.2/callback",
            "http://[::1]/callback",
        ] {
            assert!(!is_registered(other, &registered()), "{other}");
        }
    }

    #[test]
    fn only_https_and_local_uris_may_be_registered() {
        assert!(may_be_registered("https://crm.example.com/back"));
        assert!(may_be_registered("http://localhost:3000/back"));
        for other in [
            "http://crm.example.com/",
            "https://a.example/#x",
            "app:/x",
            "x",
        ] {
            assert!(!may_be_registered(other), "{other}");
        }
    }
}
