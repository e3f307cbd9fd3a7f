//! Messages about many conflicts with one likely cause, for `check` and `import`.

use std::path::Path;

use crate::cli::failure::{MissingFlag, with_flags};
use crate::cli::shell;
use crate::import::{CheckedFile, ConflictCause, RowOutcomes};
use crate::model::{Outcome, counted};

/// The likely cause, in one line; none if the conflicts have no common cause.
pub(super) fn cause(rows: &RowOutcomes) -> Option<String> {
    let count = counted(rows.outcomes().count(Outcome::Conflict), "row");
    let cause = match rows.conflict_cause()? {
        ConflictCause::Reordered => {
            "the submitted addresses are in other rows now; was a column sorted without the others?"
                .to_owned()
        }
        ConflictCause::OtherColumn(letters) => format!(
            "column {letters} has the addresses that were submitted; was another --address meant?"
        ),
        ConflictCause::OtherFile(file) => format!(
            "their ids were submitted for other houses from {}; do ids start again in each file?",
            shell::quoted(file)
        ),
    };
    Some(format!("{count} in conflict: {cause}"))
}

/// What to do about the cause; none if the conflicts have no common cause. `words` are the arguments of this command.
pub(super) fn hint(
    rows: &RowOutcomes,
    checked: &CheckedFile,
    (file, id_prefix): (&Path, Option<&str>),
    words: &[String],
) -> Option<String> {
    Some(match rows.conflict_cause()? {
        ConflictCause::Reordered => format!(
            "undo the sort in {}, so that each id is in the row of its house again, and run the same command again: {}",
            shell::quoted(&file.to_string_lossy()),
            shell::command(words)
        ),
        ConflictCause::OtherColumn(letters) => format!(
            "read the address as it was submitted: {}",
            with_flags(words, &[MissingFlag::new("--address", letters)])
        ),
        ConflictCause::OtherFile(_) => {
            let prefix = MissingFlag::new("--id-prefix", &own_prefix(checked, file, id_prefix));
            format!(
                "give the ids of this file a prefix of their own: {}",
                with_flags(words, &[prefix])
            )
        }
    })
}

/// A prefix for the ids of a file, or of its sheet if there are several; with it, the ids of the sheets differ. Not the
/// prefix with which the rows are in conflict.
fn own_prefix(checked: &CheckedFile, file: &Path, id_prefix: Option<&str>) -> String {
    let stem = file.file_stem().unwrap_or_default().to_string_lossy();
    let has_others = checked.layout.unread_sheets().is_some();
    let sheet = checked.source.sheet.as_ref().filter(|_| has_others);
    let short = sheet.cloned().unwrap_or_else(|| stem.to_string());
    let mut prefixes = (1..).map(|number| match (number, sheet) {
        (1, _) => format!("{short}-"),
        (2, Some(sheet)) => format!("{stem}-{sheet}-"),
        (number, _) => format!("{short}-{number}-"),
    });
    let found = prefixes.find(|prefix| id_prefix != Some(prefix.as_str()));
    found.unwrap_or_default()
}
