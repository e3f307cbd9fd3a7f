//! The qualifiers of a sheet's address headers: the words besides the name of the field, as `Service` in `Service Street`
//! or `Roof` in `City (Roof)`.

use std::collections::{BTreeMap, BTreeSet};

use crate::model::Field;
use crate::table::near_columns::word_ends;
use crate::table::synonyms::{
    HeaderMeaning, fold_cell, header_meaning, is_street_name, listed_front, listed_qualifier,
    qualifier_of_street_name, unlisted_front, without_line_number, words_behind,
};

/// Words for an address that is not a house's: Outlook has `Business Street` beside `Home Street` for every contact.
const OF_NO_HOUSE: &str = "business";

/// The qualifiers of the headers, in their order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Qualifiers {
    headers: Vec<QualifiedHeader>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct QualifiedHeader {
    /// Folded; empty for none.
    qualifier: String,
    /// Whether it is not in the list and stands in front, so that it may give the header a meaning.
    is_unlisted: bool,
    /// What the header means without its qualifier.
    named: Option<HeaderMeaning>,
    /// What it means in this sheet.
    meaning: Option<HeaderMeaning>,
}

impl Qualifiers {
    /// Finds the qualifiers of headers. Those that are not in the list give a header its meaning only beside another
    /// address, so that the user is asked: alone, they may be the words for a colleague or an office.
    pub(super) fn find(headers: &[String]) -> Self {
        let mut found: Vec<QualifiedHeader> = headers
            .iter()
            .map(|one| QualifiedHeader::new(one))
            .collect();
        // The `Adresse du chantier` of the list is that of `Ville du chantier`, and `Site` or `Site Loc` beside
        // `Site City` may be a street.
        let all: BTreeSet<String> = found.iter().map(|one| one.qualifier.clone()).collect();
        let plain = found.iter_mut().zip(headers);
        for (one, header) in plain.filter(|(one, _)| one.qualifier.is_empty()) {
            let words: Vec<String> = if one.meaning.is_some() {
                let listed = listed_front(header).map(str::to_owned);
                let words = listed.or_else(|| Some(words_behind(header)?.0));
                words.into_iter().collect()
            } else {
                let fronts = word_ends(header).map(|end| fold_cell(&header[..end]));
                fronts.chain([fold_cell(header)]).collect()
            };
            let mut of_others = words.into_iter().filter(|words| all.contains(words));
            one.qualifier = of_others
                .find(|words| !words.is_empty())
                .unwrap_or_default();
        }
        let mut fields: BTreeMap<String, Vec<Field>> = BTreeMap::new();
        let mut unlisted = Vec::new();
        for one in found
            .iter()
            .filter(|one| one.is_unlisted || one.meaning.is_some())
        {
            let of_qualifier = fields.entry(one.qualifier.clone()).or_default();
            of_qualifier.extend(one.named.map(|named| named.field));
            if one.is_unlisted {
                unlisted.push(one.qualifier.clone());
            }
        }
        // `City, State, Zip` in front of `Roof Street, Roof City, …` are of another address, whatever its street is
        // called, unless they repeat parts of a whole address.
        let has_whole = found.iter().any(|one| one.means(Field::Address));
        fields.retain(|qualifier, fields| {
            let is_place = fields.contains(&Field::City)
                && (fields.contains(&Field::Region) || fields.contains(&Field::PostalCode));
            is_address(fields) || (is_place && !has_whole && !unlisted.contains(qualifier))
        });
        if fields.len() > 1 {
            for one in &mut found {
                if one.meaning.is_none() && fields.contains_key(&one.qualifier) {
                    one.meaning = one.named;
                }
            }
        }
        Self { headers: found }
    }

    /// What the header of a column means in this sheet.
    pub(super) fn meaning(&self, column: usize) -> Option<HeaderMeaning> {
        self.headers[column].meaning
    }

    /// The qualifier of a column, folded; empty for none.
    pub(super) fn of(&self, column: usize) -> &str {
        &self.headers[column].qualifier
    }

    /// Whether a column has the name of a field, with or without a qualifier that gives it no meaning.
    pub(super) fn is_named(&self, column: usize, field: Field) -> bool {
        let named = self.headers[column].named;
        named.is_some_and(|named| named.field == field)
    }

    /// The first column with a qualifier and the name of a field.
    pub(super) fn column(&self, qualifier: &str, field: Field) -> Option<usize> {
        let mut columns = 0..self.headers.len();
        columns.find(|column| self.of(*column) == qualifier && self.is_named(*column, field))
    }
}

impl QualifiedHeader {
    fn new(header: &str) -> Self {
        let meaning = header_meaning(header);
        if meaning.is_some() {
            return Self {
                qualifier: listed_qualifier(header).unwrap_or_default().to_owned(),
                named: meaning,
                meaning,
                ..Self::default()
            };
        }
        if is_street_name(header) {
            return Self {
                qualifier: qualifier_of_street_name(header)
                    .unwrap_or_default()
                    .to_owned(),
                ..Self::default()
            };
        }
        let in_front = unlisted_front(header);
        // In French, the words stand behind: `Adresse du chantier`. A form has them in brackets.
        let is_word = |c: char| c.is_alphabetic() || matches!(c, ' ' | '\'' | '’');
        let is_unlisted = match &in_front {
            Some((words, _)) => words != OF_NO_HOUSE,
            None => without_line_number(header).0.chars().all(is_word),
        };
        if let Some((qualifier, named)) = in_front.or_else(|| words_behind(header)) {
            return Self {
                qualifier,
                is_unlisted,
                named: Some(named),
                meaning: None,
            };
        }
        Self {
            qualifier: listed_front(header).unwrap_or_default().to_owned(),
            ..Self::default()
        }
    }

    fn means(&self, field: Field) -> bool {
        self.meaning.is_some_and(|meaning| meaning.field == field)
    }
}

/// Whether fields have a street and a city or code.
fn is_address(fields: &[Field]) -> bool {
    let has = |field| fields.contains(&field);
    has(Field::Line1) && (has(Field::City) || has(Field::PostalCode))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn qualifiers(headers: &str) -> Qualifiers {
        let headers: Vec<String> = headers.split(',').map(str::to_owned).collect();
        Qualifiers::find(&headers)
    }

    fn fields(headers: &str) -> Vec<Option<Field>> {
        let qualifiers = qualifiers(headers);
        let columns = 0..qualifiers.headers.len();
        let meanings = columns.map(|column| qualifiers.meaning(column));
        meanings.map(|one| Some(one?.field)).collect()
    }

    #[test]
    fn any_words_in_front_of_an_address_give_meanings_beside_another_address() {
        let front = "Chantier du client";
        let headers =
            format!("Street,City,{front} adresse,{front} ville,{front} code postal,{front} nom");
        let found = qualifiers(&headers);
        assert_eq!(
            [2, 3, 4].map(|column| found.of(column)),
            ["chantierduclient"; 3]
        );
        let place = [Field::Line1, Field::City];
        let expected = [&place[..], &place, &[Field::PostalCode]].concat();
        let expected = expected.into_iter().map(Some).chain([None]);
        assert_eq!(fields(&headers), expected.collect::<Vec<_>>());
    }

    #[test]
    fn the_words_around_the_names_of_the_fields_are_compared() {
        let are_equal = |street: &str, city: &str| {
            let found = qualifiers(&format!("{street},{city}"));
            !found.of(0).is_empty() && found.of(0) == found.of(1)
        };
        for (street, city) in [
            ("Adresse du chantier", "Ville du chantier"),
            ("Address (Roof)", "City (Roof)"),
            ("Address - Site", "Site City"),
            ("Address_2", "City_2"),
            ("Property Location", "Property City"),
            ("Site", "Site City"),
            ("CMTE_WHERE", "CMTE_CITY"),
            ("CMTE_ST1", "CMTE_CITY"),
        ] {
            assert!(are_equal(street, city), "{street} / {city}");
        }
        for (street, city) in [
            ("Address", "City"),
            ("Roof Address", "City"),
            ("Roof Address", "Office City"),
            ("Property Address", "Velocity"),
            ("Street", "Ship City"),
        ] {
            assert!(!are_equal(street, city), "{street} / {city}");
        }
    }

    #[test]
    fn words_of_a_single_address_or_of_a_part_give_no_meaning() {
        for (headers, known) in [
            ("Office street,Office city,Office zip", 0),
            (
                "Street,City,Zip,Street (Office),City (Office),Zip (Office)",
                3,
            ),
            ("Full address,Office street,Office city,Office zip", 1),
            ("Street,City,Zip,Office city,Office zip,Email opt street", 3),
            (
                "Address 1 Street,Address 1 City,Address_2 Street,Address_2 City",
                2,
            ),
        ] {
            let found = fields(headers).iter().flatten().count();
            assert_eq!(found, known, "{headers}");
        }
    }

    #[test]
    fn the_name_of_a_field_has_no_qualifier() {
        let headers = "Address,Zip Code,City,Street Name,Address 1,Address_2 City";
        let found = qualifiers(headers);
        for (column, header) in headers.split(',').enumerate() {
            assert_eq!(found.of(column), "", "{header}");
        }
    }
}
