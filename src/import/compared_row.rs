//! Compares a corrected row of rejects with a rejected row of the original.

use std::collections::BTreeMap;

use crate::import::row_cells::{has_contact, is_numbered, street_of};
use crate::model::{AddressKey, AddressMatch, Field, StreetAddress};

/// A row, prepared for comparison.
pub(super) struct ComparedRow {
    /// In lower case.
    pub(super) fields: BTreeMap<String, String>,
    pub(super) house: Option<StreetAddress>,
    /// Whether the house has a number.
    is_numbered: bool,
    /// Whether the service refused the row, perhaps because there is no such address.
    pub(super) is_refused: bool,
    /// The first word of the street, where a house number stands.
    first_word: Option<String>,
    /// An address in one cell that cannot be split, so that it does not tell the house.
    unsplit: Option<String>,
}

impl ComparedRow {
    pub(super) fn new(mut fields: BTreeMap<String, String>) -> Self {
        let house = street_of(&fields);
        let is_numbered = is_numbered(&fields);
        for text in fields.values_mut() {
            *text = text.to_lowercase();
        }
        let whole = fields.get(Field::Address.name());
        let unsplit = whole.filter(|text| AddressKey::parse_whole(text).is_none());
        let unsplit = unsplit.cloned();
        let mut streets = [Field::HouseNumber, Field::Line1, Field::Address].into_iter();
        let street = streets.find_map(|field| fields.get(field.name()));
        let first_word = street.and_then(|street| street.split_whitespace().next());
        let first_word = first_word.map(str::to_owned);
        // A whole address that could not be split is corrected with commas and line breaks.
        if let Some(address) = fields.get_mut(Field::Address.name()) {
            address.retain(char::is_alphanumeric);
        }
        Self {
            fields,
            house,
            is_numbered,
            is_refused: false,
            first_word,
            unsplit,
        }
    }

    pub(super) fn id(&self) -> Option<&str> {
        self.fields.get(Field::Id.name()).map(String::as_str)
    }

    fn has_id_of(&self, other: &Self) -> bool {
        self.id().is_some() && self.id() == other.id()
    }

    fn has_units_of(&self, other: &Self) -> bool {
        let [own, others] = [self, other].map(|row| row.house.as_ref().map(StreetAddress::units));
        own == others
    }

    fn house_beside(&self, other: &Self) -> AddressMatch {
        let address = |row: &Self| row.fields.get(Field::Address.name()).cloned();
        if address(self).is_some_and(|own| address(other) == Some(own)) {
            return AddressMatch::SameHouse;
        }
        let houses = self.house.as_ref().zip(other.house.as_ref());
        houses.map_or(AddressMatch::Different, |(one, other)| one.compare(other))
    }

    pub(super) fn has_house_of(&self, other: &Self) -> bool {
        let house = self.house_beside(other);
        matches!(house, AddressMatch::SameHouse | AddressMatch::NearStreet)
    }

    /// Whether this may be the corrected version of the other row: it has the same id or house, if there was any, and
    /// most of the other identifying cells.
    pub(super) fn corrects(&self, before: &Self) -> bool {
        let house = self.house_beside(before);
        let is_its_house = self.has_house_of(before);
        let had_neither = before.house.is_none() && !before.fields.contains_key(Field::Id.name());
        let of_address = self.equal_cells(before, |field| {
            identifies(field) && is_part_of_address(field)
        });
        // The same unit of a house in other cells, as when it was moved into the street, is an equal cell at least.
        let of_address = if house == AddressMatch::SameHouse && self.has_units_of(before) {
            of_address.max(1)
        } else {
            of_address
        };
        let others = self.equal_cells(before, |field| {
            identifies(field) && !is_part_of_address(field)
        });
        (self.has_id_of(before) || is_its_house || had_neither) && of_address + others > 0
            || self.completes(before)
    }

    /// Whether this is the other row, which had neither an id nor a house number, with an address: `TBD`,
    /// `same as above`, a date; with another street beside its number in a cell of its own; with an address that could
    /// not be split before; or with another one than the service refused. All of its other cells are the same.
    fn completes(&self, before: &Self) -> bool {
        let number = before.fields.get(Field::HouseNumber.name());
        let has_number = number.is_some() && number == self.fields.get(Field::HouseNumber.name());
        before.id().is_none()
            && (!before.is_numbered
                || before.is_refused
                || has_number
                || self.has_number_of_unsplit(before))
            && self.is_numbered
            && has_contact(&before.fields)
            && before.fields.iter().all(|(field, text)| {
                is_part_of_address(field) || self.fields.get(field) == Some(text)
            })
    }

    /// Whether the other row had an address that could not be split, with the house number of this one among its words.
    fn has_number_of_unsplit(&self, before: &Self) -> bool {
        let (number, whole) = (self.first_word.as_deref(), before.unsplit.as_ref());
        whole.is_some_and(|whole| {
            let mut words = whole.split(|c: char| !c.is_alphanumeric());
            words.any(|word| Some(word) == number)
        })
    }

    pub(super) fn similarity(&self, before: &Self) -> RowSimilarity {
        RowSimilarity {
            has_id: self.has_id_of(before),
            has_house: self.house_beside(before) == AddressMatch::SameHouse,
            cells: self.equal_cells(before, |_| true),
        }
    }

    /// Among the cells that both rows have, the number of equal ones minus the number of different ones. One that is in
    /// another column now had moved there because a delimiter was missing or typed twice, and does not count.
    fn equal_cells(&self, before: &Self, counts: impl Fn(&str) -> bool) -> i64 {
        let fields = before.fields.iter().filter(|(field, _)| counts(field));
        fields
            .filter_map(|(field, before)| Some((before, self.fields.get(field)?)))
            .map(|(before, now)| {
                let has_moved = || self.fields.values().any(|text| text == before);
                if before == now {
                    1
                } else if has_moved() {
                    0
                } else {
                    -1
                }
            })
            .sum()
    }
}

/// How similar a corrected row is to a rejected row; ordered by the first field, then by the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct RowSimilarity {
    pub(super) has_id: bool,
    pub(super) has_house: bool,
    /// Number of equal cells minus the number of different ones.
    cells: i64,
}

impl RowSimilarity {
    /// Whether the row with this similarity may be the original rather than the other.
    pub(super) fn rivals(self, other: Self) -> bool {
        let decided = (self.has_id, self.has_house) == (other.has_id, other.has_house);
        self.has_id && !other.has_id
            || self.has_house && !other.has_house
            || decided && self.cells >= other.cells
    }
}

/// Whether the field is the address or a part of it.
fn is_part_of_address(field: &str) -> bool {
    let is_part = |field: Field| field == Field::Address || field.is_address_part();
    Field::from_name(field).is_some_and(is_part)
}

/// Whether the values of a field usually differ between customers of one city.
fn identifies(field: &str) -> bool {
    let shared = [
        Field::Line2,
        Field::City,
        Field::Region,
        Field::PostalCode,
        Field::Country,
        Field::Notes,
        Field::Url,
        Field::Label,
    ];
    !shared.map(Field::name).contains(&field)
}
