//! Where each row of an imported sheet is: with the service, or among the rejects.

use std::collections::BTreeSet;

use super::sheet::Sheet;

/// What a row without an id is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MissingIds {
    Invalid,
    /// Its id is made of the house and the customer.
    Derived,
}

/// Houses whose rows need not be among the rejects.
pub(crate) struct KeptHouses<'a> {
    /// The service has a measurement of them.
    pub(crate) requested: &'a BTreeSet<String>,
    /// All their measurements were withdrawn, and the journal knows that.
    pub(crate) withdrawn: &'a BTreeSet<String>,
    /// A request for them, whose answer was lost, may have created the measurement of another house.
    pub(crate) perhaps_requested: &'a BTreeSet<String>,
    /// A person gave them up.
    pub(crate) given_up: &'a BTreeSet<String>,
    /// Where rows without an id get theirs.
    pub(crate) missing_ids: MissingIds,
}

impl KeptHouses<'_> {
    /// No row of an imported sheet is lost, and none is among its rejects without a reason.
    ///
    /// # Errors
    /// A sentence about the row.
    pub(crate) fn hold_all_rows(&self, sheet: &Sheet, rejects: &Sheet) -> Result<(), String> {
        for row in 0..rejects.rows.len() {
            let house = rejects.house(row);
            if rejects.is_held(row) && !self.has_reason_to_hold(&house, rejects) {
                return Err(format!("{house} is held without a request"));
            }
            if rejects.is_refused_to_skip(row) && !self.given_up.contains(&house) {
                return Err(format!("{house} is skipped, and nobody wrote that"));
            }
            if rejects.is_invalid(row) && !self.is_wrong(row, sheet, rejects) {
                return Err(format!("{house} is valid"));
            }
        }
        let rejected = rejects.houses();
        let is_kept = |house: &String| {
            self.requested.contains(house)
                || rejected.contains(house)
                || self.given_up.contains(house)
        };
        match sheet.houses().iter().find(|house| !is_kept(house)) {
            Some(house) => Err(format!("{house} is lost")),
            None => Ok(()),
        }
    }

    fn has_reason_to_hold(&self, house: &String, rejects: &Sheet) -> bool {
        // A row with that house may be in conflict.
        let mut others = (0..rejects.rows.len()).filter(|row| rejects.is_in_conflict(*row));
        self.requested.contains(house) && !self.withdrawn.contains(house)
            || self.perhaps_requested.contains(house)
            || others.any(|row| rejects.house(row) == *house)
    }

    /// Whether a row is invalid by itself, or because another one has its id.
    fn is_wrong(&self, row: usize, sheet: &Sheet, rejects: &Sheet) -> bool {
        let id = self.id(row, rejects);
        let others = (0..sheet.rows.len()).filter(|other| self.id(*other, sheet) == id);
        rejects.lacks_something(row) || id.is_none() || others.count() > 1
    }

    /// What tells a row from others: its id, or what that is derived from.
    fn id(&self, row: usize, sheet: &Sheet) -> Option<String> {
        let cell = |header| sheet.cell(row, header);
        match (cell("id"), self.missing_ids) {
            ("", MissingIds::Invalid) => None,
            ("", MissingIds::Derived) => {
                let postal_code = cell("postal_code").get(..5);
                let parts = [
                    &sheet.house(row),
                    cell("name"),
                    postal_code.unwrap_or_default(),
                ];
                Some(parts.join(", "))
            }
            (id, _) => Some(id.to_owned()),
        }
    }
}
