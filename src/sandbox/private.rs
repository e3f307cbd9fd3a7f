//! Files that their owner alone may read: what the sandbox keeps holds tokens and customers.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::Path;

/// Makes a folder that its owner alone may enter, where there is none.
pub(super) fn private_folder(folder: &Path) -> io::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

/// Opens a file that its owner alone may read, for adding to its end; makes it durably where there is none.
pub(super) fn private_file(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).append(true).create(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let file = options.open(path)?;
    if let Some(folder) = path.parent() {
        sync_folder(folder)?;
    }
    Ok(file)
}

/// Makes a new file's name durable; elsewhere than on Unix the system does so by itself.
pub(super) fn sync_folder(folder: &Path) -> io::Result<()> {
    if cfg!(unix) {
        File::open(folder)?.sync_all()?;
    }
    Ok(())
}
