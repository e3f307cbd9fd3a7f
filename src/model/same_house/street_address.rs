//! An address as it is compared with those of other external ids.

use std::borrow::Cow;
use std::ops::RangeInclusive;

use crate::model::same_house::fnv::{Fnv, words_digest};
use crate::model::same_house::number_in_front::with_plain_number;
use crate::model::same_house::number_ranges::shares_range;
use crate::model::same_house::postal_rules::{PostalRules, short_postal_code};
use crate::model::same_house::street_name::typo_count;
use crate::model::same_house::street_parts::StreetParts;
use crate::model::same_house::units::BUILDING;
use crate::model::same_house::{AddressMatch, AddressText, CustomerSketch, StreetNameSketch};
use crate::model::street_types::full_street_type;
use crate::model::{Address, Country, is_ordinal, ungarbled};

/// An address that can be compared with those of other external ids.
#[derive(Clone, Debug)]
pub struct StreetAddress {
    country: Option<Country>,
    /// Five digits of a ZIP code, or the six characters of a Canadian code.
    postal_code: String,
    pub(super) parts: StreetParts,
    /// A digest of the words of both lines: a unit that no rule recognizes may be in either. 0 if it is not known.
    words: u64,
}

/// The same country, postal code and parts, however the lines are written.
impl PartialEq for StreetAddress {
    fn eq(&self, other: &Self) -> bool {
        (self.country, &self.postal_code, &self.parts)
            == (other.country, &other.postal_code, &other.parts)
    }
}

/// A hash of the leading digits of the house number, and in the lower half one of the postal code. Addresses of one house
/// have the same, and those of one number are adjacent. A range has several.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct HouseHash(pub u64);

/// In the number of a [`HouseHash`], tells that a name stands in the place of the house number.
const NAME_BIT: u32 = 1 << 31;

impl HouseHash {
    /// Returns the hash of the number's leading digits.
    pub fn number(self) -> u64 {
        self.0 >> 32
    }

    /// Returns keys for an index: a customer's houses with one postal code have a key in common.
    pub fn customer_keys(self, customer: CustomerSketch) -> impl Iterator<Item = u64> {
        let postal_code = self.0 << 32;
        let keys = customer.keys();
        keys.map(move |(at, key)| postal_code | (at as u64) << 16 | u64::from(key))
    }

    /// Returns the hashes of this number, whatever the postal code.
    pub fn all_of_number(self) -> RangeInclusive<Self> {
        let postal_codes = u64::from(u32::MAX);
        Self(self.0 & !postal_codes)..=Self(self.0 | postal_codes)
    }
}

/// The text before a program read it with the wrong encoding, if one did.
fn restored(text: &str) -> Cow<'_, str> {
    ungarbled(text).map_or(Cow::Borrowed(text), Cow::Owned)
}

impl StreetAddress {
    /// Parses the address of a request.
    pub fn new(address: &Address) -> Self {
        let address = AddressText::from(address);
        let (line1, line2) = (address.street(), address.line2);
        Self::parse(line1, line2, address.postal_code, address.country)
    }

    /// Parses an address whose city is not known.
    pub fn parse(
        line1: &str,
        line2: Option<&str>,
        postal_code: &str,
        country: Option<Country>,
    ) -> Self {
        let line1 = &*restored(line1);
        let line2 = line2.map(restored);
        let line2 = line2.as_deref();
        Self {
            words: words_digest(line1, line2),
            ..Self::without_words(line1, line2, postal_code, country)
        }
    }

    fn without_words(
        line1: &str,
        line2: Option<&str>,
        postal_code: &str,
        country: Option<Country>,
    ) -> Self {
        let postal_code = short_postal_code(postal_code);
        let postal = PostalRules::new(country, &postal_code);
        let line1 = with_plain_number(line1, &postal_code);
        Self {
            country,
            parts: StreetParts::parse(&line1, line2, postal),
            postal_code,
            words: 0,
        }
    }

    /// Parses an address for its house alone, without the second line if the first begins with a number: then it has
    /// only a unit.
    pub fn from_building(address: AddressText<'_>) -> Self {
        let (line1, line2) = (address.street(), address.line2);
        let (postal_code, country) = (address.postal_code, address.country);
        let is_numbered = line1.trim_start().starts_with(|c: char| c.is_ascii_digit());
        let line2_of_house = line2.filter(|_| !is_numbered);
        Self {
            words: words_digest(&restored(line1), line2.map(restored).as_deref()),
            ..Self::without_words(line1, line2_of_house, postal_code, country)
        }
    }

    /// Returns the hash under which addresses are looked up. It does not include the country, because the formats of
    /// postal codes differ.
    pub fn house_hash(&self) -> HouseHash {
        self.hash_of(&self.parts.leading_digits)
    }

    pub(super) fn hash_of(&self, digits: &str) -> HouseHash {
        // Numbers stand for themselves: of 100,000, two would have the same hash, and files are read again for such
        // pairs.
        let number = match digits.parse::<u32>() {
            Ok(number) if number < NAME_BIT => number.into(),
            _ => Fnv::from_text(digits).finish() | u64::from(NAME_BIT),
        };
        let postal_code = Fnv::from_text(&self.postal_code).finish() & u64::from(u32::MAX);
        HouseHash(number << 32 | postal_code)
    }

    /// Returns the sketch of the street name.
    pub fn sketch(&self) -> StreetNameSketch {
        StreetNameSketch::new(&self.parts.name)
    }

    /// Returns a digest of the building: number, street and postal code. Equal for equal buildings in nearly all
    /// spellings, and hardly ever for others.
    pub fn building_digest(&self) -> u64 {
        self.building().finish()
    }

    fn building(&self) -> Fnv {
        let mut digest = Fnv::default();
        digest.add(self.house_hash().0);
        let (number, name) = (self.parts.number.as_str(), self.parts.name.as_str());
        let kind = self.parts.street_type.unwrap_or_default();
        let street = [number, name, kind].into_iter();
        for text in street.chain(self.parts.directions.iter().copied()) {
            text.bytes().for_each(|byte| digest.add(byte));
            digest.add(0_u8);
        }
        digest
    }

    /// Returns a digest of the house: number, street, postal code and unit. Equal for equal houses in nearly all
    /// spellings, and hardly ever for others.
    pub fn house_digest(&self, line2: Option<&str>) -> u64 {
        let mut digest = self.building();
        let unit = self.parts.unit.as_deref().unwrap_or_default();
        let units = unit.chars().chain(line2.unwrap_or_default().chars());
        let units = units.filter(|c| c.is_alphanumeric());
        units.for_each(|c| digest.add(c.to_ascii_lowercase()));
        digest.finish()
    }

    /// Compares two addresses. The comparison is symmetric, and an address is the same house as itself.
    pub fn compare(&self, other: &Self) -> AddressMatch {
        let countries_differ =
            self.country.is_some() && other.country.is_some() && self.country != other.country;
        if countries_differ || self.postal_code != other.postal_code {
            AddressMatch::Different
        } else {
            self.compare_in_any_town(other)
        }
    }

    /// Compares two addresses as if their postal codes and countries were equal.
    pub fn compare_in_any_town(&self, other: &Self) -> AddressMatch {
        let (one, two) = (&self.parts, &other.parts);
        if !one.shares_number(two) {
            return AddressMatch::Different;
        }
        // Also `100 A Main St` and `100A Main St`.
        if self.has_words_of(other.words) {
            return AddressMatch::SameHouse;
        }
        if one.number != two.number && !shares_range(one, two) {
            return AddressMatch::SameNumber;
        }
        let slips = typo_count(&one.name, &two.name);
        if slips > 1 {
            return match slips {
                2 => AddressMatch::NearStreet,
                _ => AddressMatch::SameNumber,
            };
        }
        let types_agree = one.street_type.is_none()
            || two.street_type.is_none()
            || one.street_type == two.street_type;
        let directions_agree = is_subsequence(&one.directions, &two.directions)
            || is_subsequence(&two.directions, &one.directions);
        if !types_agree || !directions_agree {
            return AddressMatch::OtherStreetType;
        }
        if one.number != two.number {
            return AddressMatch::SameRange;
        }
        // Of the flats A to F of a building, E looks like a direction.
        let is_letter_beside_direction = |one: &StreetParts, two: &StreetParts| {
            one.unit.as_ref().is_some_and(|unit| unit.len() == 1)
                && two.unit.is_none()
                && two.directions.len() == one.directions.len() + 1
        };
        if self.has_other_unit(other.units())
            || is_letter_beside_direction(one, two)
            || is_letter_beside_direction(two, one)
        {
            return AddressMatch::OtherUnit;
        }
        AddressMatch::SameHouse
    }

    /// Returns what sheets may have in columns of their own: house number, street, unit and postal code. Each is equal
    /// for most spellings.
    pub fn columns(&self) -> [String; 4] {
        let StreetParts {
            number, name, unit, ..
        } = &self.parts;
        let unit = unit.clone().unwrap_or_default();
        [number.clone(), name.clone(), unit, self.postal_code.clone()]
    }

    /// Returns a digest of the words of both lines, for [`StreetAddress::has_words_of`].
    pub fn words(&self) -> u64 {
        self.words
    }

    /// Returns the lower bits of [`StreetAddress::words`].
    pub fn words_sketch(&self) -> u16 {
        let [low, high, ..] = self.words.to_le_bytes();
        u16::from_le_bytes([low, high])
    }

    /// Whether both addresses have the same words, in whichever of their lines.
    pub fn has_words_of(&self, other: u64) -> bool {
        self.words != 0 && self.words == other
    }

    /// Whether both addresses have the same whole house number, or the same name in its place.
    pub fn has_number_of(&self, other: &Self) -> bool {
        self.parts.number == other.parts.number
    }

    /// Whether the address has a house number: a lot, a box, a name and `5th Ave` have none.
    pub fn is_numbered(&self) -> bool {
        let StreetParts { number, name, .. } = &self.parts;
        let is_street = is_ordinal(number) && full_street_type(name).is_some();
        !name.is_empty() && !number.starts_with("lot") && !is_street
    }

    /// Whether the other address may be this one with the house number that it lacks, for one customer.
    pub fn may_become(&self, numbered: &Self) -> bool {
        self.postal_code == numbered.postal_code && !self.is_numbered() && numbered.is_numbered()
    }

    /// Whether this address, which has no house number, is in the street of another: `TBD Sunset Dr` of `1412 Sunset Dr`.
    pub fn is_in_street_of(&self, numbered: &Self) -> bool {
        let (one, two) = (&self.parts, &numbered.parts);
        one.name == two.name || one.number.contains(&two.name)
    }

    /// Returns the units as one text, for the comparison with others; `None` if there are none.
    pub fn units(&self) -> Option<&str> {
        self.parts.unit.as_deref()
    }

    /// Whether both addresses have a unit, and the units differ.
    pub fn has_other_unit(&self, other: Option<&str>) -> bool {
        let one = self.units();
        one.is_some() && other.is_some() && one != other
    }

    /// Whether one address has all units of the other and more, as `Bldg 2, Unit 3` has `Unit 3`.
    pub fn has_units_of(&self, other: Option<&str>) -> bool {
        let (Some(one), Some(two)) = (self.units(), other) else {
            return false;
        };
        let contains = |all: &str, some: &str| {
            let is_alone = !some.contains(' ');
            let is_one = |unit: &str, other: &str| {
                other == unit || is_alone && other.strip_prefix(BUILDING) == Some(unit)
            };
            some.split(' ')
                .all(|unit| all.split(' ').any(|other| is_one(unit, other)))
        };
        contains(one, two) || contains(two, one)
    }
}

/// Whether `one` is a subsequence of `other`.
fn is_subsequence(one: &[&str], other: &[&str]) -> bool {
    let mut rest = other.iter();
    one.iter()
        .all(|word| rest.any(|candidate| candidate == word))
}
