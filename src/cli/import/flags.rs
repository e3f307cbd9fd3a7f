//! The flags of `import`, and what they mean.

use std::path::PathBuf;

use jiff::Zoned;

use crate::cli::import::until::until;
use crate::cli::network::Network;
use crate::cli::reading::{File, Reading};
use crate::cli::{Exit, Failure};
use crate::dispatch::QuotaWait;
use crate::import::{HouseRule, InvalidRows, MaxRefused, Options, RefusedBefore};

/// Submit what is not yet submitted; the same command again finishes the job
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  gutterbatch import leads.csv
  gutterbatch import leads.xlsx --dry-run
  gutterbatch import leads.csv --canary 3
  gutterbatch import leads.csv --no-wait --json
  gutterbatch import leads.csv --until 17:30 --reserve 100")]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a flag that stands alone"
)]
pub(in crate::cli) struct Args {
    #[command(flatten)]
    pub(super) file: File,

    #[command(flatten)]
    pub(super) reading: Reading,

    #[command(flatten)]
    pub(super) network: Network,

    /// Send nothing; say what would be sent
    #[arg(long, help_heading = "Import flags")]
    pub(super) dry_run: bool,

    /// At most so many new rows
    #[arg(long, value_name = "N", help_heading = "Import flags")]
    pub(super) limit: Option<u64>,

    /// Submit so many rows first, show where the service placed them, and ask
    #[arg(long, value_name = "N", help_heading = "Import flags", value_parser = clap::value_parser!(u64).range(1..))]
    pub(super) canary: Option<u64>,

    /// Wait for the quota, however long; the default
    #[arg(long, help_heading = "Import flags", conflicts_with_all = ["no_wait", "until"])]
    pub(super) wait: bool,

    /// Spend the quota there is, then stop
    #[arg(long, help_heading = "Import flags", conflicts_with = "until")]
    pub(super) no_wait: bool,

    /// Stop at that time: 17:30, 2026-11-21T17:30, or a duration from now
    #[arg(long, value_name = "TIME", help_heading = "Import flags")]
    pub(super) until: Option<String>,

    /// Where rejected rows are written, instead of beside the input
    #[arg(long, value_name = "PATH", help_heading = "Import flags")]
    pub(super) rejects: Option<PathBuf>,

    /// Submit nothing while any row is invalid
    #[arg(long, help_heading = "Import flags")]
    pub(super) all_or_nothing: bool,

    /// Stop when so many rows are refused; without it, after 10 in a row
    #[arg(long, value_name = "N|P%", help_heading = "Import flags")]
    pub(super) max_refused: Option<MaxRefused>,

    /// Submit rows once more that the service refused before
    #[arg(long, help_heading = "Import flags")]
    pub(super) retry_refused: bool,

    /// Submit rows too whose house was requested before under another id
    #[arg(long, help_heading = "Import flags")]
    pub(super) allow_same_house: bool,

    /// FILE is a workbook of `export`: fill an empty journal from it, without a request
    #[arg(long, help_heading = "Import flags", conflicts_with_all = ["dry_run", "limit", "canary", "rejects", "all_or_nothing"])]
    pub(super) restore: bool,

    /// Answer every question with yes
    #[arg(long, short, help_heading = "Import flags")]
    pub(super) yes: bool,
}

impl Args {
    /// How much is submitted, and when the run stops.
    pub(super) fn options(&self) -> Options {
        Options {
            limit: self.limit,
            canary: self.canary,
            invalid: if self.all_or_nothing {
                InvalidRows::HoldAll
            } else {
                InvalidRows::Skip
            },
            refused_before: if self.retry_refused {
                RefusedBefore::Retry
            } else {
                RefusedBefore::Leave
            },
            same_house: if self.allow_same_house {
                HouseRule::Allow
            } else {
                HouseRule::Hold
            },
            max_refused: self.max_refused.unwrap_or_default(),
        }
    }

    /// What happens when the quota is spent.
    ///
    /// # Errors
    /// [`Exit::Usage`] for an `--until` that names no time.
    pub(super) fn quota_wait(&self, now: &Zoned) -> Result<QuotaWait, Failure> {
        match (&self.until, self.no_wait) {
            (Some(text), _) => until(text, now).map(QuotaWait::Until).ok_or_else(|| {
                Failure::new(Exit::Usage, format!("`{text}` is no time")).hinted(
                    "write for instance --until 17:30, --until 2026-11-21T17:30 or --until 2h",
                )
            }),
            (None, true) => Ok(QuotaWait::NoWait),
            (None, false) => Ok(QuotaWait::Wait),
        }
    }
}
