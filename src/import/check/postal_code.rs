//! Postal codes: normalized, and checked against region and country.

use std::borrow::Cow;

use crate::import::check::numbers::{NumericText, parse_numeric_text};
use crate::import::check::problem_message::ProblemMessage;
use crate::import::check::row_check::{CellValue, RowCheck};
use crate::import::check::table_problem::RowGroup;
use crate::model::{
    Country, Field, Region, Severity, has_digit, has_only_digits, is_canadian_postal_code, is_zip,
};

/// The form of a postal code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PostalCodeShape {
    Canadian,
    /// Five digits, or five and four.
    Zip,
    /// Three or four digits: a leading 0 may have been lost.
    ShortZip,
    /// Nearly Canadian: with a digit in place of a letter, or with a letter that is not used.
    Nearly,
    Other,
}

pub(super) fn read_postal_code<'a>(
    check: &mut RowCheck<'a>,
    value: Option<CellValue<'a>>,
    region: Option<&'static Region>,
    country: Option<Country>,
) -> Cow<'a, str> {
    let Some(value) = value else {
        return Cow::default();
    };
    let country = country.or(region.map(|region| region.country));
    let is_normalizing = !check.rules.as_is;
    let text = match normalized(&value.text, region, country) {
        Some(normalized) if is_normalizing => {
            check.tidied(
                Field::PostalCode,
                value.column,
                &value.text,
                &normalized,
                "",
            );
            Cow::Owned(normalized)
        }
        _ => value.text,
    };
    if !has_digit(&text) && Region::from_code(&text).is_some() {
        let message = message!(
            "`{text}` is a province or state and no postal code: are cells of this row in the wrong columns?"
        );
        check.error(Field::PostalCode, Some(value.column), message);
        return text;
    }
    if parse_numeric_text(&text) == NumericText::LostDigits {
        let message = message!(
            "`{text}` is a postal code that a spreadsheet rounded; format the column as text and export again"
        );
        check.error(Field::PostalCode, Some(value.column), message);
        return text;
    }
    if let Some(message) = odd_postal_code(&text, region, country) {
        check.warn(Field::PostalCode, value.column, message);
    }
    text
}

impl RowCheck<'_> {
    /// The group of the row if its postal code has a warning.
    pub(super) fn group_of_postal_code(&self) -> Option<RowGroup> {
        let mut warnings = self.problems.iter();
        let odd = warnings.find(|problem| {
            problem.severity == Severity::Warning && problem.field == Some(Field::PostalCode)
        })?;
        Some(RowGroup::OddPostalCode(u32::try_from(odd.column?).ok()?))
    }
}

/// A code in its usual form, read as one of that region; empty if it is neither Canadian nor a ZIP code.
pub(super) fn usual_form<'a>(text: &'a str, region: &'static Region) -> Cow<'a, str> {
    match normalized(text, Some(region), Some(region.country)) {
        Some(usual) => Cow::Owned(usual),
        None if matches!(
            shape(text),
            PostalCodeShape::Zip | PostalCodeShape::Canadian
        ) =>
        {
            Cow::Borrowed(text)
        }
        None => Cow::Borrowed(""),
    }
}

fn shape(text: &str) -> PostalCodeShape {
    let is_lower = || text.contains(char::is_lowercase);
    if is_zip(text) {
        return PostalCodeShape::Zip;
    } else if is_canadian_postal_code(text) && text.as_bytes()[3] != b'-' && !is_lower() {
        return PostalCodeShape::Canadian;
    } else if matches!(text.len(), 3 | 4) && has_only_digits(text) {
        return PostalCodeShape::ShortZip;
    }
    let bare = text.replacen(' ', "", usize::from(text.find(' ') == Some(3)));
    let letters = bare.bytes().filter(u8::is_ascii_alphabetic).count();
    if bare.len() != 6 || !(2..=5).contains(&letters) {
        PostalCodeShape::Other
    } else if bare.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
        PostalCodeShape::Nearly
    } else {
        PostalCodeShape::Other
    }
}

/// The code in its usual form; `None` if it has this form already, or cannot be normalized.
fn normalized(
    text: &str,
    region: Option<&'static Region>,
    country: Option<Country>,
) -> Option<String> {
    match shape(text) {
        PostalCodeShape::Zip => return None,
        PostalCodeShape::Canadian if text.len() == 7 => return None,
        _ => {}
    }
    let bare: String = text
        .chars()
        .filter(|c| !matches!(c, ' ' | '-' | '.'))
        .collect();
    if !bare.is_ascii() {
        return None;
    }
    let bare = bare.to_ascii_uppercase();
    let normalized = if has_only_digits(&bare) {
        normalized_zip(&bare, region, country)?
    } else if shape(&bare) == PostalCodeShape::Canadian {
        format!("{} {}", &bare[..3], &bare[3..])
    } else {
        return None;
    };
    (normalized != text).then_some(normalized)
}

fn normalized_zip(
    digits: &str,
    region: Option<&'static Region>,
    country: Option<Country>,
) -> Option<String> {
    if country == Some(Country::Canada) {
        return None;
    }
    match digits.len() {
        9 => Some(format!("{}-{}", &digits[..5], &digits[5..])),
        // A number without its leading zeros; they are restored only if the code then belongs to the state.
        3 | 4 | 7 | 8 => {
            let (zip, plus) = if digits.len() > 4 {
                digits.split_at(digits.len() - 4)
            } else {
                (digits, "")
            };
            let zip = format!("{zip:0>5}");
            let region = region.filter(|region| region.country == Country::UnitedStates)?;
            let proved = region.has_postal_prefix(&zip[..3]);
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
) -> Option<ProblemMessage> {
    match shape(text) {
        PostalCodeShape::Canadian if country == Some(Country::UnitedStates) => Some(message!(
            "{text} is a Canadian code; the row says {}",
            place(region, country)
        )),
        PostalCodeShape::Zip if country == Some(Country::Canada) => {
            let owner = Region::with_postal_prefix(Country::UnitedStates, &text[..3]).next();
            let owner = owner.map_or(String::new(), |owner| format!(" of {}", owner.name));
            // A province contradicts the code; a country alone may be the wrong one.
            let question = match region {
                Some(region) if region.country == Country::Canada => "correct one of them",
                _ => "is the country US?",
            };
            Some(message!(
                "{text} is a ZIP code{owner}; the row says {}; {question}",
                place(region, country)
            ))
        }
        PostalCodeShape::Canadian => foreign_code(&text[..1], &text[..3], Country::Canada, region),
        PostalCodeShape::Zip => foreign_code(&text[..3], text, Country::UnitedStates, region),
        PostalCodeShape::ShortZip if country == Some(Country::UnitedStates) => {
            let padded = format!("{text:0>5}");
            let may_be = region.is_none_or(|region| region.has_postal_prefix(&padded[..3]));
            let zero = if may_be {
                ", so a leading 0 may be missing"
            } else {
                ""
            };
            Some(message!("{} digits; a ZIP code has 5{zero}", text.len()))
        }
        PostalCodeShape::Nearly => {
            let bare: String = text.chars().filter(|c| *c != ' ').collect();
            Some(match unmixed(&bare) {
                Some(likely) => message!("not a Canadian postal code; probably {likely}"),
                None => message!(
                    "not a Canadian postal code: it has a letter that no code has, or a digit where a letter belongs"
                ),
            })
        }
        PostalCodeShape::ShortZip | PostalCodeShape::Other => Some(match country {
            Some(Country::Canada) => message!(
                "not a Canadian postal code, which has three letters and three digits like K1A 0B1"
            ),
            Some(Country::UnitedStates) => {
                message!("not a ZIP code, which has 5 digits, or 5 and 4")
            }
            None => message!("neither a Canadian postal code nor a ZIP code"),
        }),
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
) -> Option<ProblemMessage> {
    let region = region.filter(|region| region.country == country)?;
    if region.has_postal_prefix(start) {
        return None;
    }
    Some(match Region::with_postal_prefix(country, start).next() {
        Some(owner) => message!(
            "{shown} belongs to {}; the row says {}",
            owner.name,
            region.code
        ),
        None => message!("no code of {} begins with {start}", region.name),
    })
}

/// A Canadian code in which similar letters and digits are replaced by the right ones.
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
    (shape(&fixed) == PostalCodeShape::Canadian).then(|| format!("{} {}", &fixed[..3], &fixed[3..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn normalized_in(text: &str, region: &str) -> Option<String> {
        let region = Region::from_code(region);
        normalized(text, region, region.map(|region| region.country))
    }

    #[test]
    fn canadian_codes_get_their_usual_form() {
        for text in ["k1a0b1", "K1A0B1", "k1a 0b1", "K1A-0B1", "K1A  0B1"] {
            assert_eq!(
                normalized_in(text, "ON").as_deref(),
                Some("K1A 0B1"),
                "{text}"
            );
        }
        assert_eq!(normalized_in("K1A 0B1", "ON"), None);
        assert_eq!(normalized_in("K1A OB1", "ON"), None);
    }

    #[test]
    fn a_lost_zero_comes_back_only_where_the_state_proves_it() {
        assert_eq!(normalized_in("2134", "MA").as_deref(), Some("02134"));
        assert_eq!(normalized_in("2134", "TX"), None);
        assert_eq!(normalized_in("602", "PR").as_deref(), Some("00602"));
        assert_eq!(normalized("2134", None, None), None);
        assert_eq!(normalized_in("2134", "ON"), None);
    }

    #[test]
    fn zip_and_four_get_their_hyphen() {
        assert_eq!(
            normalized_in("021341234", "MA").as_deref(),
            Some("02134-1234")
        );
        assert_eq!(
            normalized_in("21341234", "MA").as_deref(),
            Some("02134-1234")
        );
        assert_eq!(normalized_in("02134-1234", "MA"), None);
    }

    #[test]
    fn codes_of_other_regions_are_told() {
        let odd = |text: &str, code: &str| {
            let region = Region::from_code(code);
            let odd = odd_postal_code(text, region, region.map(|region| region.country));
            odd.map(|message| message.text)
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
            Some("90210 is a ZIP code of California; the row says ON; correct one of them")
        );
        assert_eq!(
            odd("K1A OB1", "ON").as_deref(),
            Some("not a Canadian postal code; probably K1A 0B1")
        );
        assert_eq!(
            odd("2134", "MA").as_deref(),
            Some("4 digits; a ZIP code has 5, so a leading 0 may be missing")
        );
        assert_eq!(odd("M5V 1A1", "ON"), None);
        let canadian =
            "not a Canadian postal code, which has three letters and three digits like K1A 0B1";
        assert_eq!(odd("2134", "QC").as_deref(), Some(canadian));
        assert_eq!(odd("M4K 1P", "ON").as_deref(), Some(canadian));
        assert_eq!(
            odd("432067", "OH").as_deref(),
            Some("not a ZIP code, which has 5 digits, or 5 and 4")
        );
    }
}
