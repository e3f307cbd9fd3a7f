//! Messages for errors that end a run of requests.

use crate::api::StopReason;
use crate::cli::clock;
use crate::cli::{CommandError, ErrorKind, ExitStatus};
use crate::dispatch::DispatchError;
use crate::model::{counted, printable};

const AGAIN: &str = "run the same command again to resume";

const AGAIN_THEN: &str = "run the same command again after that to resume";

impl From<DispatchError> for CommandError {
    fn from(error: DispatchError) -> Self {
        match error {
            DispatchError::QuotaUsedUp { until } => Self::new(
                ExitStatus::Pending,
                format!(
                    "the quota is used up until {}",
                    clock::local(until, clock::now())
                ),
            )
            .hinted(AGAIN_THEN)
            .of_kind(ErrorKind::QuotaUsedUp),
            DispatchError::DeadlineReached => {
                Self::new(ExitStatus::Pending, "the time set with --until has come")
                    .hinted(AGAIN)
                    .of_kind(ErrorKind::DeadlineReached)
            }
            DispatchError::RateLimited { until } => Self::new(
                ExitStatus::Pending,
                format!(
                    "the service asked to send nothing before {}",
                    clock::local(until, clock::now())
                ),
            )
            .hinted(AGAIN_THEN)
            .of_kind(ErrorKind::RateLimited),
            DispatchError::Unreachable { rows: 1, reason } => Self::new(
                ExitStatus::Pending,
                format!("the service gave no usable answer: {}", printable(&reason)),
            )
            .hinted(format!(
                "check the network and the service's address; then {AGAIN}"
            ))
            .of_kind(ErrorKind::Unreachable),
            DispatchError::Unreachable { rows, reason } => Self::new(
                ExitStatus::Pending,
                format!(
                    "{} in succession got no usable answer, the last: {}",
                    counted(u64::from(rows), "row"),
                    printable(&reason)
                ),
            )
            .hinted(format!("check the network; then {AGAIN}"))
            .of_kind(ErrorKind::Unreachable),
            DispatchError::Service(stop) => stop.into(),
            DispatchError::Interrupted => {
                Self::new(ExitStatus::Interrupted, "interrupted").hinted(AGAIN)
            }
            DispatchError::Journal(error) => error.into(),
            DispatchError::Closed => {
                Self::new(ExitStatus::Pending, "the run has ended").hinted(AGAIN)
            }
        }
    }
}

impl From<StopReason> for CommandError {
    fn from(stop: StopReason) -> Self {
        match stop {
            StopReason::Unauthorized => Self::new(
                ExitStatus::NotConnected,
                "the service does not accept the token",
            )
            .hinted("only the newest connection of a team works, and a later one may have ended this; connect again with `gutterbatch connect`, or replace the token in GUTTERBATCH_TOKEN if it is set; then run the same command again to resume")
            .of_kind(ErrorKind::TokenRejected),
            StopReason::Version { code, message } => Self::new(
                ExitStatus::Incompatible,
                format!("the service does not serve this version ({}): {}", printable(&code), printable(&message)),
            )
            .hinted("give a version that it serves with --service-version YYYY-MM-DD")
            .of_kind(ErrorKind::Version),
            StopReason::NotImplemented => Self::new(ExitStatus::Incompatible, "the service does not offer this call yet (501)")
                .hinted("nothing is lost; try again when the service offers it")
                .of_kind(ErrorKind::NotImplemented),
            StopReason::Redirected { location: Some(place) } => Self::new(
                ExitStatus::Incompatible,
                format!("the service redirects to {}; the token is not sent there", printable(&place)),
            )
            .hinted("if that is the service's new address, give it with --base-url URL")
            .of_kind(ErrorKind::Redirected),
            StopReason::Redirected { location: None } => {
                Self::new(ExitStatus::Incompatible, "the service redirects without saying where")
                    .hinted("check the service's address, and give the right one with --base-url URL")
                    .of_kind(ErrorKind::Redirected)
            }
            StopReason::Unexpected { status, excerpt: shown } => Self::new(
                ExitStatus::Incompatible,
                format!("the response is not one that the service documents: {status} {}", printable(&shown)),
            )
            .hinted("nothing more was sent, and no row counts as refused; check the service's address, and give the right one with --base-url URL"),
        }
    }
}
