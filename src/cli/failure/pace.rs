//! Sentences for a line to the service that halts.

use crate::api::Stop;
use crate::cli::clock;
use crate::cli::{Exit, Failure};
use crate::model::{counted, printable};
use crate::pace::Halt;

const AGAIN: &str = "run the same command again to resume";

impl From<Halt> for Failure {
    fn from(halt: Halt) -> Self {
        match halt {
            Halt::Spent { until } => Self::new(
                Exit::Pending,
                format!(
                    "the quota is used up until {}",
                    clock::local(until, clock::now())
                ),
            )
            .hinted(format!("then {AGAIN}; or let it wait with --wait")),
            Halt::TimeIsUp => {
                Self::new(Exit::Pending, "the time set with --until has come").hinted(AGAIN)
            }
            Halt::Limited { until } => Self::new(
                Exit::Pending,
                format!(
                    "the service asked to send nothing before {}",
                    clock::local(until, clock::now())
                ),
            )
            .hinted(format!("then {AGAIN}")),
            Halt::Unreachable { rows: 1, reason } => Self::new(
                Exit::Pending,
                format!("the service gave no usable answer: {}", printable(&reason)),
            )
            .hinted(format!("look at the network and the address; then {AGAIN}")),
            Halt::Unreachable { rows, reason } => Self::new(
                Exit::Pending,
                format!(
                    "{} in a row got no usable answer, the last: {}",
                    counted(u64::from(rows), "request"),
                    printable(&reason)
                ),
            )
            .hinted(format!("look at the network; then {AGAIN}")),
            Halt::Stop(stop) => stop.into(),
            Halt::Interrupted => Self::new(Exit::Interrupted, "interrupted").hinted(AGAIN),
            Halt::Journal(error) => error.into(),
            Halt::Closed => Self::new(Exit::Pending, "the run has ended").hinted(AGAIN),
        }
    }
}

impl From<Stop> for Failure {
    fn from(stop: Stop) -> Self {
        match stop {
            Stop::Unauthorized => Self::new(
                Exit::NotConnected,
                "the service does not accept the token any more",
            )
            .hinted("connect again with `gutterbatch connect`; then run the same command again to resume"),
            Stop::Version { code, message } => Self::new(
                Exit::Misfit,
                format!("the service does not serve this version ({}): {}", printable(&code), printable(&message)),
            )
            .hinted("set a version that it serves with --service-version"),
            Stop::NotImplemented => Self::new(Exit::Misfit, "the service does not offer this call yet (501)")
                .hinted("nothing is lost; try again when the service offers it"),
            Stop::Redirected { location } => Self::new(
                Exit::Misfit,
                match location {
                    Some(place) => {
                        format!("the service redirects to {}, and a token never follows", printable(&place))
                    }
                    None => "the service redirects without saying where".to_owned(),
                },
            )
            .hinted("if that is the service's new address, give it with --base-url"),
            Stop::Unexpected { status, shown } => Self::new(
                Exit::Misfit,
                format!("the answer is not the service's: {status} {}", printable(&shown)),
            )
            .hinted("look at the base address; nothing more was sent, and no row counts as refused"),
        }
    }
}
