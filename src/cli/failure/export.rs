//! Sentences for an export that cannot be made.

use crate::cli::failure::io_reason;
use crate::cli::shell::command;
use crate::cli::{CommandError, ExitStatus};
use crate::export::{Error, ProtectedFile};
use crate::model::counted;

impl From<Error> for CommandError {
    fn from(error: Error) -> Self {
        let sentence = error.to_string();
        match error {
            Error::Journal(error) => error.into(),
            Error::Refresh(error) => error.into(),
            Error::Answer { .. } => Self::new(ExitStatus::Files, sentence)
                .hinted("another program changed the journal, or its disk is failing; keep a copy of it"),
            Error::Extension { .. } => Self::new(ExitStatus::Usage, sentence)
                .hinted("let the name end in .xlsx, .csv, .json or .ndjson"),
            Error::Folder { .. } => Self::new(ExitStatus::Files, sentence)
                .hinted("name a file in it, for instance results.xlsx"),
            Error::NotRegular { .. } => Self::new(ExitStatus::Files, sentence).hinted(format!(
                "nothing was sealed; name a file, for instance results.xlsx, or write to standard output: {}",
                command(["export", "-", "--format", "csv"])
            )),
            Error::Write { source, .. } => {
                Self::new(ExitStatus::Files, format!("{sentence}: {}", io_reason(&source))).hinted(
                    "nothing was sealed, and what stood there still does; choose another place, or close the file where it is open",
                )
            }
            Error::Scratch { source, .. } => Self::new(ExitStatus::Files, format!("{sentence}: {}", io_reason(&source)))
                .hinted("nothing was sealed; make room in that folder or make it writable, and run the same command again"),
            Error::Undelivered { number, source, .. } => {
                Self::new(ExitStatus::Files, format!("{sentence}: {source}")).hinted(format!(
                    "{} writes it",
                    command(["export", "FILE", "--again", &number.to_string()])
                ))
            }
            Error::Undeclared(undeclared) => Self::new(
                ExitStatus::Attention,
                format!(
                    "{} may have been billed elsewhere; nothing was sealed",
                    counted(undeclared.measurements, "measurement")
                ),
            )
            .hinted(
                "say what was billed elsewhere, which is asked once: with --billed-until YYYY-MM-DD, what was completed before that day was billed; with --billed-until never, nothing was",
            ),
            Error::DeclaredTooEarly { .. } => Self::new(ExitStatus::Unsafe, format!("{sentence}; nothing was sealed"))
                .hinted("give a day after that seal, or put the newest journal back"),
            Error::Stream(source) => Self::new(ExitStatus::Files, format!("{sentence}: {}", io_reason(&source))),
            Error::Protected { ref path, why } => Self::new(
                ExitStatus::Files,
                format!("{} {}, so it is not replaced", path.display(), is(why)),
            )
            .hinted(another_file_hint(why)),
            Error::NothingImported { .. } => Self::new(ExitStatus::Files, format!("{sentence}; nothing was written"))
                .hinted("import a file first: gutterbatch import leads.csv"),
            Error::Interrupted => Self::new(ExitStatus::Interrupted, sentence),
            Error::NoSuchSeal { known: 0, .. } => Self::new(ExitStatus::Usage, sentence)
                .hinted("nothing is sealed yet; `gutterbatch export billing.xlsx --new` seals"),
            Error::NoSuchSeal { known, .. } => Self::new(ExitStatus::Usage, sentence).hinted(format!(
                "the last one is {known}; `gutterbatch export --sealed` lists them"
            )),
            Error::OtherFormat { ref format, .. } => {
                let hint = format!("it is written again as it was sealed; let the name end in .{format}");
                Self::new(ExitStatus::Usage, sentence).hinted(hint)
            }
            Error::LostFile { .. } => Self::new(ExitStatus::Files, sentence).hinted(
                "the journal was restored from a workbook or is damaged; look for the file that was sent out",
            ),
            Error::NoMap { .. } => Self::new(ExitStatus::Input, sentence).hinted(
                "an older one will do too; the sheets of a results workbook are Summary, Measurements, Open and others. Your own sheet with results, as `--for` writes it, does not contain enough",
            ),
            Error::OtherService { .. } => Self::new(ExitStatus::Unsafe, sentence).hinted(
                "nothing was changed; restore it under the profile of its own service with --profile NAME, or give that service with --base-url URL",
            ),
            Error::OtherOwner { .. } => Self::new(ExitStatus::Unsafe, sentence)
                .hinted("nothing was changed; restore it under a profile of its own with --profile NAME, or give another journal with --journal"),
            Error::NotEmpty { .. } => Self::new(ExitStatus::Unsafe, sentence).hinted(
                "only an empty journal is restored, and nothing was changed; give another with --journal, or move this one aside",
            ),
            Error::Own(error) => (*error).into(),
            Error::Workbook(_) => Self::new(ExitStatus::Bug, sentence),
        }
    }
}

/// What a file is that an export does not replace.
/// What to do instead: a sheet or a sealed export is never offered for replacement.
fn another_file_hint(why: ProtectedFile) -> String {
    match why {
        ProtectedFile::Imported | ProtectedFile::Sealed { number: None } => {
            "give the export another name".to_owned()
        }
        ProtectedFile::Sealed {
            number: Some(number),
        } => format!(
            "give the export another name; `{}` writes the sealed one again",
            command(["export", "FILE", "--again", &number.to_string()])
        ),
        ProtectedFile::Edited | ProtectedFile::Other => {
            "give another name, or replace it with --force".to_owned()
        }
    }
}

fn is(why: ProtectedFile) -> String {
    match why {
        ProtectedFile::Imported => "is a sheet that rows were imported from".to_owned(),
        ProtectedFile::Sealed { number: None } => "is a sealed export".to_owned(),
        ProtectedFile::Sealed {
            number: Some(number),
        } => format!("is sealed export {number}"),
        ProtectedFile::Edited => "is an export that was changed after it was written".to_owned(),
        ProtectedFile::Other => "is not known to be an export of this program".to_owned(),
    }
}
