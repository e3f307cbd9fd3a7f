//! City, region and postal code in the cells of street and city: removed if they equal the row's own, reported if they
//! differ.

use std::borrow::Cow;

use memchr::memmem;

use crate::import::check::draft::RowDraft;
use crate::import::check::row_check::{CellValue, RowCheck};
use crate::model::{
    Country, Field, Region, WholeAddress, excerpt, fold_city, fold_place, has_house_number,
    is_standalone_unit, is_street_direction, is_street_type, is_unit, letters_and_digits,
    postal_code_at_end, without_plus_four,
};

/// Minimum number of letters of a street in front of the row's city: in `12 E, Columbus`, the city may be the street.
const MIN_LETTERS: usize = 3;

impl<'a> RowCheck<'a> {
    /// The city without region and postal code of the row at its end.
    pub(super) fn city_alone(
        &mut self,
        city: CellValue<'a>,
        placed: &RowDraft<'a>,
    ) -> CellValue<'a> {
        let before = before_place(&city.text, "", placed)
            .or_else(|| before_region_code(&city.text, placed))
            .filter(|before| !before.is_empty())
            .map(str::to_owned);
        let city = self.without_place(Field::City, city, before);
        self.report_other_postal_code(Field::City, &city, placed);
        city
    }

    /// The street without city, region and postal code of the row at its end.
    pub(super) fn street_alone(
        &mut self,
        line1: CellValue<'a>,
        city: &str,
        placed: &RowDraft<'a>,
    ) -> CellValue<'a> {
        let before = before_place(&line1.text, city, placed)
            .or_else(|| before_whole_place(&line1.text, city, placed))
            .filter(|before| !city.is_empty() && is_whole_street(before))
            .map(str::to_owned);
        let line1 = self.without_place(Field::Line1, line1, before);
        if !self.report_other_postal_code(Field::Line1, &line1, placed) {
            self.warn_of_other_city(&line1, city, placed);
        }
        line1
    }

    fn without_place(
        &mut self,
        field: Field,
        value: CellValue<'a>,
        before: Option<String>,
    ) -> CellValue<'a> {
        let Some(before) = before.filter(|_| !self.rules.as_is) else {
            return value;
        };
        self.tidied(field, value.column, &value.text, &before, "");
        CellValue {
            text: Cow::Owned(before),
            ..value
        }
    }

    /// Reports a postal code that is not the row's; the service might place the house by either. Returns whether there is
    /// one.
    fn report_other_postal_code(
        &mut self,
        field: Field,
        value: &CellValue<'_>,
        placed: &RowDraft<'_>,
    ) -> bool {
        let Some(other) = postal_code_at_end(&value.text, &placed.region) else {
            return false;
        };
        let short = |code: &str| without_plus_four(&letters_and_digits(code)).to_owned();
        let is_other =
            !placed.postal_code.is_empty() && short(&other) != short(&placed.postal_code);
        if is_other {
            let message = message!(
                "`{}` has the postal code {other}, and the row {}; correct the one that is wrong",
                excerpt(&value.text),
                excerpt(&placed.postal_code)
            );
            self.error(field, Some(value.column), message);
        }
        is_other
    }

    /// Warns of a street that contains another city than the row.
    fn warn_of_other_city(&mut self, line1: &CellValue<'_>, city: &str, placed: &RowDraft<'_>) {
        let (text, postal_code) = (&line1.text, &placed.postal_code);
        if let Some(town) = town_at_end(text).filter(|town| !may_be_one_city(town, city)) {
            let message = message!(
                "the street ends with `{}`, and the city is `{}`; both are sent",
                excerpt(town),
                excerpt(city)
            );
            return self.warn(Field::Line1, line1.column, message);
        }
        let has_code = !postal_code.is_empty()
            && memmem::find(text.as_bytes(), postal_code.as_bytes()).is_some();
        if !has_code && (placed.region.is_empty() || !text.ends_with(placed.region.as_ref())) {
            return;
        }
        let whole = if has_code {
            WholeAddress::parse(text)
        } else {
            WholeAddress::parse(&format!("{text} {postal_code}"))
        };
        if let Ok(whole) = whole
            && !may_be_one_city(&whole.city, city)
        {
            let message = message!(
                "`{}` has the city {}, and the row {}; both are sent",
                excerpt(text),
                excerpt(&whole.city),
                excerpt(city)
            );
            self.warn(Field::Line1, line1.column, message);
        }
    }
}

/// What may be a town behind the last comma of a street: no unit, direction, street or region.
fn town_at_end(text: &str) -> Option<&str> {
    let (street, town) = text.rsplit_once(',')?;
    let town = town.trim();
    let is_name = |c: char| c.is_alphabetic() || " .'’-".contains(c);
    let mut words = town.split(' ');
    let is_street = words.clone().next_back().is_some_and(is_street_type);
    let is_of_unit = |word: &str| is_unit(word) || is_standalone_unit(word);
    let is_name = town.starts_with(char::is_uppercase)
        && town.chars().all(is_name)
        && town.chars().filter(|c| c.is_alphabetic()).count() >= MIN_LETTERS
        && !is_street_direction(town)
        && !is_street
        && !words.any(is_of_unit)
        && Region::from_spelling(&fold_place(town)).is_none()
        && !Country::strip_name(&fold_place(town)).is_empty();
    (is_name && is_whole_street(street)).then_some(town)
}

/// Whether two names may be of one city, such as `St. Louis` and `Saint Louis`, or a city and its township.
fn may_be_one_city(one: &str, other: &str) -> bool {
    let [one, other] = [one, other].map(fold_city);
    one.starts_with(&other) || other.starts_with(&one)
}

/// Whether a text is a street by itself: in `14, Laval` the name stands behind the comma.
fn is_whole_street(text: &str) -> bool {
    let letters = text.chars().filter(|c| c.is_alphabetic()).count();
    has_house_number(text) && letters >= MIN_LETTERS
}

/// The text in front of a comma behind which there is nothing but the city and, if given, region, postal code and
/// country of the row.
fn before_place<'t>(text: &'t str, city: &str, placed: &RowDraft<'_>) -> Option<&'t str> {
    text.match_indices(',').find_map(|(at, _)| {
        let place = fold_place(&text[at + 1..]);
        let rest = place.strip_prefix(fold_place(city).as_str())?;
        let rest = Country::strip_name(rest);
        let postal_code = fold_place(&placed.postal_code);
        let rest = rest.strip_suffix(postal_code.as_str()).unwrap_or(rest);
        let is_own = |region: &Region| region.code == placed.region;
        let is_region = rest.is_empty() || Region::from_spelling(rest).is_some_and(is_own);
        (is_region && !place.is_empty()).then(|| text[..at].trim_end())
    })
}

/// The text in front of city, region and postal code of the row, behind a street type or unit and a space, which may
/// have been a line break: `10 Elm St Rochester, NY 14604`.
fn before_whole_place<'t>(text: &'t str, city: &str, placed: &RowDraft<'_>) -> Option<&'t str> {
    let code = placed.postal_code.as_ref();
    // Nearly all streets end otherwise.
    let may_end = last_three(text).is_some_and(|end| {
        let mut ends = ["usa", "ada"].into_iter().chain(last_three(code));
        ends.any(|known| known.eq_ignore_ascii_case(end))
    });
    if !may_end || placed.region.is_empty() || code.is_empty() || city.is_empty() {
        return None;
    }
    let [city, code] = [city, code].map(fold_place);
    let is_place = |place: &str| {
        let place = fold_place(place);
        let rest = place.strip_prefix(city.as_str());
        let region = rest.and_then(|rest| Country::strip_name(rest).strip_suffix(code.as_str()));
        let region = region.and_then(Region::from_spelling);
        region.is_some_and(|region| region.code == placed.region)
    };
    let mut spaces = text.match_indices(' ').map(|(at, _)| at);
    let at = spaces.find(|at| is_place(&text[at + 1..]))?;
    let street = &text[..at];

    let mut words = street.split_whitespace().skip(2);
    words.any(is_street_type).then(|| street.trim_end())
}

/// The last three bytes of a text, if they are whole characters.
fn last_three(text: &str) -> Option<&str> {
    text.get(text.len().checked_sub(3)?..)
}

/// The text in front of the code of the row's region, with or without the row's postal code behind it: `Columbus OH`. The
/// name of a region may belong to the city: `Ville de Québec`.
fn before_region_code<'t>(city: &'t str, placed: &RowDraft<'_>) -> Option<&'t str> {
    let before = city.strip_suffix(placed.postal_code.as_ref());
    let before = before.unwrap_or(city).trim_end();
    let (before, code) = before.rsplit_once(' ')?;
    let is_of_row = code.eq_ignore_ascii_case(&placed.region);
    (is_of_row && Region::from_code(&placed.region).is_some()).then(|| before.trim_end())
}
