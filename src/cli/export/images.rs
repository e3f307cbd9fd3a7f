//! The pictures of an export: into a folder beside it, or for the workbook to hold.

use std::path::{Path, PathBuf};

use crate::api::{BaseUrl, ImageClient, ServiceHost};
use crate::cli::export::flags::ExportDestination;
use crate::cli::export::job::ExportJob;
use crate::cli::progress::ProgressLine;
use crate::cli::signals::SignalListener;
use crate::cli::{CommandError, ExitStatus};
use crate::export::{self, ImageFetching, ImageRequest, fetch};
use crate::journal::Journal;

/// The pictures of an export.
#[derive(Debug)]
pub(super) struct ImageReport {
    pub(super) came: u64,
    /// Each with the reason why it did not come.
    pub(super) failed: Vec<(ImageRequest, String)>,
    /// Where they are; none where the workbook holds them.
    pub(super) folder: Option<PathBuf>,
    /// Lives until the workbook is written.
    _scratch: tempfile::TempDir,
}

impl ExportJob<'_> {
    /// Fetches pictures where they are asked for.
    pub(super) async fn pictures(
        &mut self,
        journal: &Journal,
        signals: &SignalListener,
    ) -> Result<Option<ImageReport>, CommandError> {
        let place = match (&self.destination, self.args.images.as_str()) {
            (_, "link") => return Ok(None),
            (ExportDestination::Stream, _) => {
                return Err(CommandError::new(
                    ExitStatus::Usage,
                    "images need a file to stand in or beside",
                ));
            }
            (ExportDestination::Place(place), _) => place,
        };
        let snapshot = journal.snapshot()?;
        let wanted = export::pictures_wanted(&snapshot, &self.order, self.args.billing())?;
        let images = ImageClient::new(self.args.network.timeouts(), service_place(journal)?);
        let mut shown = ProgressLine::start(&self.context.console, Some(wanted.len() as u64));
        // Pictures for the workbook go with it; they need no place of their own.
        let scratch = tempfile::tempdir()
            .map_err(|error| CommandError::file("write", &std::env::temp_dir(), &error))?;
        let embedded = self.args.images == "embed";
        let folder = if embedded {
            scratch.path().to_owned()
        } else {
            beside(place.path())
        };
        let fetching = ImageFetching {
            images: &images,
            folder: &folder,
            concurrency: usize::from(self.args.network.concurrency),
            stop: signals.stop(),
        };
        let pictures = match fetch(&fetching, &wanted, |done| shown.update(done, "images")).await {
            Err(export::Error::Interrupted) => return Err(self.interrupted(signals)),
            pictures => pictures?,
        };
        let came = pictures.store_image();
        let failed = wanted.into_iter().filter_map(|picture| {
            let reason = pictures.failure(&picture.url)?.to_owned();
            Some((picture, reason))
        });
        let failed = failed.collect();
        self.order.pictures = embedded.then_some(pictures);
        Ok(Some(ImageReport {
            came,
            failed,
            folder: (!embedded).then_some(folder),
            _scratch: scratch,
        }))
    }
}

/// Where the service of the journal is.
fn service_place(journal: &Journal) -> Result<ServiceHost, CommandError> {
    let bound = journal.binding()?;
    let base_url = bound.and_then(|bound| bound.base_url.parse::<BaseUrl>().ok());
    Ok(match base_url {
        Some(base_url) if base_url.is_loopback() => ServiceHost::Loopback,
        Some(_) | None => ServiceHost::Remote,
    })
}

/// `results.xlsx` has its pictures in `results_images`.
fn beside(path: &Path) -> PathBuf {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!("{stem}_images"))
}
