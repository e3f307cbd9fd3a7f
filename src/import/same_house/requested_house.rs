//! Houses that were requested or are about to be, as they are kept to be compared with later rows.

use std::borrow::Cow;

use crate::import::{CheckedFile, EarlierHouse, EarlierRow, EarlierState, Error};
use crate::journal::{StoredRequest, SubmissionIndex};
use crate::model::{
    AddressMatch, Customer, CustomerSketch, Request, Status, StreetAddress, StreetNameSketch,
};

/// The house that was requested under an id, as messages about a row of the table name it; `None` if none was.
pub(in crate::import) fn house_of_request(
    checked: &CheckedFile,
    index: &SubmissionIndex,
    external_id: &str,
) -> Result<Option<EarlierHouse>, Error> {
    let Some(entry) = index.entry(external_id)? else {
        return Ok(None);
    };
    let address = StreetAddress::new(&entry.request.address);
    let requests = index.earlier_requests(address.house_hash())?.into_iter();
    let mut requests = requests.map(RequestedHouse::from);
    let request = requests.find(|earlier| earlier.request().external_id == external_id);
    let city = &entry.request.address.city;
    Ok(request.map(|earlier| earlier.earlier_for(checked, &address, city)))
}

/// A house that was requested or is about to be. There may be millions: only what excludes most others is at hand.
pub(super) struct RequestedHouse {
    /// Exclude most other houses and customers without a comparison.
    pub(super) sketches: (StreetNameSketch, CustomerSketch),
    units: Option<Box<str>>,
    /// As [`StreetAddress::words`].
    words: u64,
    request: RequestOrigin,
}

/// Which request it is.
enum RequestOrigin {
    /// That of the row with this index, which is about to be sent; as JSON, without what is not compared.
    Row(usize, Box<str>),
    /// An earlier one.
    Earlier(Box<StoredRequest>),
}

impl RequestedHouse {
    /// The house of the row with an index.
    pub(super) fn from_row(index: usize, address: &StreetAddress, request: &Request) -> Self {
        let compared = Request {
            notes: None,
            url: None,
            label: None,
            ..request.clone()
        };
        let json = serde_json::to_string(&compared).expect("a request has only string keys");
        Self {
            sketches: sketches(address, &request.customer),
            units: address.units().map(Box::from),
            words: address.words(),
            request: RequestOrigin::Row(index, json.into()),
        }
    }

    /// The closest that a row with these sketches may come to the house; `None` if it gives no reason for a warning.
    pub(super) fn closest_match(
        &self,
        address: &StreetAddress,
        (name, customer): (StreetNameSketch, CustomerSketch),
    ) -> Option<AddressMatch> {
        let (other_name, other_customer) = self.sketches;
        let may_be_customer = customer.may_agree(other_customer);
        if address.has_words_of(self.words) {
            return Some(AddressMatch::SameHouse);
        }
        if !name.may_match(other_name) {
            return may_be_customer.then_some(AddressMatch::SameNumber);
        }
        let units = self.units.as_deref();
        let may_be_same_flat = may_be_customer && address.has_units_of(units);
        let is_other_unit = address.has_other_unit(units) && !may_be_same_flat;
        Some(if is_other_unit {
            AddressMatch::OtherUnit
        } else {
            AddressMatch::SameHouse
        })
    }

    /// The earlier request; `None` for a row.
    pub(super) fn earlier(&self) -> Option<&StoredRequest> {
        match &self.request {
            RequestOrigin::Row(..) => None,
            RequestOrigin::Earlier(earlier) => Some(earlier),
        }
    }

    pub(super) fn request(&self) -> Cow<'_, Request> {
        match &self.request {
            RequestOrigin::Row(_, json) => {
                Cow::Owned(serde_json::from_str(json).expect("it was a request"))
            }
            RequestOrigin::Earlier(earlier) => Cow::Borrowed(&earlier.request),
        }
    }

    pub(super) fn is_canceled(&self) -> bool {
        let earlier = self.earlier();
        earlier.is_some_and(|earlier| earlier.status == Some(Status::Canceled))
    }

    /// Whether the service may not have the request, because no response was received.
    pub(super) fn is_unanswered(&self) -> bool {
        let earlier = self.earlier();
        earlier.is_some_and(|earlier| earlier.status.is_none())
    }

    /// The earlier request, with its postal code and city where those of the row are others.
    pub(super) fn earlier_for(
        &self,
        checked: &CheckedFile,
        address: &StreetAddress,
        city: &str,
    ) -> EarlierHouse {
        let request = self.request();
        let before = &request.address;
        let there = StreetAddress::new(before);
        let lacks_number = there.may_become(address);
        let is_elsewhere = !lacks_number && there.compare(address) == AddressMatch::Different;
        let is_other_street = lacks_number || there.compare_in_any_town(address).is_other_street();
        let is_other_city = is_elsewhere && before.city.to_lowercase() != city.to_lowercase();
        let (place, state) = match &self.request {
            RequestOrigin::Row(index, _) => {
                let number = checked.rows[*index].number;
                (
                    Some(EarlierRow::in_this_file(number)),
                    EarlierState::ToBeSent,
                )
            }
            RequestOrigin::Earlier(earlier) => {
                let row = earlier.row.as_ref();
                let place = row.map(|row| EarlierRow::new(row, &checked.source));
                let state = earlier
                    .status
                    .map_or(EarlierState::Unanswered, EarlierState::Measured);
                (place, state)
            }
        };
        EarlierHouse {
            external_id: request.external_id.clone(),
            row: place,
            state,
            other_street: is_other_street.then(|| before.line1.clone()),
            has_other_unit: there.units() != address.units(),
            other_city: is_other_city.then(|| before.city.clone()),
            other_postal_code: is_elsewhere.then(|| before.postal_code.clone()),
            is_numbered: address.is_numbered(),
        }
    }
}

impl From<StoredRequest> for RequestedHouse {
    fn from(earlier: StoredRequest) -> Self {
        let address = StreetAddress::new(&earlier.request.address);
        Self {
            sketches: sketches(&address, &earlier.request.customer),
            units: address.units().map(Box::from),
            words: address.words(),
            request: RequestOrigin::Earlier(Box::new(earlier)),
        }
    }
}

pub(super) fn sketches(
    address: &StreetAddress,
    customer: &Customer,
) -> (StreetNameSketch, CustomerSketch) {
    (address.sketch(), CustomerSketch::from(customer))
}
