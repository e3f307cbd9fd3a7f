//! Finds new rows whose customer was submitted before for an address with the same postal code that may be the same
//! house: one without a house number, one with more or fewer numbers, or with derived ids, one that the row corrects.
//! The service cannot cancel a request.

use std::cell::LazyCell;
use std::collections::HashSet;

use crate::import::edited_rows::street_and_unit;
use crate::import::known_customers::NewCustomers;
use crate::import::plan_input::PlanInput;
use crate::import::{Error, ImportStop, RowOutcomes, RowWarning};
use crate::model::{
    AddressKey, Field, Request, StreetAddress, is_derived_id, may_be_one_person, shared_contact,
};

/// Warns about each of the new rows whose customer was submitted for such an address, at the first one; returns why
/// nothing may be sent, if most rows have the addresses of other customers in part.
pub(super) fn warn(
    plan_input: PlanInput<'_>,
    is_new: &dyn Fn(usize) -> bool,
    rows: &mut RowOutcomes,
) -> Result<Option<ImportStop>, Error> {
    let (input, checked) = (plan_input.input, plan_input.checked);
    let customers = NewCustomers::new(plan_input, is_new);
    let earlier = requests_of_customers(plan_input, is_new, &customers)?;
    let stop = customers.review(rows)?;
    // A stop speaks for all rows.
    if earlier.is_empty() || stop.is_some() {
        return Ok(stop);
    }
    let ids = checked.external_ids();
    let is_replaced = |earlier: &Request| {
        let id = earlier.external_id.as_str();
        !checked.derived_ids.is_empty() && is_derived_id(id) && !ids.contains(id)
    };
    let earlier: Vec<_> = earlier.iter().map(|one| (one, forms(one))).collect();
    for read in checked.requests(input, is_new)? {
        let (index, request) = read?;
        let (street, key) = forms(&request);
        // Addresses with the same number are compared with those of all customers.
        let may_be = |(before, key_before): &(StreetAddress, AddressKey)| {
            before.may_become(&street) || !before.shares_number(&street) && key_before.matches(&key)
        };
        let message = |(before, forms): &(&Request, _)| {
            let is_other = before.address.postal_code == request.address.postal_code
                && before.external_id != request.external_id;
            let is_replaced = is_replaced(before);
            let field = (is_other && (is_replaced || may_be(forms)))
                .then(|| shared_contact(&before.customer, &request.customer))??;
            if is_replaced && !may_be_one_person(&before.customer, &request.customer) {
                return None;
            }
            let (name, house) = (&before.customer.name, street_and_unit(&before.address));
            let way_out = if is_replaced {
                format!(
                    "which is not in this sheet; if this row corrects it, ask the contractor to cancel the request for {house}"
                )
            } else {
                format!(
                    "as `{}`; if this row is that house, leave it out and tell the contractor its address",
                    before.external_id
                )
            };
            Some(format!(
                "{name}, with the same {field}, was submitted for {house}, {way_out}"
            ))
        };
        if let Some(message) = earlier.iter().find_map(message) {
            rows.warn(RowWarning {
                index,
                field: Some(Field::Line1),
                message,
            });
        }
    }
    Ok(stop)
}

/// The earlier requests that have a customer and the postal code in common with a new row.
fn requests_of_customers(
    plan_input: PlanInput<'_>,
    is_new: &dyn Fn(usize) -> bool,
    customers: &NewCustomers<'_>,
) -> Result<Vec<Request>, Error> {
    let houses = plan_input.checked.houses.iter();
    let mut new = houses.filter(|house| is_new(house.row as usize)).peekable();
    if new.peek().is_none() {
        return Ok(Vec::new());
    }
    // Not needed for an empty journal.
    let new: LazyCell<HashSet<u64>, _> = LazyCell::new(|| {
        new.flat_map(|house| house.house_hash.customer_keys(house.customer))
            .collect()
    });
    let requests = plan_input.index.requests_of(|house| {
        customers.note(house);
        let mut keys = house.house_hash.customer_keys(house.customer);
        keys.any(|key| new.contains(&key))
    });
    Ok(requests?.into_iter().map(|(request, _)| request).collect())
}

/// An address in both forms in which it is compared.
fn forms(request: &Request) -> (StreetAddress, AddressKey) {
    let one = &request.address;
    (StreetAddress::new(one), AddressKey::from_address(one))
}
