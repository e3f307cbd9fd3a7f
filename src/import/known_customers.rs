//! Warns if most customers of new rows were submitted before for other addresses, as in a list of mailing addresses, and
//! stops if these addresses are the earlier ones in another order.

use std::cell::{LazyCell, RefCell};
use std::collections::{HashMap, HashSet};

use crate::import::plan_input::PlanInput;
use crate::import::{Error, ImportStop, RowOutcomes, RowWarning};
use crate::journal::StoredHouseKey;
use crate::model::{Address, CustomerSketch, Field, group_digits, pluralize};
use crate::table::fold_cell;

/// The first row of each customer.
type FirstRows = HashMap<CustomerSketch, usize>;

/// The customers of new rows with derived ids, and which of them were submitted before.
///
/// A list with mailing addresses in place of the houses has new ids for the same customers.
pub(super) struct NewCustomers<'a> {
    plan_input: PlanInput<'a>,
    is_new: &'a dyn Fn(usize) -> bool,
    /// None if no ids are derived. Not needed for an empty journal.
    rows: LazyCell<FirstRows, Box<dyn FnOnce() -> FirstRows + 'a>>,
    submitted: RefCell<HashSet<CustomerSketch>>,
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
                rows.entry(house.customer).or_insert(house.row as usize);
            }
            rows
        };
        Self {
            plan_input,
            is_new,
            rows: LazyCell::new(Box::new(rows)),
            submitted: RefCell::default(),
        }
    }

    /// Notes the customer of a request.
    pub(super) fn note(&self, request: StoredHouseKey) {
        if self.is_submitted(request) {
            self.submitted.borrow_mut().insert(request.customer);
        }
    }

    /// Warns if most of them were submitted before: a new row has another address than its customer had.
    ///
    /// # Errors
    /// If the journal or the file cannot be read.
    pub(super) fn warn_of_others(
        &self,
        rows: &mut RowOutcomes,
    ) -> Result<Option<ImportStop>, Error> {
        let submitted = self.submitted.borrow();
        if submitted.len() < Self::MIN_SUBMITTED {
            return Ok(None);
        }
        let all = self.rows.len();
        let first = submitted.iter().map(|customer| self.rows[customer]).min();
        let Some(index) = first.filter(|_| submitted.len() * 2 > all) else {
            return Ok(None);
        };
        let message = format!(
            "{} of {} in new rows were submitted before for other addresses: if the addresses are not those of the houses now, as in a mailing list or after one column was sorted without the others, submit nothing and export the sheet again",
            group_digits(submitted.len() as u64),
            pluralize(all as u64, "customer")
        );
        rows.warn(RowWarning {
            index,
            field: Some(Field::Line1),
            message,
        });
        self.exchanged_addresses()
    }

    /// Stops if most new rows have the street of one earlier request of these customers and the place of another: their
    /// houses do not exist, and the service cannot cancel a request.
    fn exchanged_addresses(&self) -> Result<Option<ImportStop>, Error> {
        let PlanInput {
            input,
            checked,
            index,
            ..
        } = self.plan_input;
        let mut streets = HashSet::new();
        let mut places = HashSet::new();
        let mut both = HashSet::new();
        for earlier in index.requests_of(|house| self.is_submitted(house))? {
            let (street, place) = street_and_place(&earlier.address);
            streets.insert(street.clone());
            places.insert(place.clone());
            both.insert((street, place));
        }
        let (mut exchanged, mut new) = (0, 0);
        for read in checked.requests(input, self.is_new)? {
            let (_, request) = read?;
            let now = street_and_place(&request.address);
            let is_exchanged =
                streets.contains(&now.0) && places.contains(&now.1) && !both.contains(&now);
            exchanged += u64::from(is_exchanged);
            new += 1;
        }
        let are_most = exchanged >= Self::MIN_SUBMITTED as u64 && exchanged * 2 > new;
        let is_stopped = are_most && !input.forgets_columns;
        Ok(is_stopped.then_some(ImportStop::ExchangedAddresses { exchanged, new }))
    }

    fn is_submitted(&self, request: StoredHouseKey) -> bool {
        request.has_derived_id && self.rows.contains_key(&request.customer)
    }
}

/// The two parts of an address that are in columns of their own in most sheets.
fn street_and_place(address: &Address) -> (String, String) {
    let Address {
        city,
        region,
        postal_code,
        ..
    } = address;
    (
        fold_cell(&address.line1),
        fold_cell(&format!("{city} {region} {postal_code}")),
    )
}
