//! The probable cause of several conflicts, and what to do about it, for `check` and `import`.

use std::path::Path;

use crate::cli::reading::ReadingArgs;
use crate::import::{ConflictCause, ImportInput, RowOutcomes};
use crate::model::{Outcome, counted};

/// The warning about the probable cause; none if few rows are in conflict.
pub(super) fn cause(rows: &RowOutcomes, input: &ImportInput) -> Option<String> {
    let cause = rows.conflict_cause()?;
    let count = counted(rows.outcomes().count(Outcome::Conflict), "row");
    Some(match (cause, &input.reading_change) {
        (ConflictCause::OtherFlags, Some(change)) => {
            let before = match change.before.as_str() {
                "" => "none",
                before => before,
            };
            format!(
                "{count} in conflict, now of another house than was requested under the same id: remembered is {before} ({}), given is {}",
                change.origin, change.now
            )
        }
        (ConflictCause::OtherIds, _) => format!(
            "{count} in conflict, of other houses and other customers: do ids start again in this file, or was another --sheet meant?"
        ),
        (ConflictCause::OtherFlags | ConflictCause::Unknown, _) => format!(
            "{count} in conflict: was another --address, --map or --sheet meant, do ids start again in this file (--id-prefix), or was a column sorted without the others?"
        ),
    })
}

/// What to do about it, with the command `name` for the file; none if few rows are in conflict.
pub(super) fn hint(
    rows: &RowOutcomes,
    input: &ImportInput,
    (reading, name, file): (&ReadingArgs, &str, &Path),
) -> Option<String> {
    Some(match (rows.conflict_cause()?, &input.reading_change) {
        (ConflictCause::OtherFlags, Some(change)) => {
            let before = ReadingArgs::from_flags(change.others.clone()).unwrap_or_default();
            format!("to read it as before: {}", before.command(name, file))
        }
        (ConflictCause::OtherIds, _) => {
            let own = input.rules.id_prefix.as_deref();
            let prefix = new_prefix(file, own);
            format!(
                "if ids start again, a prefix tells them apart: {}",
                reading.command_with_prefix(name, file, Some(&prefix))
            )
        }
        (ConflictCause::OtherFlags | ConflictCause::Unknown, _) => format!(
            "find the cause first, for instance in the mapping of `{}`: with new ids, the houses of these rows are requested too",
            reading.command("check", file)
        ),
    })
}

/// A prefix that the file's ids do not have: its own, then its name.
fn new_prefix(file: &Path, own: Option<&str>) -> String {
    let name = file.file_stem().unwrap_or_default().to_string_lossy();
    let words = name.split(|c: char| !c.is_ascii_alphanumeric());
    let words = words.filter(|word| !word.is_empty());
    let words: Vec<String> = words.map(str::to_ascii_lowercase).collect();
    match words.as_slice() {
        [] => format!("{}new-", own.unwrap_or_default()),
        words => format!("{}{}-", own.unwrap_or_default(), words.join("-")),
    }
}
