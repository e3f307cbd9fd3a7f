//! The arguments of `export`, and what they mean.

use std::path::{Path, PathBuf};

use jiff::Timestamp;
use jiff::civil::Date;

use crate::cli::console::Console;
use crate::cli::context::Context;
use crate::cli::export::values::{self, BilledUntil};
use crate::cli::network::NetworkArgs;
use crate::cli::reading::ReadingArgs;
use crate::cli::stdout_data::stdout_data;
use crate::cli::{CliError, CommandError, clock};
use crate::dispatch::StopSignal;
use crate::export::{
    BillingFilter, CompletionPeriod, CustomerSheet, ExportFormat, ExportOptions, ExportTarget,
    FormulaEscaping, ImageExport, OutputFile, OverwritePolicy, RecordFilter, RefreshPolicy,
    TimeZoneName,
};
use crate::journal::{BilledElsewhereDeclaration, SealedExport};

/// Update measurements that are not final and write the results as .xlsx, .csv, .json or .ndjson
///
/// Measurements that are not final are requested again, as far as the quota allows. Then everything that the journal
/// knows is written. An existing export is replaced only when the new file is complete.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES, next_help_heading = "Export flags")]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
pub(in crate::cli) struct Args {
    /// The file to write; `-` writes to standard output, with --format
    #[arg(value_name = "OUT", help_heading = None, required_unless_present = "sealed")]
    pub(in crate::cli) out: Option<PathBuf>,

    /// Format, if OUT has no extension that names it
    #[arg(long, value_name = "FORMAT")]
    pub(super) format: Option<ExportFormat>,

    /// Only measurements completed on this day or later
    #[arg(
        long,
        value_name = "DATE",
        value_parser = values::day,
        conflicts_with = "month"
    )]
    pub(super) completed_from: Option<Date>,

    /// Only measurements completed before this day
    #[arg(
        long,
        value_name = "DATE",
        value_parser = values::day,
        conflicts_with = "month"
    )]
    pub(super) completed_to: Option<Date>,

    /// Only measurements completed in this month
    #[arg(long, value_name = "YYYY-MM", value_parser = values::month)]
    pub(super) month: Option<String>,

    /// Time zone of days, months and printed times, for instance America/Toronto [default: UTC]
    #[arg(long, value_name = "ZONE", value_parser = values::zone)]
    pub(super) tz: Option<TimeZoneName>,

    /// Measurements to request again: those that are not final, all, or none
    #[arg(long, value_name = "WHICH", default_value = "auto")]
    pub(super) refresh: RefreshPolicy,

    /// Send nothing: no refresh, no image files
    #[arg(long, conflicts_with_all = ["wait_complete", "refresh"])]
    pub(super) offline: bool,

    /// Ask again until all are final or the period has ended, and wait for the quota
    #[arg(long)]
    pub(super) wait_complete: bool,

    /// Bill what is complete and not billed, in a sealed export
    ///
    /// A sealed export is numbered, and never changed.
    #[arg(long, conflicts_with = "again")]
    pub(super) new: bool,

    /// Declare what was billed from another journal: everything completed before this day, or `never`; needed once
    #[arg(long, value_name = "DATE|never", value_parser = BilledUntil::parse, requires = "new")]
    pub(super) billed_until: Option<BilledUntil>,

    /// With --billed-until: replace an earlier declaration
    #[arg(long, requires = "billed_until")]
    pub(super) redeclare: bool,

    /// Write sealed export (bill) N again, byte for byte
    #[arg(long, value_name = "N", conflicts_with_all = ["month", "completed_from", "completed_to", "wait_complete"])]
    pub(super) again: Option<u64>,

    /// List the sealed exports (bills)
    #[arg(long, conflicts_with_all = ["out", "new", "again", "wait_complete"])]
    pub(super) sealed: bool,

    /// How to export images: as links, as pictures in the workbook, or as files in a folder beside it
    #[arg(long, value_name = "WHAT", default_value = "link")]
    pub(super) images: ImageExport,

    /// Replace OUT even if it was edited or is another file; journals, imported sheets and sealed exports (bills) are
    /// never replaced
    #[arg(long)]
    pub(super) force: bool,

    /// In CSV, put an apostrophe before text that a spreadsheet would read as a formula, and mark the file as UTF-8;
    /// with --for, the cells of your own columns stay as they are
    #[arg(long)]
    pub(super) excel_safe: bool,

    /// Write your own sheet again, with the results in additional columns
    #[arg(long = "for", value_name = "FILE", conflicts_with_all = ["new", "again", "sealed", "month", "completed_from", "completed_to", "format"])]
    pub(super) own: Option<PathBuf>,

    #[command(flatten)]
    pub(super) reading: ReadingArgs,

    #[command(flatten)]
    pub(super) network: NetworkArgs,
}

const EXAMPLES: &str = "Examples:
  gutterbatch export results.xlsx
  gutterbatch export billing.xlsx --new
  gutterbatch export leads.results.xlsx --for leads.xlsx
  gutterbatch export results.csv --offline
  gutterbatch export overview.xlsx --month 2026-10 --tz America/Toronto
  gutterbatch export october.xlsx --new --completed-to 2026-11-01
  gutterbatch export billing.xlsx --new --billed-until 2026-11-01
  gutterbatch export billing-3.xlsx --again 3
  gutterbatch export --sealed
  gutterbatch export - --format ndjson | jq .gutter_length_ft";

impl Args {
    /// Returns the file as typed.
    pub(super) fn path(&self) -> &Path {
        self.out.as_deref().unwrap_or(Path::new("-"))
    }

    /// Whether the export is written to standard output.
    pub(super) fn is_to_stdout(&self) -> bool {
        self.path() == Path::new("-")
    }

    pub(super) fn policy(&self) -> RefreshPolicy {
        if self.offline {
            return RefreshPolicy::Never;
        }
        self.refresh
    }

    /// Returns how images are exported to a file of this format: as links where the profile sets what it cannot have.
    ///
    /// # Errors
    /// `ExitStatus::Usage` for images that the export cannot have, if the flag was typed.
    pub(super) fn images(
        &self,
        format: ExportFormat,
        context: &Context,
    ) -> Result<ImageExport, CommandError> {
        let is_workbook = self.own.is_none() && format == ExportFormat::Xlsx;
        let error = match self.images {
            ImageExport::Link => return Ok(self.images),
            _ if self.offline => CliError::OfflineImages {
                images: self.images.name(),
            },
            _ if self.is_to_stdout() => CliError::NotOnStdout("images"),
            ImageExport::Embed if !is_workbook => CliError::ImagesNotEmbedded,
            ImageExport::Embed | ImageExport::Download => return Ok(self.images),
        };
        if context.is_from_profile("images") {
            return Ok(ImageExport::Link);
        }
        Err(error.into())
    }

    pub(super) fn overwrite(&self) -> OverwritePolicy {
        if self.force {
            OverwritePolicy::OtherFiles
        } else {
            OverwritePolicy::UnchangedExports
        }
    }

    /// Returns format, time zone and filter.
    ///
    /// # Errors
    /// `ExitStatus::Usage` for an unknown zone, an invalid period, an unknown extension and impossible images.
    pub(super) fn options(&self) -> Result<ExportOptions, CommandError> {
        let zone = self.zone();
        let period = self.period(&zone)?;
        let format = self.file_format()?;
        Ok(ExportOptions {
            format,
            formula_escaping: if self.excel_safe {
                FormulaEscaping::On
            } else {
                FormulaEscaping::Off
            },
            zone,
            filter: RecordFilter {
                period,
                billing: BillingFilter::All,
                external_ids: None,
            },
            partial: None,
            images: None,
            stop: StopSignal::never(),
        })
    }

    /// Returns the file; `None` for standard output.
    ///
    /// # Errors
    /// `ExitStatus::Usage` for what standard output cannot take, `ExitStatus::Files` for a file that cannot be
    /// written.
    pub(super) fn output(&self, console: &Console) -> Result<Option<OutputFile>, CommandError> {
        if !self.is_to_stdout() {
            return Ok(Some(OutputFile::new(self.path())?));
        }
        let what = if console.prints_json() {
            "both the export and the JSON document"
        } else if self.new {
            "a sealed export"
        } else {
            return Ok(None);
        };
        Err(CliError::NotOnStdout(what).into())
    }

    /// Returns the target of the export. `now` is the time of a declaration.
    ///
    /// # Errors
    /// `ExitStatus::Usage` for an unknown zone and for a day that is out of range.
    pub(super) fn target<'a>(
        &self,
        output: Option<OutputFile>,
        sheet: Option<CustomerSheet<'a>>,
        now: Timestamp,
    ) -> Result<ExportTarget<'a>, CommandError> {
        let Some(output) = output else {
            return Ok(ExportTarget::Stream(Box::new(stdout_data())));
        };
        Ok(match sheet {
            Some(sheet) => ExportTarget::CustomerSheet { output, sheet },
            None if self.new => ExportTarget::SealedFile {
                output,
                billed_elsewhere: self.declaration(now)?,
            },
            None => ExportTarget::File(output),
        })
    }

    fn declaration(
        &self,
        now: Timestamp,
    ) -> Result<Option<BilledElsewhereDeclaration>, CommandError> {
        let Some(billed_until) = self.billed_until else {
            return Ok(None);
        };
        let (until, text) = billed_until
            .until(&self.zone())
            .ok_or(CliError::DayOutOfRange("--billed-until"))?;
        Ok(Some(BilledElsewhereDeclaration {
            declared_at: now,
            until,
            text,
            replaces_earlier: self.redeclare,
        }))
    }

    /// Returns the time zone: UTC unless another one is given.
    pub(super) fn zone(&self) -> TimeZoneName {
        self.tz.clone().unwrap_or_else(TimeZoneName::utc)
    }

    /// Returns a note if days are those of UTC although this computer is in another zone and `--tz` is not given.
    pub(super) fn zone_note(&self) -> Option<String> {
        let system = clock::zone_name()?;
        self.has_days_of_no_zone().then(|| {
            format!(
                "days and months are those of UTC; for those of this computer's zone, add --tz {system}"
            )
        })
    }

    /// Returns a warning if days are those of UTC although those of the last sealed export were of another zone and
    /// `--tz` is not given.
    pub(super) fn zone_warning(&self, sealed: &[SealedExport]) -> Option<String> {
        let (number, zone) = sealed.iter().rev().find_map(|export| {
            let zone = CompletionPeriod::zone_of(export.period.as_deref()?)?;
            Some((export.number, zone))
        })?;
        let is_other = self.has_days_of_no_zone() && zone != self.zone().name();
        is_other.then(|| {
            format!(
                "days and months are those of UTC, and those of sealed export {number} were of {zone}: for the same, add --tz {zone}"
            )
        })
    }

    fn has_days_of_no_zone(&self) -> bool {
        let has_days = self.month.is_some()
            || self.completed_from.is_some()
            || self.completed_to.is_some()
            || matches!(self.billed_until, Some(BilledUntil::Day(_)));
        has_days && self.tz.is_none()
    }

    fn period(&self, zone: &TimeZoneName) -> Result<Option<CompletionPeriod>, CommandError> {
        let period = match (&self.month, self.completed_from, self.completed_to) {
            (None, None, None) => return Ok(None),
            (Some(month), ..) => CompletionPeriod::from_month(month, zone)
                .ok_or(CliError::DayOutOfRange("--month"))?,
            (None, from, to) => CompletionPeriod::from_days(from, to, zone)
                .ok_or(CliError::DayOutOfRange("--completed-from, --completed-to"))?,
        };
        if period.is_empty() {
            return Err(CliError::EmptyPeriod.into());
        }
        Ok(Some(period))
    }

    fn file_format(&self) -> Result<ExportFormat, CommandError> {
        match self.format {
            Some(ExportFormat::Xlsx) if self.is_to_stdout() => {
                Err(CliError::NotOnStdout("a workbook").into())
            }
            Some(format) => match ExportFormat::from_path(self.path()) {
                Ok(other) if other != format && !self.is_to_stdout() => {
                    let out = self.path().to_owned();
                    let format = format.name();
                    Err(CliError::FormatContradicts { out, format }.into())
                }
                _ => Ok(format),
            },
            None if self.is_to_stdout() && self.new => {
                Err(CliError::NotOnStdout("a sealed export").into())
            }
            None if self.is_to_stdout() => Err(CliError::NoFormat.into()),
            // The format of the user's own sheet decides.
            None if self.own.is_some() => Ok(ExportFormat::Xlsx),
            None => Ok(ExportFormat::from_path(self.path())?),
        }
    }
}
