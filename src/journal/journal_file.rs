//! The journal's file: private from its first byte, and looked at before it is touched.
//!
//! No function here opens the journal's file itself while another connection of the process may have it open: closing
//! any descriptor of a file releases every POSIX lock that the process holds on it, those of SQLite too.

use std::fs::{Metadata, OpenOptions};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::backup::Backup;
use rusqlite::{Connection, ErrorCode, OpenFlags};

use crate::journal::{Error, copy_mark, houses, schema};

/// How long a statement waits for another process's commit.
const BUSY_TIMEOUT: Duration = Duration::from_secs(20);

/// Bytes up to which a journal is checked whole when it is opened.
const MAX_CHECKED_BYTES: u64 = 32 << 20;

/// Reading, from one thread.
const READ_ONLY: OpenFlags =
    OpenFlags::SQLITE_OPEN_READ_ONLY.union(OpenFlags::SQLITE_OPEN_NO_MUTEX);

/// What stands at a journal's path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FileContent {
    /// Nothing, or an empty file: a run that was stopped at its very start leaves one.
    Empty,
    /// A journal by its own header.
    Journal,
    /// A database whose header does not say whose it is, since what says so is still in the log beside it.
    Unknown,
}

/// The file that a path leads to, through a link where it is one: the lock and the log belong to the file itself.
///
/// # Errors
/// [`Error::Unusable`] for what is no file, and [`Error::HardLinks`] for a file of several names, each of which would
/// have a lock and a log of its own.
pub(super) fn resolve_path(path: &Path) -> Result<PathBuf, Error> {
    let unusable = |reason| Error::Unusable {
        path: path.to_owned(),
        reason,
    };
    let opening = |source| Error::Open {
        path: path.to_owned(),
        source,
    };
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

/// Looks at the header of the file, and at nothing else: no lock is taken, no log is read, nothing is written, neither
/// to the file nor beside it.
///
/// # Errors
/// [`Error::Damaged`] for a file that is no database, or another program's, and [`Error::OtherLog`].
pub(super) fn file_content(path: &Path) -> Result<FileContent, Error> {
    match std::fs::metadata(path) {
        Err(source) if source.kind() == ErrorKind::NotFound => return Ok(FileContent::Empty),
        Err(source) => {
            return Err(Error::Open {
                path: path.to_owned(),
                source,
            });
        }
        Ok(there) if there.len() == 0 => return Ok(FileContent::Empty),
        Ok(_) => {}
    }
    let connection = connect_immutable(path)?;
    let header = match header(&connection) {
        // Another process may be writing it, so that half of it is new: only the look under the lock can say.
        Err(error) if error.sqlite_error_code() == Some(ErrorCode::DatabaseCorrupt) => {
            return Ok(FileContent::Unknown);
        }
        header => header.map_err(|error| open_error(path, &error))?,
    };
    header.check_program(path)?;
    // A copy has no log before it is opened for writing, and no mark after it.
    if has_log(path) && copy_mark::is_unused_copy(&connection).unwrap_or(false) {
        return Err(Error::StaleLog {
            path: path.to_owned(),
        });
    }
    Ok(if header.application == schema::APPLICATION_ID {
        FileContent::Journal
    } else {
        FileContent::Unknown
    })
}

/// A connection for looking alone; none where there is no journal. Makes nothing, locks nothing, migrates nothing.
pub(super) fn open_read_only(path: &Path) -> Result<Option<Connection>, Error> {
    let path = &resolve_path(path)?;
    if file_content(path)? == FileContent::Empty {
        return Ok(None);
    }
    let connection = connect(path, READ_ONLY)?;
    match check_header(&connection, path) {
        Err(Error::Open { .. }) if !has_log(path) => open_immutable(path).map(Some),
        Err(Error::Open { .. }) => Err(Error::UnreadableLog {
            path: path.to_owned(),
        }),
        looked => looked.map(|()| Some(connection)),
    }
}

/// The same with the tables of this version: of an older journal a copy, which is gone with the connection, so that the
/// file stays as it is.
pub(super) fn open_current_schema(path: &Path) -> Result<Option<Connection>, Error> {
    let Some(connection) = open_read_only(path)? else {
        return Ok(None);
    };
    if schema::version(&connection)? == schema::NEWEST {
        return Ok(Some(connection));
    }
    // SQLite keeps a database without a name in memory, and in a file of its own where it grows.
    let mut copy = Connection::open("")?;
    Backup::new(&connection, &mut copy)?.run_to_completion(i32::MAX, BUSY_TIMEOUT, None)?;
    schema::migrate(&mut copy)?;
    houses::fill_missing(&copy)?;
    Ok(Some(copy))
}

/// Looks at a journal on a disk that cannot be written, where SQLite has no room for what it keeps beside the file.
/// Without a log beside it the file is whole.
fn open_immutable(path: &Path) -> Result<Connection, Error> {
    let connection = connect_immutable(path)?;
    check_header(&connection, path)?;
    Ok(connection)
}

/// A connection that takes the file as it is, without its log and without a lock.
pub(super) fn connect_immutable(path: &Path) -> Result<Connection, Error> {
    let whole = std::path::absolute(path).map_err(|source| Error::Open {
        path: path.to_owned(),
        source,
    })?;
    let mut address = url::Url::from_file_path(&whole).map_err(|()| Error::Open {
        path: path.to_owned(),
        source: ErrorKind::InvalidFilename.into(),
    })?;
    address.set_query(Some("immutable=1"));
    Connection::open_with_flags(address.as_str(), READ_ONLY | OpenFlags::SQLITE_OPEN_URI)
        .map_err(|error| open_error(path, &error))
}

/// Whether commits stand beside the file that are not yet in it.
fn has_log(path: &Path) -> bool {
    let mut name = path.as_os_str().to_owned();
    name.push("-wal");
    std::fs::metadata(PathBuf::from(name)).is_ok_and(|found| found.len() > 0)
}

/// Makes an empty file readable by its owner alone, before a byte is in it; one that is there stays as it is.
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

/// Shows that a journal could be made there, and leaves nothing behind but its folder.
pub(super) fn check_folder_writable(path: &Path) -> std::io::Result<()> {
    let folder = create_folder(path)?;
    tempfile::tempfile_in(folder).map(drop)
}

/// Makes the folder of a journal, closed to others, where there is none.
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

/// A journal that others may read (a copy from elsewhere) is closed to them; the files beside it follow its mode.
#[cfg(unix)]
pub(super) fn restrict_permissions(path: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    let mode = std::fs::metadata(path)?.permissions().mode();
    if mode.trailing_zeros() >= 6 {
        return Ok(());
    }
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o600))
}

/// Folders of the user's profile are closed to others by the system itself.
#[cfg(not(unix))]
#[expect(clippy::unnecessary_wraps, reason = "as elsewhere")]
pub(super) fn restrict_permissions(_path: &Path) -> std::io::Result<()> {
    Ok(())
}

pub(super) fn connect(path: &Path, flags: OpenFlags) -> Result<Connection, Error> {
    let connection =
        Connection::open_with_flags(path, flags).map_err(|error| open_error(path, &error))?;
    connection.busy_timeout(BUSY_TIMEOUT)?;
    Ok(connection)
}

/// Looks before it touches: another program's database, a newer journal or junk stays as it is.
pub(super) fn check_header(connection: &Connection, path: &Path) -> Result<(), Error> {
    let header = header(connection).map_err(|error| open_error(path, &error))?;
    header.check_program(path)?;
    let found = schema::version(connection)?;
    if found > schema::NEWEST {
        return Err(Error::Newer {
            path: path.to_owned(),
            found,
            known: schema::NEWEST,
        });
    }
    Ok(())
}

/// What a database says of itself.
#[derive(Clone, Copy, Debug)]
struct DatabaseHeader {
    /// Whose it is; 0 where it does not say.
    application: i32,
    /// 0 while there is no table.
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

/// Looks at every page of a journal that is small enough for it to take no time; a large one shows its damage when the
/// page is read.
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

/// Why the file cannot be read: it is damaged, or the system does not let us.
pub(super) fn open_error(path: &Path, error: &rusqlite::Error) -> Error {
    let refused = |kind| Error::Open {
        path: path.to_owned(),
        source: std::io::Error::new(kind, error.to_string()),
    };
    match error.sqlite_error_code() {
        Some(ErrorCode::ReadOnly) => refused(ErrorKind::ReadOnlyFilesystem),
        Some(ErrorCode::PermissionDenied) => refused(ErrorKind::PermissionDenied),
        Some(ErrorCode::DiskFull) => refused(ErrorKind::StorageFull),
        Some(ErrorCode::CannotOpen | ErrorCode::SystemIoFailure | ErrorCode::DatabaseBusy) => {
            refused(ErrorKind::Other)
        }
        _ => Error::Damaged {
            path: path.to_owned(),
            reason: error.to_string(),
        },
    }
}
