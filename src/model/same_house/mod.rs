//! Whether two addresses under two ids are of one house, so that no house is requested twice.
//!
//! The looser comparison of [`crate::model::AddressKey`] is right for one id and its answer; across ids it would take
//! neighbours for twins.

mod customer;
mod decision;
mod numbers;
mod street;
mod words;

#[cfg(test)]
mod cases;
#[cfg(test)]
mod city;

use crate::model::{Address, Country};

pub use customer::{CustomerSketch, customers_agree, customers_differ};
pub use decision::HouseDecision;

use street::{PostalRules, StreetParts};

/// A name of so many letters may hold a slip, by which it may have lost one of them.
const SHORTEST_NAME_WITH_SLIP: usize = 5;

/// An address that can be compared with those of other ids.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StreetAddress {
    country: Option<Country>,
    /// Five digits of a ZIP, or six characters.
    postal_code: String,
    parts: StreetParts,
}

/// What one address is to another, the closest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum AddressMatch {
    /// The same house.
    SameHouse,
    /// The same building with different units.
    OtherUnit,
    /// The same number and street name; type or direction differ.
    OtherStreetType,
    /// The same number, and a street name that nearly agrees.
    NearStreet,
    /// Another street, as far as the words tell; the same postal code and leading digits of the house number.
    SameNumber,
    /// Another house.
    Different,
}

impl AddressMatch {
    /// Whether street, type or direction are others, beyond a slip of the pen.
    pub fn is_other_street(self) -> bool {
        matches!(
            self,
            Self::OtherStreetType | Self::SameNumber | Self::Different
        )
    }
}

/// A hash that all addresses share which could be of one house: of postal code and the house number's leading digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct HouseLookup(pub u64);

/// What is kept of a street's name in memory, to tell cheaply that two addresses are of different houses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct NameSketch(u32);

impl StreetAddress {
    /// Takes a request's address apart.
    pub fn new(address: &Address) -> Self {
        let (line1, line2) = (&address.line1, address.line2.as_deref());
        Self::parse(line1, line2, &address.postal_code, address.country)
    }

    /// Takes an address apart.
    pub fn parse(
        line1: &str,
        line2: Option<&str>,
        postal_code: &str,
        country: Option<Country>,
    ) -> Self {
        let postal_code = short_postal_code(postal_code);
        let is_zip = postal_code.bytes().all(|byte| byte.is_ascii_digit());
        let is_american = country.map_or(is_zip, |country| country == Country::UnitedStates);
        let postal = if is_american {
            PostalRules::UnitedStates
        } else {
            PostalRules::Canada
        };
        Self {
            country,
            parts: StreetParts::parse(line1, line2, postal),
            postal_code,
        }
    }

    /// The hash under which addresses are looked up. The country need not be in it: the forms of postal codes differ.
    pub fn lookup(&self) -> HouseLookup {
        let mut hash = Fnv::of(&self.postal_code);
        hash.add(0_u8);
        let digits = self.parts.leading_digits.bytes();
        digits.for_each(|digit| hash.add(digit));
        HouseLookup(hash.finish())
    }

    /// The sketch of the street's name.
    pub fn sketch(&self) -> NameSketch {
        let name = &self.parts.name;
        if !may_hold_a_slip(name) {
            let hash = Fnv::of(name).finish().to_le_bytes();
            let hash = u32::from_le_bytes([hash[0], hash[1], hash[2], hash[3]]);
            return NameSketch(hash | NameSketch::WHOLE);
        }
        let letters = name.bytes().filter(u8::is_ascii_lowercase);
        NameSketch(letters.fold(0, |sketch, letter| sketch | 1 << (letter - b'a')))
    }

    /// Compares two addresses; symmetric, and an address is the same house as itself.
    pub fn compare(&self, other: &Self) -> AddressMatch {
        let countries_differ =
            self.country.is_some() && other.country.is_some() && self.country != other.country;
        let (one, two) = (&self.parts, &other.parts);
        if countries_differ
            || self.postal_code != other.postal_code
            || one.leading_digits != two.leading_digits
        {
            return AddressMatch::Different;
        }
        if one.number != two.number {
            return AddressMatch::SameNumber;
        }
        let slips = slips(&one.name, &two.name);
        if slips > 1 {
            return match slips {
                2 => AddressMatch::NearStreet,
                _ => AddressMatch::SameNumber,
            };
        }
        let types_agree = one.street_type.is_none()
            || two.street_type.is_none()
            || one.street_type == two.street_type;
        let directions_agree = is_within(&one.directions, &two.directions)
            || is_within(&two.directions, &one.directions);
        if !types_agree || !directions_agree {
            return AddressMatch::OtherStreetType;
        }
        if one.unit.is_some() && two.unit.is_some() && one.unit != two.unit {
            return AddressMatch::OtherUnit;
        }
        AddressMatch::SameHouse
    }
}

impl NameSketch {
    /// The sketch is a hash of the whole name, not the set of its letters.
    const WHOLE: u32 = 1 << 31;

    /// False only where [`StreetAddress::compare`] finds nothing, or no more than [`AddressMatch::SameNumber`].
    pub fn may_match(self, other: Self) -> bool {
        if (self.0 | other.0) & Self::WHOLE != 0 {
            return self == other;
        }
        // Two letters replaced by two others.
        (self.0 ^ other.0).count_ones() <= 4
    }
}

/// How many letters were mistyped: 0, 1 or 2, and 3 for any more.
fn slips(one: &str, other: &str) -> usize {
    if one == other {
        return 0;
    }
    let is_long = one.len().max(other.len()) >= SHORTEST_NAME_WITH_SLIP;
    if !is_long || !may_hold_a_slip(one) || !may_hold_a_slip(other) {
        return 3;
    }
    strsim::osa_distance(one, other).min(3)
}

/// Digits are never mistyped: 52 Ave and 53 Ave are neighbours.
fn may_hold_a_slip(name: &str) -> bool {
    name.len() + 1 >= SHORTEST_NAME_WITH_SLIP && name.bytes().all(|byte| byte.is_ascii_lowercase())
}

/// Whether `one` is `other` with some left out.
fn is_within(one: &[&str], other: &[&str]) -> bool {
    let mut rest = other.iter();
    one.iter()
        .all(|word| rest.any(|candidate| candidate == word))
}

/// A ZIP's five digits, with the zeros that a spreadsheet took; any other code without spaces, in upper case.
fn short_postal_code(postal_code: &str) -> String {
    let mut code = String::with_capacity(postal_code.len());
    for c in postal_code.chars().filter(|c| c.is_alphanumeric()) {
        if c.is_ascii() {
            code.push(c.to_ascii_uppercase());
        } else {
            code.extend(c.to_uppercase());
        }
    }
    let is_zip = !code.is_empty() && code.bytes().all(|byte| byte.is_ascii_digit());
    match code.len() {
        1..=4 if is_zip => format!("{code:0>5}"),
        6..=9 if is_zip => format!("{code:0>9}")[..5].to_owned(),
        _ => code,
    }
}

/// FNV-1a with a final mix; the journal keeps its values, so it must never change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Self {
        Self(0xCBF2_9CE4_8422_2325)
    }
}

impl Fnv {
    fn of(text: &str) -> Self {
        let mut hash = Self::default();
        text.bytes().for_each(|byte| hash.add(byte));
        hash
    }

    fn add(&mut self, value: impl Into<u64>) {
        self.0 = (self.0 ^ value.into()).wrapping_mul(0x0100_0000_01B3);
    }

    fn finish(self) -> u64 {
        self.0 ^ (self.0 >> 32)
    }
}
