//! A whole export, step by step.
//!
//! 1. [`ExportRun::start`] checks the target and delivers sealed files that an earlier run could not deliver.
//! 2. [`ExportRun::refresh`] requests measurements again that may have changed, and [`ExportRun::fetch_images`] downloads
//!    images. Both are optional, and the only steps that use the network. [`ExportRun::refresh_candidates`] tells whether
//!    a connection is needed at all.
//! 3. [`ExportRun::finish`] writes or seals the file.
//!
//! The first and the last step wait for the journal and must not run inside an async runtime.

use std::collections::HashSet;
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;

use tempfile::TempDir;

use crate::api::{BaseUrl, ImageClient, ServiceHost, Timeouts};
use crate::dispatch::{Clock, DispatchError, RequestCounts, StopSignal};
use crate::export::images::{self, ImageFetching};
use crate::export::protected_file::refuse_protected;
use crate::export::refresh::{self, CompletionWait, RefreshConnection};
use crate::export::sealed::{OutputClaim, deliver_undelivered, delivered};
use crate::export::{
    BilledLines, CustomerRow, CustomerSheet, Error, ExportOptions, ExportOutcome, ImageExport,
    ImageOutcome, LineSelection, OutputFile, PartialReason, ProtectedFile, RefreshCandidate,
    RefreshOutcome, RefreshPolicy, RefreshProgress, SealCandidate, SealDelivery, prepare,
    to_customer_sheet, to_place, to_stream,
};
use crate::journal::{self, BilledElsewhereDeclaration, Journal};
use crate::model::Team;
use crate::sheet::UnsyncedFolder;

/// What to export, and where to.
#[expect(
    missing_debug_implementations,
    reason = "the stream and the notice handler cannot be shown"
)]
pub struct ExportJob<'a> {
    /// The journal, opened for a run of its own unless nothing is requested or sealed.
    pub journal: Arc<Journal>,
    /// Format, time zone and selection.
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
    /// Receives what the user should know besides the outcome.
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
    /// Any file.
    AnyFile,
}

/// Something that the user should know and that does not fail the export.
#[derive(Debug)]
pub enum ExportNotice {
    /// An earlier run sealed this export and was stopped; its file has been written now.
    SealDelivered {
        /// The sealed export.
        number: u64,
        /// Its file.
        path: PathBuf,
    },
    /// An earlier run sealed this export, and its file still cannot be written.
    SealNotDelivered {
        /// The sealed export.
        number: u64,
        /// The file that is missing.
        path: PathBuf,
    },
    /// The file of a sealed export has been replaced, as [`OverwritePolicy::AnyFile`] permits.
    SealedFileReplaced {
        /// The sealed export whose file it was.
        number: u64,
    },
    /// The record of seals beside the journal was written, but its folder could not be synced.
    SealRecordUnsynced(UnsyncedFolder),
    /// The record of seals beside the journal could not be written. The journal itself holds the seals.
    SealRecordFailed(journal::Error),
}

/// An export in progress.
#[expect(missing_debug_implementations, reason = "see `ExportJob`")]
pub struct ExportRun<'a> {
    job: ExportJob<'a>,
    team: Option<Team>,
    /// The outcome, if an earlier run had sealed this very file and it only had to be delivered.
    delivered: Option<ExportOutcome>,
    refreshed: RefreshOutcome,
    counts: RequestCounts,
    images: Option<ImageOutcome>,
    /// Holds images until the workbook has been written.
    scratch: Option<TempDir>,
}

/// A finished export.
#[derive(Debug)]
pub struct CompletedExport {
    /// The team that the measurements belong to, if it is known.
    pub team: Option<Team>,
    /// What was requested again.
    pub refreshed: RefreshOutcome,
    /// Why some measurements may be out of date, if any.
    pub partial: Option<PartialReason>,
    /// Requests sent.
    pub counts: RequestCounts,
    /// Images that were downloaded; `None` if the export has links only.
    pub images: Option<ImageOutcome>,
    /// What was written.
    pub outcome: ExportOutcome,
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

    fn is_sealed(&self) -> bool {
        matches!(self, Self::SealedFile { .. })
    }
}

impl OverwritePolicy {
    fn refuse_protected(self, output: &OutputFile, journal: &Journal) -> Result<(), Error> {
        match self {
            Self::UnchangedExports => refuse_protected(output.given(), Some(journal)),
            Self::AnyFile => Ok(()),
        }
    }
}

impl<'a> ExportRun<'a> {
    /// Starts an export: refuses a file that must not be replaced, records what was billed elsewhere, and delivers
    /// sealed files that an earlier run could not deliver.
    ///
    /// # Errors
    /// [`Error::NothingImported`], [`Error::Protected`], [`journal::Error::Older`] for a journal that lacks seals which
    /// the record beside it names, and other errors of the journal. Nothing has been requested or written then.
    pub fn start(job: ExportJob<'a>) -> Result<Self, Error> {
        if !job.journal.has_rows()? {
            let path = job.journal.path().to_owned();
            return Err(Error::NothingImported { path });
        }
        job.refuse_before_requests()?;
        // Read now: once a file is sealed and has its name, no step may fail.
        let team = job.journal.binding()?.map(|owner| owner.team());
        if let ExportTarget::SealedFile {
            billed_elsewhere, ..
        } = &job.target
        {
            declare(&job.journal, billed_elsewhere.clone())?;
        }
        let delivered = job.deliver_undelivered()?;
        Ok(Self {
            job,
            team,
            delivered,
            refreshed: RefreshOutcome::default(),
            counts: RequestCounts::default(),
            images: None,
            scratch: None,
        })
    }

    /// Ends the export with [`Error::Interrupted`] when the user stops it.
    pub fn stop_on(&mut self, stop: StopSignal) {
        self.job.options.stop = stop;
    }

    /// Returns the measurements that [`refresh`](Self::refresh) should request again, those that are most likely to have
    /// changed first. If there are none, no connection is needed.
    ///
    /// # Errors
    /// Those of the journal.
    pub fn refresh_candidates(&self) -> Result<Vec<RefreshCandidate>, Error> {
        let job = &self.job;
        if job.refresh == RefreshPolicy::Never || self.delivered.is_some() {
            return Ok(Vec::new());
        }
        let mut candidates = refresh::refresh_candidates(&job.journal.snapshot()?)?;
        if let ExportTarget::CustomerSheet { sheet, .. } = &job.target {
            let ids: HashSet<&str> = sheet.rows.values().filter_map(CustomerRow::id).collect();
            candidates.retain(|candidate| ids.contains(candidate.external_id.as_str()));
        }
        Ok(refresh::wanted(candidates, job.refresh, job.clock.now()))
    }

    /// Requests measurements again. Each response is in the journal before `progress` hears of it. A quota that is used
    /// up, a lost connection or a lost permission makes the export partial.
    ///
    /// # Errors
    /// [`Error::Interrupted`], [`Error::Refresh`] for responses that contradict the service's description and for a
    /// journal that cannot be written, and other errors of the journal.
    pub async fn refresh(
        &mut self,
        connection: RefreshConnection<'_>,
        candidates: &[RefreshCandidate],
        wait: CompletionWait,
        progress: impl FnMut(RefreshProgress),
    ) -> Result<(), Error> {
        let now = self.job.clock.now();
        self.job.journal.clamp_to(now).await?;
        let mut refreshed = refresh::refresh(connection, candidates, wait, progress).await?;
        self.counts = connection.dispatcher.request_counts();
        self.job.options.partial = refreshed.partial();
        match refreshed.error.take() {
            Some(DispatchError::Interrupted) => return Err(Error::Interrupted),
            Some(error @ (DispatchError::Service(_) | DispatchError::Journal(_))) => {
                return Err(error.into());
            }
            error => refreshed.error = error,
        }
        self.refreshed = refreshed;
        Ok(())
    }

    /// Downloads the images of the export, unless it only has links. `progress` receives how many are done, and how many
    /// there are.
    ///
    /// # Errors
    /// [`Error::Write`] and [`Error::Scratch`] if a folder cannot be written, [`Error::Interrupted`], and those of the
    /// journal. An image that cannot be downloaded is part of the outcome instead.
    pub async fn fetch_images(
        &mut self,
        timeouts: Timeouts,
        concurrency: usize,
        mut progress: impl FnMut(u64, u64),
    ) -> Result<(), Error> {
        let Some(output) = self
            .job
            .target
            .output()
            .filter(|_| self.delivered.is_none())
        else {
            return Ok(());
        };
        let folder = match self.job.images {
            ImageExport::Link => return Ok(()),
            ImageExport::Embed => self.scratch.insert(scratch_folder()?).path().to_owned(),
            ImageExport::Download => images::folder_beside(output.path()),
        };
        let requests = self.job.image_requests()?;
        let total = requests.len() as u64;
        progress(0, total);
        let fetching = ImageFetching {
            images: &ImageClient::new(timeouts, service_host(&self.job.journal)?),
            folder: &folder,
            concurrency,
            stop: self.job.options.stop.clone(),
        };
        let fetched = images::fetch(&fetching, &requests, |done| progress(done, total)).await?;
        let is_embedded = self.job.images == ImageExport::Embed;
        self.images = Some(fetched.outcome(requests, (!is_embedded).then_some(folder)));
        self.job.options.pictures = is_embedded.then_some(fetched);
        Ok(())
    }

    /// Writes or seals the file.
    ///
    /// # Errors
    /// [`Error::Write`] and [`Error::Interrupted`] with nothing sealed and an existing file unchanged,
    /// [`Error::Undeclared`] if measurements may have been billed from another journal, [`Error::Undelivered`] if a file
    /// was sealed and could neither be written nor unsealed, and those of the journal.
    pub fn finish(self) -> Result<CompletedExport, Error> {
        let partial = self.job.options.partial.clone();
        let is_sealed = self.job.target.is_sealed();
        let journal = Arc::clone(&self.job.journal);
        let report = self.job.report;
        let outcome = match self.delivered {
            Some(delivered) => delivered,
            None => self.job.write()?,
        };
        if is_sealed {
            record_seals(&journal, report);
        }
        Ok(CompletedExport {
            team: self.team,
            refreshed: self.refreshed,
            partial,
            counts: self.counts,
            images: self.images,
            outcome,
        })
    }
}

impl ExportJob<'_> {
    /// Refuses a protected file before requests are spent on it. A billing export that is repeated under its own name is
    /// refused later, since it may have nothing to seal and then replaces nothing.
    fn refuse_before_requests(&self) -> Result<(), Error> {
        match self.refuse_protected() {
            Err(Error::Protected {
                why: ProtectedFile::Sealed { number: Some(_) },
                ..
            }) if self.target.is_sealed() => Ok(()),
            refused => refused,
        }
    }

    fn refuse_protected(&self) -> Result<(), Error> {
        match self.target.output() {
            Some(output) => self.overwrite.refuse_protected(output, &self.journal),
            None => Ok(()),
        }
    }

    /// Delivers sealed files that an earlier run could not deliver. Returns the outcome if one of them is the file that
    /// this export was to write.
    fn deliver_undelivered(&self) -> Result<Option<ExportOutcome>, Error> {
        let is_sealed = self.target.is_sealed();
        let output = self.target.output();
        let claim = match output {
            Some(output) if is_sealed => OutputClaim::Seal(output),
            output => OutputClaim::Write(output),
        };
        let mut same_file = None;
        for delivery in deliver_undelivered(&self.journal, claim, self.clock.now())? {
            match delivery {
                SealDelivery::Done(seal) => {
                    (self.report)(ExportNotice::SealDelivered {
                        number: seal.number,
                        path: seal.path.clone(),
                    });
                    let is_same = output.is_some_and(|output| output.path() == seal.path);
                    if is_same && is_sealed {
                        same_file = Some(seal);
                    }
                }
                SealDelivery::Left(seal) => (self.report)(ExportNotice::SealNotDelivered {
                    number: seal.number,
                    path: seal.path,
                }),
            }
        }
        let Some(seal) = same_file else {
            return Ok(None);
        };
        let snapshot = self.journal.snapshot()?;
        Ok(Some(delivered(&snapshot, &self.options, &seal)?))
    }

    /// Returns the images of the measurements that the export contains, each address once.
    fn image_requests(&self) -> Result<Vec<images::ImageRequest>, Error> {
        let selection = LineSelection {
            billing: if self.target.is_sealed() {
                BilledLines::Unbilled
            } else {
                BilledLines::Everything
            },
            ..self.options.selection.clone()
        };
        let snapshot = self.journal.snapshot()?;
        images::requests(&self.options.results(&snapshot, selection)?)
    }

    /// Writes or seals the file.
    fn write(self) -> Result<ExportOutcome, Error> {
        if !self.target.is_sealed() {
            // During a long refresh somebody may have opened and saved the file.
            self.refuse_protected()?;
        }
        let replaced = self.seal_to_replace()?;
        let (journal, options) = (&self.journal, &self.options);
        let snapshot = journal.snapshot()?;
        let outcome = match self.target {
            ExportTarget::Stream(out) => to_stream(&snapshot, options, out)?,
            ExportTarget::File(output) => to_place(&snapshot, options, &output)?.put(journal)?,
            ExportTarget::CustomerSheet { output, sheet } => {
                to_customer_sheet(&snapshot, options, &sheet, &output)?.put(journal)?
            }
            ExportTarget::SealedFile { output, .. } => {
                match prepare(&snapshot, options, &output, self.clock.now())? {
                    SealCandidate::Nothing(outcome) => *outcome,
                    SealCandidate::File(prepared) => {
                        drop(snapshot);
                        self.overwrite.refuse_protected(&output, journal)?;
                        let sealed = prepared.seal(journal)?;
                        sealed.deliver(journal, self.clock.now())?
                    }
                }
            }
        };
        if let (Some(number), Some(_)) = (replaced, &outcome.written) {
            (self.report)(ExportNotice::SealedFileReplaced { number });
        }
        Ok(outcome)
    }

    /// Returns the number of the sealed export whose file this export replaces, if it is permitted to.
    fn seal_to_replace(&self) -> Result<Option<u64>, Error> {
        let (OverwritePolicy::AnyFile, Some(output)) = (self.overwrite, self.target.output())
        else {
            return Ok(None);
        };
        match refuse_protected(output.given(), Some(&self.journal)) {
            Err(Error::Protected {
                why: ProtectedFile::Sealed { number },
                ..
            }) => Ok(number),
            Ok(()) | Err(Error::Protected { .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }
}

/// Records what was billed elsewhere, and refuses a journal that lacks seals which the record beside it names, unless
/// the declaration accounts for them.
fn declare(
    journal: &Journal,
    declaration: Option<BilledElsewhereDeclaration>,
) -> Result<(), Error> {
    let lacking = journal.lacking_seals()?;
    let known = journal.snapshot()?.sealed_exports()?;
    let is_taken = |number| known.iter().any(|seal| seal.number == number);
    let newest = lacking.iter().map(|seal| seal.number).max();
    match (declaration, newest) {
        (None, None) => Ok(()),
        // A lacking seal shows that something was billed, so that "never" cannot be true. A seal whose number the journal
        // has given to another file cannot be adopted.
        (Some(declaration), _)
            if lacking.is_empty()
                || declaration.until.is_some()
                    && !lacking.iter().any(|seal| is_taken(seal.number)) =>
        {
            Ok(journal.declare(declaration, lacking)?)
        }
        (_, newest) => Err(Error::Journal(journal::Error::Older {
            path: journal.path().to_owned(),
            record: journal.seal_record(),
            number: newest.unwrap_or_default(),
        })),
    }
}

/// Writes the record of seals beside the journal. The journal holds them already, so that a failure is a notice.
fn record_seals(journal: &Journal, report: &dyn Fn(ExportNotice)) {
    match journal.record_seals() {
        Ok(None) => {}
        Ok(Some(unsynced)) => report(ExportNotice::SealRecordUnsynced(unsynced)),
        Err(error) => report(ExportNotice::SealRecordFailed(error)),
    }
}

/// Returns where the service of the journal is, which decides whether images may be downloaded without TLS.
fn service_host(journal: &Journal) -> Result<ServiceHost, Error> {
    let binding = journal.binding()?;
    let base_url = binding.and_then(|binding| binding.base_url.parse::<BaseUrl>().ok());
    Ok(match base_url {
        Some(base_url) if base_url.is_loopback() => ServiceHost::Loopback,
        Some(_) | None => ServiceHost::Elsewhere,
    })
}

fn scratch_folder() -> Result<TempDir, Error> {
    tempfile::tempdir().map_err(|source| Error::Scratch {
        path: std::env::temp_dir(),
        source,
    })
}
