//! The journal's file: private from its first byte, looked at before it is touched, and locked by one run at a time.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{ErrorKind, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, ErrorCode, OpenFlags};

use crate::journal::{Error, schema};

/// How long a statement waits for another process's commit.
const BUSY: Duration = Duration::from_secs(20);

/// Bytes up to which a journal is checked whole when it is opened.
const CHECKED_WHOLE: u64 = 32 << 20;

/// Reading, from one thread.
const LOOKING: OpenFlags = OpenFlags::SQLITE_OPEN_READ_ONLY.union(OpenFlags::SQLITE_OPEN_NO_MUTEX);

/// A connection for looking alone; none where there is no journal. Makes nothing, locks nothing, migrates nothing.
pub(super) fn look(path: &Path) -> Result<Option<Connection>, Error> {
    match std::fs::metadata(path) {
        Err(source) if source.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(source) => {
            return Err(Error::Open {
                path: path.to_owned(),
                source,
            });
        }
        // A run that was stopped at its very start leaves the file empty.
        Ok(found) if found.len() == 0 => return Ok(None),
        Ok(_) => {}
    }
    let connection = connect(path, LOOKING)?;
    match refuse_foreign(&connection, path) {
        Err(Error::Open { .. }) if !has_log(path) => look_at_still(path).map(Some),
        Err(Error::Open { .. }) => Err(Error::Log {
            path: path.to_owned(),
        }),
        looked => looked.map(|()| Some(connection)),
    }
}

/// Looks at a journal on a disk that cannot be written, where SQLite has no room for what it keeps beside the file.
/// Without a log beside it the file is whole.
fn look_at_still(path: &Path) -> Result<Connection, Error> {
    let whole = std::path::absolute(path).map_err(|source| Error::Open {
        path: path.to_owned(),
        source,
    })?;
    let mut address = url::Url::from_file_path(&whole).map_err(|()| Error::Open {
        path: path.to_owned(),
        source: ErrorKind::InvalidFilename.into(),
    })?;
    address.set_query(Some("immutable=1"));
    let connection =
        Connection::open_with_flags(address.as_str(), LOOKING | OpenFlags::SQLITE_OPEN_URI)
            .map_err(|error| unreadable(path, &error))?;
    refuse_foreign(&connection, path)?;
    Ok(connection)
}

/// Whether commits stand beside the file that are not yet in it.
fn has_log(path: &Path) -> bool {
    let mut name = path.as_os_str().to_owned();
    name.push("-wal");
    std::fs::metadata(PathBuf::from(name)).is_ok_and(|found| found.len() > 0)
}

/// Makes the folder and an empty file readable by their owner alone, before a byte is in it.
pub(super) fn make_private(path: &Path) -> std::io::Result<()> {
    make_folder(path)?;
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let file = options.open(path)?;
    #[cfg(unix)]
    keep_private(&file)?;
    drop(file);
    Ok(())
}

/// Shows that a journal could be made there, and leaves nothing behind but its folder.
pub(super) fn prove_place(path: &Path) -> std::io::Result<()> {
    let folder = make_folder(path)?;
    tempfile::tempfile_in(folder).map(drop)
}

/// Makes the folder of a journal, closed to others, where there is none.
fn make_folder(path: &Path) -> std::io::Result<&Path> {
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
fn keep_private(file: &File) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    let mode = file.metadata()?.permissions().mode();
    if mode.trailing_zeros() >= 6 {
        return Ok(());
    }
    file.set_permissions(std::fs::Permissions::from_mode(0o600))
}

pub(super) fn connect(path: &Path, flags: OpenFlags) -> Result<Connection, Error> {
    let connection =
        Connection::open_with_flags(path, flags).map_err(|error| unreadable(path, &error))?;
    connection.busy_timeout(BUSY)?;
    Ok(connection)
}

/// Looks before it touches: another program's database, a newer journal or junk stays as it is.
pub(super) fn refuse_foreign(connection: &Connection, path: &Path) -> Result<(), Error> {
    let number = |name: &str| -> Result<i64, Error> {
        connection
            .pragma_query_value(None, name, |row| row.get(0))
            .map_err(|error| unreadable(path, &error))
    };
    let (application, tables) = (number("application_id")?, number("schema_version")?);
    if tables != 0 && application != i64::from(schema::APPLICATION_ID) {
        return Err(Error::Damaged {
            path: path.to_owned(),
            reason: "it is another program's database".to_owned(),
        });
    }
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

/// Looks at every page of a journal that is small enough for it to take no time; a large one shows its damage when the
/// page is read.
pub(super) fn refuse_damaged(connection: &Connection, path: &Path) -> Result<(), Error> {
    let size = std::fs::metadata(path).map_or(0, |found| found.len());
    if size > CHECKED_WHOLE {
        return Ok(());
    }
    let found: String = connection
        .query_row("PRAGMA quick_check(1)", [], |row| row.get(0))
        .map_err(|error| unreadable(path, &error))?;
    if found == "ok" {
        return Ok(());
    }
    Err(Error::Damaged {
        path: path.to_owned(),
        reason: found,
    })
}

/// Why the file cannot be read: it is damaged, or the system does not let us.
pub(super) fn unreadable(path: &Path, error: &rusqlite::Error) -> Error {
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

/// Takes the lock file beside the journal. The system lets go of it whatever way the process ends.
pub(super) fn lock(path: &Path, holder: &str) -> Result<File, Error> {
    let opening = |source| Error::Open {
        path: path.to_owned(),
        source,
    };
    let mut name = path.as_os_str().to_owned();
    name.push(".lock");
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(PathBuf::from(name)).map_err(opening)?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => {
            let mut holder = String::new();
            file.read_to_string(&mut holder).map_err(opening)?;
            return Err(Error::Held {
                path: path.to_owned(),
                holder,
            });
        }
        Err(TryLockError::Error(source)) => return Err(opening(source)),
    }
    file.set_len(0)
        .and_then(|()| file.rewind())
        .and_then(|()| file.write_all(holder.as_bytes()))
        .map_err(opening)?;
    Ok(file)
}
