//! Warnings about a response that a person should check while the measurement can still be corrected in the service.

use crate::model::{
    Customer, Field, FieldNames, Measurement, Request, customer_keys, excerpt, misplaced_fields,
    named_enum,
};

/// A warning about the response to a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResponseWarning {
    /// The kind of warning.
    pub kind: WarningKind,
    /// A lowercase fragment without a full stop.
    pub message: String,
    /// The fields in which row and response differ; [`ResponseWarning::name_fields`] adds them to the message.
    pub fields: Vec<Field>,
}

impl ResponseWarning {
    /// Warns if the geocoded address has another city, region or postal code than the row.
    pub fn placed_elsewhere(request: &Request, measurement: &Measurement) -> Option<Self> {
        let placed = &measurement.address;
        let fields = misplaced_fields(&request.address, placed);
        if fields.is_empty() {
            return None;
        }
        Some(Self {
            kind: WarningKind::PlacedElsewhere,
            message: format!(
                "the service placed the house elsewhere: {}",
                placed.geocoded_line()
            ),
            fields,
        })
    }

    /// Adds the differing fields to the message, under the user's names.
    pub fn name_fields(&mut self, names: &FieldNames) {
        let fields = std::mem::take(&mut self.fields).into_iter();
        let fields: Vec<String> = fields.map(|field| names.name_of(field)).collect();
        if !fields.is_empty() {
            self.message = format!("{} (differs in {})", self.message, fields.join(", "));
        }
    }

    /// A later response has the address of another house than was requested.
    pub fn address_differs(request: &Request, measurement: &Measurement) -> Self {
        Self {
            kind: WarningKind::AddressDiffers,
            message: format!(
                "requested for {}, but the service's last response has another address: {}; its numbers are left out and not billed until the two agree",
                request.address.one_line(),
                measurement.address.line_of_other_house()
            ),
            fields: Vec::new(),
        }
    }

    /// Warns if the service's original has another customer than the row. The contractor may have corrected it.
    pub fn customer_differs(request: &Request, measurement: &Measurement) -> Option<Self> {
        let original = Customer::from(&measurement.request.customer);
        let [sent, stored] = [&request.customer, &original].map(customer_keys);
        let shown = [
            original.name.as_str(),
            original.email.as_deref().unwrap_or("no email"),
            original.phone.as_deref().unwrap_or("no phone"),
        ];
        // The service may return no name.
        let differs = |at: &usize| sent[*at] != stored[*at] && (*at > 0 || stored[0].is_some());
        let other = shown[(0..shown.len()).find(differs)?];
        Some(Self {
            kind: WarningKind::CustomerDiffers,
            message: format!(
                "the service knows this id with another customer: {}",
                excerpt(other)
            ),
            fields: Vec::new(),
        })
    }
}

named_enum! {
    /// The kind of a warning.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
    pub enum WarningKind {
        /// The geocoded address has another city, region or postal code than the row.
        PlacedElsewhere = "placed_elsewhere",
        /// The house was geocoded to the same point as that of another external id.
        SameLocation = "same_location",
        /// The service's original has the same address but another customer.
        CustomerDiffers = "customer_differs",
        /// A later response has the address of another house than was requested.
        AddressDiffers = "address_differs",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The service's original with this customer.
    fn original(name: &str, phone: &str) -> Measurement {
        let mut original = Measurement::example();
        original.request.customer.name = Some(name.to_owned());
        original.request.customer.phone = Some(phone.to_owned());
        original
    }

    #[test]
    fn the_same_customer_in_another_form_is_no_other_customer() {
        let row = Request::example();
        let message = |name, phone| {
            let warning = ResponseWarning::customer_differs(&row, &original(name, phone));
            warning.map(|warning| warning.message)
        };
        assert_eq!(message("ZOE\u{308}", "(613) 555-0100"), None);
        let other = "the service knows this id with another customer: ";
        assert_eq!(
            message("Zoë", "613 555 0199"),
            Some(format!("{other}613 555 0199"))
        );
        assert_eq!(message("Ada", "613 555 0100"), Some(format!("{other}Ada")));
    }
}
