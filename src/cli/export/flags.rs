//! The flags of `export`, and what they mean.

use std::path::{Path, PathBuf};

use jiff::Timestamp;
use jiff::civil::Date;

use crate::cli::network::NetworkArgs;
use crate::cli::output_style::OutputFormat as ConsoleFormat;
use crate::cli::reading::ReadingArgs;
use crate::cli::{CommandError, ExitStatus};
use crate::dispatch::StopSignal;
use crate::export::{
    BilledLines, CompletionPeriod, ExcelSafe, ExportFormat, ExportOptions, LineSelection,
    OutputFile, RefreshPolicy, ZoneName,
};
use crate::journal::BilledElsewhereDeclaration;

/// Update measurements that are not final and write the results as .xlsx, .csv, .json or .ndjson
///
/// Measurements that are not final are requested again, as far as the quota allows. Then everything that the journal
/// knows is written. An existing export is replaced only when the new file is complete.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a flag that stands alone"
)]
pub(in crate::cli) struct Args {
    /// The file to write; `-` writes to standard output, with --format
    #[arg(value_name = "OUT", required_unless_present = "sealed")]
    pub(super) out: Option<PathBuf>,

    /// Format, where the name of OUT does not tell it
    #[arg(long, value_name = "FORMAT", value_parser = ["xlsx", "csv", "json", "ndjson"], help_heading = "Export flags")]
    pub(super) format: Option<String>,

    /// Only measurements completed on this day or later
    #[arg(
        long,
        value_name = "DATE",
        value_parser = day,
        help_heading = "Export flags",
        conflicts_with = "month"
    )]
    pub(super) completed_from: Option<Date>,

    /// Only measurements completed before this day
    #[arg(
        long,
        value_name = "DATE",
        value_parser = day,
        help_heading = "Export flags",
        conflicts_with = "month"
    )]
    pub(super) completed_to: Option<Date>,

    /// Only measurements completed in this month
    #[arg(long, value_name = "YYYY-MM", help_heading = "Export flags")]
    pub(super) month: Option<String>,

    /// Time zone of days, months and printed times, for instance America/Toronto
    #[arg(
        long,
        value_name = "ZONE",
        default_value = "UTC",
        help_heading = "Export flags"
    )]
    pub(super) tz: String,

    /// Which measurements to request again: those that are not final, all, or none
    #[arg(long, value_name = "WHICH", default_value = "auto", value_parser = ["auto", "all", "never"], help_heading = "Export flags")]
    pub(super) refresh: String,

    /// Send nothing; the same as --refresh never
    #[arg(long, help_heading = "Export flags", conflicts_with = "wait_complete")]
    pub(super) offline: bool,

    /// Keep requesting until all are final: after seconds at first, then less and less often, within the quota
    #[arg(long, help_heading = "Export flags")]
    pub(super) wait_complete: bool,

    /// Write a numbered billing export of everything that is complete and not yet billed, and seal it
    #[arg(long, help_heading = "Export flags", conflicts_with = "again")]
    pub(super) new: bool,

    /// What was billed from another journal: everything completed before this day, or `never`; asked only once
    #[arg(long, value_name = "DATE|never", value_parser = BilledUntil::parse, help_heading = "Export flags", requires = "new")]
    pub(super) billed_until: Option<BilledUntil>,

    /// Write sealed export N once more, byte for byte
    #[arg(long, value_name = "N", help_heading = "Export flags", conflicts_with_all = ["month", "completed_from", "completed_to", "wait_complete"])]
    pub(super) again: Option<u64>,

    /// List the sealed exports
    #[arg(long, help_heading = "Export flags", conflicts_with_all = ["out", "new", "again", "wait_complete"])]
    pub(super) sealed: bool,

    /// How to export images: as links, as pictures in the workbook, or as files in a folder beside it
    #[arg(long, value_name = "WHAT", default_value = "link", value_parser = ["link", "embed", "download"], help_heading = "Export flags")]
    pub(super) images: String,

    /// Replace OUT whatever it is [default: only an unmodified, unsealed export is replaced]
    #[arg(long, help_heading = "Export flags")]
    pub(super) force: bool,

    /// In CSV, put an apostrophe before text that a spreadsheet would read as a formula, and mark the file as UTF-8
    #[arg(long, help_heading = "Export flags")]
    pub(super) excel_safe: bool,

    /// Write your own sheet again, in its order, with the results in additional columns
    #[arg(long = "for", value_name = "FILE", help_heading = "Export flags", conflicts_with_all = ["new", "again", "sealed", "month", "completed_from", "completed_to", "format"])]
    pub(super) own: Option<PathBuf>,

    #[command(flatten)]
    pub(super) reading: ReadingArgs,

    #[command(flatten)]
    pub(super) network: NetworkArgs,
}

const EXAMPLES: &str = "Examples:
  gutterbatch export results.xlsx
  gutterbatch export results.csv --offline
  gutterbatch export october.xlsx --month 2026-10 --tz America/Toronto
  gutterbatch export billing.xlsx --new
  gutterbatch export billing.xlsx --new --billed-until 2026-11-01
  gutterbatch export billing-3.xlsx --again 3
  gutterbatch export --sealed
  gutterbatch export leads.results.xlsx --for leads.xlsx
  gutterbatch export - --format ndjson | jq .gutter_length_ft";

/// What `--billed-until` says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BilledUntil {
    /// What was completed before that day was billed elsewhere.
    Day(Date),
    /// Nothing was.
    Never,
}

impl BilledUntil {
    fn parse(text: &str) -> Result<Self, String> {
        match text {
            "never" => Ok(Self::Never),
            text => text
                .parse()
                .map(Self::Day)
                .map_err(|_| format!("`{text}` is neither a day, such as 2026-11-01, nor `never`")),
        }
    }

    /// What the journal records.
    fn declaration(self, zone: &ZoneName, now: Timestamp) -> Option<BilledElsewhereDeclaration> {
        let (until, text) = match self {
            Self::Never => (None, "never".to_owned()),
            Self::Day(day) => (
                Some(zone.start_of(day)?),
                format!("{day} ({})", zone.name()),
            ),
        };
        Some(BilledElsewhereDeclaration {
            declared_at: now,
            until,
            text,
        })
    }
}

/// Where an export goes.
#[derive(Clone, Debug)]
pub(super) enum ExportDestination {
    /// A file.
    Place(OutputFile),
    /// Standard output.
    Stream,
}

impl Args {
    /// The file as typed.
    pub(super) fn path(&self) -> &Path {
        self.out.as_deref().unwrap_or(Path::new("-"))
    }

    pub(super) fn policy(&self) -> RefreshPolicy {
        match self.refresh.as_str() {
            _ if self.offline => RefreshPolicy::Never,
            "all" => RefreshPolicy::All,
            "never" => RefreshPolicy::Never,
            _ => RefreshPolicy::Auto,
        }
    }

    /// Whether billed measurements are left out.
    pub(super) fn billing(&self) -> BilledLines {
        if self.new {
            BilledLines::Unbilled
        } else {
            BilledLines::Everything
        }
    }

    /// What is asked for.
    ///
    /// # Errors
    /// [`ExitStatus::Usage`] for a zone or month that there is not, and for an unknown extension.
    pub(super) fn order(&self) -> Result<ExportOptions, CommandError> {
        let zone = self.zone()?;
        let period = self.period(&zone)?;
        Ok(ExportOptions {
            format: self.file_format()?,
            safety: if self.excel_safe {
                ExcelSafe::On
            } else {
                ExcelSafe::Off
            },
            zone,
            selection: LineSelection {
                period,
                billing: BilledLines::Everything,
                ids: None,
            },
            partial: None,
            pictures: None,
            stop: StopSignal::never(),
        })
    }

    /// Where it goes.
    ///
    /// # Errors
    /// [`ExitStatus::Usage`] for what cannot go to standard output, [`ExitStatus::Files`] for a place that cannot be written.
    pub(super) fn destination(
        &self,
        format: ConsoleFormat,
    ) -> Result<ExportDestination, CommandError> {
        if self.path() != Path::new("-") {
            return Ok(ExportDestination::Place(OutputFile::at(self.path())?));
        }
        let refuse = |reason: &str| CommandError::new(ExitStatus::Usage, reason);
        if format == ConsoleFormat::Json {
            return Err(refuse(
                "standard output cannot carry both the export and the JSON document",
            )
            .hinted("name a file, or leave --json out"));
        }
        if self.new {
            return Err(refuse("a sealed export needs a file")
                .hinted("gutterbatch export billing.xlsx --new"));
        }
        Ok(ExportDestination::Stream)
    }

    /// What the journal is to record as billed elsewhere.
    ///
    /// # Errors
    /// [`ExitStatus::Usage`] for a zone that there is not, and for a day beyond every calendar.
    pub(super) fn declaration(
        &self,
        now: Timestamp,
    ) -> Result<Option<BilledElsewhereDeclaration>, CommandError> {
        let Some(billed_until) = self.billed_until else {
            return Ok(None);
        };
        match billed_until.declaration(&self.zone()?, now) {
            Some(declaration) => Ok(Some(declaration)),
            None => Err(CommandError::new(
                ExitStatus::Usage,
                "the day of --billed-until is beyond every calendar",
            )),
        }
    }

    fn zone(&self) -> Result<ZoneName, CommandError> {
        ZoneName::named(&self.tz).ok_or_else(|| {
            CommandError::new(
                ExitStatus::Usage,
                format!("`{}` is not a time zone", self.tz),
            )
            .hinted("give an IANA name, for instance America/Toronto or America/New_York")
        })
    }

    fn period(&self, zone: &ZoneName) -> Result<Option<CompletionPeriod>, CommandError> {
        let wrong = |reason: String| CommandError::new(ExitStatus::Usage, reason);
        let period = match (&self.month, self.completed_from, self.completed_to) {
            (None, None, None) => return Ok(None),
            (Some(month), ..) => CompletionPeriod::of_month(month, zone).ok_or_else(|| {
                wrong(format!("`{month}` is not a month")).hinted("write for instance 2026-10")
            })?,
            (None, from, to) => CompletionPeriod::of_days(from, to, zone)
                .ok_or_else(|| wrong("these days are beyond every calendar".to_owned()))?,
        };
        if period.is_empty() {
            return Err(wrong(
                "the period ends before it starts; --completed-to is the first day that is left out"
                    .to_owned(),
            ));
        }
        Ok(Some(period))
    }

    fn file_format(&self) -> Result<ExportFormat, CommandError> {
        let named = self.format.as_deref().and_then(ExportFormat::from_name);
        if self.path() == Path::new("-") {
            return match named {
                Some(ExportFormat::Xlsx) => Err(CommandError::new(
                    ExitStatus::Usage,
                    "a workbook does not go to standard output",
                )
                .hinted("name a file, or choose --format csv, json or ndjson")),
                Some(format) => Ok(format),
                None => Err(CommandError::new(
                    ExitStatus::Usage,
                    "standard output has no extension",
                )
                .hinted("choose --format csv, json or ndjson")),
            };
        }
        match named {
            Some(format) => Ok(format),
            // The sheet's own rules decide.
            None if self.own.is_some() => Ok(ExportFormat::Xlsx),
            None => Ok(ExportFormat::of_path(self.path())?),
        }
    }
}

fn day(text: &str) -> Result<Date, String> {
    text.parse()
        .map_err(|_| format!("`{text}` is not a day: write for instance 2026-10-01"))
}
