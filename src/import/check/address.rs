//! Region, postal code and country: normalized, and checked against each other.

use std::borrow::Cow;

use crate::import::check::country::{self, CountrySource, read_country};
use crate::import::check::draft::RowDraft;
use crate::import::check::postal_code::read_postal_code;
use crate::import::check::row_check::{CellValue, RowCheck};
use crate::import::check::street::odd_street;
use crate::import::check::table_finding::{CountedRow, unit_flags};
use crate::model::{
    AddressKey, Country, Field, Region, RegionKind, WordList, excerpt, fold_place,
    is_canadian_postal_code, is_unit_text, is_zip,
};
use crate::sheet::column_letters;

/// The parts of an address that are checked against each other.
#[derive(Debug, Default)]
pub(super) struct AddressFields<'a> {
    pub(super) region: Cow<'a, str>,
    pub(super) postal_code: Cow<'a, str>,
    pub(super) country: Option<Country>,
    pub(super) source: CountrySource,
}

/// Normalizes and checks region, postal code and country.
pub(super) fn validate_address<'a>(
    check: &mut RowCheck<'a>,
    region: Option<CellValue<'a>>,
    postal_code: Option<CellValue<'a>>,
    country: Option<CellValue<'a>>,
    line1: Option<&CellValue<'a>>,
) -> AddressFields<'a> {
    let written = match country {
        Some(value) => match read_country(check, &value) {
            Some(country) => Some(country),
            // Region and postal code of a third country cannot be checked.
            None => return AddressFields::default(),
        },
        None => None,
    };
    let inferred = match written {
        Some(_) => None,
        None => country::infer(check, region.as_ref(), postal_code.as_ref()),
    };
    let country = written.or(inferred).or(check.rules.default_country);
    let (region, known) = read_region(check, region, country);
    let postal_code = read_postal_code(check, postal_code, known, country);
    if let Some(country) = inferred {
        country::add_inferred(check, country, &region, &postal_code);
    }
    if let Some(line1) = line1 {
        warn_without_roof(check, line1);
    }
    AddressFields {
        region,
        postal_code,
        country,
        source: match (written, inferred) {
            (Some(_), _) => CountrySource::Written,
            (None, Some(_)) => CountrySource::Inferred,
            (None, None) => CountrySource::NotInRow,
        },
    }
}

fn read_region<'a>(
    check: &mut RowCheck<'a>,
    value: Option<CellValue<'a>>,
    country: Option<Country>,
) -> (Cow<'a, str>, Option<&'static Region>) {
    let Some(value) = value else {
        return (Cow::default(), None);
    };
    let exact = Region::from_code(&value.text);
    let meant = exact.or_else(|| Region::from_spelling(&fold_place(&value.text)));
    let Some(region) = meant else {
        let city = check.columns.supplying(Field::City);
        let city = city.map_or("", |column| check.row.cell(column).text.trim());
        let text = excerpt(&value.text);
        let misplaced = if is_zip(&value.text) || is_canadian_postal_code(&value.text) {
            Some(format!(
                "`{text}` is a postal code and no province or state"
            ))
        } else {
            let is_code = Region::from_code(city).is_some();
            is_code
                .then(|| format!("`{text}` is not a province or state, and the city is `{city}`"))
        };
        if let Some(what) = misplaced {
            let message = format!("{what}: are cells of this row in the wrong columns?");
            check.error(Field::Region, Some(value.column), message);
            return (value.text, None);
        }
        check.warn_if_long(Field::Region, &value);
        let message = format!(
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
        warn_of_standing(check, value.column, region);
        return (Cow::Borrowed(region.code), Some(region));
    }
    if let Some(country) = country.filter(|_| !agrees) {
        let message = format!(
            "{} is {}, which is not in the row's country {}; is the country {}?",
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
    match region.kind() {
        RegionKind::Ordinary => {}
        RegionKind::Military => {
            let message = format!(
                "{} is a military mail region; use the property's address",
                region.code
            );
            check.warn(Field::Region, column, message);
        }
        RegionKind::Territory => {
            let message = format!(
                "{} is a territory ({}), which the service may not serve",
                region.code, region.name
            );
            check.warn(Field::Region, column, message);
        }
    }
}

/// How an address begins that is not a building, each with what it is.
static WITHOUT_ROOF: [(WordList, &str); 4] = [
    (WordList::new("corner"), "a corner"),
    (WordList::new("po_box"), "a PO box"),
    (WordList::new("rural_route"), "a rural route"),
    (WordList::new("general_delivery"), "general delivery"),
];

fn warn_without_roof(check: &mut RowCheck<'_>, line1: &CellValue<'_>) {
    let text = line1.text.as_ref();
    if text.starts_with(|c: char| c.is_ascii_digit()) {
        if has_second_house(text) {
            let message = "two houses? One request measures one; give each a row of its own";
            check.warn(Field::Line1, line1.column, message.to_owned());
        } else if let Some(message) = odd_street(text) {
            check.warn(Field::Line1, line1.column, message);
        }
        return;
    }
    let begins = |start: &str| {
        let split = text.split_at_checked(start.len());
        split.is_some_and(|(head, rest)| {
            head.eq_ignore_ascii_case(start) && !rest.starts_with(char::is_alphabetic)
        })
    };
    let mut kinds = WITHOUT_ROOF.iter();
    let kind = kinds.find(|(starts, _)| starts.iter().any(|start| begins(start)));
    let message = if let Some((_, kind)) = kind {
        format!("{kind} has no roof; use the property's address")
    } else if begins("lot") {
        "a lot number instead of a house number; is the house built?".to_owned()
    } else if !text.bytes().any(|byte| byte.is_ascii_digit()) {
        "no house number".to_owned()
    } else {
        return;
    };
    check.warn(Field::Line1, line1.column, message);
}

/// Whether a street with a number has another number behind a separator: `123 & 125 Oak St`, `12 Oak St; 90 Elm Dr`. A
/// slash without spaces is in the number of one building.
fn has_second_house(street: &str) -> bool {
    let mut behind = street
        .match_indices(['&', ';'])
        .map(|(at, _)| &street[at + 1..]);
    let is_number = |text: &str| {
        let word = text.split_whitespace().next().unwrap_or_default();
        !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit())
    };
    behind.any(is_number)
        || street
            .split_once(" / ")
            .is_some_and(|(_, rest)| is_number(rest))
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
        let message = format!(
            "{} of the customer not sent; give each a row of its own to request it too",
            match further.count() {
                0 => "another address".to_owned(),
                more => format!("{} other addresses", more + 1),
            }
        );
        self.warn(Field::Line1, first, message);
    }

    /// What another address of the row has, where the house's is empty.
    pub(super) fn in_another_address(&self, field: Field) -> String {
        let columns = self.columns;
        if !matches!(field, Field::Address | Field::Line1) {
            return String::new();
        }
        let others = [&columns.other_addresses[..], &columns.likelier_addresses].concat();
        let text_of = |column: &usize| self.row.cell(*column).text.trim();
        let texts = others.iter().filter_map(|lines| {
            let filled = lines.iter().map(text_of).filter(|text| !text.is_empty());
            let text = filled.collect::<Vec<_>>().join(", ");
            (!text.is_empty()).then_some((lines[0], text))
        });
        let found = texts.map(|(column, text)| {
            let name = columns.name_of(column);
            let (name, text) = (excerpt(&name), excerpt(&text));
            format!("; `{name}` has {text}: copy it here if the house is there")
        });
        found.take(1).collect()
    }

    /// The filled columns of units that are not sent.
    pub(super) fn other_units(&self) -> impl Iterator<Item = CountedRow> {
        let columns = self.columns;
        let units = columns.other_units.iter().chain(&columns.unclear_units);
        let filled = units.filter(|column| !self.row.cell(**column).is_blank());
        filled.filter_map(|column| Some(CountedRow::OtherUnit(u32::try_from(*column).ok()?)))
    }

    /// The first column with a whole address of another house than the one that is sent.
    pub(super) fn other_address(&self, draft: &RowDraft<'_>) -> Option<u32> {
        let column = self.other_house(&self.columns.other_addresses, draft)?;
        u32::try_from(column).ok()
    }

    /// Refuses a row with another house in a column that is likelier the house's: had it stood in the first rows, the
    /// columns would be another choice.
    pub(super) fn refuse_likelier_address(&mut self, draft: &RowDraft<'_>) {
        let columns = self.columns;
        let Some(column) = self.other_house(&columns.likelier_addresses, draft) else {
            return;
        };
        let field = match columns.of(Field::Line1) {
            [] => Field::Address,
            _ => Field::Line1,
        };
        let Some(&used) = columns.of(field).first() else {
            return;
        };
        let message = format!(
            "another house than in `{}`; correct the row, or say where the houses are: --map address={} or --map {}={}",
            excerpt(&columns.name_of(used)),
            column_letters(column),
            field.name(),
            column_letters(used)
        );
        self.error(Field::Address, Some(column), message);
    }

    /// Refuses a row with a unit in a column that is not used, because the first rows have no units there.
    pub(super) fn refuse_late_unit(&mut self, draft: &RowDraft<'_>) {
        let columns = self.columns;
        let late = columns.late_units.iter();
        let mut late = late.map(|&column| (column, self.row.cell(column).text.trim()));
        let Some((column, unit)) = late.find(|(_, text)| is_unit_text(text)) else {
            return;
        };
        let is_in = |text: &str| text.to_lowercase().contains(&unit.to_lowercase());
        if is_in(&draft.line1) || draft.line2.as_deref().is_some_and(is_in) {
            return;
        }
        let message = format!(
            "`{}` is a unit, but the column is not used, because the first rows have no units there; if they are units, use{}",
            excerpt(unit),
            unit_flags(column, columns)
        );
        self.error(Field::Line2, Some(column), message);
    }

    /// The first column, of addresses with a column for each line, with another house than the one that is sent.
    fn other_house(&self, others: &[Vec<usize>], draft: &RowDraft<'_>) -> Option<usize> {
        let is_filled = |columns: &&Vec<usize>| {
            let mut cells = columns.iter().map(|&column| self.row.cell(column));
            cells.any(|cell| !cell.is_blank())
        };
        let mut filled = others.iter().filter(is_filled).peekable();
        if draft.line1.is_empty() || filled.peek().is_none() {
            return None;
        }
        let sent = AddressKey::new(&draft.line1, &draft.postal_code, draft.country);
        let is_other = |columns: &&Vec<usize>| {
            let lines = columns
                .iter()
                .map(|&column| self.row.cell(column).text.trim());
            let lines: Vec<&str> = lines.collect();
            AddressKey::of_whole(lines.join("\n").trim()).is_some_and(|house| !house.matches(&sent))
        };
        filled.find(is_other)?.first().copied()
    }
}
