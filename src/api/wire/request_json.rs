//! The body of a creation. Values that the row does not have are omitted, so that the service's defaults apply.

use serde::Serialize;

use crate::model::{Address, Customer, Request};

#[derive(Serialize)]
struct RequestJson<'a> {
    address: &'a Address,
    customer: &'a Customer,
    #[serde(skip_serializing_if = "Option::is_none")]
    notes: Option<&'a str>,
    external: ExternalJson<'a>,
}

#[derive(Serialize)]
struct ExternalJson<'a> {
    id: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    label: Option<&'a str>,
}

/// Returns the JSON body of `request`.
///
/// # Source
/// S4.5, request body.
pub(in crate::api) fn request_body(request: &Request) -> Vec<u8> {
    let json = RequestJson {
        address: &request.address,
        customer: &request.customer,
        notes: request.notes.as_deref(),
        external: ExternalJson {
            id: &request.external_id,
            url: request.url.as_deref(),
            label: request.label.as_deref(),
        },
    };
    serde_json::to_vec(&json).expect("texts and text keys always serialise")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Country;

    fn body(request: &Request) -> String {
        String::from_utf8(request_body(request)).unwrap()
    }

    #[test]
    fn what_a_row_does_not_give_is_left_out() {
        assert_eq!(
            body(&Request::example()),
            r#"{"address":{"line1":"12 Elm St","city":"Ottawa","region":"ON","postal_code":"K1A 0B1"},"#.to_owned()
                + r#""customer":{"name":"Zoë","phone":"+1 613 555 0100"},"external":{"id":"A-1"}}"#
        );
    }

    #[test]
    fn the_values_of_a_row_are_at_their_documented_paths() {
        let mut full = Request::example();
        full.address.line2 = Some("Unit 4".to_owned());
        full.address.country = Some(Country::Canada);
        full.customer.email = Some("z@example.com".to_owned());
        full.notes = Some("Dog.\nRing twice.".to_owned());
        full.url = Some("https://crm.example/1".to_owned());
        full.label = Some("CRM".to_owned());
        let json: serde_json::Value = serde_json::from_str(&body(&full)).unwrap();
        assert_eq!(json["address"]["line2"], "Unit 4");
        assert_eq!(json["address"]["country"], "CA");
        assert_eq!(json["customer"]["email"], "z@example.com");
        assert_eq!(json["notes"], "Dog.\nRing twice.");
        assert_eq!(json["external"]["url"], "https://crm.example/1");
        assert_eq!(json["external"]["label"], "CRM");
    }
}
