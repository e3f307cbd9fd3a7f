//! Columns without a meaning whose cells look like a part of the address or a contact: the user is warned of them.

use std::ops::Range;

use crate::model::{
    Field, WordList, bare_unit, has_digit, has_only_digits, is_street_direction, is_unit_text,
};
use crate::sheet::column_letters;
use crate::table::columns::{Columns, PARTS};
use crate::table::contact_columns::{NAMES, contacts_of_others};
use crate::table::near_columns::{
    has_answers, has_values, has_word, is_of_no_customer, names_contact_of_customer,
};
use crate::table::options::TableOptions;
use crate::table::street_columns::{
    are_house_numbers, completes_streets, has_street_types, is_number_suffix, names_number,
};
use crate::table::synonyms::{fold_cell, header_meaning};
use crate::table::table_head::TableHead;
use crate::table::unit_columns::is_unit;

static UNIT_HEADERS: WordList = WordList::new("unit_headers");
static COUNTS: WordList = WordList::new("counts");

impl Columns {
    /// The columns that feed no field though their cells look like one: parts of the address from house number to city,
    /// and a phone or email.
    pub(super) fn unused_parts(&self, head: &TableHead) -> Vec<(u32, Field)> {
        let of_street = self.columns_of_street();
        // Elsewhere, a unit may be that of another street.
        let is_only_street = self.other_streets.is_empty() && head.groups().addresses().count() < 2;
        let names = NAMES.map(|name| self.indexes_of(name)).concat();
        let of_others = contacts_of_others(head, &names);
        let is_own = |column: usize| of_others.iter().all(|(other, _)| *other != column);
        let unnamed = self.unnamed.iter().map(|(column, _)| (*column, ""));
        let unused = self.unused_columns().chain(unnamed);
        let unused = unused.filter(|(column, _)| {
            *column < self.before_results() && is_own(*column) && !has_answers(head, *column)
        });
        let parts = unused.filter_map(|(column, header)| {
            let part = || self.part(head, (column, header));
            // Elsewhere, `front` may be a gutter's side, and `LOT 19` a parcel.
            let is_named = has_word(header, &UNIT_HEADERS);
            let is_own_unit = |cell: &str| {
                is_unit_text(cell)
                    && (is_named || has_digit(cell) && !fold_cell(cell).starts_with("lot"))
            };
            let is_of_street = of_street.contains(&column)
                || is_only_street
                    && (are_units_or_numbers(head, column, &is_own_unit) || names_number(header));
            let is_own = is_of_street && !self.belongs_to_other_address(head, column);
            // A unit of which the columns beside it do not tell to which street it belongs.
            let is_open = head.groups().outside.contains(&column);
            let is_unit = head.meanings()[column].is_some_and(|one| one.field == Field::Line2);
            let unit = (is_open && is_unit).then_some(Field::Line2);
            let part = is_own.then(part).flatten().or(unit);
            let field = part.or_else(|| self.contact(head, (column, header)))?;
            Some((u32::try_from(column).ok()?, field))
        });
        parts.collect()
    }

    /// The columns that would feed contacts and notes if the user had not named others for these fields.
    pub(super) fn replaced_by_map(
        &self,
        head: &TableHead,
        options: &TableOptions,
    ) -> Vec<(u32, Field)> {
        const FIELDS: [Field; 3] = [Field::Email, Field::Phone, Field::Notes];
        let (mapped, others): (Vec<_>, Vec<_>) = options
            .map
            .iter()
            .cloned()
            .partition(|(field, _)| FIELDS.contains(field));
        if mapped.is_empty() {
            return Vec::new();
        }
        let without = TableOptions {
            map: others,
            ..options.clone()
        };
        let is_mapped = |field: &Field| mapped.iter().any(|(mapped, _)| mapped == field);
        let Ok((without, _)) = Self::from_known_headers(head, &without) else {
            return Vec::new();
        };
        let is_unused = |column: usize| self.unused_columns().any(|(unused, _)| unused == column);
        let fields = FIELDS.into_iter().filter(is_mapped);
        let columns = fields.flat_map(|field| {
            without
                .indexes_of(field)
                .iter()
                .map(move |one| (*one, field))
        });
        columns
            .filter(|(column, _)| is_unused(*column))
            .filter_map(|(column, field)| Some((u32::try_from(column).ok()?, field)))
            .collect()
    }

    /// Whether a column has the words of another address than the one that is sent, such as `Unit Bill To` beside
    /// `City Bill To`.
    fn belongs_to_other_address(&self, head: &TableHead, column: usize) -> bool {
        let words = |column: usize| head.qualifiers().of(column);
        let is_same = |other: &usize| *other != column && words(*other) == words(column);
        let is_own = self.indexes_of(Field::Line1).iter().any(is_same);
        // `StN_PosTyp` and `StN_PosDir` are no address.
        let is_part = |other: usize| {
            let is_named = |part: &Field| head.qualifiers().is_named(other, *part);
            is_same(&other) && PARTS.iter().any(is_named)
        };
        !words(column).is_empty() && !is_own && (0..head.names.len()).any(is_part)
    }

    /// The columns between house number and city.
    fn columns_of_street(&self) -> Range<usize> {
        let first = |field: &Field| self.indexes_of(*field).first().copied();
        let street = first(&Field::Line1).unwrap_or_default();
        let number = first(&Field::HouseNumber).unwrap_or(street);
        let places = PARTS.iter().filter_map(first);
        let place = places.filter(|place| *place > street).min();
        number.min(street)..place.unwrap_or_default()
    }

    /// The part of the address that the cells of a column look like.
    fn part(&self, head: &TableHead, (column, header): (usize, &str)) -> Option<Field> {
        let mostly = |fits: &dyn Fn(&str) -> bool| head.are_mostly(column, 8, fits);
        let is_of_units = header_meaning(header).is_none()
            && has_word(header, &UNIT_HEADERS)
            && !has_word(header, &COUNTS);
        let has = |field| self.indexes_of(field).iter().any(|other| *other < column);
        let street = self.indexes_of(Field::Line1).first();
        let completes = |street: &usize| completes_streets(head, (column, *street));
        if mostly(&is_street_direction) {
            Some(Field::StreetDirection)
        } else if has(Field::HouseNumber) && has_street_types(head, column)
            || street.is_some_and(completes)
        {
            Some(Field::StreetType)
        } else if are_units_or_numbers(head, column, &is_signed_unit)
            || is_of_units && mostly(&|cell| is_unit(cell, ""))
        {
            Some(Field::Line2)
        } else {
            // Elsewhere, a letter may be a person's initial or a block.
            let numbers = self.indexes_of(Field::HouseNumber);
            let is_behind_number = numbers.iter().any(|number| {
                let before_street = street.is_some_and(|street| column < *street);
                number + 1 == column || *number < column && before_street
            });
            let is_number =
                |street: &usize| names_number(header) && are_house_numbers(head, (column, *street));
            let is_of_house = is_behind_number && mostly(&is_number_suffix)
                || numbers.is_empty() && street.is_some_and(is_number);
            is_of_house.then_some(Field::HouseNumber)
        }
    }

    /// The contact that a column of the customer looks like.
    fn contact(&self, head: &TableHead, (column, header): (usize, &str)) -> Option<Field> {
        let is_open = !self.are_of_colleagues(head, column)
            && !is_of_no_customer(header)
            && !fold_cell(header).contains("fax");
        // Elsewhere, ten digits alone may be any number.
        let is_named = names_contact_of_customer(header);
        let is_grouped = |cell: &str| {
            let groups = cell.rsplit(|c: char| !c.is_ascii_digit()).map(str::len);
            let mut groups = groups.filter(|length| *length > 0);
            cell.contains('@')
                || groups.by_ref().take(3).eq([4, 3, 3])
                || is_named && is_us_phone(cell)
        };
        let fits = |field: &Field| {
            has_values(head, column, *field) && head.are_mostly(column, 8, is_grouped)
        };
        let mut fields = [Field::Phone, Field::Email].into_iter();
        fields.find(|field| is_open && fits(field))
    }

    /// The columns that look like contacts and are not sent.
    pub(crate) fn unused_contacts(&self) -> impl Iterator<Item = (Field, usize)> {
        let contacts = self.unused_parts.iter();
        let contacts = contacts.filter(|(_, field)| field.is_contact());
        contacts.map(|(column, field)| (*field, *column as usize))
    }

    /// The flags by which a column feeds a field besides those that feed it already.
    pub(crate) fn flags_with(&self, field: Field, column: Option<usize>) -> String {
        let mut columns = self.indexes_of(field).to_vec();
        columns.extend(column);
        columns.sort_unstable();
        let flag = |column| format!("--map {field}={}", column_letters(column));
        let flags: Vec<String> = columns.into_iter().map(flag).collect();
        flags.join(" ")
    }
}

/// Whether a cell has only the ten digits of a phone number, with or without the code of the country.
fn is_us_phone(cell: &str) -> bool {
    let digits = cell.strip_prefix('1').filter(|rest| rest.len() == 10);
    let digits = digits.unwrap_or(cell);
    digits.len() == 10 && has_only_digits(digits) && !digits.starts_with(['0', '1'])
}

/// Whether a cell is a unit with its word, or with a sign: `#5`.
fn is_signed_unit(cell: &str) -> bool {
    is_unit_text(cell) || cell.starts_with('#') && bare_unit(cell).is_some()
}

/// Whether the cells of a column are units: among at least as many others, a number alone is one too.
fn are_units_or_numbers(head: &TableHead, column: usize, is_unit: &dyn Fn(&str) -> bool) -> bool {
    head.are_mostly(column, 5, is_unit)
        && head.are_mostly(column, 8, |cell| is_unit(cell) || has_only_digits(cell))
}
