//! Region, postal code and country, mended where they have one meaning and checked against each other.

use std::borrow::Cow;

use crate::import::Tidying;
use crate::import::check::regions::{Region, Standing, fold};
use crate::import::check::row::{RowCheck, Value};
use crate::model::{Country, Field};

/// The parts of an address that belong together.
#[derive(Debug, Default)]
pub(super) struct Placed<'a> {
    pub(super) region: Cow<'a, str>,
    pub(super) postal_code: Cow<'a, str>,
    pub(super) country: Option<Country>,
}

/// Mends and judges what says where a house is.
pub(super) fn judge_address<'a>(
    check: &mut RowCheck<'a>,
    region: Option<Value<'a>>,
    postal_code: Option<Value<'a>>,
    country: Option<Value<'a>>,
    line1: Option<&Value<'a>>,
) -> Placed<'a> {
    let written = country.is_some();
    let country = read_country(check, country);
    if written && country.is_none() {
        // Neither region nor code of a third country can be judged.
        return Placed::default();
    }
    let (region, known) = read_region(check, region, country);
    let postal_code = read_postal_code(check, postal_code, known, country);
    if let Some(line1) = line1 {
        warn_without_roof(check, line1);
    }
    Placed {
        region,
        postal_code,
        country,
    }
}

fn read_country<'a>(check: &mut RowCheck<'a>, value: Option<Value<'a>>) -> Option<Country> {
    let Some(value) = value else {
        return check.rules.default_country;
    };
    let exact = Country::from_code(&value.text);
    let meant = match check.rules.tidying {
        Tidying::On => exact.or_else(|| country_of(&value.text)),
        Tidying::AsIs => exact,
    };
    match meant {
        Some(country) if exact.is_none() => {
            check.tidied(
                Field::Country,
                value.column,
                &value.text,
                country.code(),
                "",
            );
        }
        Some(_) => {}
        None => {
            let message = format!("only CA and US are served; the row says {}", value.text);
            check.error(Field::Country, Some(value.column), message);
        }
    }
    meant
}

fn country_of(text: &str) -> Option<Country> {
    match fold(text).as_str() {
        "ca" | "can" | "canada" => Some(Country::Canada),
        "us"
        | "usa"
        | "unitedstates"
        | "unitedstatesofamerica"
        | "theunitedstates"
        | "etatsunis"
        | "eu"
        | "etatsunisdamerique" => Some(Country::UnitedStates),
        _ => None,
    }
}

fn read_region<'a>(
    check: &mut RowCheck<'a>,
    value: Option<Value<'a>>,
    country: Option<Country>,
) -> (Cow<'a, str>, Option<&'static Region>) {
    let Some(value) = value else {
        return (Cow::default(), None);
    };
    let exact = Region::of_code(&value.text);
    let meant = exact.or_else(|| Region::of_spelling(&fold(&value.text)));
    let Some(region) = meant else {
        check.warn_if_long(Field::Region, &value);
        let message = format!("`{}` is no province or state that we know", value.text);
        check.warn(Field::Region, value.column, message);
        return (value.text, None);
    };
    let agrees = country.is_none_or(|country| country == region.country);
    // A spelling is mended only where the country allows that reading.
    if exact.is_none() && agrees && check.rules.tidying == Tidying::On {
        check.tidied(Field::Region, value.column, &value.text, region.code, "");
        warn_of_standing(check, value.column, region);
        return (Cow::Borrowed(region.code), Some(region));
    }
    if let Some(country) = country.filter(|_| !agrees) {
        let message = format!(
            "{} is {}, in the other country than {}: country {}?",
            region.code,
            region.name,
            country.code(),
            region.country.code()
        );
        check.warn(Field::Region, value.column, message);
    }
    warn_of_standing(check, value.column, region);
    (value.text, Some(region))
}

fn warn_of_standing(check: &mut RowCheck<'_>, column: usize, region: &'static Region) {
    match region.standing() {
        Standing::Ordinary => {}
        Standing::Military => {
            let message = format!(
                "{} is a military mail region; use the property's address",
                region.code
            );
            check.warn(Field::Region, column, message);
        }
        Standing::Territory => {
            let message = format!(
                "{} is a territory ({}); is it served?",
                region.code, region.name
            );
            check.warn(Field::Region, column, message);
        }
    }
}

/// What a postal code is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    Canadian,
    /// Five digits, or five and four.
    Zip,
    /// Digits, too few: a leading 0 may be lost.
    ShortZip,
    /// Nearly Canadian: with a digit for a letter, or a letter that does not occur.
    Nearly,
    Other,
}

fn read_postal_code<'a>(
    check: &mut RowCheck<'a>,
    value: Option<Value<'a>>,
    region: Option<&'static Region>,
    country: Option<Country>,
) -> Cow<'a, str> {
    let Some(value) = value else {
        return Cow::default();
    };
    let country = country.or(region.map(|region| region.country));
    let tidy = check.rules.tidying == Tidying::On;
    let text = match mended(&value.text, region, country) {
        Some(mended) if tidy => {
            check.tidied(Field::PostalCode, value.column, &value.text, &mended, "");
            Cow::Owned(mended)
        }
        _ => value.text,
    };
    if let Some(message) = odd_postal_code(&text, region, country) {
        check.warn(Field::PostalCode, value.column, message);
    }
    let value = Value { text, ..value };
    check.warn_if_long(Field::PostalCode, &value);
    value.text
}

fn shape(text: &str) -> Shape {
    let bytes = text.as_bytes();
    let digits = bytes.iter().all(u8::is_ascii_digit);
    match bytes {
        [_, _, _, b' ', _, _, _] => {
            canadian([bytes[0], bytes[1], bytes[2], bytes[4], bytes[5], bytes[6]])
        }
        code if !digits && code.len() == 6 => {
            canadian([code[0], code[1], code[2], code[3], code[4], code[5]])
        }
        _ if digits && bytes.len() == 5 => Shape::Zip,
        _ if digits && matches!(bytes.len(), 3 | 4) => Shape::ShortZip,
        [zip @ .., b'-', _, _, _, _]
            if zip.len() == 5 && bytes.iter().filter(|byte| byte.is_ascii_digit()).count() == 9 =>
        {
            Shape::Zip
        }
        _ => Shape::Other,
    }
}

fn canadian(code: [u8; 6]) -> Shape {
    let is_letter = |index: usize| {
        let letter = code[index];
        letter.is_ascii_uppercase()
            && !b"DFIOQU".contains(&letter)
            && (index > 0 || !b"WZ".contains(&letter))
    };
    let is_digit = |index: usize| code[index].is_ascii_digit();
    if [0, 2, 4].into_iter().all(is_letter) && [1, 3, 5].into_iter().all(is_digit) {
        return Shape::Canadian;
    }
    let letters = code
        .iter()
        .filter(|byte| byte.is_ascii_alphabetic())
        .count();
    let nearly = (2..=5).contains(&letters) && code.iter().all(u8::is_ascii_alphanumeric);
    if nearly { Shape::Nearly } else { Shape::Other }
}

/// The code in its usual form, where it has one meaning; none where it already stands so.
fn mended(text: &str, region: Option<&'static Region>, country: Option<Country>) -> Option<String> {
    if matches!(shape(text), Shape::Zip) || (shape(text) == Shape::Canadian && text.len() == 7) {
        return None;
    }
    let bare: String = text
        .chars()
        .filter(|c| !matches!(c, ' ' | '-' | '.'))
        .collect();
    if !bare.is_ascii() {
        return None;
    }
    let bare = bare.to_ascii_uppercase();
    let mended = if bare.bytes().all(|byte| byte.is_ascii_digit()) {
        mended_zip(&bare, region, country)?
    } else if shape(&bare) == Shape::Canadian {
        format!("{} {}", &bare[..3], &bare[3..])
    } else {
        return None;
    };
    (mended != text).then_some(mended)
}

fn mended_zip(
    digits: &str,
    region: Option<&'static Region>,
    country: Option<Country>,
) -> Option<String> {
    if country == Some(Country::Canada) {
        return None;
    }
    match digits.len() {
        9 => Some(format!("{}-{}", &digits[..5], &digits[5..])),
        // A number that lost its leading zeros; only the state can prove it.
        3 | 4 | 7 | 8 => {
            let (zip, plus) = if digits.len() > 4 {
                digits.split_at(digits.len() - 4)
            } else {
                (digits, "")
            };
            let zip = format!("{zip:0>5}");
            let region = region.filter(|region| region.country == Country::UnitedStates)?;
            let proved = region.has_codes(&zip[..3]);
            proved.then(|| {
                if plus.is_empty() {
                    zip
                } else {
                    format!("{zip}-{plus}")
                }
            })
        }
        5 => Some(digits.to_owned()),
        _ => None,
    }
}

fn odd_postal_code(
    text: &str,
    region: Option<&'static Region>,
    country: Option<Country>,
) -> Option<String> {
    match shape(text) {
        Shape::Canadian if country == Some(Country::UnitedStates) => Some(format!(
            "{text} is a Canadian code; the row says {}",
            place(region, country)
        )),
        Shape::Zip if country == Some(Country::Canada) => {
            let owner = Region::of_postal_start(Country::UnitedStates, &text[..3]).next();
            Some(match owner {
                Some(owner) => format!(
                    "{text} is a ZIP code of {}; the row says {}: country US?",
                    owner.name,
                    place(region, country)
                ),
                None => format!(
                    "{text} is a ZIP code; the row says {}: country US?",
                    place(region, country)
                ),
            })
        }
        Shape::Canadian => foreign_code(&text[..1], &text[..3], Country::Canada, region),
        Shape::Zip => foreign_code(&text[..3], text, Country::UnitedStates, region),
        Shape::ShortZip => Some(format!("{} digits: was there a leading 0?", text.len())),
        Shape::Nearly => {
            let bare: String = text.chars().filter(|c| *c != ' ').collect();
            Some(match unmixed(&bare) {
                Some(likely) => format!("no Canadian code; was it {likely}?"),
                None => "no Canadian code: a letter in it does not occur in any, or a digit stands out of place".to_owned(),
            })
        }
        Shape::Other => Some("neither a Canadian postal code nor a ZIP code".to_owned()),
    }
}

fn place(region: Option<&'static Region>, country: Option<Country>) -> &'static str {
    match (region, country) {
        (Some(region), _) => region.code,
        (None, Some(country)) => country.code(),
        (None, None) => "nothing",
    }
}

fn foreign_code(
    start: &str,
    shown: &str,
    country: Country,
    region: Option<&'static Region>,
) -> Option<String> {
    let region = region.filter(|region| region.country == country)?;
    if region.has_codes(start) {
        return None;
    }
    Some(match Region::of_postal_start(country, start).next() {
        Some(owner) => format!(
            "{shown} belongs to {}; the row says {}",
            owner.name, region.code
        ),
        None => format!("no code of {} begins with {start}", region.name),
    })
}

/// A Canadian code with letters and digits that are easily mixed up put in their places.
fn unmixed(bare: &str) -> Option<String> {
    let fixed: String = bare
        .chars()
        .enumerate()
        .map(|(index, c)| match (index % 2, c.to_ascii_uppercase()) {
            (1, 'O') => '0',
            (1, 'I' | 'L') => '1',
            (1, 'S') => '5',
            (1, 'B') => '8',
            (0, '0') => 'O',
            (0, '1') => 'L',
            (0, '5') => 'S',
            (0, '8') => 'B',
            (_, c) => c,
        })
        .collect();
    (shape(&fixed) == Shape::Canadian).then(|| format!("{} {}", &fixed[..3], &fixed[3..]))
}

/// What begins an address that has no roof.
const WITHOUT_ROOF: [(&str, &str); 12] = [
    ("po box", "a PO box"),
    ("p.o. box", "a PO box"),
    ("p.o.box", "a PO box"),
    ("p o box", "a PO box"),
    ("post office box", "a PO box"),
    ("box ", "a PO box"),
    ("case postale", "a PO box"),
    ("c.p. ", "a PO box"),
    ("rr ", "a rural route"),
    ("r.r. ", "a rural route"),
    ("rural route", "a rural route"),
    ("general delivery", "general delivery"),
];

fn warn_without_roof(check: &mut RowCheck<'_>, line1: &Value<'_>) {
    let text = line1.text.as_ref();
    let begins = |start: &str| {
        text.get(..start.len())
            .is_some_and(|head| head.eq_ignore_ascii_case(start))
    };
    let kind = WITHOUT_ROOF
        .iter()
        .find(|(start, _)| begins(start))
        .map(|(_, kind)| *kind);
    let message = if let Some(kind) = kind {
        format!("{kind} has no roof; use the property's address")
    } else if begins("lot ") {
        "a lot; does a house stand there yet?".to_owned()
    } else if !text.bytes().any(|byte| byte.is_ascii_digit()) {
        "no house number".to_owned()
    } else {
        return;
    };
    check.warn(Field::Line1, line1.column, message);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mended_in(text: &str, region: &str) -> Option<String> {
        let region = Region::of_code(region);
        mended(text, region, region.map(|region| region.country))
    }

    #[test]
    fn canadian_codes_get_their_usual_form() {
        for text in ["k1a0b1", "K1A0B1", "k1a 0b1", "K1A-0B1", "K1A  0B1"] {
            assert_eq!(mended_in(text, "ON").as_deref(), Some("K1A 0B1"), "{text}");
        }
        assert_eq!(mended_in("K1A 0B1", "ON"), None);
        assert_eq!(mended_in("K1A OB1", "ON"), None);
    }

    #[test]
    fn a_lost_zero_comes_back_only_where_the_state_proves_it() {
        assert_eq!(mended_in("2134", "MA").as_deref(), Some("02134"));
        assert_eq!(mended_in("2134", "TX"), None);
        assert_eq!(mended_in("602", "PR").as_deref(), Some("00602"));
        assert_eq!(mended("2134", None, None), None);
        assert_eq!(mended_in("2134", "ON"), None);
    }

    #[test]
    fn zip_and_four_get_their_hyphen() {
        assert_eq!(mended_in("021341234", "MA").as_deref(), Some("02134-1234"));
        assert_eq!(mended_in("21341234", "MA").as_deref(), Some("02134-1234"));
        assert_eq!(mended_in("02134-1234", "MA"), None);
    }

    #[test]
    fn codes_of_other_regions_are_told() {
        let odd = |text: &str, code: &str| {
            let region = Region::of_code(code);
            odd_postal_code(text, region, region.map(|region| region.country))
        };
        assert_eq!(
            odd("M5V 1A1", "BC").as_deref(),
            Some("M5V belongs to Ontario; the row says BC")
        );
        assert_eq!(
            odd("90210", "NY").as_deref(),
            Some("90210 belongs to California; the row says NY")
        );
        assert_eq!(
            odd("90210", "ON").as_deref(),
            Some("90210 is a ZIP code of California; the row says ON: country US?")
        );
        assert_eq!(
            odd("K1A OB1", "ON").as_deref(),
            Some("no Canadian code; was it K1A 0B1?")
        );
        assert_eq!(
            odd("2134", "TX").as_deref(),
            Some("4 digits: was there a leading 0?")
        );
        assert_eq!(odd("M5V 1A1", "ON"), None);
    }

    #[test]
    fn countries_have_many_names() {
        for text in ["Canada", "CAN", "ca", "Ca."] {
            assert_eq!(country_of(text), Some(Country::Canada), "{text}");
        }
        for text in [
            "USA",
            "U.S.A.",
            "United States",
            "united states of america",
            "États-Unis",
        ] {
            assert_eq!(country_of(text), Some(Country::UnitedStates), "{text}");
        }
        assert_eq!(country_of("MX"), None);
    }
}
