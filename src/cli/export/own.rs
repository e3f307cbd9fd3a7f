//! `--for FILE`: whose row is whose, as the check of the file finds it.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use crate::cli::context::Context;
use crate::cli::export::flags::Args;
use crate::cli::reading::File;
use crate::cli::{Exit, Failure};
use crate::export::{Askable, OwnRow};
use crate::import::{
    self, Checked, EarlierHouse, Input, KnownPrefix, Options, Rows, Standing, known_prefix,
};
use crate::journal::index;
use crate::model::{Outcome, Problem, RowNumber};
use crate::sheet::{FileFormat, Fingerprint};

/// The user's file, read by the rules of `import`.
#[derive(Debug)]
pub(super) struct Own {
    pub(super) input: Input,
    pub(super) rows: HashMap<RowNumber, OwnRow>,
    pub(super) fingerprint: Fingerprint,
    pub(super) form: FileFormat,
    /// What a person should know of its rows.
    pub(super) findings: OwnFindings,
}

/// Why rows of the user's file have no results that should have some.
#[derive(Clone, Debug, Default)]
pub(super) struct OwnFindings {
    /// Rows whose ids have the measurement of another house.
    pub(super) in_conflict: Vec<RowNumber>,
    /// The prefix with which the journal knows their ids, where it knows none as they were read.
    pub(super) prefix: Option<KnownPrefix>,
}

impl Own {
    /// Those of these measurements that the rows of the file have.
    pub(super) fn asked_about(&self, mut known: Vec<Askable>) -> Vec<Askable> {
        let ids: HashSet<&str> = self.rows.values().filter_map(OwnRow::id).collect();
        known.retain(|one| ids.contains(one.external_id.as_str()));
        known
    }
}

/// Reads the file of `--for`, where there is one.
///
/// # Errors
/// As `check`; [`Exit::Usage`] where the result cannot hold a sheet.
pub(super) fn own(args: &Args, context: &Context) -> Result<Option<Own>, Failure> {
    let Some(file) = &args.own else {
        return Ok(None);
    };
    let mut reading = args.reading.clone();
    let input = reading.as_before(&File { file: file.clone() }, context)?;
    let same = |one: &Path, other: &Path| one.canonicalize().ok().zip(other.canonicalize().ok());
    if same(args.path(), file).is_some_and(|(one, other)| one == other) {
        return Err(
            Failure::new(Exit::Usage, "the results would replace your own sheet").hinted(EXAMPLE),
        );
    }
    let checked = import::check(&input, |_| {})?;
    suits(args.path(), checked.layout.format)?;
    let index = index(&context.journal_path())?;
    // What an import would make of each row now tells whose measurement its id has.
    let planned = import::plan(&input, &checked, &index, &Options::default())?.rows;
    let findings = OwnFindings {
        in_conflict: in_conflict(&checked, &planned),
        prefix: known_prefix(&input, &checked, &index)?,
    };
    let mut rows = rows(&checked, &planned)?;
    for (index, external_id) in planned.corrected() {
        let number = checked.rows[*index].number;
        rows.insert(number, OwnRow::Of(external_id.as_str().into()));
    }
    Ok(Some(Own {
        input,
        rows,
        findings,
        fingerprint: checked.fingerprint,
        form: checked.layout.format,
    }))
}

const EXAMPLE: &str = "for instance: gutterbatch export leads.results.xlsx --for leads.xlsx";

/// A text stays a text, and any workbook becomes an .xlsx.
fn suits(out: &Path, form: FileFormat) -> Result<(), Failure> {
    let (kind, extensions): (_, &[&str]) = match form {
        FileFormat::Text => ("a text and stays one", &["csv", "tsv", "txt"]),
        FileFormat::Xlsx | FileFormat::Xlsb | FileFormat::Xls | FileFormat::Ods => {
            ("a workbook", &["xlsx"])
        }
    };
    let extension = out.extension().unwrap_or_default();
    if extensions
        .iter()
        .any(|known| extension.eq_ignore_ascii_case(known))
    {
        return Ok(());
    }
    let named: Vec<String> = extensions.iter().map(|known| format!(".{known}")).collect();
    let sentence = format!(
        "your own sheet is {kind}; let the name end in {}",
        named.join(" or ")
    );
    Err(Failure::new(Exit::Usage, sentence).hinted(EXAMPLE))
}

fn in_conflict(checked: &Checked, planned: &Rows) -> Vec<RowNumber> {
    let rejected = planned.rejected();
    let conflicts = rejected.filter(|(_, outcome)| *outcome == Outcome::Conflict);
    conflicts
        .map(|(index, _)| checked.rows[index].number)
        .collect()
}

/// What each row is; a duplicate is what the row is that it doubles.
fn rows(checked: &Checked, planned: &Rows) -> Result<HashMap<RowNumber, OwnRow>, Failure> {
    let errors = checked.errors_by_row()?;
    let mut rows: HashMap<RowNumber, OwnRow> = HashMap::with_capacity(checked.rows.len());
    for (index, row) in checked.rows.iter().enumerate() {
        let own = match &row.standing {
            Standing::Valid { external_id, .. } => match planned.rejection(index) {
                Some(rejection) if planned.outcome(index) == Outcome::Conflict => {
                    OwnRow::Conflict(sentences(rejection.messages.iter().map(|(_, text)| text)))
                }
                _ if planned.outcome(index) == Outcome::Duplicate => {
                    OwnRow::SkippedHouse(skipped(planned.skipped().get(&index)))
                }
                _ => OwnRow::Of(external_id.clone()),
            },
            // The row that it doubles stands above it.
            Standing::Duplicate { of } => match rows.get(of) {
                Some(first) => first.clone(),
                None => OwnRow::Invalid(format!("the same as row {of}")),
            },
            Standing::Invalid { .. } => {
                let problems: Option<&Vec<Problem>> = errors.get(&row.number);
                let messages = problems.into_iter().flatten();
                OwnRow::Invalid(sentences(messages.map(|problem| &problem.message)))
            }
        };
        rows.insert(row.number, own);
    }
    let skipped = checked.skipped.iter().flat_map(|group| &group.rows);
    rows.extend(skipped.map(|row| (*row, OwnRow::Skipped)));
    Ok(rows)
}

/// Why a row is not sent although it is valid: the column `same_house` says so, or said so before.
fn skipped(earlier: Option<&EarlierHouse>) -> String {
    match earlier {
        Some(earlier) => format!("skipped: it is the same house as {}", earlier.sentence()),
        None => "skipped: the column same_house says so".to_owned(),
    }
}

fn sentences<'a>(messages: impl Iterator<Item = &'a String>) -> String {
    messages.map(String::as_str).collect::<Vec<_>>().join("; ")
}
