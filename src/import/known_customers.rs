//! Warns if most customers of new rows were submitted before for other addresses, as in a list of mailing addresses.

use std::cell::{LazyCell, RefCell};
use std::collections::{HashMap, HashSet};

use crate::import::plan_input::PlanInput;
use crate::import::{RowOutcomes, RowWarning};
use crate::journal::StoredHouseKey;
use crate::model::{CustomerSketch, Field, group_digits, pluralize};

/// The first row of each customer.
type FirstRows = HashMap<CustomerSketch, usize>;

/// The customers of new rows with derived ids, and which of them were submitted before.
///
/// A list with mailing addresses in place of the houses has new ids for the same customers.
pub(super) struct NewCustomers<'a> {
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
            rows: LazyCell::new(Box::new(rows)),
            submitted: RefCell::default(),
        }
    }

    /// Notes the customer of a request.
    pub(super) fn note(&self, request: StoredHouseKey) {
        if request.has_derived_id && self.rows.contains_key(&request.customer) {
            self.submitted.borrow_mut().insert(request.customer);
        }
    }

    /// Warns if most of them were submitted before: a new row has another address than its customer had.
    pub(super) fn warn_of_others(&self, rows: &mut RowOutcomes) {
        let submitted = self.submitted.borrow();
        if submitted.len() < Self::MIN_SUBMITTED {
            return;
        }
        let all = self.rows.len();
        let first = submitted.iter().map(|customer| self.rows[customer]).min();
        if let Some(index) = first.filter(|_| submitted.len() * 2 > all) {
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
        }
    }
}
