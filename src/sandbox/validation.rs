//! Validates the body of a creation and reports all invalid fields at once.

use serde::Serialize;
use serde_json::{Map, Value};

use crate::sandbox::options::Country;
use crate::sandbox::store::{Address, Customer, ExternalLink, NewRequest};

/// One entry of `error.errors`.
///
/// # Source
/// S4.5, 422; S7.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct FieldError {
    pub(super) field: String,
    pub(super) message: String,
}

impl FieldError {
    pub(super) fn new(field: &str, message: impl Into<String>) -> Self {
        Self {
            field: field.to_owned(),
            message: message.into(),
        }
    }
}

/// The external id in a body, valid or not: if it is known, all other fields are ignored.
pub(super) fn external_id(body: &Value) -> Option<&str> {
    body.get("external")?.get("id")?.as_str()
}

/// Reads a body into a request.
///
/// # Errors
/// Every missing, mistyped, blank or too long field. Unknown fields are ignored; an optional field may be `null`.
///
/// # Source
/// S4.5; S8.
pub(super) fn read(body: &Value, team_country: Country) -> Result<NewRequest, Vec<FieldError>> {
    let mut reader = FieldReader::default();
    let Some(body) = body.as_object() else {
        return Err(vec![FieldError::new("body", "must be a JSON object")]);
    };
    let request = reader.request(body, team_country);
    match request {
        Some(request) if reader.errors.is_empty() => Ok(request),
        _ => Err(reader.errors),
    }
}

/// Reads fields and collects their errors.
#[derive(Default)]
struct FieldReader {
    errors: Vec<FieldError>,
}

impl FieldReader {
    fn request(&mut self, body: &Map<String, Value>, team_country: Country) -> Option<NewRequest> {
        let address = self.object(body, "address", Requirement::Required);
        let line1 = self.address_part(address, "address.line1", Some(200));
        let line2 = address
            .and_then(|fields| self.text(fields, "address.line2", Requirement::Optional, None));
        let city = self.address_part(address, "address.city", None);
        let region = self.address_part(address, "address.region", None);
        let postal_code = self.address_part(address, "address.postal_code", None);
        let country = address.and_then(|fields| self.country(fields));
        let customer = self.customer(body);
        let notes = self.text(body, "notes", Requirement::Optional, Some(2000));
        let external = self.external(body);
        Some(NewRequest {
            address: Address {
                line1: collapse_whitespace(&line1?),
                line2: line2
                    .map(|text| collapse_whitespace(&text))
                    .filter(|text| !text.is_empty()),
                city: collapse_whitespace(&city?),
                region: normalize_region(&collapse_whitespace(&region?)),
                postal_code: normalize_postal_code(&collapse_whitespace(&postal_code?)),
                country: country.unwrap_or(team_country),
            },
            customer: customer?,
            notes,
            external,
        })
    }

    fn customer(&mut self, body: &Map<String, Value>) -> Option<Customer> {
        let fields = self.object(body, "customer", Requirement::Required)?;
        let name = self.text(
            fields,
            "customer.name",
            Requirement::Required,
            Some(Customer::MAX_NAME),
        );
        let before = self.errors.len();
        let mut contact = |field| {
            let text = self.text(fields, field, Requirement::Optional, None);
            text.filter(|text| !text.trim().is_empty())
        };
        let (email, phone) = (contact("customer.email"), contact("customer.phone"));
        // A mistyped email or phone already has its own error.
        if email.is_none() && phone.is_none() && self.errors.len() == before {
            self.error("customer", "email or phone is required");
        }
        Some(Customer {
            name: name?,
            email,
            phone,
        })
    }

    fn external(&mut self, body: &Map<String, Value>) -> Option<ExternalLink> {
        let fields = self.object(body, "external", Requirement::Optional)?;
        let id = self.text(fields, "external.id", Requirement::Optional, Some(128));
        if id.as_ref().is_some_and(|id| id.trim().is_empty()) {
            self.error("external.id", "must not be blank");
        }
        let url = self.text(fields, "external.url", Requirement::Optional, None);
        if url.as_ref().is_some_and(|url| !is_https(url)) {
            self.error("external.url", "must be an https link");
        }
        let label = self.text(fields, "external.label", Requirement::Optional, Some(80));
        let label = label.filter(|label| !label.trim().is_empty());
        let link = ExternalLink { id, url, label };
        (link.id.is_some() || link.url.is_some() || link.label.is_some()).then_some(link)
    }

    fn country(&mut self, address: &Map<String, Value>) -> Option<Country> {
        let text = self.text(address, "address.country", Requirement::Optional, None)?;
        let country = Country::from_code(&text);
        if country.is_none() {
            self.error("address.country", "must be CA or US");
        }
        country
    }

    /// A required field of the address. A missing address is one error, not five.
    fn address_part(
        &mut self,
        address: Option<&Map<String, Value>>,
        field: &str,
        limit: Option<usize>,
    ) -> Option<String> {
        self.text(address?, field, Requirement::Required, limit)
    }

    fn object<'a>(
        &mut self,
        body: &'a Map<String, Value>,
        field: &str,
        requirement: Requirement,
    ) -> Option<&'a Map<String, Value>> {
        match body.get(field) {
            None | Some(Value::Null) => {
                self.missing(field, requirement);
                None
            }
            Some(Value::Object(fields)) => Some(fields),
            Some(_) => {
                self.error(field, "must be an object");
                None
            }
        }
    }

    /// A text field; `field` is its full path, which ends with its key. Limits count Unicode scalar values.
    fn text(
        &mut self,
        fields: &Map<String, Value>,
        field: &str,
        requirement: Requirement,
        limit: Option<usize>,
    ) -> Option<String> {
        let key = field.rsplit('.').next().unwrap_or(field);
        let text = match fields.get(key) {
            None | Some(Value::Null) => {
                self.missing(field, requirement);
                return None;
            }
            Some(Value::String(text)) => text,
            Some(_) => {
                self.error(field, "must be a string");
                return None;
            }
        };
        if matches!(requirement, Requirement::Required) && text.trim().is_empty() {
            self.error(field, "is required");
            return None;
        }
        if let Some(limit) = limit.filter(|limit| text.chars().count() > *limit) {
            self.error(field, format!("must be at most {limit} characters"));
            return None;
        }
        Some(text.clone())
    }

    fn missing(&mut self, field: &str, requirement: Requirement) {
        if matches!(requirement, Requirement::Required) {
            self.error(field, "is required");
        }
    }

    fn error(&mut self, field: &str, message: impl Into<String>) {
        self.errors.push(FieldError::new(field, message));
    }
}

#[derive(Clone, Copy)]
enum Requirement {
    Required,
    Optional,
}

/// The URL parser accepts missing and extra slashes, the service does not.
fn is_https(link: &str) -> bool {
    let rest = link.split_once("://").filter(|(scheme, rest)| {
        scheme.eq_ignore_ascii_case("https") && !rest.starts_with(['/', '\\'])
    });
    rest.is_some() && url::Url::parse(link).is_ok()
}

/// Trims, and replaces each run of white space by one space.
fn collapse_whitespace(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A two-letter code in upper case; any other text unchanged.
fn normalize_region(region: &str) -> String {
    if region.len() == 2 {
        region.to_ascii_uppercase()
    } else {
        region.to_owned()
    }
}

/// `k1a0b1` becomes `K1A 0B1`; any other code becomes upper case.
fn normalize_postal_code(code: &str) -> String {
    let code = code.to_uppercase();
    let bare: Vec<char> = code.chars().filter(|letter| *letter != ' ').collect();
    let canadian = bare.len() == 6
        && bare.iter().enumerate().all(|(place, letter)| {
            if place % 2 == 0 {
                letter.is_ascii_uppercase()
            } else {
                letter.is_ascii_digit()
            }
        });
    if !canadian {
        return code;
    }
    let (area, unit) = bare.split_at(3);
    area.iter().chain([&' ']).chain(unit).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn body() -> Value {
        json!({
            "address": {"line1": " 12  Elm St", "city": "Ottawa", "region": "on", "postal_code": "k1a0b1"},
            "customer": {"name": "Zoë Ng", "phone": "613 555 0142"},
        })
    }

    fn fields(body: &Value) -> Vec<String> {
        let errors = read(body, Country::US).unwrap_err();
        errors.into_iter().map(|error| error.field).collect()
    }

    #[test]
    fn an_address_is_normalized() {
        let request = read(&body(), Country::US).unwrap();
        assert_eq!(request.address.line1, "12 Elm St");
        assert_eq!(request.address.region, "ON");
        assert_eq!(request.address.postal_code, "K1A 0B1");
        assert_eq!(request.address.country, Country::US);
    }

    #[test]
    fn every_fault_is_told_at_once() {
        let body = json!({
            "address": {"line1": 12, "city": " ", "country": "Canada"},
            "customer": {"name": null},
            "notes": [],
            "external": {"id": "", "url": "http://crm.example.com/1", "label": "x".repeat(81)},
        });
        assert_eq!(
            fields(&body),
            [
                "address.line1",
                "address.city",
                "address.region",
                "address.postal_code",
                "address.country",
                "customer.name",
                "customer",
                "notes",
                "external.id",
                "external.url",
                "external.label",
            ]
        );
    }

    #[test]
    fn a_missing_object_is_one_fault() {
        assert_eq!(fields(&json!({})), ["address", "customer"]);
        assert_eq!(
            fields(&json!({"address": "here", "customer": 1})),
            ["address", "customer"]
        );
        assert_eq!(fields(&json!([])), ["body"]);
    }

    #[test]
    fn a_link_is_https_with_a_host() {
        for good in [
            "https://crm.example.com/1?a=b#c",
            "HTTPS://crm.example.com",
            "https://[::1]:8443/",
        ] {
            assert!(is_https(good), "{good}");
        }
        for bad in [
            "http://crm.example.com",
            "https:crm.example.com",
            "https:/crm.example.com",
            "https://",
            "https:///crm.example.com",
            "https://?x",
            "//crm.example.com",
            "crm.example.com",
            " https://crm.example.com",
        ] {
            assert!(!is_https(bad), "{bad}");
        }
    }

    #[test]
    fn a_mistyped_email_is_one_fault() {
        let mut body = body();
        body["customer"] = json!({"name": "Zoë", "email": 7});
        assert_eq!(fields(&body), ["customer.email"]);
    }
}
