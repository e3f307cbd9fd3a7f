//! The journal's file: created private, and checked before it is changed.
//!
//! No function here opens the journal's file itself while another connection of the process may have it open: closing
//! any descriptor of a file releases all POSIX locks that the process holds on it, including those of SQLite.

use std::fs::{Metadata, OpenOptions};
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, ErrorCode, OpenFlags};

use crate::journal::{Error, copy_mark, schema};

/// How long a statement waits for another process's commit.
const BUSY_TIMEOUT: Duration = Duration::from_secs(20);

/// A journal of at most this size in bytes is checked completely when it is opened.
const MAX_CHECKED_BYTES: u64 = 32 << 20;

/// Read-only access from one thread.
const READ_ONLY: OpenFlags =
    OpenFlags::SQLITE_OPEN_READ_ONLY.union(OpenFlags::SQLITE_OPEN_NO_MUTEX);

/// What the file at a journal's path contains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FileContent {
    /// There is no file, or an empty one, as left by a run that was stopped at its start.
    Empty,
    /// A journal, according to its header.
    Journal,
    /// A database whose header does not identify the program, because that page is still in the log.
    Unknown,
}

/// Resolves links, because the lock and the log belong to the file itself.
///
/// # Errors
/// Returns [`Error::Unusable`] if the path is not a file, and [`Error::HardLinks`] if the file has several names, each
/// of which would have its own lock and log.
pub(super) fn resolve_path(path: &Path) -> Result<PathBuf, Error> {
    let unusable = |reason| Error::Unusable {
        path: path.to_owned(),
        reason,
    };
    let opening = Error::opening(path);
    let is_link = match std::fs::symlink_metadata(path) {
        Err(source) if source.kind() == ErrorKind::NotFound => return Ok(path.to_owned()),
        Err(source) => return Err(opening(source)),
        Ok(there) => there.is_symlink(),
    };
    let there = match std::fs::metadata(path) {
        Err(source) if is_link && source.kind() == ErrorKind::NotFound => {
            return Err(unusable("it is a link to a file that does not exist"));
        }
        there => there.map_err(opening)?,
    };
    if there.is_dir() {
        return Err(unusable("it is a folder"));
    }
    if !there.is_file() {
        return Err(unusable("it is not a regular file"));
    }
    if hard_links(&there) > 1 {
        return Err(Error::HardLinks {
            path: path.to_owned(),
            links: hard_links(&there),
        });
    }
    if is_link {
        return std::fs::canonicalize(path).map_err(opening);
    }
    Ok(path.to_owned())
}

#[cfg(unix)]
fn hard_links(there: &Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::nlink(there)
}

#[cfg(not(unix))]
fn hard_links(_there: &Metadata) -> u64 {
    1
}

/// Reads the header of the file only: takes no lock, reads no log and writes nothing.
///
/// # Errors
/// Returns [`Error::Damaged`] if the file is not a database or belongs to another program, and [`Error::StaleLog`] if a
/// log of another file is beside it.
pub(super) fn file_content(path: &Path) -> Result<FileContent, Error> {
    match std::fs::metadata(path) {
        Err(source) if source.kind() == ErrorKind::NotFound => return Ok(FileContent::Empty),
        Err(source) => return Err(Error::opening(path)(source)),
        Ok(there) if there.len() == 0 => return Ok(FileContent::Empty),
        Ok(_) => {}
    }
    let connection = connect_immutable(path)?;
    let header = match header(&connection) {
        // Another process may be writing it, so that half of it is new: only a check under the lock is reliable.
        Err(error) if error.sqlite_error_code() == Some(ErrorCode::DatabaseCorrupt) => {
            return Ok(FileContent::Unknown);
        }
        header => header.map_err(|error| open_error(path, &error))?,
    };
    header.check_program(path)?;
    // A copy has no log before it is opened for writing, and no mark after that.
    if has_log(path) && copy_mark::is_unused_copy(&connection).unwrap_or(false) {
        return Err(Error::StaleLog(path.to_owned()));
    }
    Ok(if header.application == schema::APPLICATION_ID {
        FileContent::Journal
    } else {
        FileContent::Unknown
    })
}

/// Opens a journal for reading; `None` if there is none or it is just being created. Creates and locks nothing.
pub(super) fn open_read_only(path: &Path) -> Result<Option<Connection>, Error> {
    let path = &resolve_path(path)?;
    if file_content(path)? == FileContent::Empty {
        return Ok(None);
    }
    let connection = connect(path, READ_ONLY)?;
    match check_header(&connection, path) {
        Err(Error::Open { .. }) if !has_log(path) => open_immutable(path).map(Some),
        // A new journal has no tables until its first transaction is committed.
        looked => {
            looked.and_then(|()| Ok((schema::version(&connection)? > 0).then_some(connection)))
        }
    }
}

/// Opens a journal on a read-only disk, where SQLite cannot create the files that it needs beside it. Without a log
/// beside it, the file is complete.
fn open_immutable(path: &Path) -> Result<Connection, Error> {
    let connection = connect_immutable(path)?;
    check_header(&connection, path)?;
    Ok(connection)
}

/// Opens the file without its log and without a lock.
pub(super) fn connect_immutable(path: &Path) -> Result<Connection, Error> {
    let opening = Error::opening(path);
    let whole = std::path::absolute(path).map_err(opening)?;
    let mut address = url::Url::from_file_path(&whole)
        .map_err(|()| opening(ErrorKind::InvalidFilename.into()))?;
    address.set_query(Some("immutable=1"));
    Connection::open_with_flags(address.as_str(), READ_ONLY | OpenFlags::SQLITE_OPEN_URI)
        .map_err(|error| open_error(path, &error))
}

/// Whether the log beside the file has commits that are not in the file yet.
fn has_log(path: &Path) -> bool {
    std::fs::metadata(path_beside(path, "-wal")).is_ok_and(|found| found.len() > 0)
}

/// The path of a file beside a journal, whose name is that of the journal and a suffix.
pub(super) fn path_beside(journal: &Path, suffix: &str) -> PathBuf {
    let mut path = journal.as_os_str().to_owned();
    path.push(suffix);
    path.into()
}

/// Creates an empty file that only its owner can read; an existing file is not changed.
pub(super) fn create_private(path: &Path) -> std::io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    match options.open(path) {
        Err(error) if error.kind() != ErrorKind::AlreadyExists => Err(error),
        _ => Ok(()),
    }
}

/// Checks that a journal can be created at a path, and leaves nothing but its folder.
pub(super) fn check_folder_writable(path: &Path) -> std::io::Result<()> {
    let folder = create_folder(path)?;
    // An empty file needs no space.
    tempfile::tempfile_in(folder)?.write_all(&[0; 16 * 1024])
}

/// Creates the folder of a journal, accessible by its owner only, if it does not exist.
pub(super) fn create_folder(path: &Path) -> std::io::Result<&Path> {
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    let Some(folder) = folder else {
        return Ok(Path::new("."));
    };
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)?;
    Ok(folder)
}

/// Makes an existing journal private, for instance one copied from elsewhere; SQLite gives new files beside it the same
/// permissions.
#[cfg(unix)]
pub(super) fn restrict_permissions(path: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    let mode = std::fs::metadata(path)?.permissions().mode();
    if mode.trailing_zeros() >= 6 {
        return Ok(());
    }
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o600))
}

/// Makes the files beside a journal writable that SQLite made while the journal was read-only.
#[cfg(unix)]
fn restore_log_permissions(path: &Path) {
    let is_readonly =
        |path: &Path| std::fs::metadata(path).map(|file| file.permissions().readonly());
    if !is_readonly(path).is_ok_and(|is_readonly| !is_readonly) {
        return;
    }
    for end in ["-wal", "-shm"] {
        let beside = path_beside(path, end);
        if is_readonly(&beside).unwrap_or_default() {
            let private = std::os::unix::fs::PermissionsExt::from_mode(0o600);
            // If this fails, SQLite reports the file.
            let _ = std::fs::set_permissions(&beside, private);
        }
    }
}

/// The system protects the folders of a user's profile.
#[cfg(not(unix))]
#[expect(clippy::unnecessary_wraps, reason = "the other systems need it")]
pub(super) fn restrict_permissions(_path: &Path) -> std::io::Result<()> {
    Ok(())
}

/// Opens a connection that waits for the commits of other processes.
pub(super) fn connect(path: &Path, flags: OpenFlags) -> Result<Connection, Error> {
    // SQLite would take `:memory:`, and what begins with `file:`, for something else than the name of a file.
    let whole = std::path::absolute(path).map_err(Error::opening(path))?;
    #[cfg(unix)]
    restore_log_permissions(&whole);
    let connection =
        Connection::open_with_flags(whole, flags).map_err(|error| open_error(path, &error))?;
    connection.busy_timeout(BUSY_TIMEOUT)?;
    // Otherwise SQLite plans some statements again whenever other values are bound to them: half of the journal's time
    // in an import.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    Ok(connection)
}

/// Checks the header before anything is changed: another program's database, the journal of another version or a damaged
/// file is left unchanged.
pub(super) fn check_header(connection: &Connection, path: &Path) -> Result<(), Error> {
    let header = header(connection).map_err(|error| open_error(path, &error))?;
    header.check_program(path)?;
    let found = schema::version(connection)?;
    let (path, known) = (path.to_owned(), schema::CURRENT);
    match found {
        // The file is just being created.
        0 => Ok(()),
        _ if found < known => Err(Error::Older { path, found, known }),
        _ if found > known => Err(Error::Newer { path, found, known }),
        _ => Ok(()),
    }
}

/// The identification in a database's header.
#[derive(Clone, Copy, Debug)]
struct DatabaseHeader {
    /// The application id; 0 if there is none.
    application: i32,
    /// The schema cookie; 0 as long as there is no table.
    tables: i64,
}

fn header(connection: &Connection) -> rusqlite::Result<DatabaseHeader> {
    Ok(DatabaseHeader {
        application: connection.pragma_query_value(None, "application_id", |row| row.get(0))?,
        tables: connection.pragma_query_value(None, "schema_version", |row| row.get(0))?,
    })
}

impl DatabaseHeader {
    fn check_program(self, path: &Path) -> Result<(), Error> {
        let is_new = self.application == 0 && self.tables == 0;
        if is_new || self.application == schema::APPLICATION_ID {
            return Ok(());
        }
        Err(Error::Damaged {
            path: path.to_owned(),
            reason: "it is another program's database".to_owned(),
        })
    }
}

/// Runs `quick_check` on small journals; in large ones, damage is found when the page is read.
pub(super) fn check_pages(connection: &Connection, path: &Path) -> Result<(), Error> {
    let size = std::fs::metadata(path).map_or(0, |found| found.len());
    if size > MAX_CHECKED_BYTES {
        return Ok(());
    }
    let found: String = connection
        .query_row("PRAGMA quick_check(1)", [], |row| row.get(0))
        .map_err(|error| open_error(path, &error))?;
    if found == "ok" {
        return Ok(());
    }
    Err(Error::Damaged {
        path: path.to_owned(),
        reason: found,
    })
}

/// Converts an error of opening the file: it is damaged, or the system denies access.
pub(super) fn open_error(path: &Path, error: &rusqlite::Error) -> Error {
    let path = path.to_owned();
    match error.sqlite_error_code() {
        Some(
            ErrorCode::ReadOnly
            | ErrorCode::PermissionDenied
            | ErrorCode::DiskFull
            | ErrorCode::CannotOpen
            | ErrorCode::SystemIoFailure
            | ErrorCode::DatabaseBusy,
        ) => Error::Open {
            source: system_error(&path, error),
            path,
        },
        _ => Error::Damaged {
            path,
            reason: error.to_string(),
        },
    }
}

/// The system's error behind an error of SQLite, which often says only `disk I/O error`: the one that another file in
/// the folder meets.
pub(super) fn system_error(path: &Path, error: &rusqlite::Error) -> std::io::Error {
    let kind = match error.sqlite_error_code() {
        Some(ErrorCode::ReadOnly) => ErrorKind::ReadOnlyFilesystem,
        Some(ErrorCode::PermissionDenied) => ErrorKind::PermissionDenied,
        Some(ErrorCode::DiskFull) => ErrorKind::StorageFull,
        _ => ErrorKind::Other,
    };
    let known = || std::io::Error::new(kind, error.to_string());
    check_folder_writable(path).err().unwrap_or_else(known)
}
