//! `--for FILE`: whose row is whose, as the check of the file finds it.

use std::collections::HashMap;

use crate::cli::export::flags::Args;
use crate::cli::reading::File;
use crate::cli::{Exit, Failure};
use crate::export::OwnRow;
use crate::import::{self, Checked, Input, Standing};
use crate::model::{Problem, RowNumber};

/// The user's file, read by the rules of `import`.
#[derive(Debug)]
pub(super) struct Own {
    pub(super) input: Input,
    pub(super) rows: HashMap<RowNumber, OwnRow>,
}

/// Reads the file of `--for`, where there is one.
///
/// # Errors
/// As `check`; [`Exit::Usage`] where the result cannot hold a sheet.
pub(super) fn own(args: &Args) -> Result<Option<Own>, Failure> {
    let Some(file) = &args.own else {
        return Ok(None);
    };
    let extension = args.path().extension().unwrap_or_default();
    let sheet = ["csv", "tsv", "txt", "xlsx"]
        .iter()
        .any(|known| extension.eq_ignore_ascii_case(known));
    if !sheet {
        return Err(Failure::new(
            Exit::Usage,
            "your own sheet is written as .xlsx, .csv or .tsv",
        )
        .hinted("for instance: gutterbatch export leads.results.xlsx --for leads.xlsx"));
    }
    let input = args.reading.input(&File { file: file.clone() })?;
    let checked = import::check(&input, |_| {})?;
    let rows = rows(&checked)?;
    Ok(Some(Own { input, rows }))
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
