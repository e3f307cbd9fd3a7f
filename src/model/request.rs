//! A validated measurement request for one house.

use serde::{Deserialize, Serialize};

use crate::model::{
    Address, AddressKey, AddressMatch, ContentHash, Country, Customer, Field, Measurement,
    StreetAddress, customers_differ,
};

/// A request that may be sent: it satisfies every documented limit.
///
/// Only `import::check` makes requests from rows of a file.
///
/// # Source
/// S4.5, request body.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Request {
    /// `external.id`: the row's id, preceded by the value of `--id-prefix`; 1 to 128 characters.
    pub external_id: String,
    /// The property.
    pub address: Address,
    /// The homeowner.
    pub customer: Customer,
    /// Free text for the contractor; at most 2,000 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub notes: Option<String>,
    /// `external.url`: an https link to the row in the user's system.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// `external.label`: at most 80 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
}

impl Request {
    /// Whether a measurement is of the house that was requested. None is in a country that the service does not document.
    pub fn matches_measurement(&self, measurement: &Measurement) -> bool {
        let address = Address::from(&measurement.address);
        let is_documented = address.country.is_some() || measurement.address.country.is_empty();
        is_documented && self.matches_house(&address, &(&measurement.request.customer).into())
    }

    /// As [`Request::matches_measurement`], for a request that was accepted: `normalized` has the address that the
    /// service gave then. A measurement that still has it is of the house, whatever the contractor corrected in the
    /// customer.
    pub fn matches_accepted(&self, normalized: Option<&Self>, measurement: &Measurement) -> bool {
        normalized.is_some_and(|normalized| normalized.address == (&measurement.address).into())
            || self.matches_measurement(measurement)
    }

    /// Whether an address and a customer under the same external id are of the house that was requested. A different
    /// street or unit alone may be the service's normalization, and a different customer may be a correction; if both
    /// differ, the house is another one: ids that were given anew within a building.
    pub fn matches_house(&self, address: &Address, customer: &Customer) -> bool {
        let compared = || StreetAddress::new(&self.address).compare(&StreetAddress::new(address));
        let key = AddressKey::from_address;
        // Two letters are a correction only for one customer: North and South are two streets.
        let is_other_house =
            |one: AddressMatch| one.is_other_house() || one == AddressMatch::NearStreet;
        // The number may be in the second line, below an addressee.
        self.address == *address
            || (key(&self.address).matches(&key(address)) || compared() == AddressMatch::SameHouse)
                && !(customers_differ(&self.customer, customer) && is_other_house(compared()))
    }
}

#[cfg(test)]
impl Request {
    /// A request with the required fields only, for tests.
    pub(crate) fn example() -> Self {
        Self {
            external_id: "A-1".to_owned(),
            address: Address {
                line1: "12 Elm St".to_owned(),
                line2: None,
                city: "Ottawa".to_owned(),
                region: "ON".to_owned(),
                postal_code: "K1A 0B1".to_owned(),
                country: None,
            },
            customer: Customer {
                name: "Zoë".to_owned(),
                email: None,
                phone: Some("+1 613 555 0100".to_owned()),
            },
            notes: None,
            url: None,
            label: None,
        }
    }
}

impl Request {
    /// Returns the digest of all values that are sent, including the external id.
    pub fn content_hash(&self) -> ContentHash {
        let values = self.values().map(|(_, value)| value);
        ContentHash::from_fields([Some(self.external_id.as_str())].into_iter().chain(values))
    }

    /// Returns every value beside the external id.
    pub fn values(&self) -> [(Field, Option<&str>); 12] {
        let (address, customer) = (&self.address, &self.customer);
        [
            (Field::Line1, Some(address.line1.as_str())),
            (Field::Line2, address.line2.as_deref()),
            (Field::City, Some(address.city.as_str())),
            (Field::Region, Some(address.region.as_str())),
            (Field::PostalCode, Some(address.postal_code.as_str())),
            (Field::Country, address.country.map(Country::code)),
            (Field::Name, Some(customer.name.as_str())),
            (Field::Email, customer.email.as_deref()),
            (Field::Phone, customer.phone.as_deref()),
            (Field::Notes, self.notes.as_deref()),
            (Field::Url, self.url.as_deref()),
            (Field::Label, self.label.as_deref()),
        ]
    }
}
