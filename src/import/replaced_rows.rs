//! Finds new rows whose customer was submitted before for an address with the same postal code that may be the same
//! house: one without a house number, one with more or fewer numbers, or with derived ids, one that the row corrects.
//! The service cannot cancel a request.

use std::cell::LazyCell;
use std::collections::{BTreeSet, HashMap, HashSet};

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
    let ids = rows.ids_of(checked);
    // The other rows of the sheet are not in its rejects.
    let may_be_replaced = !checked.derived_ids.is_empty() && !checked.columns.are_of_rejects();
    let is_replaced = |earlier: &Request| {
        let id = earlier.external_id.as_str();
        may_be_replaced && is_derived_id(id) && !ids.contains(id)
    };
    let earlier = earlier.iter().map(|request| ComparedRequest {
        is_replaced: is_replaced(request),
        ..ComparedRequest::new(request)
    });
    let earlier: Vec<ComparedRequest<'_>> = earlier.collect();
    let mut by_customer: HashMap<u64, Vec<usize>> = HashMap::new();
    for (at, request) in earlier.iter().enumerate() {
        for key in request.customer_keys() {
            by_customer.entry(key).or_default().push(at);
        }
    }
    for read in checked.requests(input, is_new)? {
        let (index, request) = read?;
        let new = ComparedRequest::new(&request);
        let keys = new.customer_keys();
        let of_customer = keys.filter_map(|key| by_customer.get(&key)).flatten();
        let of_customer: BTreeSet<usize> = of_customer.copied().collect();
        let mut messages = of_customer
            .into_iter()
            .filter_map(|at| earlier[at].message(&new));
        if let Some(message) = messages.next() {
            rows.warn(RowWarning {
                index,
                field: Some(Field::Line1),
                message,
            });
        }
    }
    Ok(stop)
}

/// A request, with its address in both forms in which it is compared.
struct ComparedRequest<'a> {
    request: &'a Request,
    street: StreetAddress,
    key: AddressKey,
    /// Whether it is an earlier request whose derived id is not in the sheet any more.
    is_replaced: bool,
}

impl<'a> ComparedRequest<'a> {
    fn new(request: &'a Request) -> Self {
        Self {
            request,
            street: StreetAddress::new(&request.address),
            key: AddressKey::from_address(&request.address),
            is_replaced: false,
        }
    }

    /// Keys of which requests of one customer with one postal code have one in common.
    fn customer_keys(&self) -> impl Iterator<Item = u64> {
        let customer = (&self.request.customer).into();
        self.street.house_hash().customer_keys(customer)
    }

    /// The warning about a new row whose house may be that of this earlier request.
    fn message(&self, new: &ComparedRequest<'_>) -> Option<String> {
        let (before, now) = (self.request, new.request);
        let is_other = before.address.postal_code == now.address.postal_code
            && before.external_id != now.external_id;
        if !is_other || !self.is_replaced && !self.may_be(new) {
            return None;
        }
        let field = shared_contact(&before.customer, &now.customer)?;
        if self.is_replaced && !may_be_one_person(&before.customer, &now.customer) {
            return None;
        }
        let (name, house) = (&before.customer.name, street_and_unit(&before.address));
        let way_out = if self.is_replaced {
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
    }

    /// Whether both may be one house; addresses with the same number are compared with those of all customers.
    fn may_be(&self, new: &ComparedRequest<'_>) -> bool {
        self.street.may_become(&new.street)
            || !self.street.shares_number(&new.street) && self.key.matches(&new.key)
    }
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
