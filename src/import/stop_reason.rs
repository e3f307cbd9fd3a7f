//! Why an import does nothing, decided from its flags and rows before anything is sent.

use std::path::Path;

use crate::import::plan_input::PlanInput;
use crate::import::{EarlierHouse, Error, ImportStop, RowOutcomes};
use crate::model::{Field, Outcome};
use crate::table::fold_cell;

/// Why nothing is done with the rows to send, and with those whose rejects would be read with the flags of this run;
/// `of_rows` is the reason that a comparison of the rows gave.
pub(super) fn stop_reason(
    plan_input: PlanInput<'_>,
    send: &[usize],
    rows: &RowOutcomes,
    of_rows: Option<ImportStop>,
) -> Result<Option<ImportStop>, Error> {
    let (input, checked) = (plan_input.input, plan_input.checked);
    if input.has_unknown_rejects && (!send.is_empty() || rows.rejected().next().is_some()) {
        return Ok(Some(ImportStop::UnknownRejects));
    }
    let invalid = rows
        .rejected()
        .filter(|(_, outcome)| *outcome == Outcome::Invalid);
    let invalid = invalid.map(|(index, _)| index);
    let due: Vec<usize> = send.iter().copied().chain(invalid).collect();
    if due.is_empty() {
        return Ok(None);
    }
    if input.may_leave_hidden_rows_out {
        let numbers = due.iter().map(|index| checked.rows[*index].number);
        let hidden = numbers.filter(|row| checked.hidden_read.binary_search(row).is_ok());
        let hidden = hidden.count() as u64;
        if hidden > 0 {
            return Ok(Some(ImportStop::HiddenRows(hidden)));
        }
    }
    if send.is_empty() {
        return Ok(of_rows);
    }
    if let Some(change) = &input.address_change {
        return Ok(Some(ImportStop::AddressFlags(change.clone())));
    }
    Ok(column_change(plan_input, rows)?.or(of_rows))
}

/// How the column of streets differs from that of the last import, if no row is known or has a house that was requested
/// under another spelling: an export of the same customers with their mailing addresses in place of the houses has other
/// derived ids.
fn column_change(
    plan_input: PlanInput<'_>,
    rows: &RowOutcomes,
) -> Result<Option<ImportStop>, Error> {
    let (input, checked) = (plan_input.input, plan_input.checked);
    let is_requested =
        |earlier: &EarlierHouse| !earlier.is_to_be_sent() && earlier.other_street.is_none();
    let is_known = rows.outcomes().count(Outcome::Known) > 0
        || rows.same_house_rows().values().any(is_requested);
    if !input.rules.derive_ids
        || input.forgets_columns
        || is_known
        || checked.source.path == Path::new("-")
    {
        return Ok(None);
    }
    let Some(names) = plan_input.index.submitted_field_names(&checked.source)? else {
        return Ok(None);
    };
    let [before, now] = [&names, &checked.field_names].map(|names| names.name_of(Field::Line1));
    let is_other = fold_cell(&before) != fold_cell(&now);
    Ok(is_other.then_some(ImportStop::AddressColumn { before, now }))
}
