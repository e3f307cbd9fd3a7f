//! The output file: written to a temporary file beside it, synced and renamed, so that no reader sees a partial file.

use std::fs::{self, File, Permissions};
use std::io::{BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::export::Error;
use crate::sheet::{self, canonical};

/// A path that an export can be written to, as far as that can be checked beforehand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutputFile {
    given: PathBuf,
    path: PathBuf,
}

/// A complete temporary file, synced and not yet renamed.
#[derive(Debug)]
pub struct PreparedOutput {
    file: NamedTempFile,
    output: OutputFile,
}

impl OutputFile {
    /// Checks a path. An existing file stays until a complete file replaces it.
    ///
    /// # Errors
    /// Returns [`Error::Folder`] or [`Error::NotRegularFile`], or [`Error::Write`] for a file that is read-only and for a
    /// folder that does not exist.
    pub fn new(path: &Path) -> Result<Self, Error> {
        let refused = Error::writing(path);
        let given = path.to_owned();
        let path = match fs::metadata(path) {
            Err(error) if error.kind() == ErrorKind::NotFound => {
                let whole = sheet::stored_path(path);
                // A symbolic link whose target is missing, as that of a share that is not there, stays a link.
                if let (Ok(target), Some(folder)) = (fs::read_link(&whole), whole.parent()) {
                    let target = Self::new(&folder.join(target))?;
                    return Ok(Self { given, ..target });
                }
                whole
            }
            Err(error) => return Err(refused(error.kind().into())),
            Ok(there) if there.is_dir() => {
                return Err(Error::Folder(path.to_owned()));
            }
            Ok(there) if !there.is_file() => {
                return Err(Error::NotRegularFile(path.to_owned()));
            }
            Ok(there) if there.permissions().readonly() => {
                return Err(refused(ErrorKind::PermissionDenied.into()));
            }
            // The target of a symbolic link is replaced, not the link.
            Ok(_) => canonical(path).map_err(|error| refused(error.kind().into()))?,
        };
        let output = Self { given, path };
        if !output.folder().is_dir() {
            return Err(Error::writing(output.folder())(ErrorKind::NotFound.into()));
        }
        Ok(output)
    }

    /// Returns the path as the user gave it.
    pub fn path_as_given(&self) -> &Path {
        &self.given
    }

    /// Returns the absolute path without symbolic links.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the folder, which also holds temporary files.
    pub fn folder(&self) -> &Path {
        self.path.parent().unwrap_or(Path::new("/"))
    }

    /// Writes a temporary file and syncs it.
    ///
    /// # Errors
    /// [`Error::Write`] if the file cannot be written, and the errors of `content`; the temporary file is removed.
    pub fn write(
        &self,
        content: impl FnOnce(&mut BufWriter<&File>) -> Result<(), Error>,
    ) -> Result<PreparedOutput, Error> {
        self.temporary_file(|file| {
            let mut out = BufWriter::new(&*file);
            content(&mut out)?;
            out.flush().map_err(Error::Stream)
        })
    }

    /// Creates a temporary file for a writer that needs the file itself, and syncs it.
    ///
    /// # Errors
    /// As [`OutputFile::write`].
    pub fn temporary_file(
        &self,
        write: impl FnOnce(&mut File) -> Result<(), Error>,
    ) -> Result<PreparedOutput, Error> {
        let refused = Error::writing(&self.path);
        let mut file = sheet::temporary_file(self.folder()).map_err(refused)?;
        write(file.as_file_mut()).map_err(|error| match error {
            Error::Stream(source) => refused(source),
            other => other,
        })?;
        file.as_file().sync_all().map_err(refused)?;
        Ok(PreparedOutput {
            file,
            output: self.clone(),
        })
    }

    /// Returns the permissions of the existing file, or those of a new file under the user's umask.
    fn permissions(&self) -> std::io::Result<Permissions> {
        if let Ok(before) = fs::metadata(&self.path) {
            return Ok(before.permissions());
        }
        // The system applies the mask to an empty file, which is gone at once.
        let empty = sheet::shared_temporary_file(self.folder())?;
        Ok(empty.as_file().metadata()?.permissions())
    }
}

impl PreparedOutput {
    /// Opens the file for reading from its start.
    ///
    /// # Errors
    /// [`Error::Write`] if it cannot be opened.
    pub fn file(&self) -> Result<File, Error> {
        File::open(self.file.path()).map_err(Error::writing(&self.output.path))
    }

    /// Returns the SHA-256 digest of the file, hexadecimal.
    ///
    /// # Errors
    /// [`Error::Write`] if it cannot be read.
    pub fn sha256(&self) -> Result<String, Error> {
        sheet::file_sha256(self.file.path()).map_err(Error::writing(&self.output.path))
    }

    /// Returns the path of the temporary file.
    pub(super) fn temporary(&self) -> &Path {
        self.file.path()
    }

    /// Returns the final path.
    pub fn output(&self) -> &OutputFile {
        &self.output
    }

    /// Renames the file to its final path, which is returned.
    ///
    /// # Errors
    /// [`Error::Write`] if it cannot be renamed; an existing file is unchanged then.
    pub fn rename_into_place(self) -> Result<PathBuf, Error> {
        let permissions = self.output.permissions();
        let path = self.output.path;
        let allowed = permissions.and_then(|allowed| self.file.as_file().set_permissions(allowed));
        match allowed.and_then(|()| sheet::rename_into_place(self.file, &path)) {
            Ok(()) => Ok(path),
            Err(source) => Err(Error::Write { path, source }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_leaves_the_old_file_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("results.csv");
        fs::write(&path, "old").unwrap();
        let output = OutputFile::new(&path).unwrap();
        let failed = output.write(|out| {
            out.write_all(b"half").unwrap();
            Err(Error::Stream(std::io::ErrorKind::StorageFull.into()))
        });
        assert!(matches!(failed, Err(Error::Write { .. })));
        drop(output.write(|_| Ok(())).unwrap());
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        let ready = output
            .write(|out| out.write_all(b"new").map_err(Error::Stream))
            .unwrap();
        assert_eq!(
            std::io::read_to_string(ready.file().unwrap()).unwrap(),
            "new"
        );
        ready.rename_into_place().unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
    }

    #[cfg(unix)]
    #[test]
    fn a_file_is_its_owners_alone_until_it_is_in_its_place() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        let other = folder.path().join("other");
        File::create(&other).unwrap();
        let path = folder.path().join("results.csv");
        let output = OutputFile::new(&path).unwrap();
        let ready = output
            .write(|out| out.write_all(b"new").map_err(Error::Stream))
            .unwrap();
        assert_eq!(mode(ready.temporary()), 0o600);
        ready.rename_into_place().unwrap();
        assert_eq!(mode(&path), mode(&other));
        // One that replaces another has the permissions of that one.
        fs::set_permissions(&path, PermissionsExt::from_mode(0o640)).unwrap();
        let ready = output
            .write(|out| out.write_all(b"newer").map_err(Error::Stream))
            .unwrap();
        assert_eq!(mode(ready.temporary()), 0o600);
        ready.rename_into_place().unwrap();
        assert_eq!(mode(&path), 0o640);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
    }

    #[test]
    fn a_folder_and_a_missing_folder_are_refused_beforehand() {
        let folder = tempfile::tempdir().unwrap();
        assert!(matches!(
            OutputFile::new(folder.path()),
            Err(Error::Folder(_))
        ));
        let missing = folder.path().join("no/results.csv");
        assert!(matches!(
            OutputFile::new(&missing),
            Err(Error::Write { .. })
        ));
    }

    #[cfg(unix)]
    #[test]
    fn a_link_stays_and_what_it_points_to_is_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let (path, link) = (folder.path().join("a.csv"), folder.path().join("b.csv"));
        fs::write(&path, "old").unwrap();
        std::os::unix::fs::symlink(&path, &link).unwrap();
        let ready = OutputFile::new(&link)
            .unwrap()
            .write(|out| out.write_all(b"new").map_err(Error::Stream));
        ready.unwrap().rename_into_place().unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    }

    #[cfg(unix)]
    #[test]
    fn what_a_killed_run_left_goes_and_what_another_run_writes_stays() {
        use std::time::{Duration, SystemTime};

        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let long_ago = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000);
        let touched = |name: &str| {
            let file = File::create(path(name)).unwrap();
            file.set_modified(long_ago).unwrap();
            file
        };
        drop(touched(".gutterbatch-left01"));
        drop(touched("results.xlsx"));
        let busy = touched(".gutterbatch-busy01");
        busy.try_lock().unwrap();
        drop(File::create(path(".gutterbatch-fresh1")).unwrap());
        let output = OutputFile::new(&path("new.csv")).unwrap();
        let written = output.write(|out| out.write_all(b"new").map_err(Error::Stream));
        written.unwrap().rename_into_place().unwrap();
        assert!(!path(".gutterbatch-left01").exists());
        for name in [
            "results.xlsx",
            ".gutterbatch-busy01",
            ".gutterbatch-fresh1",
            "new.csv",
        ] {
            assert!(path(name).exists(), "{name}");
        }
    }
}
