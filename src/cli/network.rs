//! The flags of every command that uses the network.

use std::time::Duration;

use clap::Args;

use crate::api::Timeouts;
use crate::model::{QuotaShare, Rate};

/// The share of the team's quota that this program may use.
#[derive(Clone, Copy, Debug, Args)]
pub(super) struct QuotaArgs {
    /// Quota of the team: requests in any window
    #[arg(long, value_name = "COUNT/WINDOW", default_value_t = Rate::DOCUMENTED)]
    rate: Rate,

    /// Number of requests in each window to leave to other programs
    #[arg(long, value_name = "N", default_value_t = 0)]
    reserve: u32,
}

impl QuotaArgs {
    pub(super) fn share(self) -> QuotaShare {
        QuotaShare {
            rate: self.rate,
            reserve: self.reserve,
        }
    }
}

/// Limits for requests to the service.
#[derive(Clone, Copy, Debug, Args)]
#[command(next_help_heading = "Network flags")]
pub(super) struct NetworkArgs {
    #[command(flatten)]
    pub quota: QuotaArgs,

    /// Wait this long for another run that uses the journal, instead of exiting with 7
    #[arg(long, value_name = "DURATION", value_parser = lock_wait)]
    pub lock_wait: Option<Duration>,

    /// Maximum number of requests per second
    #[arg(long, value_name = "R", value_parser = positive)]
    pub max_rps: Option<f64>,

    /// Maximum number of concurrent requests
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u16).range(1..=256))]
    pub concurrency: u16,

    /// Timeout for establishing a connection, TLS included
    #[arg(long, value_name = "DURATION", default_value = "10s", value_parser = duration)]
    pub connect_timeout: Duration,

    /// Timeout for a whole request, from its first byte to the last of its response
    #[arg(long, value_name = "DURATION", default_value = "30s", value_parser = duration)]
    pub call_timeout: Duration,
}

impl NetworkArgs {
    /// The timeouts for the client.
    pub(super) fn timeouts(&self) -> Timeouts {
        Timeouts {
            connect: self.connect_timeout,
            call: self.call_timeout,
        }
    }
}

/// Longest timeout that is accepted.
const LONGEST_DURATION: Duration = Duration::from_secs(24 * 3600);

/// A duration as people write it, for instance `30s` or `5m`.
pub(super) fn duration(text: &str) -> Result<Duration, String> {
    let wrong =
        || format!("invalid duration `{text}`: write for instance 30s, 5m or 1h, at most a day");
    let duration: jiff::SignedDuration = text.trim().parse().map_err(|_| wrong())?;
    Duration::try_from(duration)
        .ok()
        .filter(|duration| !duration.is_zero() && *duration <= LONGEST_DURATION)
        .ok_or_else(wrong)
}

/// A duration that may be zero, which overrides a profile's.
fn lock_wait(text: &str) -> Result<Duration, String> {
    match text {
        "0" | "0s" => Ok(Duration::ZERO),
        text => duration(text),
    }
}

fn positive(text: &str) -> Result<f64, String> {
    let number: f64 = text
        .parse()
        .map_err(|_| format!("`{text}` is not a number"))?;
    if number.is_finite() && number > 0.0 {
        Ok(number)
    } else {
        Err("write a number above 0".to_owned())
    }
}
