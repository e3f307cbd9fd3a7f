//! The open journal: one connection for writing, and others for reading.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use rusqlite::{Connection, OpenFlags};

use crate::journal::journal_file::{
    FileContent, check_folder_writable, check_header, check_pages, connect, create_folder,
    create_private, file_content, open_error, resolve_path, restrict_permissions,
};
use crate::journal::lock_file::{JournalLock, acquire_lock};
use crate::journal::writer::JournalWriter;
use crate::journal::{Error, copy_mark, schema};

/// SQLite's page cache; a negative number is in KiB. The service's ids are in no order, so that each new one needs
/// another page.
const CACHE_SIZE: i32 = -32 * 1024;

/// Number of pages in the log before they are written to the file: a page that changes often is then written once.
const LOG_PAGES: u32 = 4096;

/// Whether other runs may use the journal while it is open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JournalAccess {
    /// One run at a time: for imports, and for exports that send requests or seal.
    Exclusive {
        /// The description of this run for others, for instance `process 4711: gutterbatch import leads.csv`.
        holder: String,
    },
    /// Other runs may use it: for `whoami`, `status` and offline exports.
    Shared,
}

/// An open journal. Share it through an `Arc`.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    /// For [`Journal::read`]. Closed before the writer, since only a connection that may write can clear the log.
    idle_reader: Mutex<Option<Connection>>,
    pub(super) writer: JournalWriter,
    _lock: Option<JournalLock>,
}

impl Journal {
    /// Opens the journal, or creates it if there is none.
    ///
    /// # Errors
    /// Returns [`Error::Locked`] if another run has locked it; [`Error::Newer`], [`Error::Older`] or
    /// [`Error::Damaged`], with the file unchanged; [`Error::Unusable`], [`Error::HardLinks`] or
    /// [`Error::ForeignLock`], with everything unchanged; [`Error::Open`] or [`Error::Lock`] if the system reports an
    /// error.
    pub fn open(path: &Path, access: &JournalAccess) -> Result<Self, Error> {
        let path = &resolve_path(path)?;
        let opening = Error::opening(path);
        let content = file_content(path)?;
        if content == FileContent::Empty {
            create_folder(path).map_err(opening)?;
        }
        let lock = match access {
            JournalAccess::Exclusive { holder } => Some(acquire_lock(path, holder)?),
            JournalAccess::Shared => None,
        };
        if content == FileContent::Empty {
            create_private(path).map_err(opening)?;
        }
        if content != FileContent::Unknown {
            restrict_permissions(path).map_err(opening)?;
        }
        let mut connection = connect(path, OpenFlags::default())?;
        check_header(&connection, path)?;
        if connection.is_readonly("main")? {
            return Err(opening(ErrorKind::PermissionDenied.into()));
        }
        restrict_permissions(path).map_err(opening)?;
        check_pages(&connection, path)?;
        if content == FileContent::Journal {
            copy_mark::convert_to_journal(&mut connection)?;
        }
        connection
            .pragma_update(None, "journal_mode", "WAL")
            .map_err(|error| open_error(path, &error))?;
        connection.pragma_update(None, "synchronous", "FULL")?;
        connection.pragma_update(None, "cache_size", CACHE_SIZE)?;
        connection.pragma_update(None, "wal_autocheckpoint", LOG_PAGES)?;
        connection.pragma_update(None, "foreign_keys", true)?;
        schema::create(&mut connection)?;
        let writer = JournalWriter::start(connection).map_err(opening)?;
        Ok(Self {
            path: path.to_owned(),
            idle_reader: Mutex::default(),
            writer,
            _lock: lock,
        })
    }

    /// Checks that the journal can be written, or created if there is none, and changes nothing.
    ///
    /// # Errors
    /// As [`Journal::open`], and [`Error::Full`] or [`Error::Sqlite`] if it cannot be written.
    pub fn check_writable(path: &Path) -> Result<(), Error> {
        let path = &resolve_path(path)?;
        if path.exists() {
            return Self::open(path, &JournalAccess::Shared)?
                .writer
                .write_blocking(|_, _| Ok(()));
        }
        check_folder_writable(path).map_err(Error::opening(path))
    }

    /// Returns the path of the journal's file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Runs a short query, which sees all earlier commits. The next one uses the same connection, because each new one
    /// parses the schema again.
    pub(super) fn read<T>(
        &self,
        query: impl FnOnce(&Connection) -> rusqlite::Result<T>,
    ) -> Result<T, Error> {
        let idle = || {
            let reader = self.idle_reader.lock();
            reader.unwrap_or_else(PoisonError::into_inner)
        };
        let reader = idle().take();
        let reader = reader.map_or_else(|| self.reader(), Ok)?;
        let found = query(&reader)?;
        *idle() = Some(reader);
        Ok(found)
    }

    /// Opens a connection for reading, which sees all earlier commits.
    pub(super) fn reader(&self) -> Result<Connection, Error> {
        connect(
            &self.path,
            OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX,
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_error_of_a_second_run_names_the_first() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal.db");
        let run = |who: &str| {
            Journal::open(
                &path,
                &JournalAccess::Exclusive {
                    holder: who.to_owned(),
                },
            )
        };
        let first = run("import leads.csv").unwrap();
        let error = run("export results.xlsx").unwrap_err();
        assert!(
            matches!(&error, Error::Locked { holder, .. } if holder == "import leads.csv"),
            "{error}"
        );
        drop(first);
        run("export results.xlsx").unwrap();
    }

    #[test]
    fn junk_and_journals_of_other_versions_are_left_untouched() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal.db");
        std::fs::write(
            &path,
            b"this is no database, whatever its name says, and it is long enough to show",
        )
        .unwrap();
        let before = std::fs::read(&path).unwrap();
        assert!(matches!(
            Journal::open(&path, &JournalAccess::Shared),
            Err(Error::Damaged { .. })
        ));
        assert_eq!(std::fs::read(&path).unwrap(), before);

        let other = folder.path().join("other.db");
        drop(Journal::open(&other, &JournalAccess::Shared).unwrap());
        let open = |version: u32| {
            let connection = Connection::open(&other).unwrap();
            connection
                .pragma_update(None, "user_version", version)
                .unwrap();
            drop(connection);
            Journal::open(&other, &JournalAccess::Shared)
        };
        assert!(matches!(open(99), Err(Error::Newer { found: 99, .. })));
        assert!(matches!(open(1), Err(Error::Older { found: 1, .. })));
        open(schema::CURRENT).unwrap();
    }
}
