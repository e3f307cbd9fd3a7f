//! Region, postal code and country: normalized, and checked against each other.

use std::borrow::Cow;

use crate::import::check::country::{self, CountrySource, read_country};
use crate::import::check::draft::RowDraft;
use crate::import::check::postal_code::read_postal_code;
use crate::import::check::row_check::{CellValue, RowCheck};
use crate::import::check::street_remarks::odd_street;
use crate::import::check::table_problem::RowGroup;
use crate::import::check::text_normalization::{is_address_placeholder, is_placeholder};
use crate::import::check::trailing::has_contact_in;
use crate::import::check::whole_address::AddressParts;
use crate::model::{
    AddressKey, Country, Field, Region, RegionKind, WholeAddress, WordList, excerpt, fold_place,
    has_digit, has_house_number, is_ordinal, is_unit_text,
};
use crate::table::{fold_cell, is_street};

/// Normalizes and checks region, postal code and country, which are moved into the draft.
pub(super) fn validate_address<'a>(
    check: &mut RowCheck<'a>,
    parts: &mut AddressParts<'a>,
    draft: &mut RowDraft<'a>,
) {
    let (region, postal_code) = (parts.region.take(), parts.postal_code.take());
    let written = match &parts.country {
        Some(value) => match read_country(check, value) {
            Some(country) => Some(country),
            // Region and postal code of a third country cannot be checked.
            None => return,
        },
        None => None,
    };
    let inferred = match written {
        Some(_) => None,
        None => country::infer(check, region.as_ref(), postal_code.as_ref()),
    };
    let country = written.or(inferred).or(check.rules.default_country);
    let (region, known) = read_region(check, region, country, postal_code.as_ref());
    let postal_code = read_postal_code(check, postal_code, known, country);
    if let Some(country) = inferred {
        country::add_inferred(check, country, &region, &postal_code);
    }
    if let Some(line1) = &parts.line1 {
        warn_without_roof(check, line1);
    }
    draft.region = region;
    draft.postal_code = postal_code;
    draft.country = country;
    draft.country_source = match (written, inferred) {
        (Some(_), _) => CountrySource::Written,
        (None, Some(_)) => CountrySource::Inferred,
        (None, None) => CountrySource::NotInRow,
    };
}

/// Minimum number of digits of a postal code, which no region has.
const CODE_DIGITS: usize = 3;

fn read_region<'a>(
    check: &mut RowCheck<'a>,
    value: Option<CellValue<'a>>,
    country: Option<Country>,
    postal_code: Option<&CellValue<'a>>,
) -> (Cow<'a, str>, Option<&'static Region>) {
    let Some(value) = value else {
        return (Cow::default(), None);
    };
    let exact = Region::from_code(&value.text);
    let meant = exact.or_else(|| Region::from_spelling(&fold_place(&value.text)));
    let Some(region) = meant else {
        let cell = |field| {
            let column = check.columns.supplying(field);
            column.map_or("", |column| check.row.cell(column).text.trim())
        };
        let (city, street) = (cell(Field::City), cell(Field::Line1));
        let digits = |text: &str| text.bytes().filter(u8::is_ascii_digit).count();
        // The cells are those of other columns, or the row is not a customer.
        let is_shifted = postal_code.is_some_and(|code| {
            [code.text.as_ref(), street]
                .into_iter()
                .all(|text| digits(text) == 0)
        }) || digits(&value.text) >= CODE_DIGITS;
        if is_shifted || Region::from_code(city).is_some() {
            let message = message!(
                "`{}` is not a province or state: are cells of this row in the wrong columns?",
                excerpt(&value.text)
            );
            check.error(Field::Region, Some(value.column), message);
            return (value.text, None);
        }
        let message = message!(
            "`{}` is not a known province or state",
            excerpt(&value.text)
        );
        check.warn(Field::Region, value.column, message);
        return (value.text, None);
    };
    let agrees = country.is_none_or(|country| country == region.country);
    // A spelling is normalized only if the region is in the country of the row.
    if exact.is_none() && agrees && !check.rules.as_is {
        check.tidied(Field::Region, value.column, &value.text, region.code, "");
        warn_if_unserved(check, value.column, region);
        return (Cow::Borrowed(region.code), Some(region));
    }
    if let Some(country) = country.filter(|_| !agrees) {
        let message = message!(
            "{} is {}, which is not in the row's country {}; is the country {}?",
            region.code,
            region.name,
            country.code(),
            region.country.code()
        );
        check.warn(Field::Region, value.column, message);
    }
    warn_if_unserved(check, value.column, region);
    (value.text, Some(region))
}

fn warn_if_unserved(check: &mut RowCheck<'_>, column: usize, region: &'static Region) {
    match region.kind() {
        RegionKind::Ordinary => {}
        RegionKind::Military => {
            let message = message!(
                "{} is a military mail region; use the property's address",
                region.code
            );
            check.warn(Field::Region, column, message);
        }
        RegionKind::Territory => {
            let message = message!(
                "{} is a territory ({}), which the service may not serve",
                region.code,
                region.name
            );
            check.warn(Field::Region, column, message);
        }
    }
}

static BESIDE_HOUSE: WordList = WordList::new("beside_house");
static LOT: WordList = WordList::new("lot");

/// How an address begins that is not a building, each with what it is.
static WITHOUT_ROOF: [(WordList, &str); 4] = [
    (WordList::new("corner"), "a corner"),
    (WordList::new("po_box"), "a PO box"),
    (WordList::new("rural_route"), "a rural route"),
    (WordList::new("general_delivery"), "general delivery"),
];

fn warn_without_roof(check: &mut RowCheck<'_>, line1: &CellValue<'_>) {
    if check.has_error_in(&[Field::Line1]) {
        return;
    }
    let text = line1.text.as_ref();
    let is_digit = |c: char| c.is_ascii_digit();
    let number = text.strip_suffix(char::is_alphabetic);
    let number = number.filter(|number| number.ends_with(is_digit));
    if !number.unwrap_or(text).contains(char::is_alphabetic) {
        let message = if has_contact_in(text) {
            message!("looks like a phone number; the street is missing")
        } else {
            message!("a house number without a street")
        };
        return check.error(Field::Line1, Some(line1.column), message);
    }
    if text.starts_with(is_digit) {
        if let Some(message) = odd_street(text) {
            check.warn(Field::Line1, line1.column, message);
        }
        return;
    }
    if !text.contains(is_digit) && has_placeholder_in_front(text) {
        let message = message!("the house number is missing: `{}`", excerpt(text));
        return check.error(Field::Line1, Some(line1.column), message);
    }
    let begins_with = |words: &WordList| {
        let mut rests = words.rests(text);
        rests.any(|rest| !rest.starts_with(char::is_alphabetic))
    };
    // `E 71st St` has only the number of its name.
    let has_number = |word: &str| has_digit(word) && !is_ordinal(word);
    let mut kinds = WITHOUT_ROOF.iter();
    let kind = kinds.find(|(starts, _)| begins_with(starts));
    let message = if let Some((_, kind)) = kind {
        message!("{kind} has no roof; use the property's address")
    } else if begins_with(&BESIDE_HOUSE) {
        message!("the place of another house; use the property's address")
    } else if begins_with(&LOT) {
        message!("a lot number instead of a house number; is the house built?")
    } else if text.contains(' ') && is_unit_text(text) {
        let message = message!("a unit without a street");
        return check.error(Field::Line1, Some(line1.column), message);
    } else if !text.split([' ', ',']).any(has_number) {
        message!("no house number")
    } else {
        return;
    };
    check.warn(Field::Line1, line1.column, message);
}

/// Whether a mark such as `?`, `XX` or `TBD` stands in front of a street in place of the house number.
fn has_placeholder_in_front(street: &str) -> bool {
    let Some((first, _)) = street.split_once(' ') else {
        return false;
    };
    let is_mark = |c: char| !c.is_alphanumeric() && c != '"';
    let is_of = |letter: char| first.chars().all(|c| c.eq_ignore_ascii_case(&letter));
    first.chars().all(is_mark)
        || first.len() > 1 && (is_of('x') || first.len() < 4 && is_address_placeholder(first))
        || first.contains('/') && is_placeholder(first)
}

impl RowCheck<'_> {
    /// Warns if the customer has more addresses than the one that is sent.
    pub(super) fn warn_of_further_addresses(&mut self, sent: Option<&CellValue<'_>>) {
        let (row, columns) = (self.row, self.columns);
        let Some(sent) = sent else {
            return;
        };
        let further = columns.further_streets.iter().copied();
        let mut further = further.filter(|&column| {
            let street = row.cell(column).text.trim();
            !street.is_empty() && street != sent.text
        });
        let Some(first) = further.next() else {
            return;
        };
        let message = message!(
            "{} of the customer not sent; give each a row of its own to request it too",
            match further.count() {
                0 => "another address".to_owned(),
                more => format!("{} other addresses", more + 1),
            }
        );
        self.warn(Field::Line1, first, message);
    }

    /// What the row has in columns that look like a field and are not sent, apart from what the address has anyway.
    pub(super) fn unused_parts(&self, draft: &RowDraft<'_>) -> Vec<RowGroup> {
        let is_sent = |word: &str| {
            let lines = [Some(&*draft.line1), draft.line2.as_deref()]
                .into_iter()
                .flatten();
            let mut words = lines.flat_map(|line| line.split([' ', ',']));
            word.is_empty() || words.any(|sent| fold_cell(sent) == fold_cell(word))
        };
        let cell = |column: u32| self.row.cell(column as usize).text;
        let parts = self.columns.unused_parts.iter();
        let is_open = |field: Field| match field {
            Field::Email => draft.email.is_none(),
            Field::Phone => draft.phone.is_none(),
            _ => true,
        };
        let unsent = parts.filter(|(column, field)| {
            is_open(*field) && !cell(*column).split([' ', ',']).all(is_sent)
        });
        unsent
            .map(|(column, field)| RowGroup::Unused(*column, *field))
            .collect()
    }

    /// The first column with a whole address or a street of another house than the one that is sent, and which of them
    /// it has.
    pub(super) fn other_address(&self, draft: &RowDraft<'_>) -> Option<(u32, Field)> {
        let own = |street: &str| AddressKey::new(street, &draft.postal_code, draft.country);
        let text = |columns: &[usize]| {
            let lines = columns.iter();
            let lines = lines.map(|&column| self.row.cell(column).text.trim());
            lines.collect::<Vec<&str>>().join("\n").trim().to_owned()
        };
        let sends_whole = !self.columns.indexes_of(Field::Address).is_empty();
        let whole = self.columns.other_addresses.iter();
        let whole = whole.filter_map(|columns| {
            let (column, text) = (*columns.first()?, text(columns));
            let whole = AddressKey::parse_whole(&text).map(|house| (column, Field::Address, house));
            // `--map line1` would leave the column of whole addresses, and a whole one that cannot be split is no street.
            let is_whole = sends_whole || WholeAddress::is_likely(&text);
            let field = if is_whole {
                Field::Address
            } else {
                Field::Line1
            };
            whole.or_else(|| is_street(&text).then(|| (column, field, own(&text))))
        });
        let streets = self.columns.other_streets.iter().filter_map(|&street| {
            let text = Some(text(&[street])).filter(|text| has_house_number(text))?;
            Some((street, Field::Line1, own(&text)))
        });
        let mut houses = whole.chain(streets).peekable();
        if draft.line1.is_empty() || houses.peek().is_none() {
            return None;
        }
        let sent = own(&draft.line1);
        let (column, field, _) = houses.find(|(.., house)| !house.matches(&sent))?;
        Some((u32::try_from(column).ok()?, field))
    }
}
