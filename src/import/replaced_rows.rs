//! Finds rows with derived ids that may correct a submitted row of the same customer: a corrected house number is a new
//! house, and the service cannot cancel the request for the old one.

use std::collections::HashSet;

use crate::import::edited_rows::street_and_unit;
use crate::import::plan::PlanInput;
use crate::import::{CheckedRow, Error, RowOutcomes, RowWarning};
use crate::model::{Field, Request, shared_contact};

/// Warns about each of the new rows whose customer was submitted for another house with the same postal code, from a
/// row that is not in the file.
pub(super) fn warn(
    plan: PlanInput<'_>,
    is_new: &dyn Fn(usize) -> bool,
    rows: &mut RowOutcomes,
) -> Result<(), Error> {
    let (input, checked, index) = (plan.input, plan.checked, plan.index);
    if checked.derived_ids.is_empty() {
        return Ok(());
    }
    let houses = checked.houses.iter();
    let customers: HashSet<(usize, u16)> = houses
        .filter(|house| is_new(house.row as usize))
        .flat_map(|house| house.customer.keys())
        .collect();
    if customers.is_empty() {
        return Ok(());
    }
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
        let shared = |earlier: &Request| {
            let is_near = earlier.address.postal_code == request.address.postal_code;
            let field = shared_contact(&earlier.customer, &request.customer);
            field.filter(|_| is_near)
        };
        let mut earlier = earlier.iter();
        if let Some((earlier, field)) = earlier.find_map(|one| Some((one, shared(one)?))) {
            let (name, house) = (&earlier.customer.name, street_and_unit(&earlier.address));
            rows.warn(RowWarning {
                index,
                field: Some(Field::Line1),
                message: format!(
"{name}, with the same {field}, was submitted for {house}, which is not in this sheet; if this row corrects it, ask the contractor to cancel the request for {house}"
                ),
            });
        }
    }
    Ok(())
}
