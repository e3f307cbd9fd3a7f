//! `--for FILE`: the external id of each row of the user's file, from the check of the file.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use crate::cli::context::Context;
use crate::cli::export::args::Args;
use crate::cli::export::text::with_output;
use crate::cli::{CliError, CommandError};
use crate::export::{CustomerRow, CustomerSheet};
use crate::import::{
    self, CheckResult, CheckedFile, CheckedRow, EarlierHouse, ImportInput, ImportOptions,
    RowOutcomes,
};
use crate::journal::{self, SubmissionIndex, SubmissionState, read_index};
use crate::model::{Outcome, Problem, RowNumber};
use crate::sheet::{Delimiter, FileFormat, same_file};

/// The user's file, read by the rules of `import`.
#[derive(Debug)]
pub(super) struct CustomerSheetInput {
    pub(super) input: ImportInput,
    pub(super) rows: HashMap<RowNumber, CustomerRow>,
    pub(super) checked: CheckedFile,
    /// What a person should know about its rows.
    pub(super) findings: CustomerSheetFindings,
}

/// What the user should know about the rows of the file and their results.
#[derive(Clone, Debug, Default)]
pub(super) struct CustomerSheetFindings {
    /// Rows whose ids have the measurement of another house, street or unit.
    pub(super) in_conflict: Vec<RowNumber>,
    /// Rows that were submitted, and are invalid since they were edited; not those that were corrected in the rejects.
    pub(super) invalid_since: Vec<RowNumber>,
    /// Rows whose houses were requested under other ids.
    pub(super) of_other_ids: Vec<RowNumber>,
    /// Rows that repeat an earlier row and show its numbers once more.
    pub(super) repeated: Vec<RowNumber>,
    /// The prefix with which all of them were requested, if none was without it.
    pub(super) earlier_prefix: Option<String>,
    /// Whether no row of the sheet was ever requested with the journal.
    pub(super) is_unknown: bool,
    /// Whether houses of the sheet were requested, and none under the id that its row has as it was read.
    pub(super) has_other_ids_only: bool,
    /// Whether it is a text file with semicolons, which spreadsheet programs write where the decimal mark is a comma.
    pub(super) has_semicolons: bool,
}

impl CustomerSheetInput {
    /// Returns the sheet as an export needs it.
    pub(super) fn sheet(&self) -> CustomerSheet<'_> {
        CustomerSheet {
            table: self.checked.table(&self.input),
            rows: &self.rows,
        }
    }

    /// Checks the file and plans its import, which tells which measurement the id of each row has.
    fn read(input: ImportInput, index: &SubmissionIndex) -> Result<Self, CommandError> {
        let checked = import::check(&input, |_| {})?;
        let plan = import::plan(&input, &checked, index, &ImportOptions::default())?;
        let planned = plan.rows;
        let mut rows = rows(&checked, &planned)?;
        for (index, external_id) in planned.corrected() {
            let number = checked.rows[*index].number;
            rows.insert(number, CustomerRow::Identified(external_id.as_str().into()));
        }
        let mut findings = CustomerSheetFindings {
            in_conflict: conflicts(&checked, &planned),
            invalid_since: invalid_since(&checked, &planned, index)?,
            of_other_ids: rejected_rows(&checked, &planned, Outcome::SameHouse),
            repeated: repeated_rows(&checked, &rows),
            earlier_prefix: plan.earlier_prefix.filter(|_| !planned.has_accepted()),
            is_unknown: is_unknown(&checked, &planned, index)?,
            has_other_ids_only: false,
            has_semicolons: checked.layout.delimiter == Some(Delimiter(b';')),
        };
        let has_own_ids = rows.values().any(|row| row.id().is_some());
        findings.has_other_ids_only = !has_own_ids && !findings.of_other_ids.is_empty();
        Ok(Self {
            input,
            rows,
            checked,
            findings,
        })
    }
}

impl CustomerSheetFindings {
    /// Whether the user should look at the rows.
    pub(super) fn need_attention(&self) -> bool {
        let has_prefix = self.earlier_prefix.is_some();
        has_prefix
            || self.is_unknown
            || self.has_other_ids_only
            || !self.in_conflict.is_empty()
            || !self.invalid_since.is_empty()
    }
}

/// Reads the file of `--for`, if the flag is given.
///
/// # Errors
/// As `check`; `ExitStatus::Usage` if the output's format cannot hold the sheet.
pub(super) fn read(
    args: &Args,
    context: &Context,
) -> Result<Option<CustomerSheetInput>, CommandError> {
    let Some(file) = &args.own else {
        return Ok(None);
    };
    let mut reading = args.reading.clone();
    let mut input = reading.with_remembered_reading(file, context)?;
    if same_file(args.path(), file) {
        let example = example(args, context, file, None);
        return Err(CliError::ReplacesOwnSheet { example }.into());
    }
    let index = read_index(&context.journal_path())?;
    // A row that is hidden now may have been imported while it was shown.
    input.options.visible_only = false;
    let sheet = CustomerSheetInput::read(input, &index)?;
    let format = sheet.checked.layout.format;
    require_same_format(args.path(), format, || {
        example(args, context, file, Some(format))
    })?;
    Ok(Some(sheet))
}

/// Returns the command with an output that can hold the file: the one that was typed with another extension, or one
/// beside the file if that is its own path, and where its `format` was not read.
fn example(args: &Args, context: &Context, file: &Path, format: Option<FileFormat>) -> String {
    let extension = file.extension().unwrap_or_default().to_string_lossy();
    let claimed = FileFormat::from_file_name(&file.to_string_lossy());
    let is_of_text = claimed.is_some_and(FileFormat::is_text);
    let is_text = format.map_or(is_of_text, FileFormat::is_text);
    let extension = match (is_text, is_of_text) {
        (true, true) => &*extension,
        (true, false) => "csv",
        (false, _) => "xlsx",
    };
    let typed = args.path().with_extension(extension);
    let out = if format.is_none() || args.is_to_stdout() || same_file(&typed, file) {
        let is_stdin = file == Path::new("-");
        let own = if is_stdin { Path::new("stdin") } else { file };
        own.with_extension(format!("results.{extension}"))
    } else {
        typed
    };
    with_output(args.path(), &out, &context.arguments)
}

/// Requires an output of the file's kind: a text file is written as one, and any workbook as .xlsx.
fn require_same_format(
    out: &Path,
    format: FileFormat,
    example: impl FnOnce() -> String,
) -> Result<(), CommandError> {
    let (kind, extensions): (_, &[&str]) = if format.is_text() {
        ("a text file", format.extensions())
    } else {
        ("a workbook", &["xlsx"])
    };
    let extension = out.extension().unwrap_or_default();
    if extensions
        .iter()
        .any(|known| extension.eq_ignore_ascii_case(known))
    {
        return Ok(());
    }
    Err(CliError::OtherKindThanOwnSheet {
        kind,
        extensions,
        example: example(),
    }
    .into())
}

fn rejected_rows(checked: &CheckedFile, planned: &RowOutcomes, reason: Outcome) -> Vec<RowNumber> {
    let rejected = planned.rejected();
    let rejected = rejected.filter(|(_, outcome)| *outcome == reason);
    numbers(checked, rejected.map(|(index, _)| index))
}

fn conflicts(checked: &CheckedFile, planned: &RowOutcomes) -> Vec<RowNumber> {
    let edited = planned.edited().iter();
    let edited = edited.filter(|(_, edit)| edit.is_other_house);
    let mut rows = rejected_rows(checked, planned, Outcome::Conflict);
    rows.extend(numbers(checked, edited.map(|(index, _)| *index)));
    rows.sort_unstable();
    rows
}

fn numbers(checked: &CheckedFile, rows: impl Iterator<Item = usize>) -> Vec<RowNumber> {
    rows.map(|index| checked.rows[index].number).collect()
}

/// Whether every row is new to the journal.
fn is_unknown(
    checked: &CheckedFile,
    planned: &RowOutcomes,
    index: &SubmissionIndex,
) -> Result<bool, journal::Error> {
    let outcomes = planned.outcomes();
    let pending = outcomes.count(Outcome::Pending);
    if pending == 0 || pending < outcomes.total() {
        return Ok(false);
    }
    for id in checked.rows.iter().filter_map(CheckedRow::external_id) {
        if index.entry(id)?.is_some() {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Whether such a row is still the submitted house is not known, so it gets no numbers. Rows with one id are left out:
/// which of them was submitted is not known either.
fn invalid_since(
    checked: &CheckedFile,
    planned: &RowOutcomes,
    index: &SubmissionIndex,
) -> Result<Vec<RowNumber>, journal::Error> {
    let mut found: Vec<(&str, RowNumber)> = Vec::new();
    for (number, row) in checked.rows.iter().enumerate() {
        if !planned.is_corrected_or_skipped(number)
            && let CheckResult::Invalid {
                external_id: Some(id),
            } = &row.result
            && let Some(submitted) = index.entry(id)?
            && submitted.state == SubmissionState::Measured
        {
            found.push((id, row.number));
        }
    }
    let mut rows_of: HashMap<&str, u32> = found.iter().map(|(id, _)| (*id, 0)).collect();
    for id in checked.rows.iter().filter_map(CheckedRow::external_id) {
        rows_of.entry(id).and_modify(|rows| *rows += 1);
    }
    found.retain(|(id, _)| rows_of[id] == 1);
    Ok(found.into_iter().map(|(_, number)| number).collect())
}

/// The rows with the id of a row above them: duplicates, and rows that were corrected to be one.
fn repeated_rows(checked: &CheckedFile, rows: &HashMap<RowNumber, CustomerRow>) -> Vec<RowNumber> {
    let mut ids = HashSet::new();
    let numbers = checked.rows.iter().map(|row| row.number);
    let is_repeated = |number: &RowNumber| {
        let id = rows.get(number).and_then(CustomerRow::id);
        id.is_some_and(|id| !ids.insert(id))
    };
    numbers.filter(is_repeated).collect()
}

/// Returns what each row is; a duplicate is the same as the row that it repeats. A row that the user skips is the request
/// that it names, if no row has the id of this any more: its customer got another id, or was corrected. Not that of another
/// unit.
fn rows(
    checked: &CheckedFile,
    planned: &RowOutcomes,
) -> Result<HashMap<RowNumber, CustomerRow>, CommandError> {
    let errors = checked.errors_by_row()?;
    let ids = planned.ids_of(checked);
    let mut rows: HashMap<RowNumber, CustomerRow> = HashMap::with_capacity(checked.rows.len());
    for (index, row) in checked.rows.iter().enumerate() {
        let own = match &row.result {
            CheckResult::Valid { external_id, .. } => match planned.outcome(index) {
                outcome @ (Outcome::Conflict | Outcome::SameHouse | Outcome::Invalid) => {
                    CustomerRow::WithoutResult(outcome, rejection_reason(planned, index))
                }
                Outcome::Duplicate => row_of_skipped(planned.skipped().get(&index), &ids),
                _ => match planned.edited().get(&index) {
                    Some(edit) if edit.is_other_house => {
                        let reason = import::edit_message(checked, edit);
                        CustomerRow::WithoutResult(Outcome::Conflict, reason)
                    }
                    _ => CustomerRow::Identified(Box::from(&**external_id)),
                },
            },
            // The row that it repeats is above it.
            CheckResult::Duplicate { of } => match rows.get(of) {
                Some(first) => first.clone(),
                None => {
                    CustomerRow::WithoutResult(Outcome::Invalid, format!("the same as row {of}"))
                }
            },
            CheckResult::Invalid { .. } if planned.skipped().contains_key(&index) => {
                row_of_skipped(planned.skipped().get(&index), &ids)
            }
            CheckResult::Invalid { .. } => {
                let problems: Option<&Vec<Problem>> = errors.get(&row.number);
                let messages = problems.into_iter().flatten();
                let reason = sentences(messages.map(|problem| problem.message.clone()));
                CustomerRow::WithoutResult(Outcome::Invalid, reason)
            }
        };
        rows.insert(row.number, own);
    }
    let skipped = checked.skipped.iter().flat_map(|group| &group.rows);
    let skipped = skipped.chain(&checked.notes);
    rows.extend(skipped.map(|row| (*row, CustomerRow::Skipped)));
    Ok(rows)
}

/// Returns what a valid row is that the column `same_house` skips, or did before, as the house of that request.
fn row_of_skipped(earlier: Option<&EarlierHouse>, ids: &HashSet<&str>) -> CustomerRow {
    let reason = match earlier {
        Some(earlier) if !earlier.has_other_unit && !ids.contains(&*earlier.external_id) => {
            return CustomerRow::Identified(Box::from(earlier.external_id.as_str()));
        }
        Some(earlier) => format!("skipped: it is the same house as {}", earlier.sentence()),
        None => "skipped: the column same_house says so".to_owned(),
    };
    CustomerRow::WithoutResult(Outcome::SameHouse, reason)
}

fn rejection_reason(planned: &RowOutcomes, index: usize) -> String {
    let rejection = planned.rejection(index).into_iter();
    let messages = rejection.flat_map(|rejection| rejection.messages());
    sentences(messages.map(|(_, text)| text))
}

fn sentences(messages: impl Iterator<Item = String>) -> String {
    messages.collect::<Vec<_>>().join("; ")
}
