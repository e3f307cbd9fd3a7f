//! Opening a file that must be a regular one, comparing files, the path by which the journal knows a file, and numbered
//! paths.

use std::fs::File;
use std::io::{self, Error, ErrorKind, Read, Seek};
use std::path::{Path, PathBuf};

use crate::sheet::SheetError;

/// Opens a regular file for reading. Opening a pipe could block, and a device may have no end.
///
/// # Errors
/// What the system said; [`ErrorKind::IsADirectory`] or [`ErrorKind::InvalidInput`] for anything but a regular file.
pub fn open_regular(path: &Path) -> io::Result<File> {
    let mut options = File::options();
    options.read(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;

        options.custom_flags(rustix::fs::OFlags::NONBLOCK.bits().cast_signed());
    }
    let file = options.open(path)?;
    let metadata = file.metadata()?;
    if metadata.is_dir() {
        return Err(ErrorKind::IsADirectory.into());
    }
    if !metadata.is_file() {
        return Err(Error::new(
            ErrorKind::InvalidInput,
            "it is not a regular file",
        ));
    }
    Ok(file)
}

/// Whether two paths lead to one file.
pub fn same_file(one: &Path, other: &Path) -> bool {
    match (canonical(one), canonical(other)) {
        (Ok(one), Ok(other)) => one == other || is_linked(&one, &other),
        _ => false,
    }
}

/// The absolute path without links and `..`. On Windows, such a path starts with `\\?\`, which other programs do not
/// accept and which is omitted here.
///
/// # Errors
/// As [`Path::canonicalize`].
pub fn canonical(path: &Path) -> io::Result<PathBuf> {
    let canonical = path.canonicalize()?;
    let plain = canonical
        .to_str()
        .and_then(|path| path.strip_prefix(r"\\?\"));
    let has_drive = |path: &&str| path.as_bytes().get(1) == Some(&b':');
    Ok(match plain.filter(has_drive) {
        Some(plain) => PathBuf::from(plain),
        None => canonical,
    })
}

/// The absolute path by which the journal knows a file: its folder without links and `..`, and the file's own name,
/// because a link may lead to another file each month.
pub fn stored_path(path: &Path) -> PathBuf {
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    match (absolute.parent().map(canonical), absolute.file_name()) {
        (Some(Ok(folder)), Some(name)) => folder.join(name),
        _ => absolute,
    }
}

/// The absolute path without links and `..`; of a file that does not exist, that of its folder with its name.
pub fn resolved_path(path: &Path) -> PathBuf {
    canonical(path).unwrap_or_else(|_| stored_path(path))
}

/// The path with a number behind the name: `bill-2.xlsx`.
pub fn numbered_path(path: &Path, number: u64) -> PathBuf {
    let mut name = path.file_stem().unwrap_or_default().to_owned();
    name.push(format!("-{number}"));
    if let Some(extension) = path.extension() {
        name.push(".");
        name.push(extension);
    }
    path.with_file_name(name)
}

#[cfg(unix)]
fn is_linked(one: &Path, other: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    match (one.metadata(), other.metadata()) {
        (Ok(one), Ok(other)) => one.dev() == other.dev() && one.ino() == other.ino(),
        _ => false,
    }
}

#[cfg(not(unix))]
fn is_linked(_: &Path, _: &Path) -> bool {
    false
}

/// The first bytes of a file, which is then at its start again.
pub(crate) fn head_of(file: &mut (impl Read + Seek), length: u64) -> Result<Vec<u8>, SheetError> {
    let mut head = Vec::new();
    file.rewind().map_err(SheetError::Read)?;
    let mut start = file.by_ref().take(length);
    start.read_to_end(&mut head).map_err(SheetError::Read)?;
    file.rewind().map_err(SheetError::Read)?;
    Ok(head)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_pipe_and_a_device_are_refused_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status();
        assert!(made.unwrap().success());
        for path in [&pipe, Path::new("/dev/zero")] {
            let error = open_regular(path).unwrap_err();
            assert_eq!(error.to_string(), "it is not a regular file");
        }
        let error = open_regular(folder.path()).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::IsADirectory);
    }
}
