//! Where each row of an imported sheet is: with the service, or among the rejects.

use std::collections::BTreeSet;

use super::sheet::Sheet;

/// Houses whose rows need not be among the rejects.
pub(crate) struct KeptHouses<'a> {
    /// The service has a measurement of them.
    pub(crate) requested: &'a BTreeSet<String>,
    /// Their requests may have been on their way when a run ended.
    pub(crate) uncertain: &'a BTreeSet<String>,
    /// A person gave them up.
    pub(crate) given_up: &'a BTreeSet<String>,
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
            if rejects.is_invalid(row) && !is_wrong(row, sheet, rejects) {
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
        // The row that came first may have been refused in this very run.
        let mut others = (0..rejects.rows.len()).filter(|row| !rejects.is_held(*row));
        self.requested.contains(house)
            || self.uncertain.contains(house)
            || others.any(|row| rejects.house(row) == *house)
    }
}

fn is_wrong(row: usize, sheet: &Sheet, rejects: &Sheet) -> bool {
    let id = rejects.cell(row, "id");
    let is_shared = (0..sheet.rows.len()).filter(|row| sheet.cell(*row, "id") == id);
    rejects.lacks_something(row) || is_shared.count() > 1
}
