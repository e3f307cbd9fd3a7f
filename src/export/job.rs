//! The job of an export: what is exported, where to, and the steps that need no network.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::Serialize;

use crate::dispatch::Clock;
use crate::export::images::{self, ExportedImage};
use crate::export::protected_file::{refuse_irreplaceable, refuse_protected};
use crate::export::sealed::{summary_of_delivered, try_deliver};
use crate::export::{
    BillingFilter, CustomerSheet, Error, ExportOptions, ExportSummary, ImageExport, OutputFile,
    ProtectedFile, RecordFilter, RefreshPolicy, SealPreparation, prepare_sealed_export,
    to_customer_sheet, to_file, to_stream,
};
use crate::journal::{self, BilledElsewhereDeclaration, Journal, MissingSeal, SealedExport};

/// What to export, and where to.
#[expect(
    missing_debug_implementations,
    reason = "the stream and the notice handler cannot be shown"
)]
pub struct ExportJob<'a> {
    /// The journal, opened for a run of its own unless nothing is requested or sealed.
    pub journal: Arc<Journal>,
    /// Format, time zone and filter.
    pub options: ExportOptions,
    /// Where the export is written.
    pub target: ExportTarget<'a>,
    /// Which existing files it may replace.
    pub overwrite: OverwritePolicy,
    /// Which measurements are requested again.
    pub refresh: RefreshPolicy,
    /// How images are exported.
    pub images: ImageExport,
    /// The clock.
    pub clock: Clock,
    /// Receives what the user should know besides the summary.
    pub report: &'a dyn Fn(ExportNotice),
}

/// Where an export is written.
#[expect(missing_debug_implementations, reason = "the stream cannot be shown")]
pub enum ExportTarget<'a> {
    /// A stream. It cannot take a workbook or images.
    Stream(Box<dyn Write + Send + 'a>),
    /// A file.
    File(OutputFile),
    /// A copy of the user's own sheet, with result columns appended.
    CustomerSheet {
        /// The file to write.
        output: OutputFile,
        /// The user's sheet.
        sheet: CustomerSheet<'a>,
    },
    /// A numbered file that bills every complete measurement that is not billed yet.
    SealedFile {
        /// The file to write.
        output: OutputFile,
        /// What was billed from another journal, if the user answers that question now.
        billed_elsewhere: Option<BilledElsewhereDeclaration>,
    },
}

/// Which existing files an export may replace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OverwritePolicy {
    /// Unsealed exports that nobody has changed.
    UnchangedExports,
    /// Any file, except a journal, an imported sheet and a sealed export.
    OtherFiles,
}

/// A sealed export whose run ended before it reported it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct UnreportedSeal {
    /// The number of the export.
    pub number: u64,
    /// Its file, which may be missing.
    #[serde(rename = "file")]
    pub path: PathBuf,
}

/// The sealed exports of earlier runs that had not reported them.
#[derive(Debug, Default)]
pub(super) struct EarlierSeals {
    /// The summary of the one whose file this export was to write, if it is there now.
    pub(super) same_file: Option<ExportSummary>,
    /// The others whose files are there now.
    pub(super) delivered: Vec<UnreportedSeal>,
    /// Those that still cannot be delivered.
    pub(super) undelivered: Vec<UnreportedSeal>,
}

/// Something that the user should know and that does not fail the export.
#[derive(Debug)]
pub enum ExportNotice {
    /// An earlier run sealed this export and was stopped before it reported it; its file is there now.
    SealDelivered(UnreportedSeal),
    /// An earlier run sealed this export, and its file still cannot be written.
    SealNotDelivered(UnreportedSeal),
    /// The journal could not record that this sealed export was reported. The next run reports it again.
    DeliveryNotRecorded {
        /// The sealed export.
        number: u64,
        /// Why not.
        error: journal::Error,
    },
    /// The record of seals beside the journal could not be written. The journal itself holds the seals.
    SealRecordFailed(journal::Error),
}

impl ExportTarget<'_> {
    /// Returns the file to write; `None` for a stream.
    pub fn output(&self) -> Option<&OutputFile> {
        match self {
            Self::Stream(_) => None,
            Self::File(output)
            | Self::CustomerSheet { output, .. }
            | Self::SealedFile { output, .. } => Some(output),
        }
    }

    pub(super) fn is_sealed(&self) -> bool {
        matches!(self, Self::SealedFile { .. })
    }
}

impl OverwritePolicy {
    /// Refuses an existing file that may not be replaced.
    ///
    /// # Errors
    /// [`Error::Protected`] with the reason, and [`Error::Journal`].
    pub fn refuse_protected(self, path: &Path, journal: &Journal) -> Result<(), Error> {
        match self {
            Self::UnchangedExports => refuse_protected(path, Some(journal)),
            Self::OtherFiles => refuse_irreplaceable(path, journal),
        }
    }
}

impl ExportJob<'_> {
    /// If the export seals, refuses a journal that lacks seals which the record beside it names, unless the declaration
    /// accounts for them.
    ///
    /// # Errors
    /// [`journal::Error::MissingSeals`], and other errors of the journal.
    pub(super) fn refuse_missing_seals(&self) -> Result<(), Error> {
        match &self.target {
            ExportTarget::SealedFile {
                billed_elsewhere, ..
            } => missing_seals(&self.journal, billed_elsewhere.as_ref()).map(drop),
            ExportTarget::Stream(_)
            | ExportTarget::File(_)
            | ExportTarget::CustomerSheet { .. } => Ok(()),
        }
    }

    /// Refuses a protected file before requests are spent on it. A billing export that is repeated under its own name is
    /// refused later, since it may have nothing to seal and then replaces nothing.
    pub(super) fn refuse_before_requests(&self) -> Result<(), Error> {
        match self.refuse_protected_target() {
            Err(Error::Protected {
                why:
                    ProtectedFile::Sealed {
                        number: Some(_), ..
                    },
                ..
            }) if self.target.is_sealed() => Ok(()),
            refused => refused,
        }
    }

    fn refuse_protected_target(&self) -> Result<(), Error> {
        match self.target.output() {
            Some(output) => self
                .overwrite
                .refuse_protected(output.path_as_given(), &self.journal),
            None => Ok(()),
        }
    }

    /// Delivers sealed files that earlier runs could not deliver. A billing export reports those that are there; any
    /// other leaves that to the next billing export, because a program that sends bills may read only its report.
    pub(super) fn deliver_unreported(&self) -> Result<EarlierSeals, Error> {
        let target = &self.target;
        let mut earlier = EarlierSeals::default();
        let mut seals = self.journal.sealed_exports()?;
        seals.retain(SealedExport::is_unreported);
        for export in seals {
            let (number, path) = (export.number, export.path.clone());
            let seal = UnreportedSeal { number, path };
            let is_same = target.output().is_some_and(|to| to.path() == seal.path);
            if !try_deliver(self, &export) {
                (self.report)(ExportNotice::SealNotDelivered(seal.clone()));
                earlier.undelivered.push(seal);
            } else if target.is_sealed() {
                (self.report)(ExportNotice::SealDelivered(seal.clone()));
                if is_same {
                    let snapshot = self.journal.snapshot()?;
                    let summary = summary_of_delivered(&snapshot, &self.options, &export)?;
                    earlier.same_file = Some(summary);
                } else {
                    earlier.delivered.push(seal);
                }
            }
        }
        Ok(earlier)
    }

    /// Returns the images of the measurements that the export contains, each address once.
    pub(super) fn wanted_images(&self) -> Result<Vec<ExportedImage>, Error> {
        let filter = RecordFilter {
            billing: if self.target.is_sealed() {
                BillingFilter::Unbilled
            } else {
                BillingFilter::All
            },
            external_ids: match &self.target {
                ExportTarget::CustomerSheet { sheet, .. } => Some(sheet.external_ids()),
                _ => None,
            },
            ..self.options.filter.clone()
        };
        let snapshot = self.journal.snapshot()?;
        images::wanted(&self.options.results(&snapshot, filter)?)
    }

    /// Writes or seals the file.
    pub(super) fn write(self) -> Result<ExportSummary, Error> {
        let (journal, options) = (&self.journal, &self.options);
        let overwrite = self.overwrite;
        if let ExportTarget::SealedFile {
            billed_elsewhere: Some(declaration),
            ..
        } = &self.target
        {
            let missing = missing_seals(journal, Some(declaration))?;
            journal.record_declaration(declaration.clone(), missing)?;
        }
        let snapshot = journal.snapshot()?;
        Ok(match self.target {
            ExportTarget::Stream(mut out) => to_stream(&snapshot, options, &mut *out)?,
            ExportTarget::File(output) => {
                to_file(&snapshot, options, &output)?.put(journal, overwrite)?
            }
            ExportTarget::CustomerSheet { output, sheet } => {
                to_customer_sheet(&snapshot, options, &sheet, &output)?.put(journal, overwrite)?
            }
            ExportTarget::SealedFile { output, .. } => {
                let prepared = prepare_sealed_export(&snapshot, options, &output, self.clock.now());
                if let Err(Error::Undeclared(undeclared)) = &prepared {
                    let asked = undeclared.measurements.iter();
                    let asked = asked.map(|one| one.measurement_id.clone()).collect();
                    journal.record_billing_question(asked)?;
                }
                match prepared? {
                    SealPreparation::Nothing(summary) => {
                        journal.record_waiting_adjustments(summary.waiting)?;
                        *summary
                    }
                    SealPreparation::File(prepared) => {
                        drop(snapshot);
                        let path = output.path_as_given();
                        overwrite.refuse_protected(path, journal)?;
                        let sealed = prepared.seal(journal)?;
                        sealed.deliver(journal)?
                    }
                }
            }
        })
    }
}

/// Returns the seals that the record beside the journal names and the journal lacks. Refuses them unless the user
/// declared what was billed elsewhere.
fn missing_seals(
    journal: &Journal,
    declaration: Option<&BilledElsewhereDeclaration>,
) -> Result<Vec<MissingSeal>, Error> {
    let snapshot = journal.snapshot()?;
    let missing = journal::missing_seals(&snapshot, journal.path())?;
    let known = snapshot.sealed_exports()?;
    let numbers = missing.iter().map(|seal| seal.export.number);
    // A seal whose number the journal has given to another file cannot be adopted.
    let is_taken = |number: &u64| known.iter().any(|seal| seal.number == *number);
    let taken = numbers.clone().find(is_taken);
    match taken.or_else(|| numbers.max()) {
        Some(number) if declaration.is_none() || taken.is_some() => {
            Err(Error::Journal(journal::Error::MissingSeals {
                path: journal.path().to_owned(),
                record: journal.seal_record_path(),
                number,
                is_taken: taken.is_some(),
            }))
        }
        _ => Ok(missing),
    }
}

/// Writes the record of seals beside the journal. The journal holds them already, so that a failure is a notice.
pub(super) fn record_seals(journal: &Journal, report: &dyn Fn(ExportNotice)) {
    if let Err(error) = journal.record_seals() {
        report(ExportNotice::SealRecordFailed(error));
    }
}
