//! Compares a row with one house that was requested, and tells which of several such requests counts.

use crate::import::same_house::UnansweredRequest;
use crate::import::same_house::requested_house::RequestedHouse;
use crate::import::{CheckedFile, Error, RowOutcomes};
use crate::journal::{FileRequests, SourceRow, StoredRequest, SubmissionIndex};
use crate::model::{
    AddressMatch, Customer, Outcome, Request, StreetAddress, customers_agree, is_derived_id,
    is_same_customer, may_be_one_person, shared_contact,
};

/// Compares a row with a house that was requested. A sheet may be read without a column of units that it was read with
/// before, which changes derived ids: with one, the same customer's flat is the same if one text has the units of the
/// other.
pub(super) fn compare(address: &StreetAddress, request: &Request, other: &Request) -> AddressMatch {
    let there = StreetAddress::new(&other.address);
    let found = address.compare(&there);
    let ids = [&request.external_id, &other.external_id];
    let is_same_flat = found == AddressMatch::OtherUnit
        && address.has_units_of(there.units())
        && ids.into_iter().any(|id| is_derived_id(id))
        && customers_agree(&request.customer, &other.customer);
    if is_same_flat {
        AddressMatch::SameHouse
    } else {
        found
    }
}

/// Compares a row with a request under another postal code. A corrected postal code changes a derived id, so it is the
/// same house if either id is derived and both customers are one person; otherwise it may be one.
pub(super) fn compare_elsewhere(
    address: &StreetAddress,
    request: &Request,
    other: &Request,
) -> Option<AddressMatch> {
    let there = StreetAddress::new(&other.address);
    let (one, two) = (&request.address, &other.address);
    let is_near =
        one.region.eq_ignore_ascii_case(&two.region) || one.city.eq_ignore_ascii_case(&two.city);
    let (one, two) = (&request.customer, &other.customer);
    let is_same =
        address.compare_in_any_town(&there) == AddressMatch::SameHouse && customers_agree(one, two);
    let has_derived_id = is_derived_id(&request.external_id) || is_derived_id(&other.external_id);
    let is_one_person = || shared_contact(one, two).is_some() && may_be_one_person(one, two);
    is_same.then(|| {
        if has_derived_id && is_near && is_one_person() {
            AddressMatch::SameHouse
        } else {
            AddressMatch::OtherPostalCode
        }
    })
}

/// The requests of a file: those of its tables and of the tables from which its known rows were submitted.
pub(super) fn own_requests(
    checked: &CheckedFile,
    index: &SubmissionIndex,
    rows: &RowOutcomes,
) -> Result<FileRequests, Error> {
    let known = (0..checked.rows.len()).filter(|row| rows.outcome(*row) == Outcome::Known);
    let id = |row| match rows.corrected().get(&row) {
        Some(corrected) => Some(corrected.as_str()),
        None => checked.rows[row].external_id(),
    };
    let known = known.filter_map(id).collect();
    Ok(index.requests_of_file(&checked.source, &known)?)
}

/// Whether a row with this customer and number, or without a number in this street, was requested from this file under a
/// derived id and is not in it any more: then its street was corrected or its number filled in, which changes the id. The
/// leading digits alone are no number: `4-103` and `4-139`.
///
/// `is_own` tells of a request from another file whether it counts as one from this file; few rows come so far.
///
/// # Errors
/// Those of `is_own`.
pub(super) fn is_corrected(
    checked: &CheckedFile,
    request: &Request,
    found: HouseMatch<'_>,
    is_own: impl FnOnce(&StoredRequest) -> Result<bool, Error>,
) -> Result<bool, Error> {
    let Some(earlier) = found.house.earlier() else {
        return Ok(false);
    };
    let found = found.address_match;
    let id = earlier.request.external_id.as_str();
    let mut rows = checked.rows.iter();
    let is_version = || {
        let [now, then] = [request, &earlier.request].map(|one| StreetAddress::new(&one.address));
        if found.is_other_street() {
            found == AddressMatch::SameRange || now.has_number_of(&then)
        } else {
            then.may_become(&now) && then.is_in_street_of(&now) && !then.has_other_unit(now.units())
        }
    };
    let is_candidate = (found.is_other_street() || found == AddressMatch::Different)
        && [id, &request.external_id].into_iter().all(is_derived_id)
        && is_same_customer(&request.customer, &earlier.request.customer)
        && is_version()
        && !rows.any(|row| row.external_id() == Some(id));
    let is_of_file = |row: &SourceRow| row.table.path == checked.source.path;
    Ok(is_candidate && (earlier.row.as_ref().is_some_and(is_of_file) || is_own(earlier)?))
}

/// A house that was requested, and how a row's address matches it.
#[derive(Clone, Copy)]
pub(super) struct HouseMatch<'a> {
    pub(super) address_match: AddressMatch,
    pub(super) house: &'a RequestedHouse,
}

/// How a match is preferred to others, by its fields in turn. A canceled request counts only if no other is the same
/// house, and one without a response only if no other was answered: a row may be skipped because of that one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct MatchRank {
    address_match: AddressMatch,
    is_canceled: bool,
    is_unanswered: bool,
}

impl MatchRank {
    /// No other match is preferred to one with this rank.
    pub(super) const FIRST: Self = Self {
        address_match: AddressMatch::SameHouse,
        is_canceled: false,
        is_unanswered: false,
    };
}

impl HouseMatch<'_> {
    /// Whether a row of this customer is held or warned of because of the house of the other one.
    pub(super) fn counts_for(&self, customer: &Customer, other: &Customer) -> bool {
        match self.address_match {
            AddressMatch::Different | AddressMatch::OtherPostalCode => false,
            AddressMatch::NearStreet => customers_agree(customer, other),
            AddressMatch::SameNumber => may_be_one_person(customer, other),
            AddressMatch::SameHouse
            | AddressMatch::OtherUnit
            | AddressMatch::OtherStreetType
            | AddressMatch::SameRange => true,
        }
    }

    pub(super) fn rank(&self) -> MatchRank {
        MatchRank {
            address_match: self.address_match,
            is_canceled: self.house.is_canceled(),
            is_unanswered: self.house.is_unanswered(),
        }
    }
}

/// The row under the id of its earlier version, if the service showed that one at the row's address: correcting the
/// address has changed the derived id, and under a new one the house would be requested again.
pub(super) fn version_before(
    checked: &CheckedFile,
    request: &Request,
    found: HouseMatch<'_>,
) -> Option<UnansweredRequest> {
    let earlier = found
        .house
        .earlier()
        .filter(|earlier| earlier.row.is_none())?;
    let id = earlier.request.external_id.as_str();
    let mut rows = checked.rows.iter();
    let is_version = found.address_match == AddressMatch::SameHouse
        && [id, &request.external_id].into_iter().all(is_derived_id)
        && customers_agree(&request.customer, &earlier.request.customer)
        && !rows.any(|row| row.external_id() == Some(id));
    is_version.then(|| UnansweredRequest {
        request: Request {
            external_id: id.to_owned(),
            ..request.clone()
        },
        source: None,
        decision: None,
    })
}
