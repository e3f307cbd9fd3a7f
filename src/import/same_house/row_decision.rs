//! The decision about a row: the one typed beside it, or an earlier one about the same house.

use crate::import::same_house::reviewer::Reviewer;
use crate::import::{EarlierHouse, Error, RowWarning};
use crate::journal::{HouseQuestion, StoredDecision};
use crate::model::{AddressMatch, Field, HouseDecision, Request, StreetAddress};
use crate::table::rejects;

/// Why a row with `send` is skipped.
const SKIP_STAYS: &str = "`send` was not typed where this was asked, so the earlier `skip` stays; to send the row, clear the cell, import the file, and type send again";

impl Reviewer<'_> {
    /// The decision in the file, or else an earlier one about the same house. `send` is one only where the rejects asked
    /// about the house: people fill it down, and keep it beside rows that they correct or import with other ids.
    pub(super) fn decision(
        &mut self,
        index: usize,
        request: &Request,
        (address, found): (&StreetAddress, Option<&(AddressMatch, EarlierHouse)>),
    ) -> Result<Option<HouseDecision>, Error> {
        let typed = self.checked.typed_decision(index);
        let id = request.external_id.as_str();
        let stored = self.index.decision(id);
        let of_house = stored.filter(|stored| {
            let then = StreetAddress::new(&stored.address);
            address.compare(&then) == AddressMatch::SameHouse
        });
        let is_send = typed == Some(HouseDecision::Send);
        let decided = of_house.and_then(|stored| stored.decision);
        let is_requested = found.is_some_and(|(found, earlier)| {
            *found == AddressMatch::SameHouse && !earlier.is_canceled()
        });
        let is_kept = decided.is_none() || decided == Some(HouseDecision::Skip) && is_requested;
        if is_send && is_kept && !self.is_asked(index, id, found)? {
            if decided.is_some() {
                self.rows.warn(RowWarning {
                    index,
                    field: Some(Field::Line1),
                    message: SKIP_STAYS.to_owned(),
                });
            }
            return Ok(decided);
        }
        if typed.is_some() || stored.is_some_and(|stored| self.is_taken_back(stored)) {
            self.review.decisions.push(StoredDecision {
                external_id: id.to_owned(),
                content: request.content_hash(),
                address: request.address.clone(),
                decision: typed,
            });
            return Ok(typed);
        }
        Ok(decided)
    }

    /// Whether an import asked if the row of this id is to be sent although its house was requested before, here or in
    /// rejects of which this is a copy: what they ask is beside the row.
    fn is_asked(
        &self,
        index: usize,
        id: &str,
        found: Option<&(AddressMatch, EarlierHouse)>,
    ) -> Result<bool, Error> {
        let Some((AddressMatch::SameHouse, earlier)) = found else {
            return Ok(false);
        };
        let earlier_id = earlier.external_id.clone();
        let beside = self.checked.decisions[&index].question.as_ref();
        let is_copy = beside.is_some_and(|asked| {
            asked.contains(&format!("`{earlier_id}`")) && asked.ends_with(&rejects::question_id(id))
        });
        let table = (!is_copy).then_some(&self.checked.source);
        let question = HouseQuestion {
            external_id: id.to_owned(),
            earlier_id,
        };
        Ok(self.index.is_asked(&question, table)?)
    }

    /// Stores no `skip` of the row that takes no effect where an earlier one is about another house of its id.
    pub(super) fn keep_earlier_skip(&mut self, row: usize) {
        let id = self.checked.rows[row].external_id();
        let stored = id.and_then(|id| self.index.decision(id)?.decision);
        if stored == Some(HouseDecision::Skip) {
            let decisions = &mut self.review.decisions;
            decisions.pop_if(|new| Some(new.external_id.as_str()) == id);
        }
    }

    /// Whether an empty cell takes a decision back: only `send`, since a row to skip is never asked about again.
    fn is_taken_back(&self, stored: &StoredDecision) -> bool {
        self.has_cells && stored.decision == Some(HouseDecision::Send)
    }
}
