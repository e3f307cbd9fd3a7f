//! A request whose values are borrowed from the row, so that hashing it needs no allocation.

use std::borrow::Cow;

use crate::import::RowHouseKey;
use crate::import::check::country::CountrySource;
use crate::model::{
    Address, AddressText, ContentHash, Country, Customer, CustomerSketch, HouseHash, Request,
    StreetAddress,
};

/// The normalized values of a row.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct RowDraft<'a> {
    pub(super) external_id: Cow<'a, str>,
    pub(super) line1: Cow<'a, str>,
    pub(super) line2: Option<Cow<'a, str>>,
    pub(super) city: Cow<'a, str>,
    pub(super) region: Cow<'a, str>,
    pub(super) postal_code: Cow<'a, str>,
    pub(super) country: Option<Country>,
    pub(super) country_source: CountrySource,
    pub(super) name: Cow<'a, str>,
    pub(super) email: Option<Cow<'a, str>>,
    pub(super) phone: Option<Cow<'a, str>>,
    pub(super) notes: Option<Cow<'a, str>>,
    pub(super) url: Option<Cow<'a, str>>,
    pub(super) label: Option<Cow<'a, str>>,
}

impl RowDraft<'_> {
    /// Equal to [`Request::content_hash`] of the request.
    pub(super) fn content_hash(&self) -> ContentHash {
        ContentHash::from_fields([
            Some(self.external_id.as_ref()),
            Some(self.line1.as_ref()),
            self.line2.as_deref(),
            Some(self.city.as_ref()),
            Some(self.region.as_ref()),
            Some(self.postal_code.as_ref()),
            self.country.map(Country::code),
            Some(self.name.as_ref()),
            self.email.as_deref(),
            self.phone.as_deref(),
            self.notes.as_deref(),
            self.url.as_deref(),
            self.label.as_deref(),
        ])
    }

    /// The key of the house, without the row's index, and the hashes of the other numbers of a range.
    pub(super) fn house_key(&self) -> (RowHouseKey, Vec<HouseHash>) {
        let line2 = self.line2.as_deref();
        let address = StreetAddress::from_building(AddressText {
            line1: &self.line1,
            line2,
            city: &self.city,
            region: &self.region,
            postal_code: &self.postal_code,
            country: self.country,
        });
        let key = RowHouseKey {
            house_hash: address.house_hash(),
            row: 0,
            house_digest: address.house_digest(line2),
            words: address.words_sketch(),
            street_name: address.sketch(),
            customer: CustomerSketch::new(&self.name, self.email.as_deref(), self.phone.as_deref()),
        };
        (key, address.house_hashes().skip(1).collect())
    }

    pub(super) fn into_request(self) -> Request {
        let owned = |text: Option<Cow<'_, str>>| text.map(Cow::into_owned);
        Request {
            external_id: self.external_id.into_owned(),
            address: Address {
                line1: self.line1.into_owned(),
                line2: owned(self.line2),
                city: self.city.into_owned(),
                region: self.region.into_owned(),
                postal_code: self.postal_code.into_owned(),
                country: self.country,
            },
            customer: Customer {
                name: self.name.into_owned(),
                email: owned(self.email),
                phone: owned(self.phone),
            },
            notes: owned(self.notes),
            url: owned(self.url),
            label: owned(self.label),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_draft_and_its_request_have_one_digest() {
        let draft = RowDraft {
            external_id: "A-1".into(),
            line1: "12 Elm".into(),
            line2: Some("Apt 4".into()),
            city: "Toronto".into(),
            region: "ON".into(),
            postal_code: "M5V 1A1".into(),
            country: Some(Country::Canada),
            country_source: CountrySource::Written,
            name: "Ada".into(),
            email: Some("ada@example.com".into()),
            phone: None,
            notes: Some("gate".into()),
            url: None,
            label: Some("CRM".into()),
        };
        assert_eq!(
            draft.content_hash(),
            draft.clone().into_request().content_hash()
        );
    }
}
