//! The flags of `import`.

use std::path::PathBuf;

use jiff::tz::TimeZone;
use jiff::{Timestamp, Zoned};

use crate::cli::clock;
use crate::cli::import::until::until;
use crate::cli::network::NetworkArgs;
use crate::cli::reading::{FileArgs, ReadingArgs};

use crate::dispatch::QuotaWait;
use crate::import::{ImportOptions, MaxRefused};

/// Submit rows that are not yet submitted; run the same command again to resume
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  gutterbatch import leads.csv
  gutterbatch import leads.xlsx --dry-run
  gutterbatch import leads.csv --canary 3
  gutterbatch import leads.csv --no-wait --json
  gutterbatch import leads.csv --until 17:30 --reserve 100")]
#[expect(clippy::struct_excessive_bools, reason = "each is an independent flag")]
pub(in crate::cli) struct Args {
    #[command(flatten)]
    pub(super) file: FileArgs,

    #[command(flatten)]
    pub(super) reading: ReadingArgs,

    #[command(flatten)]
    pub(super) network: NetworkArgs,

    /// Send nothing; print how many rows would be sent, and the first addresses
    #[arg(long, help_heading = "Import flags")]
    pub(super) dry_run: bool,

    /// Maximum number of new rows to submit
    #[arg(long, value_name = "N", help_heading = "Import flags", value_parser = clap::value_parser!(u64).range(1..))]
    pub(super) limit: Option<u64>,

    /// Submit this many rows first, show them with their links, and ask before the rest
    #[arg(long, value_name = "N", help_heading = "Import flags", value_parser = clap::value_parser!(u64).range(1..))]
    pub(super) canary: Option<u64>,

    /// Wait for the quota as long as it takes (default)
    #[arg(long, help_heading = "Import flags", conflicts_with_all = ["no_wait", "until"])]
    pub(super) wait: bool,

    /// Use the requests that are left in the quota, then stop with exit code 4
    #[arg(long, help_heading = "Import flags", conflicts_with = "until")]
    pub(super) no_wait: bool,

    /// Stop at this time: 17:30, 2026-11-21T17:30, or a duration from now
    #[arg(long, value_name = "TIME", help_heading = "Import flags", value_parser = deadline)]
    pub(super) until: Option<Timestamp>,

    /// Path for the rejected rows, instead of beside the input; - for standard output
    #[arg(long, value_name = "PATH", help_heading = "Import flags")]
    pub(in crate::cli) rejects: Option<PathBuf>,

    /// Write no file of rejected rows
    #[arg(long, help_heading = "Import flags", conflicts_with = "rejects")]
    pub(super) no_rejects: bool,

    /// Submit nothing while any row is invalid
    #[arg(long, help_heading = "Import flags")]
    pub(super) all_or_nothing: bool,

    /// Stop when this many rows are refused [default: 10 in a row]
    #[arg(long, value_name = "N|P%", help_heading = "Import flags")]
    pub(super) max_refused: Option<MaxRefused>,

    /// Submit again the rows that the service refused before
    #[arg(long, help_heading = "Import flags")]
    pub(super) retry_refused: bool,

    /// Also submit rows whose house was requested before under another id
    #[arg(long, help_heading = "Import flags")]
    pub(super) allow_same_house: bool,

    /// Fill an empty journal from FILE, a workbook written by `export`; sends no request
    #[arg(long, help_heading = "Import flags", conflicts_with_all = ["dry_run", "limit", "canary", "rejects", "no_rejects", "all_or_nothing"])]
    pub(super) restore: bool,

    /// Answer every question with yes
    #[arg(long, short, help_heading = "Import flags")]
    pub(super) yes: bool,
}

impl Args {
    /// How many rows are submitted, and when the run stops.
    pub(super) fn options(&self) -> ImportOptions {
        ImportOptions {
            limit: self.limit,
            canary: self.canary,
            all_or_nothing: self.all_or_nothing,
            retry_refused: self.retry_refused,
            allow_same_house: self.allow_same_house,
            max_refused: self.max_refused.unwrap_or_default(),
        }
    }

    /// Whether the rejects are written to standard output.
    pub(super) fn prints_rejects(&self) -> bool {
        self.rejects
            .as_ref()
            .is_some_and(|path| path.as_os_str() == "-")
    }

    /// What to do when the quota is used up.
    pub(super) fn quota_wait(&self) -> QuotaWait {
        match (self.until, self.no_wait) {
            (Some(until), _) => QuotaWait::Until(until),
            (None, true) => QuotaWait::NoWait,
            (None, false) => QuotaWait::Wait,
        }
    }
}

fn deadline(text: &str) -> Result<Timestamp, String> {
    let now = Zoned::new(clock::now(), TimeZone::system());
    match until(text, &now) {
        Some(time) if time > now.timestamp() => Ok(time),
        Some(_) => Err(format!(
            "`{text}` has passed; give a later time, or leave --until out"
        )),
        None => Err(format!(
            "`{text}` is not a time; write for instance --until 17:30, --until 2026-11-21T17:30 or --until 2h"
        )),
    }
}
