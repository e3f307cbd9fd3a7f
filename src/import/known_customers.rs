//! Warns if most customers of new rows were submitted before for other addresses, as in a list of mailing addresses, and
//! stops if these addresses are the earlier ones in another order.

use std::cell::{Cell, LazyCell};
use std::collections::{BTreeSet, HashMap, HashSet};

use crate::import::plan_input::PlanInput;
use crate::import::{Error, ImportStop, RowOutcomes, RowWarning};
use crate::journal::StoredHouseKey;
use crate::model::{
    CustomerSketch, Field, Request, Status, StreetAddress, group_digits, pluralize,
};

/// The first row of each customer, by the name with each contact: a view of the same list may have another column of
/// phones.
type FirstRows = HashMap<CustomerSketch, usize>;

fn first_row(rows: &FirstRows, customer: CustomerSketch) -> Option<usize> {
    let mut keys = customer.with_each_contact();
    keys.find_map(|key| rows.get(&key).copied())
}

/// The customers of new rows with derived ids, and which of them were submitted before.
///
/// A list with mailing addresses in place of the houses has new ids for the same customers.
pub(super) struct NewCustomers<'a> {
    plan_input: PlanInput<'a>,
    is_new: &'a dyn Fn(usize) -> bool,
    /// None if no ids are derived. Not needed for an empty journal.
    rows: LazyCell<FirstRows, Box<dyn FnOnce() -> FirstRows + 'a>>,
    /// Number of earlier requests of these customers.
    submitted: Cell<usize>,
}

impl<'a> NewCustomers<'a> {
    /// Few customers may have other houses.
    const MIN_SUBMITTED: usize = 5;

    pub(super) fn new(plan_input: PlanInput<'a>, is_new: &'a dyn Fn(usize) -> bool) -> Self {
        let rows = move || {
            let mut rows = FirstRows::new();
            let houses = plan_input.checked.houses.iter();
            let is_counted = |row: u32| plan_input.input.rules.derive_ids && is_new(row as usize);
            for house in houses.filter(|house| is_counted(house.row)) {
                let first = first_row(&rows, house.customer).unwrap_or(house.row as usize);
                for key in house.customer.with_each_contact() {
                    rows.entry(key).or_insert(first);
                }
            }
            rows
        };
        Self {
            plan_input,
            is_new,
            rows: LazyCell::new(Box::new(rows)),
            submitted: Cell::default(),
        }
    }

    /// Notes the customer of a request.
    pub(super) fn note(&self, request: StoredHouseKey) {
        if self.is_submitted(request) {
            self.submitted.update(|submitted| submitted + 1);
        }
    }

    /// Warns if most of them were submitted before for addresses that no row has any more: a new row has another one than
    /// its customer had. Stops if many of these rows have the street, unit and postal code of different earlier requests:
    /// their houses do not exist, and the service cannot cancel a request.
    ///
    /// # Errors
    /// If the journal or the file cannot be read.
    pub(super) fn review(&self, rows: &mut RowOutcomes) -> Result<Option<ImportStop>, Error> {
        if self.submitted.get() < Self::MIN_SUBMITTED {
            return Ok(None);
        }
        let left = self.requests_without_row(rows)?;
        if left.len() < Self::MIN_SUBMITTED {
            return Ok(None);
        }
        let (customers, addresses): (BTreeSet<usize>, Vec<_>) = left.into_iter().unzip();
        let all = self.rows.values().collect::<HashSet<_>>().len();
        let are_most = customers.len() >= Self::MIN_SUBMITTED && customers.len() * 2 > all;
        if let Some(&index) = customers.first().filter(|_| are_most) {
            let message = format!(
                "{} of {} in new rows were submitted before for other addresses: if the addresses are not those of the houses now, as in a mailing list or after one column was sorted without the others, submit nothing and export the sheet again",
                group_digits(customers.len() as u64),
                pluralize(all as u64, "customer")
            );
            rows.warn(RowWarning {
                index,
                field: Some(Field::Line1),
                message,
            });
        }
        self.exchanged_addresses(&customers, &addresses)
    }

    /// The addresses of the earlier requests that are in no row any more, each with the first row of its customer; without
    /// those that were canceled or that the service may not have.
    fn requests_without_row(&self, rows: &RowOutcomes) -> Result<Vec<(usize, Vec<String>)>, Error> {
        let PlanInput { checked, index, .. } = self.plan_input;
        let ids = rows.ids_of(checked);
        let requests = index.requests_of(|house| self.is_submitted(house))?;
        let left = requests.into_iter().filter(|(earlier, status)| {
            let is_measured = status.is_some_and(|status| status != Status::Canceled);
            is_measured && !ids.contains(earlier.external_id.as_str())
        });
        let parts = left.filter_map(|(earlier, _)| {
            let customer = first_row(&self.rows, (&earlier.customer).into())?;
            Some((customer, self.address_columns(&earlier)))
        });
        Ok(parts.collect())
    }

    /// The parts of an address that are in columns of their own: the house number only where it is in one.
    fn address_columns(&self, request: &Request) -> Vec<String> {
        let [number, street, unit, postal_code] = StreetAddress::new(&request.address).columns();
        let columns = &self.plan_input.checked.columns;
        if columns.indexes_of(Field::HouseNumber).is_empty() {
            vec![format!("{number} {street}"), unit, postal_code]
        } else {
            vec![number, street, unit, postal_code]
        }
    }

    fn exchanged_addresses(
        &self,
        customers: &BTreeSet<usize>,
        earlier: &[Vec<String>],
    ) -> Result<Option<ImportStop>, Error> {
        let PlanInput { input, checked, .. } = self.plan_input;
        let together: HashSet<&Vec<String>> = earlier.iter().collect();
        // Each with the number of its column, since a unit may be equal to a house number.
        let apart: HashSet<(usize, &String)> = earlier
            .iter()
            .flat_map(|address| address.iter().enumerate())
            .collect();
        let (mut exchanged, mut new) = (0, 0);
        for read in checked.requests(input, self.is_new)? {
            let (_, request) = read?;
            let customer = first_row(&self.rows, (&request.customer).into());
            if customer.is_some_and(|one| customers.contains(&one)) {
                let now = self.address_columns(&request);
                let are_known = now.iter().enumerate().all(|part| apart.contains(&part));
                exchanged += u64::from(are_known && !together.contains(&now));
                new += 1;
            }
        }
        // Among rows of new customers, many of these have one of their streets.
        let are_many = exchanged >= Self::MIN_SUBMITTED as u64 && exchanged * 4 >= new;
        let is_stopped = are_many && !input.forgets_columns;
        Ok(is_stopped.then_some(ImportStop::ExchangedAddresses { exchanged, new }))
    }

    fn is_submitted(&self, request: StoredHouseKey) -> bool {
        request.has_derived_id && first_row(&self.rows, request.customer).is_some()
    }
}
