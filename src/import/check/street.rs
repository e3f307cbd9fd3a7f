//! The street, from one column or from those of house number, direction, name and type.

use std::borrow::Cow;

use crate::import::check::cells::became_a_date;
use crate::import::check::numbers::is_any_date;
use crate::import::check::row_check::{CellValue, RowCheck};
use crate::model::{
    Field, StreetCell, StreetPart, WordList, excerpt, has_house_number, is_house_number_only,
    may_be_street_type,
};
use crate::table::{STREET_ADDITIONS, fold_cell, is_number_suffix, known_field};

static GENERIC_TYPES: WordList = WordList::new("generic_types");

/// The French headers, folded, of types and of the words behind them.
const GENERIC: &str = "generique";
const LINK: &str = "lien";

impl<'a> RowCheck<'a> {
    /// The street with its house number in front; direction and type are joined in the order of their columns.
    pub(super) fn street(&mut self) -> Option<CellValue<'a>> {
        let street = self.required(Field::Line1)?;
        let columns = self.columns;
        // Most tables have the whole street in one column.
        let is_absent = |field: Field| columns.indexes_of(field).is_empty();
        if STREET_ADDITIONS.into_iter().all(is_absent) {
            return Some(street);
        }
        let number = self.house_number();
        let (number, name) = self.split_number(&street, number.as_ref());
        let mut text = self.with_direction_and_type(&street, name);
        if let Some(number) = number {
            text = format!("{number} {text}");
        }
        Some(CellValue {
            text: Cow::Owned(text),
            ..street
        })
    }

    /// The house number of the first filled column; another one in a further column is an error.
    fn house_number(&mut self) -> Option<CellValue<'a>> {
        let columns = self.columns;
        let mut number: Option<CellValue<'a>> = None;
        for &column in columns.indexes_of(Field::HouseNumber) {
            let Some(value) = self.value(Field::HouseNumber, column) else {
                continue;
            };
            if is_any_date(&value.text) {
                let message = became_a_date(&value.text);
                self.error(Field::HouseNumber, Some(column), message);
            }
            match &mut number {
                Some(first) if is_number_suffix(&value.text) => {
                    let is_letter = value.text.starts_with(char::is_alphabetic);
                    let between = if is_letter { "" } else { " " };
                    first.text = Cow::Owned(format!("{}{between}{}", first.text, value.text));
                }
                Some(first)
                    if !without_zeros(&first.text)
                        .eq_ignore_ascii_case(without_zeros(&value.text)) =>
                {
                    let message = message!(
                        "two house numbers: `{}`, and `{}` in `{}`",
                        excerpt(&value.text),
                        excerpt(&first.text),
                        columns.name_of(first.column)
                    );
                    self.error(Field::HouseNumber, Some(column), message);
                }
                Some(_) => {}
                None => number = Some(value),
            }
        }
        // Land without a house has the number 0.
        number.filter(|number| !without_zeros(&number.text).is_empty())
    }

    /// The house number, from its cell or from the street, and the street without it.
    fn split_number<'s>(
        &mut self,
        street: &'s CellValue<'a>,
        cell: Option<&'s CellValue<'a>>,
    ) -> (Option<&'s str>, &'s str) {
        let text = street.text.as_ref();
        let own = text.split_once(' ').filter(|_| has_own_number(text));
        let split = own.map_or((None, text), |(own, name)| (Some(own), name));
        let Some(cell) = cell else {
            return split;
        };
        let begins = text.strip_prefix(without_zeros(&cell.text));
        let is_same = begins.is_some_and(|rest| !rest.starts_with(|c: char| c.is_ascii_digit()));
        let message = match own {
            Some(_) if is_same => return split,
            None if cell.text.contains([',', ':']) || !is_house_number_only(&cell.text) => {
                message!("not a house number")
            }
            None if begins.is_none_or(|rest| rest.starts_with(char::is_alphanumeric)) => {
                return (Some(&cell.text), text);
            }
            _ => message!(
                "the street already has a house number: `{}`; keep one of the two",
                excerpt(text)
            ),
        };
        self.error(Field::HouseNumber, Some(cell.column), message);
        split
    }

    /// The street with the directions and types that it does not have yet, in the order of their columns.
    fn with_direction_and_type(&mut self, street: &CellValue<'a>, name: &str) -> String {
        let columns = self.columns;
        let cell = StreetCell::parse(name, self.postal_code());
        let (mut front, mut back) = (Vec::new(), Vec::new());
        let mut has_type = false;
        for field in [Field::StreetDirection, Field::StreetType] {
            let is_type = field == Field::StreetType;
            for &column in columns.indexes_of(field) {
                let Some(part) = self.value(field, column) else {
                    continue;
                };
                let header = &self.columns.headers()[column];
                // A street with its type has the words behind it too.
                if has_type && fold_cell(header) == LINK {
                    continue;
                }
                if is_type && known_field(header).is_none() && !may_be_street_type(&part.text) {
                    let message =
                        message!("`{}` is not a street type; not sent", excerpt(&part.text));
                    self.warn(field, column, message);
                    continue;
                }
                let relation = if is_type {
                    cell.with_type(&part.text)
                } else {
                    cell.with_direction(&part.text)
                };
                let is_in_front = if is_type {
                    let is_french =
                        fold_cell(header) == GENERIC && GENERIC_TYPES.has(&fold_cell(&part.text));
                    cell.follows_type(&part.text)
                        || column < street.column && (is_french || !cell.precedes_type(&part.text))
                } else {
                    column < street.column
                };
                if matches!(relation, StreetPart::Second | StreetPart::Contradicted) {
                    let message = message!(
                        "the street `{}` has another direction or type",
                        excerpt(&street.text)
                    );
                    self.warn(field, column, message);
                }
                has_type |= is_type && relation == StreetPart::Present;
                match relation {
                    StreetPart::Present | StreetPart::Contradicted => {}
                    _ if is_in_front => front.push(part),
                    _ => back.push(part),
                }
            }
        }
        if front.is_empty() && back.is_empty() {
            return name.to_owned();
        }
        front.sort_by_key(|part| part.column);
        back.sort_by_key(|part| part.column);
        let front: String = front.iter().flat_map(|part| [&*part.text, " "]).collect();
        // `de l'` stands in front of `Outaouais`.
        let front = front.replace("' ", "'").replace("’ ", "’");
        let back: String = back.iter().flat_map(|part| [" ", &*part.text]).collect();
        front + &cell.street + &back + &cell.unit
    }

    /// The row's postal code as written.
    pub(super) fn postal_code(&self) -> &'a str {
        let column = self.columns.supplying(Field::PostalCode);
        column.map_or("", |column| self.row.cell(column).text)
    }
}

/// Whether a street begins with its house number, unlike the names `200 S` and `7 Mile Rd`, which a number may precede.
fn has_own_number(street: &str) -> bool {
    const DIRECTIONS: [&str; 8] = ["n", "s", "e", "w", "north", "south", "east", "west"];
    let mut words = street.split_whitespace().skip(1).map(|word| {
        let word = word.trim_end_matches(['.', ',']);
        word.to_lowercase()
    });
    let first = words.next().unwrap_or_default();
    let is_name = first == "mile" || DIRECTIONS.contains(&first.as_str()) && words.next().is_none();
    has_house_number(street) && !is_name
}

fn without_zeros(number: &str) -> &str {
    number.trim_start_matches('0')
}
