//! Differences between a request and the version of it that the service stores.

use unicode_normalization::UnicodeNormalization;

use crate::model::text::letters_and_digits;
use crate::model::{
    Address, AddressMatch, Customer, Measurement, Request, StreetAddress, customers_agree,
    customers_differ,
};

impl Request {
    /// Returns the version of this request that the service stores, with another street, its unit and customer, notes,
    /// URL and label as in `measurement`; `None` if they agree. For a known external id the service ignores the rest of
    /// a repeated request.
    ///
    /// City and the spelling of the street are not compared: the service normalizes the address. The customer counts only
    /// with another street or unit: the contractor may correct it.
    ///
    /// # Source
    /// S4.5, response 200.
    pub fn as_stored(&self, measurement: &Measurement) -> Option<Self> {
        let sent = self;
        let mut request = sent.clone();
        let response = &measurement.request;
        let original = StreetAddress::new(&(&measurement.address).into());
        let requested = StreetAddress::new(&sent.address);
        let compared = requested.compare(&original);
        let customer = Customer::from(&response.customer);
        let is_other_customer = customers_differ(&sent.customer, &customer);
        let has_other_unit = unit_differs(sent, measurement);
        let is_flat =
            requested.units().is_some() != original.units().is_some() && is_other_customer;
        let has_other_street = compared.is_other_house()
            && !(compared == AddressMatch::OtherUnit && has_other_unit)
            || is_flat && !has_other_unit;
        if has_other_street {
            request.address.line1.clone_from(&measurement.address.line1);
        }
        if has_other_unit || is_flat {
            request.address.line2.clone_from(&measurement.address.line2);
        }
        let is_reachable = customer.email.is_some() || customer.phone.is_some();
        if (has_other_street || has_other_unit) && is_other_customer && is_reachable {
            request.customer = customer;
        }
        // If no label is sent, the service stores the app's name.
        let label = request.label.as_ref().and(response.external.label.as_ref());
        let texts = [
            (&mut request.notes, response.notes.as_ref()),
            (&mut request.url, response.external.url.as_ref()),
            (&mut request.label, label),
        ];
        for (sent, stored) in texts {
            if normalize_whitespace(sent.as_deref())
                != normalize_whitespace(stored.map(String::as_str))
            {
                *sent = stored.cloned();
            }
        }
        (request != *sent).then_some(request)
    }

    /// Returns this request with the address that the service gave for it; `None` if that is another spelling of the
    /// requested address.
    ///
    /// # Source
    /// S2.4: the service normalizes the address.
    pub fn as_normalized(&self, measurement: &Measurement) -> Option<Self> {
        let address = Address::from(&measurement.address);
        let compared = || StreetAddress::new(&self.address).compare(&StreetAddress::new(&address));
        (address != self.address && compared() != AddressMatch::SameHouse).then(|| Self {
            address,
            ..self.clone()
        })
    }

    /// Whether the service may have normalized the street of this request to that of the version which it stores: that
    /// is the same customer's. It may as well be that the row was edited.
    pub fn may_be_normalized_to(&self, stored: &Self) -> bool {
        let [sent, stored_street] = [self, stored].map(|one| StreetAddress::new(&one.address));
        sent.compare(&stored_street).is_other_street()
            && customers_agree(&self.customer, &stored.customer)
    }

    /// Whether the version that the service stores is another house, and no other spelling of this one.
    pub fn is_stored_as_other_house(&self, stored: &Self) -> bool {
        let [sent, stored_street] = [self, stored].map(|one| StreetAddress::new(&one.address));
        sent.compare(&stored_street) != AddressMatch::SameHouse
            && !self.may_be_normalized_to(stored)
    }
}

/// Whether the units differ. A unit that is part of the other address's street line does not count as a difference.
fn unit_differs(sent: &Request, measurement: &Measurement) -> bool {
    let (row, service) = (&sent.address, &measurement.address);
    let row_unit = letters_and_digits(row.line2.as_deref().unwrap_or_default());
    let service_unit = letters_and_digits(service.line2.as_deref().unwrap_or_default());
    match (row_unit.is_empty(), service_unit.is_empty()) {
        (true, true) => false,
        (true, false) => !letters_and_digits(&row.line1).contains(&service_unit),
        (false, true) => !letters_and_digits(&service.line1).contains(&row_unit),
        (false, false) => row_unit != service_unit,
    }
}

/// The text with white space collapsed; `None` if it is empty.
fn normalize_whitespace(text: Option<&str>) -> Option<String> {
    let words: Vec<&str> = text?.split_whitespace().collect();
    (!words.is_empty()).then(|| words.join(" ").nfc().collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::ReturnedExternal;

    fn sent() -> Request {
        let mut sent = Request::example();
        sent.address.line2 = Some("Unit 4".to_owned());
        sent.notes = Some("blue door\r\nring twice".to_owned());
        sent.url = Some("https://crm.example.com/1".to_owned());
        sent
    }

    /// The response of a service that stores the request unchanged.
    fn measurement(request: &Request) -> Measurement {
        let mut measurement = Measurement::example();
        measurement.address.line2.clone_from(&request.address.line2);
        measurement.request.customer.name = Some("corrected by the contractor".to_owned());
        measurement.request.notes.clone_from(&request.notes);
        measurement.request.external = ReturnedExternal {
            id: Some(request.external_id.clone()),
            url: request.url.clone(),
            label: Some("the app's name".to_owned()),
        };
        measurement
    }

    #[test]
    fn what_the_service_stores_as_it_was_sent_is_no_difference() {
        let sent = sent();
        let mut returned = measurement(&sent);
        assert_eq!(sent.as_stored(&returned), None);
        returned.request.notes = Some(" blue door\nring  twice ".to_owned());
        returned.address.line2 = Some("UNIT #4".to_owned());
        assert_eq!(sent.as_stored(&returned), None);
        returned.address.line2 = None;
        returned.address.line1 = "12 Elm Street Unit 4".to_owned();
        assert_eq!(sent.as_stored(&returned), None);
        let plain = Request::example();
        let mut returned = measurement(&plain);
        returned.request.notes = Some(String::new());
        assert_eq!(plain.as_stored(&returned), None);
    }

    #[test]
    fn contents_that_were_edited_are_named_and_the_original_has_the_old_ones() {
        let old = sent();
        let mut new = old.clone();
        new.address.line2 = Some("Unit 14".to_owned());
        new.notes = Some("green door".to_owned());
        new.url = None;
        new.label = Some("CRM".to_owned());
        let original = new.as_stored(&measurement(&old)).unwrap();
        let label = Some("the app's name".to_owned());
        assert_eq!(original, Request { label, ..old });
    }

    #[test]
    fn another_street_is_the_service_s_and_another_spelling_is_not() {
        let sent = Request::example();
        let mut returned = measurement(&sent);
        for (line1, is_other) in [
            ("12 Oak Blvd", true),
            ("12 Elm Ave", true),
            ("12 Elm", false),
        ] {
            returned.address.line1 = line1.to_owned();
            let original = sent.as_stored(&returned);
            let street = original.map(|original| original.address.line1);
            assert_eq!(street.as_deref(), is_other.then_some(line1));
        }
    }
}
