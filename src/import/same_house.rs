//! Finds rows whose houses were requested before under other ids: they are rejected, or sent with a warning.

use std::collections::HashMap;
use std::path::Path;

use crate::import::plan::PlanInput;
use crate::import::{
    CheckResult, CheckedFile, Error, RowHouse, RowOutcomes, RowRejectionReason, SameHouseRule,
};
use crate::journal::{EarlierRequest, StoredDecision, SubmissionIndex};
use crate::model::{
    AddressMatch, Customer, CustomerSketch, Field, HouseDecision, HouseLookup, NameSketch, Request,
    RowNumber, StreetAddress, customers_agree, differ_only_by_postal_code,
};

/// Maximum number of rows of one lookup whose sketches are compared to avoid reading them again.
const SKETCHED: usize = 64;

/// Maximum number of requests with which a row is compared, so that a column of equal house numbers does not take hours.
const COMPARED: usize = 1000;

/// The earlier request for a house.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EarlierHouse {
    /// Its id.
    pub external_id: String,
    /// Where its row is; none if only the service has it.
    pub place: Option<EarlierRow>,
    /// `sent` or the status of the measurement; none for a row that is about to be sent.
    pub state: Option<String>,
    /// Its postal code, if that differs from the row's.
    pub other_postal_code: Option<String>,
}

/// Where the row of an earlier request is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EarlierRow {
    /// The name of its file; none for a row of this file that is about to be sent.
    pub file: Option<String>,
    /// Its number.
    pub row: RowNumber,
}

impl EarlierHouse {
    /// For instance `` `00123` (row 2 of october.csv, complete) ``, or `` row 2 of this file (`00123`) ``.
    pub fn sentence(&self) -> String {
        let place = self.place_sentence();
        match &self.other_postal_code {
            Some(code) => format!("{place}, with postal code `{code}`"),
            None => place,
        }
    }

    fn place_sentence(&self) -> String {
        let id = &self.external_id;
        let state = match self.state.as_deref() {
            Some("in_progress") => "in progress",
            Some(state) => state,
            None => "sent",
        };
        match &self.place {
            Some(EarlierRow {
                file: Some(file),
                row,
            }) => format!("`{id}` (row {row} of {file}, {state})"),
            Some(EarlierRow { file: None, row }) => format!("row {row} of this file (`{id}`)"),
            None => format!("`{id}` (as the service has that id, {state})"),
        }
    }

    fn is_canceled(&self) -> bool {
        self.state.as_deref() == Some("canceled")
    }
}

/// The result of a review, besides what is stored in [`RowOutcomes`].
#[derive(Clone, Debug, Default)]
pub(super) struct HouseReview {
    /// Rows that are not sent, by their index in ascending order.
    pub(super) withheld: Vec<usize>,
    /// The user's decisions in the file, to be stored.
    pub(super) decisions: Vec<StoredDecision>,
}

/// Compares the `fresh` rows, given by their index in ascending order, with each other and with the journal.
pub(super) fn review(
    plan: PlanInput<'_>,
    fresh: &[usize],
    rows: &mut RowOutcomes,
) -> Result<HouseReview, Error> {
    let PlanInput {
        input,
        checked,
        index,
        options,
    } = plan;
    let mut reviewer = Reviewer {
        checked,
        index,
        rule: options.same_house,
        rows,
        requested: HashMap::new(),
        renamed: renamed(checked, index, fresh)?,
        review: HouseReview::default(),
    };
    let mut wanted = wanted(checked, index, fresh)?;
    wanted.extend(reviewer.renamed.keys());
    wanted.sort_unstable();
    wanted.dedup();
    if wanted.is_empty() {
        return Ok(reviewer.review);
    }
    for found in checked.requests(input, |number| wanted.binary_search(&number).is_ok())? {
        let (number, request) = found?;
        reviewer.row(number, &request)?;
    }
    Ok(reviewer.review)
}

/// Fresh rows that may have the house of another row, and those with a decision; sorted.
fn wanted(
    checked: &CheckedFile,
    index: &SubmissionIndex,
    fresh: &[usize],
) -> Result<Vec<usize>, Error> {
    let mut wanted = Vec::new();
    if fresh.is_empty() {
        return Ok(wanted);
    }
    let mut is_fresh = vec![false; checked.rows.len()];
    for number in fresh {
        is_fresh[*number] = true;
    }
    let mut group: Vec<&RowHouse> = Vec::new();
    for houses in checked
        .houses
        .chunk_by(|one, other| one.lookup == other.lookup)
    {
        group.clear();
        group.extend(houses.iter().filter(|house| is_fresh[house.row as usize]));
        if group.is_empty() {
            continue;
        }
        let is_known = index.has_house(group[0].lookup)?;
        let meets_another = |house: &RowHouse| {
            let mut others = group.iter().filter(|other| other.row != house.row);
            group.len() > SKETCHED
                || others.any(|other| {
                    other.name.may_match(house.name) || other.customer.may_agree(house.customer)
                })
        };
        let meeting = group
            .iter()
            .filter(|house| is_known || meets_another(house));
        wanted.extend(meeting.map(|house| house.row as usize));
    }
    let is_decided = |number: &&usize| {
        let id = checked.rows[**number].external_id();
        checked.decisions.contains_key(*number) || id.is_some_and(|id| index.decision(id).is_some())
    };
    if !checked.decisions.is_empty() || index.has_decisions() {
        wanted.extend(fresh.iter().filter(is_decided));
    }
    Ok(wanted)
}

/// For each fresh row of a file with derived ids, the earlier requests that may be for its house under another postal
/// code. A corrected postal code changes a derived id, so the row would be requested again.
fn renamed(
    checked: &CheckedFile,
    index: &SubmissionIndex,
    fresh: &[usize],
) -> Result<HashMap<usize, Vec<EarlierRequest>>, Error> {
    let mut renamed: HashMap<usize, Vec<EarlierRequest>> = HashMap::new();
    if checked.derived_ids.is_empty() {
        return Ok(renamed);
    }
    let mut by_customer: HashMap<(u16, (usize, u16)), Vec<&RowHouse>> = HashMap::new();
    let is_fresh = |house: &&RowHouse| fresh.binary_search(&(house.row as usize)).is_ok();
    for house in checked.houses.iter().filter(is_fresh) {
        for key in house.customer.keys() {
            let key = (house.number, key);
            by_customer.entry(key).or_default().push(house);
        }
    }
    if by_customer.is_empty() {
        return Ok(renamed);
    }
    index.each_request(None, |earlier| {
        let address = StreetAddress::new(&earlier.request.address);
        let (name, customer) = sketches(&address, &earlier.request.customer);
        let number = address.number_key();
        let found = customer
            .keys()
            .filter_map(|key| by_customer.get(&(number, key)));
        let found = found
            .flatten()
            .filter(|house| house.lookup != address.lookup() && house.name.may_match(name));
        for house in found {
            let candidates = renamed.entry(house.row as usize).or_default();
            if candidates.len() < COMPARED && candidates.last() != Some(&earlier) {
                candidates.push(earlier.clone());
            }
        }
    })?;
    Ok(renamed)
}

struct Reviewer<'a> {
    checked: &'a CheckedFile,
    index: &'a SubmissionIndex,
    rule: SameHouseRule,
    rows: &'a mut RowOutcomes,
    /// Houses that were requested or are about to be, by lookup.
    requested: HashMap<HouseLookup, Vec<RequestedHouse>>,
    /// Earlier requests for the houses of rows, possibly under another postal code.
    renamed: HashMap<usize, Vec<EarlierRequest>>,
    review: HouseReview,
}

/// A house that was requested or is about to be.
struct RequestedHouse {
    address: StreetAddress,
    customer: Customer,
    /// Exclude most other houses and customers without a comparison.
    sketches: (NameSketch, CustomerSketch),
    earlier: EarlierHouse,
}

impl RequestedHouse {
    fn new(address: StreetAddress, customer: Customer, earlier: EarlierHouse) -> Self {
        Self {
            sketches: sketches(&address, &customer),
            address,
            customer,
            earlier,
        }
    }
}

fn sketches(address: &StreetAddress, customer: &Customer) -> (NameSketch, CustomerSketch) {
    let (email, phone) = (customer.email.as_deref(), customer.phone.as_deref());
    let customer = CustomerSketch::new(&customer.name, email, phone);
    (address.sketch(), customer)
}

impl Reviewer<'_> {
    fn row(&mut self, number: usize, request: &Request) -> Result<(), Error> {
        let address = StreetAddress::new(&request.address);
        let lookup = address.lookup();
        if !self.requested.contains_key(&lookup) {
            let earlier = self.index.earlier_requests(lookup)?.into_iter();
            let requested = earlier.map(RequestedHouse::from).collect();
            self.requested.insert(lookup, requested);
        }
        if let Some(renamed) = self.renamed.remove(&number) {
            let same = renamed
                .into_iter()
                .filter_map(|earlier| under_other_code(request, earlier));
            self.requested.entry(lookup).or_default().extend(same);
        }
        let found = self.nearest(&address, request);
        let decision = self.decision(number, request, &address, found.as_ref());
        if decision == Some(HouseDecision::Skip) {
            let same = found.filter(|(found, _)| *found == AddressMatch::SameHouse);
            self.rows.skip(number, same.map(|(_, earlier)| earlier));
            self.review.withheld.push(number);
            return Ok(());
        }
        match found {
            Some((AddressMatch::SameHouse, earlier)) if !earlier.is_canceled() => {
                if self.rule == SameHouseRule::Hold && decision.is_none() {
                    self.hold(number, request, earlier);
                    return Ok(());
                }
                self.rows.warn_of_house(number, None);
                self.mark_other_row(&earlier);
            }
            Some((found, earlier)) => {
                let warning = warning(found, &earlier);
                self.rows.warn_of_house(number, Some(warning));
                self.mark_other_row(&earlier);
            }
            None => {}
        }
        self.add(number, request, address);
        Ok(())
    }

    /// Marks the other row of a pair in this file too, because either may be answered last.
    fn mark_other_row(&mut self, earlier: &EarlierHouse) {
        let Some(EarlierRow { file: None, row }) = &earlier.place else {
            return;
        };
        let rows = &self.checked.rows;
        if let Ok(index) = rows.binary_search_by_key(row, |row| row.number) {
            self.rows.warn_of_house(index, None);
        }
    }

    /// The earlier request that the row resembles most.
    fn nearest(
        &self,
        address: &StreetAddress,
        request: &Request,
    ) -> Option<(AddressMatch, EarlierHouse)> {
        let requested = self.requested.get(&address.lookup())?.iter();
        let others = requested.filter(|other| other.earlier.external_id != request.external_id);
        let (name, customer) = sketches(address, &request.customer);
        let may_count = |other: &&RequestedHouse| {
            let (other_name, other_customer) = other.sketches;
            name.may_match(other_name) || customer.may_agree(other_customer)
        };
        let found = others.take(COMPARED).filter(may_count).filter_map(|other| {
            let found = address.compare(&other.address);
            let counts = match found {
                AddressMatch::Different => false,
                AddressMatch::NearStreet | AddressMatch::SameNumber => {
                    customers_agree(&request.customer, &other.customer)
                }
                AddressMatch::SameHouse
                | AddressMatch::OtherUnit
                | AddressMatch::OtherStreetType => true,
            };
            counts.then_some((found, other))
        });
        // A canceled request counts only if no other is the same house.
        let rank =
            |found: &(AddressMatch, &RequestedHouse)| (found.0, found.1.earlier.is_canceled());
        let (found, other) = found.min_by_key(rank)?;
        Some((found, other.earlier.clone()))
    }

    /// The decision in the file, or else an earlier one about the same house. An earlier `skip` counts only while the house
    /// is requested under another id.
    fn decision(
        &mut self,
        number: usize,
        request: &Request,
        address: &StreetAddress,
        found: Option<&(AddressMatch, EarlierHouse)>,
    ) -> Option<HouseDecision> {
        if let Some(decision) = self.checked.decisions.get(&number) {
            self.review.decisions.push(StoredDecision {
                external_id: request.external_id.clone(),
                content: request.content_hash(),
                address: request.address.clone(),
                decision: *decision,
            });
            return Some(*decision);
        }
        let stored = self.index.decision(&request.external_id)?;
        let then = StreetAddress::new(&stored.address);
        let is_requested = || {
            found.is_some_and(|(found, earlier)| {
                *found == AddressMatch::SameHouse && !earlier.is_canceled()
            })
        };
        let holds = address.compare(&then) == AddressMatch::SameHouse
            && (stored.decision == HouseDecision::Send || is_requested());
        holds.then_some(stored.decision)
    }

    fn hold(&mut self, number: usize, request: &Request, earlier: EarlierHouse) {
        let verb = if earlier.state.is_some() {
            "requested before as"
        } else {
            "is the same house as"
        };
        let message = format!("{verb} {}", earlier.sentence());
        let rejection = RowRejectionReason::new(Some(request), vec![(Some(Field::Line1), message)]);
        self.rows.hold(number, rejection, earlier);
        self.review.withheld.push(number);
    }

    /// Adds the row to the houses with which later rows are compared.
    fn add(&mut self, number: usize, request: &Request, address: StreetAddress) {
        let Some(requested) = self.requested.get_mut(&address.lookup()) else {
            return;
        };
        if requested.len() >= COMPARED {
            return;
        }
        let earlier = EarlierHouse {
            external_id: request.external_id.clone(),
            place: Some(EarlierRow {
                file: None,
                row: self.checked.rows[number].number,
            }),
            state: None,
            other_postal_code: None,
        };
        let customer = request.customer.clone();
        requested.push(RequestedHouse::new(address, customer, earlier));
    }
}

/// The earlier request as one for the house of `request`, if the customers agree and the addresses differ only by the
/// postal code.
fn under_other_code(request: &Request, earlier: EarlierRequest) -> Option<RequestedHouse> {
    let same = differ_only_by_postal_code(&request.address, &earlier.request.address)
        && customers_agree(&request.customer, &earlier.request.customer);
    same.then(|| {
        let code = earlier.request.address.postal_code.clone();
        let mut requested = RequestedHouse::from(earlier);
        requested.address = StreetAddress::new(&request.address);
        requested.earlier.other_postal_code = Some(code);
        requested
    })
}

impl From<EarlierRequest> for RequestedHouse {
    fn from(earlier: EarlierRequest) -> Self {
        let place = earlier.origin.map(|(file, row)| {
            let name = Path::new(&file).file_name();
            let name = name.map(|name| name.to_string_lossy().into_owned());
            EarlierRow {
                file: Some(name.unwrap_or(file)),
                row,
            }
        });
        let address = StreetAddress::new(&earlier.request.address);
        let house = EarlierHouse {
            external_id: earlier.request.external_id,
            place,
            state: Some(earlier.state),
            other_postal_code: None,
        };
        Self::new(address, earlier.request.customer, house)
    }
}

fn warning(found: AddressMatch, earlier: &EarlierHouse) -> String {
    let earlier_is = earlier.sentence();
    match found {
        AddressMatch::SameHouse => {
            format!("the same house as {earlier_is}; sent because that measurement was canceled")
        }
        AddressMatch::OtherUnit => format!("another unit of the building of {earlier_is}"),
        AddressMatch::OtherStreetType => format!(
            "nearly the address of {earlier_is}: street type or direction differ; is it one house?"
        ),
        AddressMatch::NearStreet => {
            format!("nearly the address of {earlier_is}, and the same customer; is it one house?")
        }
        AddressMatch::SameNumber | AddressMatch::Different => {
            format!("the house number, postal code and customer of {earlier_is}; is it one house?")
        }
    }
}

/// The prefix of the earlier ids, if all rows that would be sent were requested before under ids that differ only by a
/// prefix.
pub(super) fn earlier_prefix(
    checked: &CheckedFile,
    rows: &RowOutcomes,
    own_prefix: Option<&str>,
    fresh: &[usize],
) -> Option<String> {
    let held = rows.held();
    if held.len() < 2 || held.len() != fresh.len() {
        return None;
    }
    let mut prefixes = held.iter().map(|(number, earlier)| {
        let CheckResult::Valid { external_id, .. } = &checked.rows[*number].result else {
            return None;
        };
        let bare = external_id.strip_prefix(own_prefix.unwrap_or_default())?;
        earlier.external_id.strip_suffix(bare)
    });
    let first = prefixes.next()??;
    let is_other = own_prefix.unwrap_or_default() != first;
    (is_other && prefixes.all(|prefix| prefix == Some(first))).then(|| first.to_owned())
}
