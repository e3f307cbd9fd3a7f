//! The service's measurement object. Field names state their units.

use jiff::Timestamp;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::value::RawValue;

use crate::model::{
    Address, Customer, Field, FieldError, Region, Request, StreetAddress, customers_agree, excerpt,
    letters_and_digits, named_enum, shortened,
};

/// A measurement as the service returns it, in the form of its JSON.
///
/// # Source
/// S2.4.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Measurement {
    /// The measurement id, `msr_…`. It never changes.
    pub id: String,
    /// Its state.
    pub status: Status,
    /// When it was created.
    pub created_at: Timestamp,
    /// When anything about it last changed.
    pub updated_at: Timestamp,
    /// When the contractor completed it; `None` before.
    pub completed_at: Option<Timestamp>,
    /// The property's address, normalized and geocoded.
    pub address: PlacedAddress,
    /// The request record.
    pub request: RequestRecord,
    /// The result; `None` until the measurement is complete.
    pub result: Option<MeasurementResult>,
}

named_enum! {
    /// The state of a measurement.
    ///
    /// # Source
    /// S3.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
    pub enum Status {
        /// Nobody has started it.
        Pending = "pending",
        /// A contractor opened it.
        InProgress = "in_progress",
        /// The contractor completed it, and it has a result.
        Complete = "complete",
        /// The contractor withdrew it.
        Canceled = "canceled",
    }
}

impl Status {
    /// Why a text is not a status.
    pub const UNKNOWN: &str = "its status is not documented";
}

impl<'de> Deserialize<'de> for Status {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let status = Self::from_name(&String::deserialize(deserializer)?);
        status.ok_or_else(|| D::Error::custom(Self::UNKNOWN))
    }
}

impl Measurement {
    /// The message for a request whose external id belongs to this measurement of another house. If the request created
    /// the measurement, or the customer is the same and the street as well or without a house number, the row's address
    /// may have to be corrected: under a new id the house would be requested again. `known` is the request if it did
    /// not create it.
    pub fn conflict_message(&self, known: Option<&Request>) -> FieldError {
        let house = format!("{} ({})", self.address.line_of_other_house(), self.id);
        let customer = Customer::from(&self.request.customer);
        let placed = Address::from(&self.address);
        let street = |address: &Address| {
            let letters = letters_and_digits(&address.line1);
            letters
                .trim_start_matches(|c: char| c.is_ascii_digit())
                .to_owned()
        };
        let is_corrected = |request: &Request| {
            customers_agree(&request.customer, &customer)
                && (street(&request.address) == street(&placed)
                    || StreetAddress::new(&request.address)
                        .may_become(&StreetAddress::new(&placed)))
        };
        let message = match known {
            None => format!(
                "requested, but the service shows another address: {house}; if it is this house, put that address into the row; if not, tell the contractor; under a new id the house would be requested again"
            ),
            Some(request) if is_corrected(request) => format!(
                "the service knows this id, with this customer, at another address: {house}; if it is this house, put that address into the row, because under a new id it would be requested again; if not, give the row a new id"
            ),
            Some(_) => {
                return FieldError::of_row(format!(
                    "the service knows this id with another house: {house}"
                ));
            }
        };
        let field = match self.address.other_country() {
            Some(_) => Field::Country,
            None => Field::Line1,
        };
        FieldError {
            field: field.wire_path().to_owned(),
            message,
        }
    }

    /// The message for a row that the service answered with this measurement, which is another row's.
    pub fn other_row_message(&self) -> FieldError {
        FieldError {
            field: Field::Id.wire_path().to_owned(),
            message: format!(
                "the service answered with another row's measurement ({}); under a new id the house would be requested again",
                self.id
            ),
        }
    }
}

/// The property's address as the service stores it, in the form of its JSON.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct PlacedAddress {
    /// Street address, normalized by the service.
    pub line1: String,
    /// Unit or suite.
    pub line2: Option<String>,
    /// City.
    pub city: String,
    /// Province or state code.
    pub region: String,
    /// Postal code or ZIP.
    pub postal_code: String,
    /// ISO 3166-1 alpha-2 code, `CA` or `US`.
    pub country: String,
    /// The address in one line, from geocoding.
    pub formatted: Option<String>,
    /// Latitude in degrees.
    pub lat: Option<f64>,
    /// Longitude in degrees.
    pub lng: Option<f64>,
}

/// Maximum number of characters of an address in a message: more than any real address has, because an address ends with
/// its postal code.
const MAX_LINE_CHARS: usize = 200;

impl PlacedAddress {
    /// Formats the address in one line, without the country. The service limits no text, so a longer line is cut.
    pub fn one_line(&self) -> String {
        shortened(&Address::from(self).one_line(), MAX_LINE_CHARS).into_owned()
    }

    /// Formats the address of another house than the row's in one line, with the country if it is not that of the region:
    /// that may be all that differs.
    pub fn line_of_other_house(&self) -> String {
        let line = self.one_line();
        match self.other_country() {
            Some(country) => format!("{line}, {}", excerpt(country)),
            None => line,
        }
    }

    /// The country, if it is not that of the region.
    fn other_country(&self) -> Option<&str> {
        let region = Region::from_code(&self.region);
        let is_of_region = Address::from(self)
            .country
            .is_some_and(|country| region.is_none_or(|region| region.country == country));
        Some(&*self.country).filter(|country| !is_of_region && !country.is_empty())
    }

    /// Its location in millionths of a degree, about 10 cm: latitude and longitude. `None` without both.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "saturates far beyond all degrees"
    )]
    pub fn point(&self) -> Option<(i32, i32)> {
        let millionths = |degrees: f64| (degrees * 1e6).round() as i32;
        Some((millionths(self.lat?), millionths(self.lng?)))
    }

    /// The address in one line from geocoding, otherwise [`PlacedAddress::one_line`]; cut as that is.
    pub fn geocoded_line(&self) -> String {
        match &self.formatted {
            Some(line) => shortened(line, MAX_LINE_CHARS).into_owned(),
            None => self.one_line(),
        }
    }
}

/// The service's record of the request that created a measurement.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct RequestRecord {
    /// The request id, `req_…`, which the contractor sees.
    pub id: String,
    /// When it was created.
    pub created_at: Option<Timestamp>,
    /// The homeowner; the contractor may correct the values.
    #[serde(default, deserialize_with = "value_or_null")]
    pub customer: ReturnedCustomer,
    /// The notes as sent.
    pub notes: Option<String>,
    /// The row's own id and link as stored.
    #[serde(default, deserialize_with = "value_or_null")]
    pub external: ReturnedExternal,
    /// URL of the request in the service; it requires a signed-in member of the team.
    pub url: Option<String>,
}

/// The homeowner in a request record.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
pub struct ReturnedCustomer {
    /// The name.
    pub name: Option<String>,
    /// The email address.
    pub email: Option<String>,
    /// The phone number.
    pub phone: Option<String>,
}

/// The values of `external` in a request record.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
pub struct ReturnedExternal {
    /// The external id.
    pub id: Option<String>,
    /// The link to the row in the user's system.
    pub url: Option<String>,
    /// The label.
    pub label: Option<String>,
}

/// The result of a complete measurement, in the form of the service's JSON.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct MeasurementResult {
    /// Total gutter length in feet.
    pub gutter_length_ft: f64,
    /// Gutter size in inches; `None` until the contractor picks one.
    pub gutter_size_in: Option<f64>,
    /// Number of inside and outside corners.
    #[serde(deserialize_with = "whole_number")]
    pub corner_count: u32,
    /// Number of downspouts.
    #[serde(deserialize_with = "whole_number")]
    pub downspout_count: u32,
    /// Total downspout length in feet, elbows included.
    pub downspout_length_ft: f64,
    /// One entry per downspout. A missing list is empty: null is a state, not an error.
    #[serde(default, deserialize_with = "value_or_null")]
    pub downspouts: Vec<Downspout>,
    /// The contractor's message to the homeowner.
    pub installer_message: Option<String>,
    /// The images of documented kinds, in presentation order.
    #[serde(default, deserialize_with = "documented_assets")]
    pub asset_pack: Vec<Asset>,
}

/// One downspout.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Downspout {
    /// Length in feet.
    pub length_ft: f64,
    /// Number of storeys, 1 to 3.
    #[serde(deserialize_with = "whole_number")]
    pub floors: u32,
    /// Size in inches; `None` until assigned.
    pub size_in: Option<f64>,
}

/// One image of a result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Asset {
    /// The kind, for instance `aerial`.
    pub kind: String,
    /// Public URL, which is stable and does not expire.
    pub url: String,
    /// Media type of the image.
    pub content_type: String,
}

/// The documented kinds of images; the service may add others.
///
/// # Source
/// S2.4, rules of `asset_pack`.
const KNOWN_KINDS: [&str; 7] = [
    "aerial",
    "aerial_annotated",
    "intro",
    "measurements",
    "risk_analysis",
    "hangers",
    "certification",
];

/// A new kind may have another shape, so only entries of known kinds are parsed.
fn documented_assets<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Asset>, D::Error> {
    #[derive(Deserialize)]
    struct AssetKind {
        kind: String,
    }
    let entries: Vec<&RawValue> = value_or_null(deserializer)?;
    let is_known = |entry: &&RawValue| {
        let asset: Option<AssetKind> = serde_json::from_str(entry.get()).ok();
        asset.is_some_and(|asset| KNOWN_KINDS.contains(&asset.kind.as_str()))
    };
    let known = entries.into_iter().filter(is_known);
    known
        .map(|entry| serde_json::from_str(entry.get()).map_err(D::Error::custom))
        .collect()
}

fn value_or_null<'de, D: Deserializer<'de>, T: Default + Deserialize<'de>>(
    deserializer: D,
) -> Result<T, D::Error> {
    Ok(Option::deserialize(deserializer)?.unwrap_or_default())
}

/// A count may be written as a decimal.
fn whole_number<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u32, D::Error> {
    let number = f64::deserialize(deserializer)?;
    if number.fract() != 0.0 || !(0.0..=f64::from(u32::MAX)).contains(&number) {
        return Err(D::Error::custom(format!("{number} is not a count")));
    }
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a whole number within the range, as was just seen"
    )]
    Ok(number as u32)
}

#[cfg(test)]
impl Measurement {
    /// A pending measurement of [`Request::example`](crate::model::Request::example), without contents that may be left
    /// out.
    pub(crate) fn example() -> Self {
        let created_at = "2026-10-05T12:00:00Z".parse().unwrap();
        Self {
            id: "msr_1".to_owned(),
            status: Status::Pending,
            created_at,
            updated_at: created_at,
            completed_at: None,
            address: PlacedAddress {
                line1: "12 Elm Street".to_owned(),
                line2: None,
                city: "Ottawa".to_owned(),
                region: "ON".to_owned(),
                postal_code: "K1A 0B1".to_owned(),
                country: "CA".to_owned(),
                formatted: None,
                lat: None,
                lng: None,
            },
            request: RequestRecord {
                id: "req_1".to_owned(),
                created_at: None,
                customer: ReturnedCustomer::default(),
                notes: None,
                external: ReturnedExternal::default(),
                url: None,
            },
            result: None,
        }
    }
}
