//! The pictures of completed measurements: fetched beside the export, or for the workbook to hold.
//!
//! What cannot be fetched is noted and fails nothing: the addresses stand in every export.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use futures::StreamExt;
use tempfile::NamedTempFile;

use crate::api::{ImageFailure, ImageKind, Images};
use crate::export::results::unless_stopped;
use crate::export::{Error, Results};
use crate::pace::{StopSignal, Stopping};

/// A picture that is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// Where it is.
    pub url: String,
    /// Its file's name without extension: whose it is, and what it shows.
    pub stem: String,
}

/// What was fetched.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pictures {
    files: HashMap<String, PathBuf>,
    failed: HashMap<String, String>,
}

impl Pictures {
    /// The file of an address; none where it could not be fetched.
    pub fn file(&self, url: &str) -> Option<&Path> {
        self.files.get(url).map(PathBuf::as_path)
    }

    /// Why an address could not be fetched.
    pub fn failure(&self, url: &str) -> Option<&str> {
        self.failed.get(url).map(String::as_str)
    }

    /// How many came, and how many did not.
    pub fn count(&self) -> (u64, u64) {
        (self.files.len() as u64, self.failed.len() as u64)
    }
}

/// The pictures of the lines that are asked for. Two of one name are told apart by a number.
///
/// # Errors
/// Those of the journal.
pub fn pictures_of(results: &Results<'_>) -> Result<Vec<Wanted>, Error> {
    let mut taken = HashSet::new();
    let mut seen = HashSet::new();
    let mut wanted = Vec::new();
    results.each_selected(&mut |line| {
        let assets = line.completed().map(|(result, _)| &result.asset_pack);
        for asset in assets.into_iter().flatten() {
            if !seen.insert(asset.url.clone()) {
                continue;
            }
            let stem = free_name(&line.external_id, &asset.kind, &taken);
            // Some systems take two names that differ by case for one.
            taken.insert(stem.to_lowercase());
            wanted.push(Wanted {
                url: asset.url.clone(),
                stem,
            });
        }
        Ok(())
    })?;
    Ok(wanted)
}

/// How pictures are fetched.
#[derive(Debug)]
pub struct Fetching<'a> {
    /// Fetches them.
    pub images: &'a Images,
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
    fetching: &Fetching<'_>,
    wanted: &[Wanted],
    mut tell: impl FnMut(u64),
) -> Result<Pictures, Error> {
    let folder = fetching.folder;
    let refused = |source| Error::Write {
        path: folder.to_owned(),
        source,
    };
    fs::create_dir_all(folder).map_err(refused)?;
    let mut pictures = Pictures::default();
    let missing = wanted.iter().filter(|picture| {
        let there = there(folder, &picture.stem);
        if let Some(path) = &there {
            pictures.files.insert(picture.url.clone(), path.clone());
        }
        there.is_none()
    });
    let missing: Vec<&Wanted> = missing.collect();
    let answers = futures::stream::iter(missing)
        .map(|picture| async move { (picture, fetching.images.fetch(&picture.url).await) })
        .buffer_unordered(fetching.concurrency.max(1))
        .take_until(fetching.stop.reached(Stopping::Draining));
    let mut answers = std::pin::pin!(answers);
    while let Some((picture, answer)) = answers.next().await {
        keep(&mut pictures, picture, answer, folder).map_err(refused)?;
        tell((pictures.files.len() + pictures.failed.len()) as u64);
    }
    unless_stopped(&fetching.stop)?;
    Ok(pictures)
}

fn keep(
    pictures: &mut Pictures,
    picture: &Wanted,
    answer: Result<(ImageKind, Vec<u8>), ImageFailure>,
    folder: &Path,
) -> std::io::Result<()> {
    let url = picture.url.clone();
    match answer {
        Err(failure) => {
            pictures.failed.insert(url, failure.to_string());
        }
        Ok((kind, bytes)) => {
            let path = folder.join(format!("{}.{}", picture.stem, kind.extension()));
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

fn free_name(external_id: &str, kind: &str, taken: &HashSet<String>) -> String {
    let name = format!("{}_{}", plain(external_id), plain(kind));
    let numbered = (2..).map(|number| format!("{name}_{number}"));
    std::iter::once(name.clone())
        .chain(numbered)
        .find(|name| !taken.contains(&name.to_lowercase()))
        .unwrap_or(name)
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

    #[test]
    fn a_name_stays_in_its_folder_and_is_nobody_elses() {
        let mut taken = HashSet::new();
        let first = free_name("../../etc/passwd", "aerial", &taken);
        assert_eq!(first, "etc-passwd_aerial");
        taken.insert(first.to_lowercase());
        assert_eq!(
            free_name("etc/PASSWD", "aerial", &taken),
            "etc-PASSWD_aerial_2"
        );
    }
}
