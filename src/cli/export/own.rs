//! `--for FILE`: whose row is whose, as the check of the file finds it.

use std::collections::HashMap;
use std::path::Path;

use crate::cli::context::Context;
use crate::cli::export::flags::Args;
use crate::cli::reading::File;
use crate::cli::{Exit, Failure};
use crate::export::OwnRow;
use crate::import::{self, Checked, Input, Options, Standing};
use crate::journal;
use crate::model::{Problem, RowNumber};
use crate::table::{Fingerprint, Form};

/// The user's file, read by the rules of `import`.
#[derive(Debug)]
pub(super) struct Own {
    pub(super) input: Input,
    pub(super) rows: HashMap<RowNumber, OwnRow>,
    pub(super) fingerprint: Fingerprint,
    pub(super) form: Form,
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
    suits(args.path(), checked.layout.form)?;
    let mut rows = rows(&checked)?;
    let index = journal::index(&context.journal_path())?;
    let plan = import::plan(&input, &checked, &index, &Options::default())?;
    for (index, external_id) in plan.rows.corrected() {
        let number = checked.rows[*index].number;
        rows.insert(number, OwnRow::Of(external_id.as_str().into()));
    }
    Ok(Some(Own {
        input,
        rows,
        fingerprint: checked.fingerprint,
        form: checked.layout.form,
    }))
}

const EXAMPLE: &str = "for instance: gutterbatch export leads.results.xlsx --for leads.xlsx";

/// A text stays a text, and any workbook becomes an .xlsx.
fn suits(out: &Path, form: Form) -> Result<(), Failure> {
    let (kind, extensions): (_, &[&str]) = match form {
        Form::Text => ("a text and stays one", &["csv", "tsv", "txt"]),
        Form::Xlsx | Form::Xlsb | Form::Xls | Form::Ods => ("a workbook", &["xlsx"]),
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

fn rows(checked: &Checked) -> Result<HashMap<RowNumber, OwnRow>, Failure> {
    let ids: HashMap<RowNumber, &str> = checked
        .rows
        .iter()
        .filter_map(|row| match &row.standing {
            Standing::Valid { external_id, .. } => Some((row.number, &**external_id)),
            Standing::Duplicate { .. } | Standing::Invalid { .. } => None,
        })
        .collect();
    let errors = checked.errors_by_row()?;
    let reasons = |row| {
        let errors: Option<&Vec<Problem>> = errors.get(&row);
        let messages = errors.into_iter().flatten();
        let messages: Vec<&str> = messages.map(|problem| problem.message.as_str()).collect();
        messages.join("; ")
    };
    let own = |row: RowNumber, standing: &Standing| match standing {
        Standing::Valid { external_id, .. } => OwnRow::Of(external_id.clone()),
        Standing::Duplicate { of } => match ids.get(of) {
            Some(id) => OwnRow::Of(Box::from(*id)),
            None => OwnRow::Invalid(format!("the same as row {of}")),
        },
        Standing::Invalid { .. } => OwnRow::Invalid(reasons(row)),
    };
    let rows = checked.rows.iter();
    Ok(rows
        .map(|row| (row.number, own(row.number, &row.standing)))
        .collect())
}
