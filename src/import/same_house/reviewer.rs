//! Compares rows one by one with earlier requests and with the rows before, and decides which are sent.

use std::cell::OnceCell;
use std::collections::HashMap;
use std::collections::hash_map::Entry;

use crate::import::plan_input::PlanInput;
use crate::import::same_house::candidates::Candidates;
use crate::import::same_house::comparison::{HouseMatch, version_before};
use crate::import::same_house::requested_house::RequestedHouse;
use crate::import::same_house::{HouseReview, UnansweredRequest};
use crate::import::{
    CheckResult, CheckedFile, EarlierHouse, EarlierRow, Error, RowOutcomes, RowWarning, row_index,
};
use crate::journal::{FileRequests, SubmissionIndex};
use crate::model::{
    AddressMatch, Field, HouseDecision, HouseHash, Outcome, Request, StreetAddress,
};
use crate::table::DecisionColumn;

/// Why a row with `skip` is rejected if nothing requests its house.
const SKIP_WITHOUT_REQUEST: &str = "`skip`, but its house is not requested under any other id; type `send` in the column same_house to send the row";

pub(super) struct Reviewer<'a> {
    pub(super) checked: &'a CheckedFile,
    pub(super) index: &'a SubmissionIndex,
    allows_same_house: bool,
    /// Whether the table has the cells of rejects for decisions.
    pub(super) has_cells: bool,
    pub(super) own: OnceCell<FileRequests>,
    pub(super) rows: &'a mut RowOutcomes,
    /// Houses that were requested or are about to be, by hash; without those that no later row is compared with.
    pub(super) requested: HashMap<HouseHash, Vec<RequestedHouse>>,
    candidates: &'a Candidates,
    /// Rows that the user decided to skip.
    skipped: Vec<(usize, Request)>,
    pub(super) review: HouseReview,
}

impl<'a> Reviewer<'a> {
    pub(super) fn new(
        plan_input: PlanInput<'a>,
        candidates: &'a Candidates,
        rows: &'a mut RowOutcomes,
    ) -> Self {
        let column = DecisionColumn::find(&plan_input.checked.columns, &plan_input.checked.layout);
        Self {
            checked: plan_input.checked,
            index: plan_input.index,
            allows_same_house: plan_input.options.allow_same_house,
            has_cells: matches!(column, DecisionColumn::At(_) | DecisionColumn::BesideOwn(_))
                && plan_input.checked.columns.are_of_rejects(),
            own: OnceCell::new(),
            rows,
            requested: HashMap::new(),
            candidates,
            skipped: Vec::new(),
            review: HouseReview::default(),
        }
    }

    /// Decides about the next row of the file. One to skip is decided last, since the row to send may be below it.
    pub(super) fn row(&mut self, index: usize, request: &Request) -> Result<(), Error> {
        let typed = self.checked.typed_decision(index);
        let stored = || self.index.decision(&request.external_id)?.decision;
        if typed.or_else(stored) == Some(HouseDecision::Skip) {
            self.skipped.push((index, request.clone()));
            return Ok(());
        }
        let address = self.decide(index, request)?;
        // Where there are decisions, rows to skip are compared after all others.
        let are_all_read = self.checked.decisions.is_empty() && !self.index.has_decisions();
        for house_hash in address.house_hashes().filter(|_| are_all_read) {
            if self.candidates.last_row(self.checked, house_hash) == Some(index) {
                self.requested.remove(&house_hash);
            }
        }
        Ok(())
    }

    /// Decides about the rows to skip.
    pub(super) fn finish(mut self) -> Result<HouseReview, Error> {
        for (index, request) in std::mem::take(&mut self.skipped) {
            self.decide(index, &request)?;
        }
        self.review.not_sent.sort_unstable();
        Ok(self.review)
    }

    /// Compares a row, and decides whether it is sent. Returns its address.
    fn decide(&mut self, index: usize, request: &Request) -> Result<StreetAddress, Error> {
        let address = StreetAddress::new(&request.address);
        let hashes_elsewhere = self.candidates.elsewhere.get(&index);
        let elsewhere = hashes_elsewhere.map_or(&[][..], Vec::as_slice);
        for house_hash in elsewhere.iter().copied().chain(address.house_hashes()) {
            if let Entry::Vacant(vacant) = self.requested.entry(house_hash) {
                let earlier = self.index.earlier_requests(house_hash)?.into_iter();
                vacant.insert(earlier.map(RequestedHouse::from).collect());
            }
        }
        let same_elsewhere = self.same_elsewhere(&address, request, elsewhere)?;
        let nearest = self.nearest(&address, request)?;
        let found = nearest
            .into_iter()
            .chain(same_elsewhere)
            .min_by_key(HouseMatch::rank);
        let resent = found.and_then(|found| {
            let unanswered = self.unanswered(found.house);
            unanswered.or_else(|| version_before(self.checked, request, found))
        });
        let found = found.map(|found| {
            let city = &request.address.city;
            let earlier = found.house.earlier_for(self.checked, &address, city);
            (
                found.address_match,
                self.in_this_file(index, found.house, earlier),
            )
        });
        let decision = self.decision(index, request, (&address, found.as_ref()))?;
        if self.decide_sending(index, decision, (found, resent)) {
            // Later rows are compared with it.
            for house_hash in address.house_hashes() {
                let requested = self.requested.entry(house_hash).or_default();
                if requested.is_empty() {
                    // Most houses have no other with their hash.
                    requested.reserve_exact(1);
                }
                requested.push(RequestedHouse::from_row(index, &address, request));
            }
        }
        Ok(address)
    }

    /// Whether a row is sent, by the earlier request that it resembles most and the user's decision. Rejects or warns
    /// of the row; in place of one that is held, the earlier request may be sent again.
    fn decide_sending(
        &mut self,
        index: usize,
        decision: Option<HouseDecision>,
        (found, resent): (
            Option<(AddressMatch, EarlierHouse)>,
            Option<UnansweredRequest>,
        ),
    ) -> bool {
        let same_house = found
            .as_ref()
            .filter(|(found, _)| *found == AddressMatch::SameHouse);
        let is_same_house = same_house.is_some_and(|(_, earlier)| !earlier.is_canceled());
        let is_unanswered = same_house.is_some_and(|(_, earlier)| earlier.is_unanswered());
        // The service may not have a request without an answer: no row is skipped because of it.
        if decision == Some(HouseDecision::Skip) && !is_unanswered {
            match found {
                Some((_, earlier)) if is_same_house => self.rows.mark_skipped(index, earlier),
                _ => {
                    self.keep_earlier_skip(index);
                    let message = match same_house {
                        Some((_, canceled)) => format!(
                            "`skip`, but the request of its house was canceled: {}; type `send` in the column same_house to send the row",
                            canceled.sentence()
                        ),
                        None => SKIP_WITHOUT_REQUEST.to_owned(),
                    };
                    let messages = vec![(None, message)];
                    self.rows.reject(index, Outcome::Invalid, messages.into());
                }
            }
            self.review.not_sent.push(index);
            return false;
        }
        let is_held = decision.map_or(!self.allows_same_house, |decision| {
            decision == HouseDecision::Skip
        });
        let Some((found, earlier)) = found else {
            return true;
        };
        if !is_same_house || !is_held {
            if is_same_house {
                self.review.sent_again.insert(index);
            } else {
                let message = earlier.warning(found);
                self.rows.warn(RowWarning {
                    index,
                    field: Some(Field::Line1),
                    message,
                });
            }
            if matches!(found, AddressMatch::SameHouse | AddressMatch::OtherUnit) {
                self.rows.expect_same_location(index);
                self.expect_other_row(&earlier);
            }
            return true;
        }
        let typed = self.checked.decisions.contains_key(&index);
        if typed || decision.is_some() {
            let reason = earlier.reason();
            let note = match decision {
                Some(_) => "`skip` takes effect after the response to that request",
                None => "`send` was typed before this was asked here, and is no answer to it",
            };
            let message = format!("{reason}; {note}");
            let messages = vec![(Some(Field::Line1), message)];
            self.rows.reject(index, Outcome::SameHouse, messages.into());
        }
        self.rows.reject_as_same_house(index, earlier);
        match resent {
            Some(mut resent) => {
                resent.decision = decision;
                self.review.unanswered.insert(index, resent);
            }
            None => self.review.not_sent.push(index),
        }
        false
    }

    /// Either row of a pair in this file may be answered last.
    fn expect_other_row(&mut self, earlier: &EarlierHouse) {
        if let Some(EarlierRow {
            table: None, row, ..
        }) = &earlier.row
            && let Some(index) = row_index(self.checked, *row)
        {
            self.rows.expect_same_location(index);
        }
    }

    /// The earlier request; if it has no answer and a row of this file has its id with other contents, as an earlier
    /// version of that row, whose answer shows whether the service has it.
    fn in_this_file(
        &self,
        index: usize,
        other: &RequestedHouse,
        mut earlier: EarlierHouse,
    ) -> EarlierHouse {
        if !earlier.is_unanswered() {
            earlier.mark_moved(self.checked, index);
            return earlier;
        }
        let mut rows = self.checked.rows.iter();
        let row = rows.find(|row| row.external_id() == Some(&earlier.external_id));
        if let Some(row) = row
            && let CheckResult::Valid { content, .. } = row.result
            && content != other.request().content_hash()
        {
            earlier.row = Some(EarlierRow::in_this_file(row.number));
        }
        earlier
    }

    /// The stored request, if it has no answer and no other row sends it again.
    fn unanswered(&self, other: &RequestedHouse) -> Option<UnansweredRequest> {
        let earlier = other.earlier()?;
        let (row, id) = (earlier.row.as_ref()?, &earlier.request.external_id);
        let mut resent = self.review.unanswered.values();
        let is_first = !resent.any(|resent| resent.request.external_id == *id);
        (earlier.status.is_none() && is_first).then(|| UnansweredRequest {
            request: earlier.request.clone(),
            source: Some((row.source, row.row)),
            decision: None,
        })
    }
}
