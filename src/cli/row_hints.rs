//! Hints about the ids and the houses of rows, for `check` and `import`.

use std::path::Path;

use crate::cli::failure::{SuggestedFlag, command_with};
use crate::cli::reading::ReadingArgs;
use crate::cli::shell;
use crate::import::{
    CheckedFile, ConflictCause, ImportInput, KnownPrefix, RowOutcomes, with_or_without,
};
use crate::model::{CONTACT_ELSEWHERE, Outcome, is_derived_id, pluralize};

/// What the hints are about.
pub(super) struct RowHints<'a> {
    /// The name of the present command.
    pub(super) command: &'static str,
    pub(super) file: &'a Path,
    pub(super) reading: &'a ReadingArgs,
    pub(super) input: &'a ImportInput,
    pub(super) rows: &'a RowOutcomes,
    /// Whether ids of the file are derived.
    pub(super) has_derived_ids: bool,
    /// The prefix with which most rows were requested before.
    pub(super) earlier_prefix: Option<&'a str>,
    /// The prefix of another sheet of the workbook.
    pub(super) known_prefix: Option<&'a KnownPrefix>,
    /// The path of the rejects, and the command that imports them.
    pub(super) rejects: Option<(&'a str, &'a str)>,
    /// The command that imports rejects which were printed, once they are saved.
    pub(super) saved_rejects: Option<String>,
}

impl RowHints<'_> {
    /// The hints that apply.
    pub(super) fn all(&self) -> impl Iterator<Item = String> {
        let prefix = self.earlier_prefix();
        let same_house = match &prefix {
            Some(_) if !self.rows.has_accepted() => None,
            _ => self.same_house(),
        };
        let has_conflicts = self.rows.outcomes().count(Outcome::Conflict) > 0;
        let prefix = prefix.filter(|_| same_house.is_none() || has_conflicts);
        let ids = prefix.or_else(|| self.conflicts());
        same_house.into_iter().chain(ids)
    }

    /// About the prefix that was probably forgotten.
    fn earlier_prefix(&self) -> Option<String> {
        let prefix = self.earlier_prefix?;
        Some(format!(
            "most rows were requested before {}: {}",
            with_or_without(prefix),
            self.with_prefix(prefix)
        ))
    }

    /// The present command, with another prefix of ids.
    fn with_prefix(&self, prefix: &str) -> String {
        let reading = ReadingArgs {
            id_prefix: Some(prefix.to_owned()),
            ..self.reading.clone()
        };
        reading.command(self.command, self.file)
    }

    /// About rows whose house was requested before.
    fn same_house(&self) -> Option<String> {
        let held = self.rows.same_house_rows().len() as u64;
        if held == 0 {
            return None;
        }
        let because = match self.rows.same_house_in_file() {
            0 => "the house was requested before",
            in_file if in_file == held => "another row of this file has the house",
            _ => "the house was requested before, or another row of this file has it",
        };
        let mut earlier = self.rows.same_house_rows().values();
        if held > 1
            && !self.has_derived_ids
            && earlier.all(|earlier| is_derived_id(&earlier.external_id))
        {
            return Some(format!(
                "{} not sent: {because} under ids that --derive-id made; without the column of ids in the file, they are made again, and the rows are known",
                pluralize(held, "row")
            ));
        }
        let decide = match (self.rejects, &self.saved_rejects) {
            (Some((path, command)), _) => format!(
                "in the column same_house of {}, type skip to leave a row out, or send to request the house once more; then run `{command}`",
                shell::quoted(path)
            ),
            (None, Some(command)) => format!(
                "save the printed rejects as a file; in its column same_house, type skip to leave a row out, or send to request the house once more; then run `{command}`"
            ),
            (None, None) => format!(
                "`{}` writes such rows to the rejects with a column same_house, which takes skip if that is right, or send to request the house once more",
                self.reading.command("import", self.file)
            ),
        };
        Some(format!(
            "{} not sent: {because}; {decide}",
            pluralize(held, "row")
        ))
    }

    /// About several conflicts.
    fn conflicts(&self) -> Option<String> {
        Some(
            match (self.rows.conflict_cause()?, &self.input.reading_change) {
                (ConflictCause::OtherFlags, Some(change)) => {
                    format!("leave {} out to read the file as before", change.now)
                }
                (ConflictCause::OtherIds, _) => {
                    let own = self.input.rules.id_prefix.as_deref();
                    let known = self.known_prefix;
                    let is_free = |known: &&KnownPrefix| {
                        !known.is_taken && own != Some(&known.of_sheet.prefix)
                    };
                    let known = known.filter(is_free);
                    let new = || ("a prefix".to_owned(), new_prefix(self.file, own));
                    let (which, prefix) = known.map_or_else(new, |known| {
                        let which = format!("the prefix of the sheet `{}`", known.of_sheet.sheet);
                        (which, known.of_sheet.prefix.clone())
                    });
                    format!(
                        "if the file uses the ids of another file again, give it {which}: {}",
                        self.with_prefix(&prefix)
                    )
                }
                (ConflictCause::OtherFlags | ConflictCause::Unknown, _) => format!(
                    "find the cause first, for instance in the mapping of `{}`: with new ids, the houses of these rows are requested too",
                    self.reading.command("check", self.file)
                ),
            },
        )
    }
}

/// The command of these words with the flags of a column that has the contacts which rows without one lack; `None` if no
/// row does.
pub(super) fn with_unused_contact(checked: &CheckedFile, words: &[String]) -> Option<String> {
    let (field, column) = checked.columns.unused_contacts().next()?;
    let mut problems = checked.problems().ok()?.flatten();
    problems.find(|problem| problem.kind == CONTACT_ELSEWHERE)?;
    let flags = checked.columns.flags_with(field, Some(column));
    let values = flags.split_whitespace().filter(|word| *word != "--map");
    let flags = values.map(|value| SuggestedFlag::new("--map", value));
    Some(command_with(words, &flags.collect::<Vec<_>>()))
}

/// The warning about the probable cause of several conflicts; `None` if few rows are in conflict.
pub(super) fn conflict_cause(rows: &RowOutcomes, input: &ImportInput) -> Option<String> {
    let cause = rows.conflict_cause()?;
    let count = pluralize(rows.outcomes().count(Outcome::Conflict), "row");
    Some(match (cause, &input.reading_change) {
        (ConflictCause::OtherFlags, Some(change)) => format!(
            "{count} in conflict: another house was requested under the same id; remembered flags: {}, flags given now: {}",
            change.before, change.now
        ),
        (ConflictCause::OtherIds, _) => format!(
            "{count} in conflict, with other houses and other customers: the file may use the ids of another file again (--id-prefix), or another --sheet was meant"
        ),
        (ConflictCause::OtherFlags | ConflictCause::Unknown, _) => format!(
            "{count} in conflict; possible causes: another --address, --map or --sheet was meant, the file uses the ids of another file again (--id-prefix), or one column was sorted without the others"
        ),
    })
}

/// A prefix that the file's ids do not have: its own, then its name, or for rejects that of their original.
fn new_prefix(file: &Path, own: Option<&str>) -> String {
    let name = file.file_stem().unwrap_or_default().to_string_lossy();
    let words: Vec<String> = name
        .split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty())
        .take_while(|word| *word != "rejects")
        .map(str::to_ascii_lowercase)
        .collect();
    match words.as_slice() {
        [] => format!("{}new-", own.unwrap_or_default()),
        words => format!("{}{}-", own.unwrap_or_default(), words.join("-")),
    }
}
