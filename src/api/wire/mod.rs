//! The service's JSON, field for field; becomes model types in one step.
//!
//! Unknown fields are passed over, since additions need no new version; what the description gives as always there must
//! be there and of its type, or the text is not the service's. The structs stay in this room.

mod account;
mod failure;
mod grant;
mod measurement;
mod request;

pub use account::{Account, account};
pub use grant::TokenGrant;
pub use measurement::measurement;

pub(super) use failure::{oauth_error, service_error};
pub(super) use grant::grant;
pub(super) use request::request_body;

/// Why a text is not the service's.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not the service's JSON: {0}")]
pub struct WireError(pub String);

impl From<serde_json::Error> for WireError {
    fn from(error: serde_json::Error) -> Self {
        // The parser's own words are "number out of range", as if a range had been agreed on.
        if error.to_string().starts_with("number out of range") {
            return Self(format!(
                "the number at line {}, column {} is too large",
                error.line(),
                error.column()
            ));
        }
        Self(crate::model::printable(&error.to_string()))
    }
}
