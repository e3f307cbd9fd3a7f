//! Images of completed measurements, downloaded to a folder beside the export or for the workbook.
//!
//! An image that cannot be downloaded does not fail the export, since every export contains its address.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::io::{ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

use futures::StreamExt;
use ring::digest::{SHA256, digest};

use crate::api::{ImageClient, ImageKind};
use crate::dispatch::{StopSignal, StopStage};
use crate::export::results::unless_stopped;
use crate::export::{Error, ExportResults};
use crate::model::{hexadecimal, named_enum};
use crate::sheet;

named_enum! {
    /// How images are exported.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum ImageExport {
        /// As links.
        Link = "link",
        /// As pictures in the workbook.
        Embed = "embed",
        /// As files in a folder beside the export.
        Download = "download",
    }
}

/// What became of the images of an export.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImageSummary {
    /// How many were downloaded, now or by an earlier export.
    pub fetched: u64,
    /// Those that could not be downloaded, each with the reason.
    pub failed: Vec<(ExportedImage, String)>,
    /// The folder that holds them; `None` if the workbook does.
    pub folder: Option<PathBuf>,
}

/// An image to download.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExportedImage {
    /// Its address.
    pub url: String,
    /// The external id of its measurement.
    pub external_id: String,
    /// Its kind, as the service names it.
    pub kind: String,
}

/// Downloaded images, by address.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FetchedImages {
    files: HashMap<String, PathBuf>,
    failed: HashMap<String, String>,
}

impl ExportedImage {
    /// Returns the file name without extension: external id, kind and a short hash of the address. The hash distinguishes
    /// ids that differ only in special characters, and new versions of an image at another address.
    fn stem(&self) -> String {
        let digest = digest(&SHA256, self.url.as_bytes());
        format!(
            "{}_{}_{}",
            file_name_part(&self.external_id),
            file_name_part(&self.kind),
            hexadecimal(&digest.as_ref()[..4])
        )
    }
}

impl FetchedImages {
    /// Returns the file of an address; `None` if it could not be downloaded.
    pub fn file(&self, url: &str) -> Option<&Path> {
        self.files.get(url).map(PathBuf::as_path)
    }

    /// Returns why an address could not be downloaded.
    pub fn failure(&self, url: &str) -> Option<&str> {
        self.failed.get(url).map(String::as_str)
    }

    /// Returns the summary for the user.
    pub(super) fn summary(
        &self,
        wanted: Vec<ExportedImage>,
        folder: Option<PathBuf>,
    ) -> ImageSummary {
        let failed = wanted.into_iter().filter_map(|image| {
            let reason = self.failure(&image.url)?.to_owned();
            Some((image, reason))
        });
        ImageSummary {
            fetched: self.files.len() as u64,
            failed: failed.collect(),
            folder,
        }
    }
}

/// Returns the images of the selected measurements, each address once.
///
/// # Errors
/// [`Error::Journal`].
pub(super) fn wanted(results: &ExportResults<'_>) -> Result<Vec<ExportedImage>, Error> {
    let mut seen = HashSet::new();
    let mut wanted = Vec::new();
    results.each_selected(&mut |record| {
        let assets = record.valid_result().map(|(result, _)| &result.asset_pack);
        for asset in assets.into_iter().flatten() {
            if !seen.insert(asset.url.clone()) {
                continue;
            }
            wanted.push(ExportedImage {
                url: asset.url.clone(),
                external_id: record.external_id.clone(),
                kind: asset.kind.clone(),
            });
        }
        Ok(())
    })?;
    Ok(wanted)
}

/// How images are downloaded.
#[derive(Debug)]
pub(super) struct ImageFetching<'a> {
    /// Downloads them.
    pub(super) images: &'a ImageClient,
    /// The folder for the files.
    pub(super) folder: &'a Path,
    /// Turns a downloaded image into the stored one; `None` if it is damaged.
    pub(super) stored: fn(Vec<u8>) -> Option<Vec<u8>>,
    /// Maximum number of concurrent downloads.
    pub(super) concurrency: usize,
    /// Ends downloads at once, since an image can be downloaded later.
    pub(super) stop: StopSignal,
}

/// Returns the folder for the images of an export: `results_images` for `results.xlsx`.
pub(super) fn folder_beside(output: &Path) -> PathBuf {
    let stem = output.file_stem().unwrap_or_default().to_string_lossy();
    output.with_file_name(format!("{stem}_images"))
}

/// Downloads images to a folder. Existing files are not downloaded again, since the image at an address never changes.
/// `progress` receives the number of finished downloads.
///
/// # Errors
/// [`Error::Write`] if the folder cannot be written, [`Error::Interrupted`] when the user stops the export.
pub(super) async fn fetch(
    fetching: &ImageFetching<'_>,
    wanted: &[ExportedImage],
    mut progress: impl FnMut(u64),
) -> Result<FetchedImages, Error> {
    let folder = fetching.folder;
    let refused = Error::writing(folder);
    fs::create_dir_all(folder).map_err(refused)?;
    let mut fetched = FetchedImages::default();
    let mut missing = Vec::new();
    for image in wanted {
        match existing_file(folder, &image.stem()) {
            Some(path) => drop(fetched.files.insert(image.url.clone(), path)),
            None => missing.push(image),
        }
    }
    let responses = futures::stream::iter(missing)
        .map(|image| async move { (image, fetching.images.fetch(&image.url).await) })
        .buffer_unordered(fetching.concurrency.max(1))
        .take_until(fetching.stop.reached(StopStage::Draining));
    let mut responses = std::pin::pin!(responses);
    while let Some((image, response)) = responses.next().await {
        let url = image.url.clone();
        let response = response.map_err(|failure| failure.to_string());
        let image_to_store = response.and_then(|(kind, bytes)| {
            let bytes = (fetching.stored)(bytes).ok_or("it is damaged")?;
            Ok((kind, bytes))
        });
        match image_to_store {
            Ok((kind, bytes)) => {
                let path = folder.join(format!("{}.{}", image.stem(), kind.extension()));
                match store_image(folder, &path, &bytes) {
                    Ok(()) => drop(fetched.files.insert(url, path)),
                    Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                        let name = path.display();
                        let reason = format!("{name} is not an image of an export, so it is kept");
                        fetched.failed.insert(url, reason);
                    }
                    Err(error) => return Err(refused(error)),
                }
            }
            Err(reason) => {
                fetched.failed.insert(url, reason);
            }
        }
        progress((fetched.files.len() + fetched.failed.len()) as u64);
    }
    unless_stopped(&fetching.stop)?;
    Ok(fetched)
}

/// Writes an image to a new file; one that is there belongs to the user.
fn store_image(folder: &Path, path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let mut file = sheet::temporary_file(folder)?;
    file.write_all(bytes)?;
    match file.persist_noclobber(path) {
        // Some file systems cannot exclude that a file appears meanwhile.
        Err(failure)
            if failure.error.kind() != ErrorKind::AlreadyExists
                && fs::symlink_metadata(path).is_err() =>
        {
            failure.file.persist(path)?;
        }
        stored => drop(stored?),
    }
    Ok(())
}

fn existing_file(folder: &Path, stem: &str) -> Option<PathBuf> {
    [ImageKind::Png, ImageKind::Jpeg]
        .map(|kind| folder.join(format!("{stem}.{}", kind.extension())))
        .into_iter()
        .find(|path| path.is_file() && is_image(path))
}

fn is_image(path: &Path) -> bool {
    let mut start = Vec::new();
    let read = fs::File::open(path).and_then(|file| file.take(8).read_to_end(&mut start));
    read.is_ok() && ImageKind::detect(&start).is_some()
}

/// Returns text that every file system accepts in a file name.
fn file_name_part(text: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || c == '-';
    let plain = text.chars().map(|c| if is_plain(c) { c } else { '-' });
    let plain: String = plain.take(60).collect();
    plain.trim_matches('-').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stem(external_id: &str, url: &str) -> String {
        let wanted = ExportedImage {
            url: url.to_owned(),
            external_id: external_id.to_owned(),
            kind: "aerial".to_owned(),
        };
        wanted.stem()
    }

    #[test]
    fn a_name_stays_in_its_folder() {
        let name = stem("../../etc/passwd", "https://example.com/1.png");
        assert!(name.starts_with("etc-passwd_aerial_"), "{name}");
        assert!(
            name.chars()
                .all(|c| c.is_alphanumeric() || "-_".contains(c))
        );
    }

    #[test]
    fn a_name_is_of_one_address_alone() {
        let of = |id: &str, number: u32| stem(id, &format!("https://example.com/{number}.png"));
        assert_eq!(of("A-1", 1), of("A-1", 1));
        let names = [of("A-1", 1), of("A/1", 2), of("a-1", 3), of("A-1", 4)];
        let folded: HashSet<String> = names.iter().map(|name| name.to_lowercase()).collect();
        assert_eq!(folded.len(), names.len(), "{names:?}");
    }
}
