//! Messages for errors of the journal.

use std::io;
use std::path::Path;

use crate::cli::failure::io_reason;
use crate::cli::shell::{command, quoted};
use crate::cli::{CommandError, ErrorKind};
use crate::journal::{Error, seal_record_path};

/// Whether the user may not write there.
fn is_forbidden(error: &io::Error) -> bool {
    use io::ErrorKind::{PermissionDenied, ReadOnlyFilesystem};
    matches!(error.kind(), PermissionDenied | ReadOnlyFilesystem)
}

impl From<Error> for CommandError {
    fn from(error: Error) -> Self {
        let sentence = error.to_string();
        match error {
            Error::Open { source, .. } if is_forbidden(&source) => Self::new(ErrorKind::File, format!("{sentence}: {}", io_reason(&source)))
                .hinted("give your account access to the file and its folder; if nothing was ever imported here, set GUTTERBATCH_HOME to a folder that you can write, or name another file with --journal PATH"),
            Error::Open { source, .. } | Error::Copy { source, .. } | Error::Lock { source, .. } => Self::new(ErrorKind::File, format!("{sentence}: {}", io_reason(&source))).hinted_by(&source),
            Error::Locked { .. } => Self::new(ErrorKind::InUse, sentence)
                .hinted("to wait until it ends, add --lock-wait 30m to the same command; `gutterbatch status` shows its progress"),
            Error::Unusable { .. } => Self::new(ErrorKind::DamagedJournal, sentence)
                .hinted("nothing was changed; name a file with --journal PATH, or remove what is there"),
            Error::HardLinks { path, .. } => Self::new(ErrorKind::File, sentence).hinted(format!(
                "nothing was changed; remove its other names, or name another journal with --journal PATH\nthis lists its names: find / -xdev -samefile {}",
                quoted(&path.to_string_lossy())
            )),
            Error::ForeignLock { lock, .. } => Self::new(ErrorKind::File, sentence).hinted(format!(
                "nothing was changed; move {} away, or name another journal with --journal PATH",
                quoted(&lock.to_string_lossy())
            )),
            Error::Missing { path } => Self::new(ErrorKind::NoJournal, sentence)
                .hinted(lost_journal(&path).map_or_else(|| format!("import a file first: gutterbatch import leads.csv\nif there was a journal, put its backup there, or restore it from the newest workbook: {}", command(RESTORE)), |lost| format!("{lost}: {}", command(RESTORE)))),
            Error::Damaged { path, .. } => Self::new(ErrorKind::DamagedJournal, sentence)
                .hinted(replace_damaged(&quoted(&path.to_string_lossy()))),
            Error::StaleLog(path) => {
                let path = path.to_string_lossy();
                Self::new(ErrorKind::File, sentence).hinted(format!(
                    "nothing was changed; remove {} and {}, and run the same command again",
                    quoted(&format!("{path}-wal")),
                    quoted(&format!("{path}-shm"))
                ))
            }
            Error::Older { path, .. } => Self::new(ErrorKind::File, sentence).hinted(format!(
                "nothing was changed; use that version, or move {} aside and restore it from the newest workbook: {}",
                quoted(&path.to_string_lossy()),
                command(RESTORE)
            )),
            Error::Newer { .. } => Self::new(ErrorKind::File, sentence).hinted("nothing was changed; use the newer gutterbatch"),
            Error::OtherAccount { .. } => Self::new(ErrorKind::OtherAccount, sentence)
                .hinted("nothing was sent; use the profile of that team with --profile NAME, or another journal with --journal PATH"),
            Error::MissingSeals { record, is_taken: true, .. } => Self::new(ErrorKind::OutdatedJournal, sentence).hinted(format!(
                "nothing was sealed (billed); put the journal that sealed it back\nif it is lost, move {} away: a copy that `gutterbatch backup` made then asks what was billed, and any other copy bills it again",
                quoted(&record.to_string_lossy())
            )),
            Error::MissingSeals { record, .. } => Self::new(ErrorKind::OutdatedJournal, sentence).hinted(format!(
                "nothing was sealed (billed); restore the newest journal, or if it is lost, add --billed-until never: the record names what was billed, and nothing of it is billed again\nif the record belongs to another journal, move {} away",
                quoted(&record.to_string_lossy())
            )),
            Error::SealRecord { path, .. } => Self::new(ErrorKind::File, sentence).hinted(format!(
                "it shows whether a journal is outdated; if it is damaged, move {} away, and the next sealed export writes it again",
                quoted(&path.to_string_lossy())
            )),
            Error::NotACopy { path, .. } => Self::new(ErrorKind::File, sentence).hinted(if path.is_dir() {
                "give the name of a file"
            } else {
                "nothing was changed; give another name, or move that file away first"
            }),
            Error::Corrupt(_) => Self::new(ErrorKind::DamagedJournal, sentence)
                .hinted(replace_damaged("the journal")),
            Error::Full(_) => Self::new(ErrorKind::File, sentence)
                .hinted("every request that was sent is recorded; free space on the disk, or raise the limit for the size of files (ulimit -f), and run the same command again"),
            Error::Sqlite(_) | Error::Stopped(_) => Self::new(ErrorKind::File, sentence)
                .hinted("every request that was sent is recorded; run the same command again to resume"),
        }
    }
}

/// The arguments that restore a journal.
pub(in crate::cli) const RESTORE: [&str; 3] = ["import", "--restore", "RESULTS.xlsx"];

/// What to do about a journal that does not exist although its record of sealed exports does.
pub(in crate::cli) fn lost_journal(path: &Path) -> Option<String> {
    let record = seal_record_path(path);
    let is_lost = !path.exists() && record.exists();
    is_lost.then(|| {
        format!(
            "the journal is missing, although {} shows that it billed measurements: put it back, or restore it",
            quoted(&record.to_string_lossy())
        )
    })
}

/// What to do with a damaged journal: a rebuilt one knows no prefix and no sealed export.
fn replace_damaged(journal: &str) -> String {
    format!(
        "nothing was changed; move {journal} aside and put its newest backup there, or restore it from the newest workbook: gutterbatch import --restore RESULTS.xlsx\nwithout either, import the same files again with the same --id-prefix or --derive-id: the service creates nothing twice under the same external ids"
    )
}
