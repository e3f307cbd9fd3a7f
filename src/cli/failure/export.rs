//! Messages, hints and exit codes for the errors of `export`.

use std::io::ErrorKind as IoErrorKind;
use std::path::Path;

use crate::cli::failure::{io_hint, io_reason, is_full};
use crate::cli::nearest::nearest;
use crate::cli::shell::{command, export_again, quoted};
use crate::cli::{CommandError, ErrorKind};
use crate::export::{Error, ExportFormat, ProtectedFile};
use crate::sheet::SheetError;

impl From<Error> for CommandError {
    fn from(error: Error) -> Self {
        let sentence = error.to_string();
        match error {
            Error::Journal(error) => error.into(),
            Error::Refresh(error) => error.into(),
            Error::Answer { .. } => Self::new(ErrorKind::File, sentence)
                .hinted("another program changed the journal, or another version of gutterbatch wrote it; copy it with `gutterbatch backup journal-backup.db`, and then request all measurements again with `--refresh all`"),
            Error::Extension(path) => {
                let typed = path.extension().unwrap_or_default().to_string_lossy();
                let near = nearest(&typed, ExportFormat::ALL.iter().map(|format| format.name()));
                let near = near.map(|near| path.with_extension(near));
                Self::new(ErrorKind::Usage, sentence).hinted(near.map_or_else(
                    || "use a file name that ends in .xlsx, .csv, .json or .ndjson".to_owned(),
                    |near| format!("did you mean {}?", quoted(&near.to_string_lossy())),
                ))
            }
            Error::Folder(_) => Self::new(ErrorKind::File, sentence)
                .hinted("name a file in it, for instance results.xlsx"),
            Error::NotRegularFile(_) => Self::new(ErrorKind::File, sentence).hinted(format!(
                "nothing was sealed (billed); name a file, for instance results.xlsx, or write to standard output, which bills nothing: {}",
                command(["export", "-", "--format", "csv"])
            )),
            Error::Write { path, source } => {
                let way_out = if source.kind() == IoErrorKind::NotFound && !path.exists() {
                    let mkdir = if cfg!(windows) { "mkdir" } else { "mkdir -p" };
                    format!("that folder does not exist; make it: {mkdir} {}", quoted(&path.to_string_lossy()))
                } else {
                    let full = io_hint(&source).filter(|_| is_full(&source));
                    let way_out = full.unwrap_or("choose another path, or close the file in the program that has it open");
                    way_out.to_owned()
                };
                Self::new(ErrorKind::File, format!("{sentence}: {}", io_reason(&source))).hinted(format!(
                    "nothing was sealed (billed), and an existing file is unchanged; {way_out}"
                ))
            }
            Error::Scratch { source, .. } => Self::new(ErrorKind::File, format!("{sentence}: {}", io_reason(&source)))
                .hinted("nothing was sealed (billed); free disk space or make that folder writable, and run the same command again"),
            Error::Undelivered { number, path, source } => Self::new(ErrorKind::File, format!("{sentence}: {source}"))
                .hinted(format!("{} writes it", export_again(number, &path))),
            Error::Undeclared(_) => Self::new(ErrorKind::UndeclaredBilling, sentence).hinted(
                "declare once what was billed elsewhere: with --billed-until YYYY-MM-DD, everything completed before that day; with --billed-until never, nothing",
            ),
            Error::Stream(source) => Self::new(ErrorKind::File, format!("{sentence}: {}", io_reason(&source))).hinted_by(&source),
            Error::Protected { ref path, why } => {
                Self::new(ErrorKind::File, sentence).hinted(protected(path, why))
            }
            Error::NothingImported(_) => Self::new(ErrorKind::File, format!("{sentence}; nothing was written"))
                .hinted("import a file first: gutterbatch import leads.csv"),
            Error::Interrupted => Self::new(ErrorKind::Interrupted, sentence)
                .hinted("run the same command again to resume"),
            Error::NoSuchSeal { known: 0, .. } => Self::new(ErrorKind::Usage, sentence)
                .hinted("nothing is sealed yet; `gutterbatch export billing.xlsx --new` seals an export: a bill with a number, which never changes"),
            Error::NoSuchSeal { known, .. } => Self::new(ErrorKind::Usage, sentence).hinted(format!(
                "the last one is {known}; `gutterbatch export --sealed` lists them"
            )),
            Error::OtherFormat { ref format, .. } => {
                let hint = format!("it can only be written in the format in which it was sealed; use a file name that ends in .{format}");
                Self::new(ErrorKind::Usage, sentence).hinted(hint)
            }
            Error::SealedFileMissing(_) => Self::new(ErrorKind::File, sentence).hinted(
                "the journal was restored from a workbook or is damaged; use the copy of the file that was sent out",
            ),
            Error::NotResults(_) => Self::new(ErrorKind::Input, sentence).hinted(
                "give a workbook of results, whose sheets are Summary, Measurements, Open and others; an older one works too. Your own sheet with results, as `--for` writes it, does not contain enough",
            ),
            Error::Rehearsed(_) => Self::new(ErrorKind::Input, sentence)
                .hinted("nothing was changed; give a workbook that `export` wrote"),
            Error::OtherService { .. } => Self::new(ErrorKind::OtherAccount, sentence).hinted(
                "nothing was changed; restore it under the profile of its own service with --profile NAME, or give that service with --base-url URL",
            ),
            Error::OtherOwner { .. } => Self::new(ErrorKind::OtherAccount, sentence)
                .hinted("nothing was changed; restore it under a profile of its own with --profile NAME, or give another journal with --journal PATH"),
            Error::NotEmpty(_) => Self::new(ErrorKind::OtherAccount, sentence).hinted(
                "nothing was changed; only an empty journal can be restored: give another one with --journal PATH, or move this one away",
            ),
            Error::CustomerSheet(error) => match error.cause {
                // The sheet's own hint is about rejects.
                SheetError::Write { path, source } => Self::file("write", &path, source),
                _ => (*error).into(),
            },
            Error::Workbook(_) => Self::new(ErrorKind::Bug, sentence)
                .hinted("nothing was written; use a file name that ends in .csv, and report this"),
        }
    }
}

/// Returns what to do about a file that an export does not replace.
fn protected(path: &Path, why: ProtectedFile) -> String {
    let another = "give the export another name";
    match why {
        ProtectedFile::Imported
        | ProtectedFile::Journal
        | ProtectedFile::Sealed { number: None, .. } => another.to_owned(),
        ProtectedFile::Sealed {
            number: Some(number),
            ..
        } => format!(
            "{another}; `{}` writes the sealed one again",
            export_again(number, path)
        ),
        ProtectedFile::Edited | ProtectedFile::Other => {
            format!("{another}, or replace it with --force")
        }
    }
}
