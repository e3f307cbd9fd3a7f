//! Several addresses side by side, such as a billing and a service address: distinguished by titles above the headers, or
//! by the first words of the headers.

use std::collections::BTreeMap;

use crate::model::{Field, RowNumber};
use crate::sheet::SheetError;
use crate::sheet::column_of;
use crate::table::address_places::{AddressPlace, address_places, fields};
use crate::table::columns::PARTS;
use crate::table::synonyms::{Meaning, fold};
use crate::table::table_head::{CandidateRow, TableHead};

/// The columns of each address.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct AddressBlocks {
    pub(super) blocks: Vec<AddressBlock>,
    /// The columns without words of the only place, which is sent with another street if the user names each part.
    shared: Vec<usize>,
    /// The columns of units that stand beside no particular address.
    pub(super) units_outside: Vec<usize>,
    /// Number of the first rows in which the addresses differ, and of those rows.
    differing: (usize, usize),
}

/// Columns of one address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct AddressBlock {
    /// The title above the columns, and the words in front of their headers; both empty for neither.
    pub(super) title: String,
    pub(super) set: Option<String>,
    /// The user's name for it.
    pub(super) name: String,
    pub(super) columns: Vec<(usize, Field)>,
    /// Whether the order of the columns tells it from the others, even without a street.
    pub(super) is_ordered: bool,
}

/// The row of titles that distinguish addresses.
pub(super) fn address_titles(headers: &TableHead) -> Option<RowNumber> {
    let titled = headers
        .blocks()
        .blocks
        .iter()
        .filter(|block| block.is_address() && !block.title.is_empty());
    headers.titles_row.filter(|_| titled.count() > 1)
}

impl AddressBlock {
    pub(super) fn has(&self, field: Field) -> bool {
        self.columns.iter().any(|(_, other)| *other == field)
    }

    /// Whether it has a street and a city or code, so that it is an address of its own.
    pub(super) fn is_address(&self) -> bool {
        self.is_ordered
            || self.has(Field::Line1) && (self.has(Field::City) || self.has(Field::PostalCode))
    }

    fn is_told(&self) -> bool {
        self.is_ordered || !self.title.is_empty() || self.set.is_some()
    }

    /// The first column of a field.
    pub(super) fn column_of(&self, field: Field) -> Option<usize> {
        let column = self.columns.iter().find(|(_, other)| *other == field);
        column.map(|(column, _)| *column)
    }

    /// The text of a field in a row, for comparison; `None` if it is empty.
    fn text(&self, field: Field, row: &CandidateRow) -> Option<String> {
        Some(fold(row.cells.get(self.column_of(field)?)?)).filter(|text| !text.is_empty())
    }

    /// Whether a row has another address here than in `other`.
    fn differs_from(&self, other: &Self, row: &CandidateRow) -> bool {
        self.columns.iter().any(|(_, field)| {
            let texts = (self.text(*field, row), other.text(*field, row));
            matches!(texts, (Some(one), Some(other)) if one != other)
        })
    }

    pub(super) fn has_column(&self, column: usize) -> bool {
        self.indices().any(|index| index == column)
    }

    pub(super) fn indices(&self) -> impl Iterator<Item = usize> {
        self.columns.iter().map(|(index, _)| *index)
    }
}

impl AddressBlocks {
    /// Groups the address columns: by the words in front of their headers, and without any by the order of the places.
    pub(super) fn find(headers: &TableHead) -> Self {
        let (sets, meanings) = (headers.sets(), headers.meanings());
        let places = address_places(headers, sets, meanings);
        let has_whole = fields(meanings).any(|(_, field)| field == Field::Address);
        let countries = fields(meanings).filter(|(_, field)| *field == Field::Country);
        // A single country column applies to all addresses.
        let has_countries = countries.count() >= places.len();
        let mut found = Self::default();
        found.blocks.extend(places.iter().map(|place| AddressBlock {
            is_ordered: places.len() > 1 && !has_whole,
            ..place_block(place, headers)
        }));
        for (column, field) in fields(meanings).filter(|(_, field)| field.is_address_part()) {
            let set = sets.set_of(&headers.names[column]);
            let in_order = || places.iter().position(|one| one.columns.contains(&column));
            let is_own = |at: &usize| found.blocks[*at].set.as_deref() == set;
            let of_words = || {
                in_order()
                    .filter(is_own)
                    .or_else(|| (0..places.len()).find(is_own))
            };
            let of_street = || places.iter().position(|one| one.street == Some(column));
            let in_place = || places.iter().position(|one| one.place.contains(&column));
            let block = match field {
                Field::Line1 if of_street().is_some() => of_street(),
                Field::Country if set.is_none() && !has_countries => None,
                Field::City | Field::Region | Field::PostalCode if in_place().is_some() => {
                    in_place()
                }
                _ if set.is_some() => of_words(),
                Field::Line1 => None,
                Field::Line2 if places.len() > 1 => place_of_unit(column, &places, meanings),
                _ => in_order(),
            };
            match block {
                Some(block) => found.blocks[block].columns.push((column, field)),
                None if field == Field::Line2 && set.is_none() => found.units_outside.push(column),
                None => found.add_other((column, field), places.len(), headers),
            }
            if places.len() == 1 && set.is_none() && field != Field::Line1 {
                found.shared.push(column);
            }
        }
        found.blocks.retain(|block| !block.columns.is_empty());
        found.name(headers);
        found.count_differing(&headers.below);
        found
    }

    /// Adds a column that belongs to none of the places to those with its words.
    fn add_other(&mut self, part: (usize, Field), places: usize, headers: &TableHead) {
        let title = headers.title_of(part.0).to_owned();
        let set = headers.sets().set_of(&headers.names[part.0]);
        let set = set.map(str::to_owned);
        // A street without its own city must not be combined with another address; a shared country or region applies
        // to each address.
        let may_join = set.is_some() || places == 0;
        let of_words =
            |block: &&mut AddressBlock| may_join && block.title == title && block.set == set;
        match self.blocks[places..].iter_mut().rfind(of_words) {
            Some(block) => block.columns.push(part),
            None => self.blocks.push(AddressBlock {
                title,
                set,
                name: String::new(),
                columns: vec![part],
                is_ordered: false,
            }),
        }
    }

    /// Counts the rows whose addresses differ.
    fn count_differing(&mut self, rows: &[CandidateRow]) {
        let addresses: Vec<&AddressBlock> = self.addresses().collect();
        let [first, others @ ..] = &addresses[..] else {
            return;
        };
        // Totals and footers have no street.
        let has_street = |row: &&CandidateRow| {
            addresses
                .iter()
                .any(|one| one.text(Field::Line1, row).is_some())
        };
        let rows: Vec<&CandidateRow> = rows.iter().filter(has_street).collect();
        let differs =
            |row: &&&CandidateRow| others.iter().any(|other| other.differs_from(first, row));
        self.differing = (rows.iter().filter(differs).count(), rows.len());
    }

    /// The blocks that are addresses of their own.
    pub(super) fn addresses(&self) -> impl Iterator<Item = &AddressBlock> {
        self.blocks.iter().filter(|block| block.is_address())
    }

    /// The address with that title.
    pub(super) fn by_name(&self, asked: &str) -> Option<&AddressBlock> {
        let short = |text: &str| {
            let folded = fold(text);
            folded
                .strip_suffix("address")
                .map_or(folded.clone(), str::to_owned)
        };
        let mut addresses = self.addresses();
        addresses.find(|block| short(&block.name) == short(asked))
    }

    /// The columns that do not belong to the address with that title, or with a column of those letters.
    ///
    /// # Errors
    /// [`SheetError::NoSuchAddress`] for a title that no address has.
    pub(super) fn without(&self, asked: &str) -> Result<Vec<usize>, SheetError> {
        let by_column = || {
            let column = column_of(asked)?;
            self.addresses().find(|block| block.has_column(column))
        };
        match self.by_name(asked).or_else(by_column) {
            Some(block) => Ok(self.all_but(block)),
            None => Err(SheetError::NoSuchAddress {
                asked: asked.to_owned(),
                blocks: self.titles(),
            }),
        }
    }

    /// The columns that do not belong to the only address, or to the one of which the user mapped a street or another
    /// part. `asked` are the columns that the user mapped.
    ///
    /// # Errors
    /// [`SheetError::SeveralAddresses`] when the user has to say which one is meant.
    pub(super) fn without_unasked(
        &self,
        asked: &BTreeMap<Field, Vec<usize>>,
    ) -> Result<Vec<usize>, SheetError> {
        let asked = PARTS.iter().find_map(|part| {
            let column = asked.get(part)?.first()?;
            let mut blocks = self.blocks.iter();
            blocks.find(|block| {
                (*part == Field::Line1 || block.is_address()) && block.has_column(*column)
            })
        });
        match asked {
            Some(block) => Ok(self.all_but(block)),
            None if self.addresses().count() < 2 => Ok(Vec::new()),
            None => Err(SheetError::SeveralAddresses {
                blocks: self.titles(),
                differing: self.differing,
                missing: Vec::new(),
            }),
        }
    }

    fn all_but(&self, wanted: &AddressBlock) -> Vec<usize> {
        // A column of no particular address is kept, for instance one country for both.
        let is_other = |block: &&AddressBlock| {
            *block != wanted
                && (block.has(Field::Line1) || (wanted.is_address() && block.is_told()))
        };
        let others = self.blocks.iter().filter(is_other);
        let columns = others.flat_map(AddressBlock::indices);
        let place = [Field::City, Field::Region, Field::PostalCode];
        let has_place = place.iter().any(|field| wanted.has(*field));
        let is_own = |column: &usize| !has_place && self.shared.contains(column);
        let columns = columns.filter(|column| !is_own(column));
        columns.chain(self.units_outside.iter().copied()).collect()
    }
}

/// The address of a place, still without columns.
fn place_block(place: &AddressPlace, headers: &TableHead) -> AddressBlock {
    let columns = place.street.into_iter().chain(place.place.clone());
    let mut sets = columns.map(|column| headers.sets().set_of(&headers.names[column]));
    AddressBlock {
        title: headers.title_of(place.place.start).to_owned(),
        set: sets.find_map(|set| set.map(str::to_owned)),
        name: String::new(),
        columns: Vec::new(),
        is_ordered: false,
    }
}

/// The address that a unit stands in, or the street in front of it; otherwise the only one directly beside it.
fn place_of_unit(
    unit: usize,
    places: &[AddressPlace],
    meanings: &[Option<Meaning>],
) -> Option<usize> {
    let is_other = |column: &usize| meanings[*column].is_none_or(|one| one.field != Field::Line2);
    let has = |column: usize| {
        let mut owners = places.iter();
        owners.position(|one| one.street == Some(column) || one.place.contains(&column))
    };
    let front = (0..unit).rfind(is_other);
    let back = (unit + 1..meanings.len()).find(is_other);
    let inside = |one: &AddressPlace| {
        let street = one.street.unwrap_or(one.place.start);
        (street.min(one.place.start)..street.max(one.place.end)).contains(&unit)
    };
    match (front.and_then(has), back.and_then(has)) {
        (Some(one), _) if front == places[one].street => Some(one),
        (Some(one), None) | (None, Some(one)) => Some(one),
        _ => places.iter().position(inside),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blocks(titles: &str, headers: &str) -> AddressBlocks {
        let cells = |text: &str| text.split(',').map(str::to_owned).collect();
        let mut headers = TableHead::new(None, cells(headers));
        headers.titles = cells(titles);
        AddressBlocks::find(&headers)
    }

    fn asked(blocks: &AddressBlocks) -> Vec<(String, String, String)> {
        match blocks.without_unasked(&BTreeMap::new()) {
            Err(SheetError::SeveralAddresses { blocks, .. }) => blocks
                .into_iter()
                .map(|block| (block.title, block.columns, block.answer))
                .collect(),
            _ => Vec::new(),
        }
    }

    fn block(title: &str, columns: &str, answer: &str) -> (String, String, String) {
        (title.to_owned(), columns.to_owned(), answer.to_owned())
    }

    const TITLED: &str = "Id,Name,Street,City,State,Zip,Street,City,State,Zip,Notes";

    #[test]
    fn titles_above_the_headers_tell_addresses_apart() {
        let blocks = blocks("Customer,,Billing address,,,,Service property", TITLED);
        assert_eq!(
            asked(&blocks),
            [
                block("Service property", "G–J", "Service property"),
                block("Billing address", "C–F", "Billing address")
            ]
        );
        for title in ["Service property", "service PROPERTY", "H"] {
            assert_eq!(blocks.without(title).unwrap(), [2, 3, 4, 5], "{title}");
        }
        assert_eq!(
            blocks
                .without_unasked(&BTreeMap::from([(Field::Line1, vec![2])]))
                .unwrap(),
            [6, 7, 8, 9]
        );
        assert!(blocks.without("Shipping").is_err());
    }

    #[test]
    fn words_in_front_of_the_headers_tell_addresses_apart() {
        let headers = "Id,Mailing Street,Mailing City,Mailing State,Other Street,Other City,Other State,Country";
        let blocks = blocks("", headers);
        assert_eq!(
            asked(&blocks),
            [
                block("Other", "E–G", "Other"),
                block("Mailing", "B–D", "Mailing")
            ]
        );
        // One country for both stays.
        assert_eq!(blocks.without("Mailing Address").unwrap(), [4, 5, 6]);
    }

    #[test]
    fn words_that_are_not_in_the_list_tell_addresses_apart_too() {
        let headers = "Client,Email,Phone,Billing street,Billing city,Billing province,Billing postal code,\
            Service property street,Service property city,Service property province,Service property postal code";
        let blocks = blocks("", headers);
        assert_eq!(
            asked(&blocks),
            [
                block("Service property", "H–K", "Service property"),
                block("Billing", "D–G", "Billing")
            ]
        );
        for asked in ["Service property", "H"] {
            assert_eq!(blocks.without(asked).unwrap(), [3, 4, 5, 6], "{asked}");
        }
        assert_eq!(blocks.without("Billing").unwrap(), [7, 8, 9, 10]);
    }

    #[test]
    fn addresses_without_titles_go_by_their_columns() {
        assert_eq!(
            asked(&blocks("", TITLED)),
            [block("Street", "C–F", "C"), block("Street", "G–J", "G")]
        );
        assert_eq!(
            asked(&blocks(
                "",
                "Street,City,Zip,Billing Street,Billing City,Billing Zip"
            )),
            [
                block("Street", "A–C", "Street"),
                block("Billing", "D–F", "Billing")
            ]
        );
    }

    #[test]
    fn a_house_number_stays_with_the_address_of_its_words() {
        let headers = "Id,Installation Address,Installation City,Installation Zip,\
            Customer House Number,Customer Street Name,Customer City,Customer Zip";
        assert_eq!(
            asked(&blocks("", headers)),
            [
                block("Installation", "B–D", "Installation"),
                block("Customer", "E–H", "Customer")
            ]
        );
    }

    #[test]
    fn one_address_asks_nothing() {
        for (titles, headers) in [
            ("Customers,,,Exported today", "Street,City,State,Zip"),
            ("", "Billing Street,Service Street,City,State,Zip"),
            ("", "Street,Street 2,City,State,Zip"),
        ] {
            assert!(asked(&blocks(titles, headers)).is_empty(), "{headers}");
        }
    }
}
