//! The service's JSON, and its conversion to model types.
//!
//! Unknown fields are ignored, because additions need no new version. Documented fields must be present and of the
//! documented type; otherwise the text is not the service's.

mod account_json;
mod error_json;
mod measurement_json;
mod request_json;
mod token_json;

pub use account_json::{AccountJson, account};
pub use measurement_json::measurement;
pub use token_json::TokenGrant;

pub(super) use error_json::{oauth_error, service_error};
pub(super) use request_json::request_body;
pub(super) use token_json::grant;

use crate::model::{Status, printable};

/// Why a text is not the service's JSON.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not the service's JSON: {0}")]
pub struct WireError(pub String);

impl From<serde_json::Error> for WireError {
    fn from(error: serde_json::Error) -> Self {
        // The position of a status says nothing.
        let text = error.to_string();
        if text.starts_with(Status::UNKNOWN) {
            return Self(Status::UNKNOWN.to_owned());
        }
        // The parser's message is "number out of range", although no range was agreed on.
        if text.starts_with("number out of range") {
            return Self(format!(
                "the number at line {}, column {} is too large",
                error.line(),
                error.column()
            ));
        }
        Self(printable(&text))
    }
}
