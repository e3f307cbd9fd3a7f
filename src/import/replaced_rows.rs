//! Finds rows with derived ids that replaced a submitted row of the same customer: a corrected house number is a new
//! house, and the service cannot cancel the request for the old one.

use std::collections::HashSet;

use crate::import::plan::PlanInput;
use crate::import::{CheckedRow, Error, RowOutcomes, RowWarning};
use crate::model::{Field, Request, customers_agree};

/// Warns about each of the rows `new` whose customer was submitted for another house from a row of the same table that
/// is no longer in it.
pub(super) fn warn(
    plan: PlanInput<'_>,
    new: &[usize],
    rows: &mut RowOutcomes,
) -> Result<(), Error> {
    let (input, checked, index) = (plan.input, plan.checked, plan.index);
    if checked.derived_ids.is_empty() || new.is_empty() {
        return Ok(());
    }
    let ids: HashSet<&str> = checked
        .rows
        .iter()
        .filter_map(CheckedRow::external_id)
        .collect();
    let removed = index.requests_of_table(&checked.source, |id| !ids.contains(id))?;
    if removed.is_empty() {
        return Ok(());
    }
    for read in checked.requests(input, |number| new.binary_search(&number).is_ok())? {
        let (index, request) = read?;
        let is_same = |earlier: &&Request| customers_agree(&earlier.customer, &request.customer);
        if let Some(earlier) = removed.iter().find(is_same) {
            let (before, now) = (&earlier.address.line1, &request.address.line1);
            rows.warn(RowWarning {
                index,
                field: Some(Field::Line1),
                message: format!(
                    "this customer was submitted for {before} from a row that is no longer in the sheet; if {now} is a correction, both houses are requested"
                ),
            });
        }
    }
    Ok(())
}
