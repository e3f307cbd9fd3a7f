//! Protection against forms that other sites post: each form has a token derived from a cookie that other sites can
//! neither read nor send.

use axum::http::{HeaderMap, HeaderValue, header};
use base64::Engine as _;
use maud::{Markup, html};
use sha2::{Digest, Sha256};

use crate::sandbox::parameters::Parameters;
use crate::sandbox::random::secret;

/// The message for a form that was refused.
pub(super) const REFUSED_FORM: &str =
    "This form does not come from a page of this service, or cookies are off. Load the page again.";

const COOKIE: &str = "gutterbatch_sandbox";

/// The cookie of one browser and the token derived from it.
#[derive(Debug)]
pub(super) struct CsrfToken {
    cookie: String,
    proof: String,
}

impl CsrfToken {
    /// From the browser's cookie, or from a new one.
    pub(super) fn new(headers: &HeaderMap, key: &[u8; 32]) -> Self {
        let cookie = cookie(headers).unwrap_or_else(|| secret("", rand::random()));
        let proof = proof(&cookie, key);
        Self { cookie, proof }
    }

    /// The hidden field of a form.
    pub(super) fn field(&self) -> Markup {
        html! { input type="hidden" name="proof" value=(self.proof); }
    }

    /// The `Set-Cookie` header of a page with forms. No `Secure`: the service speaks http, on loopback.
    pub(super) fn set_cookie(&self) -> HeaderValue {
        let text = format!(
            "{COOKIE}={}; Path=/; HttpOnly; SameSite=Strict",
            self.cookie
        );
        HeaderValue::from_str(&text).expect("the cookie is plain ASCII")
    }
}

/// Whether a form was posted by a page of this process, in the browser that loaded the page.
pub(super) fn is_valid(headers: &HeaderMap, key: &[u8; 32], form: &Parameters) -> bool {
    if !is_from_here(headers) {
        return false;
    }
    let (Some(own), Some(given)) = (cookie(headers), form.get("proof")) else {
        return false;
    };
    proof(&own, key) == given
}

/// Whether the form was on a page of this address. The cookie does not tell: other ports of this machine share it and
/// could have set one.
fn is_from_here(headers: &HeaderMap) -> bool {
    let Some(origin) = headers.get(header::ORIGIN) else {
        return true;
    };
    let host = headers
        .get(header::HOST)
        .and_then(|host| host.to_str().ok());
    host.is_some_and(|host| origin.as_bytes() == format!("http://{host}").as_bytes())
}

fn proof(cookie: &str, key: &[u8; 32]) -> String {
    // Hashed twice, so that nothing can be appended to the cookie without the key.
    let inner = Sha256::new().chain_update(key).chain_update(cookie);
    let outer = Sha256::new()
        .chain_update(key)
        .chain_update(inner.finalize());
    base64::engine::general_purpose::URL_SAFE_NO_PAD.encode(outer.finalize())
}

/// The value of the cookie, if it is well-formed.
fn cookie(headers: &HeaderMap) -> Option<String> {
    let all = headers.get_all(header::COOKIE).into_iter();
    let pairs = all
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(';'));
    let mut values = pairs.filter_map(|pair| pair.trim().strip_prefix(COOKIE)?.strip_prefix('='));
    let value = values.next()?;
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_".contains(&byte);
    (value.len() == 43 && value.bytes().all(plain)).then(|| value.to_owned())
}
