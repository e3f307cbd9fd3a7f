//! Files that only their owner can read, from their creation on.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::Path;

use crate::sheet;

/// Creates the folder and its parents, readable only by their owner; an existing folder is not changed.
pub(super) fn make_folder(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

/// Creates the folder, or changes its mode, so that only its owner can read it.
pub(super) fn make_private_folder(folder: &Path) -> io::Result<()> {
    make_folder(folder)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        if fs::metadata(folder)?.permissions().mode() & 0o077 != 0 {
            fs::set_permissions(folder, fs::Permissions::from_mode(0o700))?;
        }
    }
    Ok(())
}

/// Verifies that [`sheet::replace_file`] would succeed, without leaving a file.
pub(super) fn check_writable(path: &Path) -> io::Result<()> {
    let folder = path.parent().expect("the path has a folder");
    if path.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    let mut file = sheet::temporary_file(folder)?;
    // The expected maximum size of a connection, so that a full disk is detected now.
    file.write_all(&[b' '; 4096])?;
    file.as_file().sync_all()
}

/// Removes the file, if it exists.
pub(super) fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error),
        Ok(()) => {
            // After a power failure the file could come back, but its token was revoked before.
            sheet::sync_folder(sheet::folder_of(path));
            Ok(())
        }
    }
}

/// Why a private file was not read.
#[derive(Debug)]
pub(super) enum ReadError {
    /// Users other than its owner can read it.
    Exposed,
    /// The error of the operating system.
    Io(io::Error),
}

impl From<io::Error> for ReadError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// Reads the file, if it exists and only its owner can read it.
pub(super) fn read(path: &Path) -> Result<Option<String>, ReadError> {
    let mut file = match sheet::open_regular(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        file => file?,
    };
    if is_exposed(&file)? {
        return Err(ReadError::Exposed);
    }
    let mut text = String::new();
    file.read_to_string(&mut text)?;
    Ok(Some(text))
}

#[cfg(unix)]
fn is_exposed(file: &File) -> io::Result<bool> {
    use std::os::unix::fs::PermissionsExt;
    Ok(file.metadata()?.permissions().mode() & 0o077 != 0)
}

#[cfg(not(unix))]
#[expect(clippy::unnecessary_wraps, reason = "the other systems need it")]
fn is_exposed(_: &File) -> io::Result<bool> {
    // The system protects folders of the user's profile.
    Ok(false)
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o777
    }

    #[test]
    fn a_private_file_stands_alone_in_a_closed_folder() {
        let home = tempfile::tempdir().unwrap();
        let folder = home.path().join("a/secrets");
        fs::create_dir_all(&folder).unwrap();
        fs::set_permissions(&folder, fs::Permissions::from_mode(0o755)).unwrap();
        make_private_folder(&folder).unwrap();
        let path = folder.join("x");
        check_writable(&path).unwrap();
        sheet::replace_file(&path, b"one").unwrap();
        sheet::replace_file(&path, b"two").unwrap();
        assert_eq!(mode(&folder), 0o700);
        assert_eq!(mode(&path), 0o600);
        assert_eq!(read(&path).unwrap().as_deref(), Some("two"));
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
        remove(&path).unwrap();
        remove(&path).unwrap();
        assert!(read(&path).unwrap().is_none());
    }

    #[test]
    fn a_file_that_others_can_read_is_not_read() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("x");
        for wide in [0o640, 0o604, 0o660] {
            fs::write(&path, "secret").unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(wide)).unwrap();
            assert!(matches!(read(&path), Err(ReadError::Exposed)), "{wide:o}");
        }
    }
}
