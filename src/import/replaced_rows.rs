//! Finds rows with derived ids that may correct a submitted row of the same customer: a corrected house number is a new
//! house, and the service cannot cancel the request for the old one.

use std::collections::HashSet;

use crate::import::plan::PlanInput;
use crate::import::{CheckedRow, Error, RowOutcomes, RowWarning};
use crate::model::{Field, Request, customers_agree};

/// Warns about each of the rows `new` whose customer was submitted for another house with the same postal code, from a
/// row that is not in the file.
pub(super) fn warn(
    plan: PlanInput<'_>,
    new: &[usize],
    rows: &mut RowOutcomes,
) -> Result<(), Error> {
    let (input, checked, index) = (plan.input, plan.checked, plan.index);
    if checked.derived_ids.is_empty() || new.is_empty() {
        return Ok(());
    }
    let is_new = |row: usize| new.binary_search(&row).is_ok();
    let houses = checked.houses.iter();
    let customers: HashSet<(usize, u16)> = houses
        .filter(|house| is_new(house.row as usize))
        .flat_map(|house| house.customer.keys())
        .collect();
    let mut earlier = index.derived_requests(|customer| {
        let mut keys = customer.keys();
        keys.any(|key| customers.contains(&key))
    })?;
    let ids: HashSet<&str> = checked
        .rows
        .iter()
        .filter_map(CheckedRow::external_id)
        .collect();
    earlier.retain(|request| !ids.contains(request.external_id.as_str()));
    if earlier.is_empty() {
        return Ok(());
    }
    for read in checked.requests(input, is_new)? {
        let (index, request) = read?;
        let is_same = |earlier: &&Request| {
            customers_agree(&earlier.customer, &request.customer)
                && earlier.address.postal_code == request.address.postal_code
        };
        if let Some(earlier) = earlier.iter().find(is_same) {
            let [before, now] = [&earlier.address, &request.address].map(|address| {
                let lines = [Some(address.line1.as_str()), address.line2.as_deref()];
                lines.into_iter().flatten().collect::<Vec<_>>().join(", ")
            });
            let (name, id) = (&earlier.customer.name, &earlier.external_id);
            rows.warn(RowWarning {
                index,
                field: Some(Field::Line1),
                message: format!(
                    "{name} (the same name, email or phone) was submitted for {before}, which is not in this sheet (request `{id}`); if {now} is a correction, both houses are requested: ask the contractor to cancel the request for {before}"
                ),
            });
        }
    }
    Ok(())
}
