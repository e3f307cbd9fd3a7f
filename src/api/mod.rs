//! The service as a client sees it: one function an endpoint, and what each answer means.
//!
//! Nothing here waits for the budget or writes to the journal; `dispatch` combines the two.

mod answer;
mod client;
mod decide;
mod error;
mod http;
mod images;
mod oauth;
mod retry;
mod settings;
mod verdict;
pub mod wire;

pub use answer::{Answer, Creation};
pub use client::Client;
pub use decide::verdict;
pub use error::{Failure, SetupError};
pub use images::{ImageFailure, ImageKind, Images, ServicePlace};
pub use oauth::{App, Consent, Oauth, OauthError, RevocationCredentials, Revoker};
pub use settings::{BaseUrl, ClientSecret, ServiceVersion, Timeouts, Token};
pub use verdict::{Attempt, Call, FieldError, Stop, Verdict};
