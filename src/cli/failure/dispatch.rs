//! Messages for errors that end a run of requests.

use crate::api::{FatalResponse, ResponseSubject};
use crate::cli::clock;
use crate::cli::common_args::TOKEN_VARIABLE;
use crate::cli::{CommandError, ErrorKind};
use crate::dispatch::DispatchError;

const AGAIN: &str = "run the same command again to resume";

const AGAIN_THEN: &str = "run the same command again after that to resume";

/// What ended a run of requests, with times in the computer's zone.
pub(in crate::cli) fn dispatch_sentence(error: &DispatchError) -> String {
    error.sentence(|until| clock::local(until, clock::now()))
}

impl From<DispatchError> for CommandError {
    fn from(error: DispatchError) -> Self {
        let sentence = dispatch_sentence(&error);
        match error {
            DispatchError::QuotaUsedUp { .. } => {
                Self::new(ErrorKind::QuotaUsedUp, sentence).hinted(AGAIN_THEN)
            }
            DispatchError::RateLimited { .. } => {
                Self::new(ErrorKind::RateLimited, sentence).hinted(AGAIN_THEN)
            }
            DispatchError::DeadlineReached => {
                Self::new(ErrorKind::DeadlineReached, sentence).hinted(AGAIN)
            }
            DispatchError::Unreachable { .. } => Self::new(ErrorKind::Unreachable, sentence)
                .hinted(format!(
                    "check the network and the service's address; then {AGAIN}"
                )),
            DispatchError::Service(response) => response.into(),
            DispatchError::Interrupted => Self::new(ErrorKind::Interrupted, sentence).hinted(AGAIN),
            DispatchError::Journal(error) => error.into(),
            DispatchError::Closed => Self::new(ErrorKind::Pending, sentence).hinted(AGAIN),
        }
    }
}

impl From<FatalResponse> for CommandError {
    fn from(response: FatalResponse) -> Self {
        let (kind, hint) = match &response {
            FatalResponse::Unauthorized => {
                let hint = format!(
                    "a team has one valid connection, and a newer one may have ended this one; {}; then {AGAIN}",
                    new_token()
                );
                return Self::new(ErrorKind::TokenRejected, response.to_string()).hinted(hint);
            }
            FatalResponse::Version { .. } => (
                ErrorKind::Version,
                "give a version that it serves with --service-version YYYY-MM-DD",
            ),
            FatalResponse::NotImplemented => (
                ErrorKind::NotImplemented,
                "nothing is lost; try again when the service offers it",
            ),
            FatalResponse::Redirected { .. } => (
                ErrorKind::Redirected,
                "if the service has a new address, give it with --base-url URL",
            ),
            FatalResponse::Unexpected {
                subject: Some(ResponseSubject::Row(_)),
                ..
            } => (
                ErrorKind::UnexpectedResponse,
                "nothing more was sent, and no row counts as refused; if other rows were answered, something in this one (a note that looks like code, for instance) may be refused on the way: change it, or leave the row out; otherwise check the service's address, and give the right one with --base-url URL",
            ),
            FatalResponse::Unexpected { .. } => (
                ErrorKind::UnexpectedResponse,
                "nothing more was sent, and no row counts as refused; check the service's address, and give the right one with --base-url URL",
            ),
        };
        Self::new(kind, response.to_string()).hinted(hint)
    }
}

/// How the user replaces the token.
fn new_token() -> &'static str {
    let of_environment = std::env::var_os(TOKEN_VARIABLE);
    match of_environment.filter(|token| !token.is_empty()) {
        Some(_) => {
            "put a new token in GUTTERBATCH_TOKEN, or unset it and connect again with `gutterbatch connect`"
        }
        None => "connect again with `gutterbatch connect`",
    }
}
