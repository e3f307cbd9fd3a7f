//! Finds rows whose houses were requested before under other ids: they are rejected, or sent with a warning.

mod candidates;
mod comparison;
mod earlier_house;
mod earlier_prefix;
mod nearest_house;
mod requested_house;
mod reviewer;
mod row_decision;

use std::collections::{BTreeMap, HashSet};

use crate::import::plan_input::PlanInput;
use crate::import::{Error, RowOutcomes};
use crate::journal::{SourceId, StoredDecision};
use crate::model::{HouseDecision, Request, RowNumber};

pub use earlier_house::{EarlierHouse, EarlierRow, EarlierState};
pub use earlier_prefix::KnownPrefix;
pub(super) use earlier_prefix::{earlier_prefix, known_prefix, prefix_stop, sheet_prefix_stop};
pub(super) use requested_house::house_of_request;

use candidates::find_candidates;
use reviewer::Reviewer;

/// Maximum number of houses with which a row is compared although they can only be reasons for a warning, so that a
/// column of equal house numbers does not take hours.
const MAX_COMPARED_HOUSES: usize = 1000;

/// An earlier request that is sent again in place of a row that has its house: only its answer shows whether the house is
/// requested, or whether the service has the row's address under its id.
#[derive(Clone, Debug)]
pub struct UnansweredRequest {
    /// What is sent.
    pub(super) request: Request,
    /// Its table and row; `None` if the row is a later version of it.
    pub(super) source: Option<(SourceId, RowNumber)>,
    /// What the user decided about the row that has its house.
    pub(super) decision: Option<HouseDecision>,
}

/// The result of a review, besides what is stored in [`RowOutcomes`].
#[derive(Clone, Debug, Default)]
pub(super) struct HouseReview {
    /// Rows that are not sent, by their index in ascending order.
    pub(super) not_sent: Vec<usize>,
    /// Rows that are sent although their house was requested before, because the user wants it.
    pub(super) sent_again: HashSet<usize>,
    /// The requests that are sent again in place of rows, by the index of the row.
    pub(super) unanswered: BTreeMap<usize, UnansweredRequest>,
    /// The user's decisions in the file, to be stored.
    pub(super) decisions: Vec<StoredDecision>,
}

/// Compares the new rows with each other and with the journal; `is_new` has each row by its index.
pub(super) fn review(
    plan_input: PlanInput<'_>,
    is_new: &[bool],
    rows: &mut RowOutcomes,
) -> Result<HouseReview, Error> {
    let (input, checked, index) = (plan_input.input, plan_input.checked, plan_input.index);
    let candidates = find_candidates(checked, index, is_new)?;
    if candidates.rows.is_empty() {
        return Ok(HouseReview::default());
    }
    let wanted = |number| candidates.rows.binary_search(&number).is_ok();
    let mut reviewer = Reviewer::new(plan_input, &candidates, rows);
    // The file is read up to the last of them.
    let requests = checked.requests(input, wanted)?;
    for found in requests.take(candidates.rows.len()) {
        let (number, request) = found?;
        reviewer.row(number, &request)?;
    }
    reviewer.finish()
}
