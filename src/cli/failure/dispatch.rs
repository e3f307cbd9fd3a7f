//! Messages for errors that end a run of requests.

use crate::api::StopReason;
use crate::cli::clock;
use crate::cli::connection::TOKEN_VARIABLE;
use crate::cli::{CommandError, ErrorKind};
use crate::dispatch::DispatchError;
use crate::model::{counted, printable};

const AGAIN: &str = "run the same command again to resume";

const AGAIN_THEN: &str = "run the same command again after that to resume";

impl From<DispatchError> for CommandError {
    fn from(error: DispatchError) -> Self {
        match error {
            DispatchError::QuotaUsedUp { until } => Self::new(
                ErrorKind::QuotaUsedUp,
                format!(
                    "the quota is used up until {}",
                    clock::local(until, clock::now())
                ),
            )
            .hinted(AGAIN_THEN),
            DispatchError::DeadlineReached => Self::new(
                ErrorKind::DeadlineReached,
                "the time set with --until has come",
            )
            .hinted(AGAIN),
            DispatchError::RateLimited { until } => Self::new(
                ErrorKind::RateLimited,
                format!(
                    "the service asked to send nothing before {}",
                    clock::local(until, clock::now())
                ),
            )
            .hinted(AGAIN_THEN),
            DispatchError::Unreachable { rows: 1, reason } => Self::new(
                ErrorKind::Unreachable,
                format!("the service gave no usable answer: {}", printable(&reason)),
            )
            .hinted(format!(
                "check the network and the service's address; then {AGAIN}"
            )),
            DispatchError::Unreachable { rows, reason } => Self::new(
                ErrorKind::Unreachable,
                format!(
                    "{} in succession got no usable answer, the last: {}",
                    counted(u64::from(rows), "row"),
                    printable(&reason)
                ),
            )
            .hinted(format!("check the network; then {AGAIN}")),
            DispatchError::Service(stop) => stop.into(),
            DispatchError::Interrupted => {
                Self::new(ErrorKind::Interrupted, "interrupted").hinted(AGAIN)
            }
            DispatchError::Journal(error) => error.into(),
            DispatchError::Closed => {
                Self::new(ErrorKind::Pending, "the run has ended").hinted(AGAIN)
            }
        }
    }
}

impl From<StopReason> for CommandError {
    fn from(stop: StopReason) -> Self {
        match stop {
            StopReason::Unauthorized => Self::new(
                ErrorKind::TokenRejected,
                "the service does not accept the token",
            )
            .hinted(format!(
                "only the newest connection of a team works, and a later one may have ended this; {}; then {AGAIN}",
                new_token()
            )),
            StopReason::Version { code, message } => Self::new(
                ErrorKind::Version,
                format!("the service does not serve this version ({}): {}", printable(&code), printable(&message)),
            )
            .hinted("give a version that it serves with --service-version YYYY-MM-DD"),
            StopReason::NotImplemented => Self::new(ErrorKind::NotImplemented, "the service does not offer this call yet (501)")
                .hinted("nothing is lost; try again when the service offers it"),
            StopReason::Redirected { location: Some(place) } => Self::new(
                ErrorKind::Redirected,
                format!("the service redirects to {}; the token is not sent there", printable(&place)),
            )
            .hinted("if that is the service's new address, give it with --base-url URL"),
            StopReason::Redirected { location: None } => {
                Self::new(ErrorKind::Redirected, "the service redirects without saying where")
                    .hinted("check the service's address, and give the right one with --base-url URL")
            }
            StopReason::Unexpected { status, excerpt: shown } => Self::new(
                ErrorKind::UnexpectedResponse,
                format!("the response is not one that the service documents: {status} {}", printable(&shown)),
            )
            .hinted("nothing more was sent, and no row counts as refused; check the service's address, and give the right one with --base-url URL"),
        }
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
