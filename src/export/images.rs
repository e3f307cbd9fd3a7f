//! The pictures of completed measurements: fetched beside the export, or for the workbook to hold.
//!
//! What cannot be fetched is noted and fails nothing: the addresses stand in every export.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use futures::StreamExt;
use sha2::{Digest, Sha256};
use tempfile::NamedTempFile;

use crate::api::{ImageClient, ImageError, ImageKind};
use crate::dispatch::{StopSignal, StopStage};
use crate::export::results::unless_stopped;
use crate::export::{Error, ExportResults};

/// A picture that is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImageRequest {
    /// Where it is.
    pub url: String,
    /// Whose it is.
    pub external_id: String,
    /// What it shows.
    pub kind: String,
}

/// What was fetched.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FetchedImages {
    files: HashMap<String, PathBuf>,
    failed: HashMap<String, String>,
}

impl ImageRequest {
    /// The name of its file without extension: whose it is, what it shows, and a short hash of its address. Ids that
    /// differ by `/` and `-` share no name, and a picture drawn anew at another address is fetched anew.
    fn stem(&self) -> String {
        let digest = Sha256::digest(&self.url);
        let [a, b, c, d, ..]: [u8; 32] = digest.into();
        let hash = u32::from_be_bytes([a, b, c, d]);
        format!(
            "{}_{}_{hash:08x}",
            plain(&self.external_id),
            plain(&self.kind)
        )
    }
}

impl FetchedImages {
    /// The file of an address; none where it could not be fetched.
    pub fn file(&self, url: &str) -> Option<&Path> {
        self.files.get(url).map(PathBuf::as_path)
    }

    /// Why an address could not be fetched.
    pub fn failure(&self, url: &str) -> Option<&str> {
        self.failed.get(url).map(String::as_str)
    }

    /// How many came.
    pub fn store_image(&self) -> u64 {
        self.files.len() as u64
    }
}

/// The pictures of the lines that are asked for; none twice.
///
/// # Errors
/// Those of the journal.
pub fn pictures_of(results: &ExportResults<'_>) -> Result<Vec<ImageRequest>, Error> {
    let mut seen = HashSet::new();
    let mut wanted = Vec::new();
    results.each_selected(&mut |line| {
        let assets = line.completed().map(|(result, _)| &result.asset_pack);
        for asset in assets.into_iter().flatten() {
            if !seen.insert(asset.url.clone()) {
                continue;
            }
            wanted.push(ImageRequest {
                url: asset.url.clone(),
                external_id: line.external_id.clone(),
                kind: asset.kind.clone(),
            });
        }
        Ok(())
    })?;
    Ok(wanted)
}

/// How pictures are fetched.
#[derive(Debug)]
pub struct ImageFetching<'a> {
    /// Fetches them.
    pub images: &'a ImageClient,
    /// Takes them.
    pub folder: &'a Path,
    /// How many at a time.
    pub concurrency: usize,
    /// Heard at once: a picture can be fetched another time.
    pub stop: StopSignal,
}

/// Fetches pictures into a folder. Those that are there already are not fetched again: an address never changes what
/// it shows. `tell` hears how many are done.
///
/// # Errors
/// [`Error::Write`] where the folder refuses, [`Error::Interrupted`] once the user stops the export.
pub async fn fetch(
    fetching: &ImageFetching<'_>,
    wanted: &[ImageRequest],
    mut tell: impl FnMut(u64),
) -> Result<FetchedImages, Error> {
    let folder = fetching.folder;
    let refused = |source| Error::Write {
        path: folder.to_owned(),
        source,
    };
    fs::create_dir_all(folder).map_err(refused)?;
    let mut pictures = FetchedImages::default();
    let missing = wanted.iter().filter(|picture| {
        let there = there(folder, &picture.stem());
        if let Some(path) = &there {
            pictures.files.insert(picture.url.clone(), path.clone());
        }
        there.is_none()
    });
    let missing: Vec<&ImageRequest> = missing.collect();
    let answers = futures::stream::iter(missing)
        .map(|picture| async move { (picture, fetching.images.fetch(&picture.url).await) })
        .buffer_unordered(fetching.concurrency.max(1))
        .take_until(fetching.stop.reached(StopStage::Draining));
    let mut answers = std::pin::pin!(answers);
    while let Some((picture, answer)) = answers.next().await {
        keep(&mut pictures, picture, answer, folder).map_err(refused)?;
        tell((pictures.files.len() + pictures.failed.len()) as u64);
    }
    unless_stopped(&fetching.stop)?;
    Ok(pictures)
}

fn keep(
    pictures: &mut FetchedImages,
    picture: &ImageRequest,
    answer: Result<(ImageKind, Vec<u8>), ImageError>,
    folder: &Path,
) -> std::io::Result<()> {
    let url = picture.url.clone();
    match answer {
        Err(failure) => {
            pictures.failed.insert(url, failure.to_string());
        }
        Ok((kind, bytes)) => {
            let path = folder.join(format!("{}.{}", picture.stem(), kind.extension()));
            let mut file = NamedTempFile::new_in(folder)?;
            file.write_all(&bytes)?;
            file.persist(&path)?;
            pictures.files.insert(url, path);
        }
    }
    Ok(())
}

fn there(folder: &Path, stem: &str) -> Option<PathBuf> {
    [ImageKind::Png, ImageKind::Jpeg]
        .map(|kind| folder.join(format!("{stem}.{}", kind.extension())))
        .into_iter()
        .find(|path| path.is_file())
}

/// A part of a file's name that every system takes.
fn plain(text: &str) -> String {
    let plain: String = text
        .chars()
        .map(|c| {
            if c.is_alphanumeric() || c == '-' {
                c
            } else {
                '-'
            }
        })
        .take(60)
        .collect();
    plain.trim_matches('-').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stem(external_id: &str, url: &str) -> String {
        let wanted = ImageRequest {
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
