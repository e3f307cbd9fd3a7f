//! The service's HTTP API: one call per endpoint, and the decision what each response means.
//!
//! Nothing here waits for the budget or writes to the journal; `dispatch` combines the two.

mod call_observer;
mod client;
mod decide;
mod error;
mod http_client;
mod http_response;
mod images;
mod oauth;
mod retry;
mod settings;
mod verdict;
pub mod wire;

pub use call_observer::{CallEnd, CallObserver};
pub use client::ApiClient;
pub use decide::{is_service_response, verdict};
pub use error::{ClientSetupError, TransportError};
pub use http_response::HttpResponse;
pub use images::{ImageClient, ImageError, ImageKind};
pub use oauth::{OauthApp, OauthClient, OauthError, PendingAuthorization, RevocationCredentials};
pub use retry::MAX_ATTEMPTS;
pub use settings::{BaseUrl, BearerToken, ClientSecret, ServiceVersion, Timeouts};
pub use verdict::{ApiCall, Attempt, FatalResponse, ResponseSubject, Verdict};
