//! The addresses of a sheet, each a group of columns: one rule for all headers.
//!
//! Columns are of one address if the title above them and their qualifiers are equal (`qualifiers.rs`). A city, region
//! and postal code without qualifiers stand together and go with the street in front of them that has no such parts of
//! its own, or with the one behind where none stands in front. Any column of streets counts, whatever its header is.
//! What follows from the groups is in `address_choice.rs`: parts of two groups are never used together.

use std::collections::BTreeSet;

use crate::model::{Field, RowNumber, WordList};
use crate::sheet::column_of;
use crate::table::near_columns::header_words;
use crate::table::street_cells::streets_by_cells;
use crate::table::synonyms::fold_cell;
use crate::table::table_head::TableHead;

static ADDRESS_FILLERS: WordList = WordList::new("address_fillers");

/// The fields of a place.
const PLACE: [Field; 3] = [Field::City, Field::Region, Field::PostalCode];

/// The columns of each address.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct AddressGroups {
    /// From left to right.
    pub(super) groups: Vec<AddressGroup>,
    /// The columns of units, house numbers and the like that are of none of the groups.
    pub(super) outside: Vec<usize>,
    /// Whether titles above the headers distinguish them.
    is_titled: bool,
    /// Whether there is a column of whole addresses.
    pub(super) has_whole: bool,
}

/// The columns of one address.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct AddressGroup {
    /// The title above the columns, and the qualifier of their headers; both empty for none.
    pub(super) title: String,
    pub(super) qualifier: String,
    /// The user's name for it.
    pub(super) name: String,
    pub(super) columns: Vec<(usize, Field)>,
}

/// The row of titles that distinguish addresses.
pub(super) fn address_titles(head: &TableHead) -> Option<RowNumber> {
    head.titles_row.filter(|_| head.groups().is_titled)
}

impl AddressGroup {
    pub(super) fn has(&self, field: Field) -> bool {
        self.column_of(field).is_some()
    }

    /// The first column of a field.
    pub(super) fn column_of(&self, field: Field) -> Option<usize> {
        let column = self.columns.iter().find(|(_, other)| *other == field);
        column.map(|(column, _)| *column)
    }

    /// The first column of the city, region or postal code.
    pub(super) fn place(&self) -> Option<usize> {
        PLACE.iter().find_map(|field| self.column_of(*field))
    }

    pub(super) fn has_column(&self, column: usize) -> bool {
        self.indices().any(|index| index == column)
    }

    pub(super) fn indices(&self) -> impl Iterator<Item = usize> {
        self.columns.iter().map(|(index, _)| *index)
    }
}

impl AddressGroups {
    pub(super) fn find(head: &TableHead) -> Self {
        let mut parts: Vec<(usize, Field)> = head.fields().collect();
        parts.retain(|(_, field)| field.is_address_part());
        parts.extend(streets_by_cells(head).map(|street| (street, Field::Line1)));
        parts.sort_unstable();
        let streets = parts.iter().filter(|(_, field)| *field == Field::Line1);
        let titles: BTreeSet<&str> = streets.map(|(street, _)| head.title_of(*street)).collect();
        let mut grouping = Grouping {
            head,
            is_titled: titles.iter().filter(|title| !title.is_empty()).count() > 1,
            parts,
            groups: Vec::new(),
        };
        grouping.add_streets_and_qualified_places();
        grouping.add_plain_places();
        grouping.join_only_place();
        let outside = grouping.add_others();
        let mut found = Self {
            is_titled: grouping.is_titled,
            has_whole: head.fields().any(|(_, field)| field == Field::Address),
            outside,
            groups: grouping.groups,
        };
        for group in &mut found.groups {
            group.columns.sort_unstable();
        }
        found.groups.sort_by_key(|group| group.columns[0]);
        found.name(head);
        found
    }

    /// The groups that are addresses: with a street and a city or postal code, or with a place that may be another's.
    pub(super) fn addresses(&self) -> impl Iterator<Item = &AddressGroup> {
        self.groups.iter().filter(|group| {
            let has_code = group.has(Field::PostalCode);
            if group.has(Field::Line1) {
                group.has(Field::City) || has_code
            } else {
                let is_place = group.has(Field::City) && (has_code || group.has(Field::Region));
                is_place && !self.has_whole
            }
        })
    }

    /// The group of a column.
    pub(super) fn of(&self, column: usize) -> Option<&AddressGroup> {
        self.groups.iter().find(|group| group.has_column(column))
    }

    /// The address with that name, or with a column of those letters.
    pub(super) fn by_name_or_column(&self, name: &str) -> Option<&AddressGroup> {
        let by_column = || {
            let column = column_of(name)?;
            self.addresses().find(|group| group.has_column(column))
        };
        self.by_name(name).or_else(by_column)
    }

    /// The address with that name.
    pub(super) fn by_name(&self, name: &str) -> Option<&AddressGroup> {
        let short = |text: &str| {
            let folded = fold_cell(text);
            let short = folded.strip_suffix("address");
            short.map_or(folded.clone(), str::to_owned)
        };
        let mut addresses = self.addresses();
        addresses
            .find(|group| short(&group.name) == short(name))
            .or_else(|| {
                let own_words = |text: &str| -> Vec<String> {
                    let words = header_words(text).into_iter();
                    words.filter(|word| !ADDRESS_FILLERS.has(word)).collect()
                };
                let wanted = own_words(name);
                let fits =
                    |group: &&AddressGroup| !wanted.is_empty() && own_words(&group.name) == wanted;
                let mut fitting = self.addresses().filter(fits);
                fitting.next().filter(|_| fitting.next().is_none())
            })
    }
}

/// The groups while columns are added.
pub(super) struct Grouping<'a> {
    pub(super) head: &'a TableHead,
    pub(super) is_titled: bool,
    /// All columns of parts, from left to right.
    pub(super) parts: Vec<(usize, Field)>,
    pub(super) groups: Vec<AddressGroup>,
}

impl Grouping<'_> {
    pub(super) fn title(&self, column: usize) -> &str {
        if self.is_titled {
            self.head.title_of(column)
        } else {
            ""
        }
    }

    /// Whether a column has no qualifier.
    pub(super) fn is_plain(&self, column: usize) -> bool {
        self.head.qualifiers().of(column).is_empty()
    }

    pub(super) fn group_of(&self, column: usize) -> Option<usize> {
        let mut groups = self.groups.iter();
        groups.position(|group| group.has_column(column))
    }

    /// The group with the title and qualifier of a column.
    pub(super) fn qualified(&self, column: usize) -> Option<usize> {
        let qualifiers = self.head.qualifiers();
        let qualifier = qualifiers.of(column);
        let mut groups = self.groups.iter();
        groups.position(|group| {
            let mut columns = group.indices();
            let is_of_qualifier = group.qualifier == qualifier
                || columns.any(|column| qualifiers.of(column) == qualifier);
            is_of_qualifier && group.title == self.title(column)
        })
    }

    /// Adds columns to a group, or to one of their own.
    pub(super) fn add(&mut self, group: Option<usize>, columns: Vec<(usize, Field)>) {
        match group {
            Some(at) => self.groups[at].columns.extend(columns),
            None => self.groups.push(AddressGroup {
                title: self.title(columns[0].0).to_owned(),
                qualifier: self.head.qualifiers().of(columns[0].0).to_owned(),
                columns,
                ..AddressGroup::default()
            }),
        }
    }

    fn add_streets_and_qualified_places(&mut self) {
        for part in self.parts.clone() {
            let is_plain = self.is_plain(part.0);
            if part.1 == Field::Line1 || PLACE.contains(&part.1) && !is_plain {
                let own = self.qualified(part.0).filter(|_| !is_plain);
                self.add(own, vec![part]);
            }
        }
    }

    /// Adds the cities, regions and postal codes without qualifiers to the nearest street in front that they may be of.
    /// They may be of one behind if none is in front, or if all have a city and stand in front of their streets.
    fn add_plain_places(&mut self) {
        let mut places = self.plain_places();
        let streets = self
            .parts
            .iter()
            .filter(|(_, field)| *field == Field::Line1);
        let streets: Vec<usize> = streets.map(|(street, _)| *street).collect();
        let first = places.first().map_or(0, |place| place[0].0);
        let last = places.last().map_or(0, |place| place[0].0);
        let has_city = |place: &Vec<(usize, Field)>| place.iter().any(|part| part.1 == Field::City);
        let all_in_front = places.iter().all(has_city)
            && streets.iter().all(|street| *street > first)
            && streets.iter().any(|street| *street > last);
        let cities = places
            .iter()
            .filter(|place| place.len() == 1 && has_city(place));
        let cities: Vec<usize> = cities.map(|place| place[0].0).collect();
        // A street in front of a place is not that of another place behind it.
        places.sort_by_key(|place| streets.iter().all(|street| *street > place[0].0));
        for place in places {
            let (mut front, behind): (Vec<usize>, Vec<usize>) =
                streets.iter().partition(|street| **street < place[0].0);
            // A street that only its cells tell may be of the place too.
            let has_unknown = front.iter().any(|street| !self.head.is_known(*street));
            front.reverse();
            let candidates = match front {
                _ if all_in_front => behind,
                front if has_unknown => front,
                front => [front, behind].concat(),
            };
            let nearest = candidates.first().copied();
            let is_free = |street: &&usize| self.is_free(**street, &place);
            let street = candidates.iter().find(is_free).copied();
            let completed = candidates
                .into_iter()
                .find(|street| self.lacks_region(*street, &place));
            let has_none = |street| !PLACE.iter().any(|field| self.has_part(street, *field));
            let street = completed
                .filter(|_| nearest.is_some_and(has_none))
                .or(street);
            let street = street.filter(|street| !self.may_be_of_next(*street, &place, &cities));
            self.add(street.and_then(|street| self.group_of(street)), place);
        }
    }

    /// Whether a region and postal code without qualifiers, behind a street with one that has its own city, may be
    /// those of the next street too, which has nothing but a city:
    /// `Mailing Address, Mailing City, State, Zip, Address, City`.
    fn may_be_of_next(&self, street: usize, place: &[(usize, Field)], cities: &[usize]) -> bool {
        let end = place[place.len() - 1].0;
        let mut streets = self
            .parts
            .iter()
            .filter(|(_, field)| *field == Field::Line1);
        let next = streets.find(|(next, _)| *next > end).map(|(next, _)| *next);
        !self.is_plain(street)
            && self.has_part(street, Field::City)
            && street < place[0].0
            && next.is_some_and(|next| {
                self.is_plain(next) && cities.iter().any(|city| *city == next + 1)
            })
    }

    /// The columns of each place: another begins behind a street, unless that is the only one, and where a city with its
    /// region or postal code has the part already.
    fn plain_places(&self) -> Vec<Vec<(usize, Field)>> {
        let is_street = |part: &&(usize, Field)| part.1 == Field::Line1;
        let has_several_streets = self.parts.iter().filter(is_street).count() > 1;
        let is_apart = |place: &[(usize, Field)], column: usize| {
            let last = place[place.len() - 1].0;
            let between = |part: &(usize, Field)| (last..column).contains(&part.0);
            let mut streets = self.parts.iter().filter(is_street);
            self.title(last) != self.title(column) || has_several_streets && streets.any(between)
        };
        let has_later_city = |column: usize| {
            let mut later = self.parts.iter().filter(|part| part.0 > column);
            later.any(|part| part.1 == Field::City && !is_apart(&[(column, Field::City)], part.0))
        };
        let mut places: Vec<Vec<(usize, Field)>> = Vec::new();
        let plain = self
            .parts
            .iter()
            .filter(|(column, _)| self.is_plain(*column));
        for &(column, field) in plain.filter(|(_, field)| PLACE.contains(field)) {
            let is_further = places.last().is_none_or(|place| {
                let has = |wanted| place.iter().any(|(_, field)| *field == wanted);
                is_apart(place, column) || has(Field::City) && place.len() > 1 && has(field)
            });
            match places.last_mut() {
                Some(place) if !is_further => place.push((column, field)),
                // The city of `State, Zip, City, State, Zip` is that of the second place.
                Some(place) if !is_apart(place, column) && !has_later_city(column) => {
                    let city = place.pop_if(|last| last.1 == Field::City);
                    places.push(city.into_iter().chain([(column, field)]).collect());
                }
                _ => places.push(vec![(column, field)]),
            }
        }
        // One part more is a question about this part, and not another address.
        if let Some(rest) = places.pop_if(|place| place.len() == 1) {
            match places.last_mut() {
                Some(place) if !is_apart(place, rest[0].0) => place.extend(rest),
                _ => places.push(rest),
            }
        }
        places
    }

    /// Whether a place is only a region, and the address of a street has the other parts. A city or postal code alone
    /// may be that of the street in front of it.
    fn lacks_region(&self, street: usize, place: &[(usize, Field)]) -> bool {
        let [(column, Field::Region)] = *place else {
            return false;
        };
        let has = |part| self.has_part(street, part);
        self.title(street) == self.title(column)
            && !has(Field::Region)
            && has(Field::City)
            && has(Field::PostalCode)
    }

    /// Whether a place may be that of a street: it has no such parts of its own, the same title, and neither a city of
    /// another address stands between nor a street that only its cells tell.
    fn is_free(&self, street: usize, place: &[(usize, Field)]) -> bool {
        let qualifiers = self.head.qualifiers();
        let has_city = place.iter().any(|(_, field)| *field == Field::City);
        let is_other_city = |column| {
            let other = qualifiers.of(column);
            let has = |field| qualifiers.column(other, field).is_some();
            has_city
                && qualifiers.is_named(column, Field::City)
                && !["", qualifiers.of(street)].contains(&other)
                && !has(Field::Line1)
                && (has(Field::Region) || has(Field::PostalCode))
        };
        let is_other_street = |column| {
            column != street
                && self.parts.contains(&(column, Field::Line1))
                && !self.head.is_known(column)
        };
        let (start, end) = (place[0].0, place[place.len() - 1].0);
        let mut between = street.min(start)..street.max(end);
        !place.iter().any(|(_, field)| self.has_part(street, *field))
            && self.title(street) == self.title(start)
            && !between.any(|column| is_other_city(column) || is_other_street(column))
    }

    /// Whether the address of a column has a part, or a column has its qualifier and the name of the part.
    pub(super) fn has_part(&self, column: usize, field: Field) -> bool {
        let qualifiers = self.head.qualifiers();
        let own = qualifiers.of(column);
        let group = self.group_of(column).map(|at| &self.groups[at]);
        group.is_some_and(|group| group.has(field))
            || !own.is_empty() && qualifiers.column(own, field).is_some()
    }

    /// Joins parts with a qualifier with the only street if that has none, and no such parts.
    fn join_only_place(&mut self) {
        self.groups.sort_by_key(|group| !group.has(Field::Line1));
        if let [street, place] = &self.groups[..]
            && street.qualifier.is_empty()
            && !place.qualifier.is_empty()
            && !place.has(Field::Line1)
            && !place.columns.iter().any(|(_, field)| street.has(*field))
        {
            let columns = place.columns.clone();
            self.groups.truncate(1);
            self.add(Some(0), columns);
        }
    }
}
