//! Messages for errors that end a run of requests.

use jiff::Timestamp;

use crate::api::FatalResponse;
use crate::cli::clock;
use crate::cli::connection::TOKEN_VARIABLE;
use crate::cli::{CommandError, ErrorKind};
use crate::dispatch::DispatchError;
use crate::model::{pluralize, printable};

const AGAIN: &str = "run the same command again to resume";

const AGAIN_THEN: &str = "run the same command again after that to resume";

impl From<DispatchError> for CommandError {
    fn from(error: DispatchError) -> Self {
        match error {
            DispatchError::QuotaUsedUp { until } => Self::new(
                ErrorKind::QuotaUsedUp,
                format!("the quota is used up until {}", shown(until)),
            )
            .hinted(AGAIN_THEN),
            DispatchError::RateLimited { until } => {
                let message = format!("the service asked to send nothing before {}", shown(until));
                Self::new(ErrorKind::RateLimited, message).hinted(AGAIN_THEN)
            }
            DispatchError::DeadlineReached => Self::new(
                ErrorKind::DeadlineReached,
                "reached the time set with --until",
            )
            .hinted(AGAIN),
            DispatchError::Unreachable { rows, reason } => {
                let succession = match rows {
                    1 => String::new(),
                    rows => format!(
                        " for {}; last error",
                        pluralize(u64::from(rows), "consecutive row")
                    ),
                };
                let reason = printable(&reason);
                let message = format!("no usable response from the service{succession}: {reason}");
                Self::new(ErrorKind::Unreachable, message).hinted(format!(
                    "check the network and the service's address; then {AGAIN}"
                ))
            }
            DispatchError::Service(stop) => stop.into(),
            DispatchError::Interrupted => {
                Self::new(ErrorKind::Interrupted, "interrupted").hinted(AGAIN)
            }
            DispatchError::Journal(error) => error.into(),
            DispatchError::Closed => {
                Self::new(ErrorKind::Pending, "another request ended the run").hinted(AGAIN)
            }
        }
    }
}

impl From<FatalResponse> for CommandError {
    fn from(stop: FatalResponse) -> Self {
        match stop {
            FatalResponse::Unauthorized => Self::new(
                ErrorKind::TokenRejected,
                "the service does not accept the token",
            )
            .hinted(format!(
                "a team has one valid connection, and a newer one may have ended this one; {}; then {AGAIN}",
                new_token()
            )),
            FatalResponse::Version { code, message } => Self::new(
                ErrorKind::Version,
                format!("the service does not serve this version ({}): {}", printable(&code), printable(&message)),
            )
            .hinted("give a version that it serves with --service-version YYYY-MM-DD"),
            FatalResponse::NotImplemented => Self::new(ErrorKind::NotImplemented, "the service does not offer this call yet (501)")
                .hinted("nothing is lost; try again when the service offers it"),
            FatalResponse::Redirected { location } => {
                let place = location.map_or("without saying where".to_owned(), |place| format!("to {}", printable(&place)));
                Self::new(ErrorKind::Redirected, format!("the service redirects {place}; the token is not sent there"))
                    .hinted("if the service has a new address, give it with --base-url URL")
            }
            FatalResponse::Unexpected { status, excerpt: shown } => Self::new(
                ErrorKind::UnexpectedResponse,
                format!("the response is not one that the service documents: {status} {}", printable(&shown)),
            )
            .hinted("nothing more was sent, and no row counts as refused; check the service's address, and give the right one with --base-url URL"),
        }
    }
}

fn shown(until: Timestamp) -> String {
    clock::local(until, clock::now())
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
