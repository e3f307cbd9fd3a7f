//! Protection against forms that other sites post. Browsers name the site of every form that they post in `Origin`, so
//! a form with another origin is refused; programs other than browsers send none.

use axum::http::{HeaderMap, header};

/// The message for a form that was refused.
pub(super) const REFUSED_FORM: &str =
    "This form does not come from a page of this service. Load the page again.";

/// Whether a form was posted by a page of this address, or by a program. Other ports of this machine are other sites.
pub(super) fn is_from_here(headers: &HeaderMap) -> bool {
    let Some(origin) = headers.get(header::ORIGIN) else {
        return true;
    };
    let host = headers
        .get(header::HOST)
        .and_then(|host| host.to_str().ok());
    host.is_some_and(|host| origin.as_bytes() == format!("http://{host}").as_bytes())
}
