//! A whole export, step by step.
//!
//! 1. [`ExportRun::start`] checks the target and delivers sealed files that an earlier run could not deliver.
//! 2. [`ExportRun::refresh`] requests measurements again that may have changed, and [`ExportRun::fetch_images`] downloads
//!    images. Both are optional, and the only steps that use the network. [`ExportRun::refresh_candidates`] tells whether
//!    a connection is needed at all.
//! 3. [`ExportRun::write`] writes or seals the file.
//! 4. [`WrittenExport::reported`] records the delivery of a sealed file, once the caller has told the user about it.
//!
//! The first and the last step wait for the journal and must not run inside an async runtime.

use std::sync::Arc;

use tempfile::TempDir;

use crate::api::{BaseUrl, ImageClient, Timeouts};
use crate::dispatch::{Clock, DispatchError, Dispatcher, RequestCounts, StopSignal};
use crate::export::images::{self, ImageFetching};
use crate::export::job::{EarlierSeals, record_seals};
use crate::export::refresh::{self, CompletionWait};
use crate::export::{
    Error, ExportJob, ExportNotice, ExportSummary, ExportTarget, ImageExport, ImageSummary,
    RefreshPolicy, RefreshProgress, RefreshSummary, workbook,
};
use crate::journal::{Journal, MeasurementState};
use crate::model::Team;
use crate::sheet;

/// An export in progress.
#[expect(missing_debug_implementations, reason = "see `ExportJob`")]
pub struct ExportRun<'a> {
    job: ExportJob<'a>,
    team: Option<Team>,
    earlier: EarlierSeals,
    refreshed: RefreshSummary,
    counts: RequestCounts,
    images: Option<ImageSummary>,
    /// Holds images until the workbook has been written.
    scratch: Option<TempDir>,
}

impl<'a> ExportRun<'a> {
    /// Starts an export: refuses a file that must not be replaced, and delivers sealed files that an earlier run could
    /// not deliver.
    ///
    /// # Errors
    /// [`Error::NothingImported`], [`Error::Protected`],
    /// [`journal::Error::MissingSeals`](crate::journal::Error::MissingSeals) for a journal that lacks seals which the
    /// record beside it names, and other errors of the journal. Nothing has been requested or written then.
    pub fn start(job: ExportJob<'a>) -> Result<Self, Error> {
        if !job.journal.has_rows()? {
            let path = job.journal.path().to_owned();
            return Err(Error::NothingImported(path));
        }
        job.refuse_before_requests()?;
        // Read now: once a file is sealed and has its name, no step may fail.
        let team = job.journal.binding()?.map(|owner| owner.team());
        job.refuse_missing_seals()?;
        job.journal.complete_restored_seals()?;
        let earlier = job.deliver_unreported()?;
        // Also what an earlier run delivered, but was killed before it recorded.
        record_seals(&job.journal, job.report);
        Ok(Self {
            job,
            team,
            earlier,
            refreshed: RefreshSummary::default(),
            counts: RequestCounts::default(),
            images: None,
            scratch: None,
        })
    }

    /// Returns the journal of the export.
    pub fn journal(&self) -> &Arc<Journal> {
        &self.job.journal
    }

    /// Ends the export with [`Error::Interrupted`] when the user stops it.
    pub fn stop_on(&mut self, stop: StopSignal) {
        self.job.options.stop = stop;
    }

    /// Returns the measurements that [`refresh`](Self::refresh) should request again, those that are most likely to have
    /// changed first. If there are none, no connection is needed.
    ///
    /// # Errors
    /// [`Error::Journal`].
    pub fn refresh_candidates(&self) -> Result<Vec<MeasurementState>, Error> {
        let job = &self.job;
        if job.refresh == RefreshPolicy::Never || self.earlier.same_file.is_some() {
            return Ok(Vec::new());
        }
        let mut candidates = job.journal.snapshot()?.measurement_states()?;
        if let ExportTarget::CustomerSheet { sheet, .. } = &job.target {
            let ids = sheet.external_ids();
            candidates.retain(|candidate| ids.contains(candidate.external_id.as_str()));
        }
        let now = job.clock.now();
        Ok(refresh::select_candidates(candidates, job.refresh, now))
    }

    /// Requests measurements again. Each response is in the journal before `progress` is called. A quota that is used
    /// up, a lost connection or a lost permission makes the export partial.
    ///
    /// # Errors
    /// [`Error::Interrupted`], [`Error::Refresh`] for responses that contradict the service's description and for a
    /// journal that cannot be written, and other errors of the journal.
    pub async fn refresh(
        &mut self,
        dispatcher: &Dispatcher,
        candidates: &[MeasurementState],
        wait: CompletionWait,
        progress: impl FnMut(RefreshProgress),
    ) -> Result<(), Error> {
        let now = self.job.clock.now();
        self.job.journal.clamp_slots(now).await?;
        let mut refreshed = refresh::refresh(dispatcher, candidates, wait, progress).await?;
        self.counts = dispatcher.request_counts();
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
    /// journal. An image that cannot be downloaded is part of the summary instead.
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
            .filter(|_| self.earlier.same_file.is_none())
        else {
            return Ok(());
        };
        let folder = match self.job.images {
            ImageExport::Link => return Ok(()),
            ImageExport::Embed => self.scratch.insert(scratch_folder()?).path().to_owned(),
            ImageExport::Download => images::folder_beside(output.path()),
        };
        let wanted = self.job.wanted_images()?;
        let total = wanted.len() as u64;
        progress(0, total);
        let is_embedded = self.job.images == ImageExport::Embed;
        let binding = self.job.journal.binding()?;
        let service = binding.and_then(|binding| binding.base_url.parse::<BaseUrl>().ok());
        let fetching = ImageFetching {
            stored: if is_embedded {
                workbook::thumbnail
            } else {
                Some
            },
            images: &ImageClient::new(timeouts, service.as_ref()),
            folder: &folder,
            concurrency,
            stop: self.job.options.stop.clone(),
        };
        let fetched = images::fetch(&fetching, &wanted, |done| progress(done, total)).await?;
        self.images = Some(fetched.summary(wanted, (!is_embedded).then_some(folder)));
        self.job.options.images = is_embedded.then_some(fetched);
        Ok(())
    }

    /// Writes or seals the file.
    ///
    /// # Errors
    /// [`Error::Write`] and [`Error::Interrupted`] with nothing sealed and an existing file unchanged,
    /// [`Error::Undeclared`] if measurements may have been billed from another journal, [`Error::Undelivered`] if a file
    /// was sealed and could neither be written nor unsealed, and [`Error::Journal`].
    pub fn write(self) -> Result<WrittenExport<'a>, Error> {
        let partial = self.job.options.partial.clone();
        let is_sealed = self.job.target.is_sealed();
        let journal = Arc::clone(&self.job.journal);
        let (report, clock) = (self.job.report, self.job.clock.clone());
        let summary = match self.earlier.same_file {
            Some(delivered) => delivered,
            None => self.job.write()?,
        };
        if is_sealed {
            record_seals(&journal, report);
        }
        let summary = ExportSummary {
            team: self.team,
            refreshed: self.refreshed,
            partial,
            counts: self.counts,
            images: self.images,
            delivered: self.earlier.delivered,
            undelivered: self.earlier.undelivered,
            ..summary
        };
        Ok(WrittenExport {
            summary,
            journal,
            clock,
            report,
        })
    }

    /// Writes or seals the file, for a caller that reports nothing.
    ///
    /// # Errors
    /// As [`write`](Self::write).
    pub fn finish(self) -> Result<ExportSummary, Error> {
        Ok(self.write()?.reported())
    }
}

/// An export whose file is written, and whose caller has to report it.
#[expect(missing_debug_implementations, reason = "see `ExportJob`")]
pub struct WrittenExport<'a> {
    /// What it did.
    pub summary: ExportSummary,
    journal: Arc<Journal>,
    clock: Clock,
    report: &'a dyn Fn(ExportNotice),
}

impl WrittenExport<'_> {
    /// Records the delivery of the sealed exports in the summary, which the caller has reported. Without this, the next
    /// billing export reports them again.
    pub fn reported(self) -> ExportSummary {
        let summary = self.summary;
        let own = summary.sealed.zip(summary.written.as_ref());
        let earlier = summary.delivered.iter();
        for (number, path) in own
            .into_iter()
            .chain(earlier.map(|seal| (seal.number, &seal.path)))
        {
            let now = self.clock.now();
            if let Err(error) = self.journal.mark_delivered(number, path.clone(), now) {
                (self.report)(ExportNotice::DeliveryNotRecorded { number, error });
            }
        }
        summary
    }
}

fn scratch_folder() -> Result<TempDir, Error> {
    sheet::temporary_folder().map_err(|source| Error::Scratch {
        path: std::env::temp_dir(),
        source,
    })
}
