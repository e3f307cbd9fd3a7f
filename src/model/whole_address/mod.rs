//! Splits an address in one text into its parts, from the right: country, postal code, region, then city and street.
//!
//! A comma or a line break separates the city; without one, there must be exactly one street type. An address with more
//! than one reading is refused, because a wrong address would become a request that cannot be canceled. There is no
//! list of cities.

mod address_tail;
mod address_words;
mod street_and_city;
mod units;

pub use crate::model::whole_address::address_tail::postal_code_at_end;
use crate::model::whole_address::address_tail::{AddressTail, MIN_CODE_DIGITS};
pub(crate) use crate::model::whole_address::address_words::{
    is_canadian_postal_code, is_standalone_unit, is_street_direction, is_street_type, is_unit,
    is_zip,
};
use crate::model::whole_address::street_and_city::{StreetAndCity, street_and_city};
pub use crate::model::whole_address::units::{bare_unit, is_unit_text};
use crate::model::{Country, has_digit};

/// The parts of an address, each as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WholeAddress {
    /// House number and street.
    pub line1: String,
    /// Unit, floor or box.
    pub line2: Option<String>,
    /// City.
    pub city: String,
    /// Province or state, as a code or a name.
    pub region: String,
    /// Postal code or ZIP.
    pub postal_code: String,
    /// The country, if the text names one.
    pub country: Option<Country>,
}

/// Why an address cannot be split.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WholeAddressError {
    /// It does not end in a postal code or a ZIP code.
    #[error("no postal code at its end")]
    NoPostalCode,
    /// More than one text could be the postal code.
    #[error("two postal codes")]
    SecondPostalCode,
    /// No province or state precedes the postal code.
    #[error("no province or state in front of the postal code")]
    NoRegion,
    /// More than one text could be the province or state.
    #[error("two provinces or states")]
    SecondRegion,
    /// The postal code belongs to another province, state or country.
    #[error("the postal code belongs to another province, state or country")]
    RegionMismatch,
    /// It does not begin with a house number.
    #[error("it does not begin with a house number")]
    NoHouseNumber,
    /// There is no city.
    #[error("no city")]
    NoCity,
    /// The text in the place of the city is not a city.
    #[error("`{0}` is not a city")]
    InvalidCity(String),
    /// No comma separates the city, and no word or several words could be the street type.
    #[error("it is not certain where the city begins; put a comma in front of it")]
    UncertainCity,
    /// A direction could belong to the street or to the city.
    #[error("a direction beside the city, and no comma between street and city")]
    AmbiguousDirection,
    /// A part is neither street, unit nor city.
    #[error("`{0}` is neither street, unit nor city")]
    UnknownPart(String),
}

/// The words between two commas or line breaks.
type Segment<'a> = Vec<&'a str>;

impl WholeAddress {
    /// Splits an address.
    ///
    /// # Errors
    /// Returns a [`WholeAddressError`] if the address has several readings or none.
    pub fn parse(text: &str) -> Result<Self, WholeAddressError> {
        let AddressTail {
            rest,
            region,
            region_text,
            postal_code,
            country,
        } = AddressTail::take(text)?;
        let StreetAndCity { line1, line2, city } = street_and_city(rest, region, &postal_code)?;
        Ok(Self {
            line1,
            line2,
            city,
            region: region_text,
            postal_code,
            country,
        })
    }

    /// Whether a text looks like a whole address, even if it cannot be split: it has a number at the start, and a
    /// province or state with its postal code at the end.
    pub fn is_likely(text: &str) -> bool {
        // Most cells are told by their first words and their digits.
        let digits = text.bytes().filter(u8::is_ascii_digit).count();
        text.len() <= MAX_BYTES
            && digits > MIN_CODE_DIGITS
            && text.split_whitespace().take(2).any(has_digit)
            && AddressTail::take(text).is_ok_and(|tail| {
                let first = tail.rest.first().and_then(|segment| segment.first());
                let words: usize = tail.rest.iter().map(Vec::len).sum();
                words > 2 && first.is_some_and(|word| has_digit(word))
            })
    }
}

/// Maximum length of an address in bytes.
const MAX_BYTES: usize = 500;
