//! Handles two streets with only one city, region and postal code: these belong to the street column before them.

use std::collections::BTreeMap;

use crate::model::{AddressKey, Field, ends_street, has_house_number};
use crate::sheet::SheetError;
use crate::table::address_blocks::AddressBlock;
use crate::table::address_choice::parts_of;
use crate::table::address_names::{house_rank, is_of_customer};
use crate::table::address_owner::{are_of_one_owner, are_of_two_owners, has_owner};
use crate::table::columns::PARTS;
use crate::table::field_columns::{ambiguous, lettered};
use crate::table::options::TableOptions;
use crate::table::synonyms::{Meaning, fold};
use crate::table::table_head::{CandidateRow, TableHead};

/// Stops at a street that would be sent with a city, region or postal code of another, unless the user named that part;
/// and at several streets of which none is chosen.
pub(super) fn check_street_of_place(
    head: &TableHead,
    fields: &BTreeMap<Field, Vec<usize>>,
    options: &TableOptions,
) -> Result<(), SheetError> {
    let column = |field: &Field| fields.get(field)?.first().copied();
    if column(&Field::Address).is_some() {
        return Ok(());
    }
    let is_asked = |field: &Field| options.map.iter().any(|(asked, _)| asked == field);
    let streets = Streets::find(head, fields, options);
    let ambiguous = |columns: &[usize]| ambiguous(&head.names, Field::Line1, columns);
    let Some(street) = streets.chosen else {
        let is_choice = streets.others.len() > 1 && column(&Field::HouseNumber).is_none();
        return if is_choice {
            Err(ambiguous(&streets.others))
        } else {
            Ok(())
        };
    };
    let place = PARTS.iter().filter(|part| **part != Field::Line1);
    let place = place.filter_map(|part| Some((*part, column(part)?)));
    let place: Vec<(Field, usize)> = place.collect();
    let of_other = place.iter().find_map(|&part| {
        let other = streets.owner(street, part);
        (other != street && !is_asked(&part.0)).then_some((part.1, other))
    });
    let Some((part, other)) = of_other else {
        let is_asked = is_asked(&Field::Line1) || options.address.is_some();
        return match streets.likelier(street).filter(|_| !is_asked) {
            Some(other) => Err(ambiguous(&[street, other])),
            None => Ok(()),
        };
    };
    if !is_asked(&Field::Line1) && options.address.is_none() {
        return Err(ambiguous(&[street.min(other), street.max(other)]));
    }
    let parts = |wanted: usize| {
        let of_street = |part: Field| {
            let is_own =
                |one: &&(Field, usize)| one.0 == part && streets.owner(street, **one) == wanted;
            place.iter().find(is_own).copied()
        };
        let is_mixed = PARTS
            .into_iter()
            .filter_map(of_street)
            .any(|part| are_of_two_owners((Field::Line1, wanted), part, head));
        parts_of(head, |field| {
            let own = of_street(field).filter(|_| !is_mixed);
            let own = own.map(|(_, column)| column);
            own.or((field == Field::Line1).then_some(wanted))
        })
    };
    Err(SheetError::TwoAddresses {
        columns: lettered(&head.names, &[street, part]),
        addresses: vec![parts(other), parts(street)],
    })
}

/// Drops a unit that stands behind another street than the chosen one, unless the user named it.
pub(super) fn drop_unit_of_other_street(
    head: &TableHead,
    fields: &mut BTreeMap<Field, Vec<usize>>,
    options: &TableOptions,
) {
    let is_asked = |field: Field| options.map.iter().any(|(asked, _)| *asked == field);
    let streets = Streets::find(head, fields, options);
    if let (Some(chosen), Some(units)) = (streets.chosen, fields.get_mut(&Field::Line2))
        && !is_asked(Field::Line2)
    {
        units.retain(|unit| streets.owner(chosen, (Field::Line2, *unit)) == chosen);
        fields.retain(|_, columns| !columns.is_empty());
    }
}

/// The streets of a sheet, and what tells which parts belong to them.
struct Streets<'a> {
    head: &'a TableHead,
    meanings: &'a [Option<Meaning>],
    chosen: Option<usize>,
    /// The address of the chosen one, if the user asked for it.
    asked: Option<&'a AddressBlock>,
    /// Those that feed no field, from left to right.
    others: Vec<usize>,
}

impl<'a> Streets<'a> {
    fn find(
        head: &'a TableHead,
        fields: &BTreeMap<Field, Vec<usize>>,
        options: &TableOptions,
    ) -> Self {
        let mut chosen = [Field::Line1, Field::Address].iter();
        let chosen = chosen.find_map(|field| fields.get(field)?.first());
        let mut streets = Self {
            head,
            meanings: head.meanings(),
            chosen: chosen.copied(),
            asked: None,
            others: Vec::new(),
        };
        if let Some(chosen) = streets.chosen.filter(|_| options.address.is_some()) {
            let mut blocks = head.blocks().addresses();
            streets.asked = blocks.find(|block| block.has_column(chosen));
        }
        let is_used = |column: &usize| fields.values().flatten().any(|used| used == column);
        let columns = 0..head.names.len();
        let others = columns.filter(|column| !is_used(column) && streets.is_street(*column));
        let is_same = |other: &usize| chosen.is_some_and(|one| streets.are_same(*one, *other));
        let others: Vec<usize> = others.filter(|other| !is_same(other)).collect();
        streets.others = others;
        streets
    }

    /// Whether a column has streets: by its header, or by its cells if the header has no meaning.
    fn is_street(&self, column: usize) -> bool {
        match self.meanings[column] {
            Some(meaning) => meaning.field == Field::Line1,
            None if self.head.names[column].trim().is_empty() => false,
            None => self.has_streets(column),
        }
    }

    /// Whether the cells of a column are streets: at least half of those that are filled, in at least half of the rows with
    /// the chosen street, or in a quarter if the header names an address. A note such as `2 miles past the mill` is not one.
    fn has_streets(&self, column: usize) -> bool {
        let is_filled = |row: &&CandidateRow| {
            self.chosen
                .is_none_or(|chosen| !text(row, chosen).is_empty())
        };
        let rows = self.head.below.iter().filter(is_filled);
        let cells: Vec<&str> = rows.map(|row| text(row, column)).collect();
        let filled = cells.iter().filter(|cell| !cell.is_empty()).count();
        let streets = cells.iter().filter(|cell| is_street(cell)).count();
        let share = if self.is_named(column) { 4 } else { 2 };
        streets > 0 && streets * 2 >= filled && streets * share >= cells.len()
    }

    /// Whether a header names an address.
    fn is_named(&self, column: usize) -> bool {
        let header = &self.head.names[column];
        let is_known = self.meanings[column].is_some();
        is_known || has_owner(header, Field::Line1) || is_of_customer(header)
    }

    /// The street whose header names the house's address more likely than that of the chosen one, such as `Job site`
    /// beside `Address`.
    fn likelier(&self, chosen: usize) -> Option<usize> {
        let house_rank = |column: &usize| house_rank(&self.head.names[*column]);
        let mut others = self.others.iter().copied();
        others.find(|other| house_rank(other) < house_rank(&chosen))
    }

    /// Whether two columns have the same houses wherever both are filled.
    fn are_same(&self, one: usize, other: usize) -> bool {
        let rows = self.head.below.iter();
        let texts = rows.map(|row| [text(row, one), text(row, other)]);
        let mut both = texts
            .filter(|texts| texts.iter().all(|text| !text.is_empty()))
            .map(|texts| texts.map(|text| AddressKey::new(text, "", None)))
            .peekable();
        both.peek().is_some() && both.all(|[one, other]| one.matches(&other))
    }

    /// The street that a part belongs to: by the words of the headers, otherwise the one in front of it without such a part
    /// of its own, or the one behind if all stand behind.
    fn owner(&self, chosen: usize, (field, column): (Field, usize)) -> usize {
        let is_part = |meaning: &Meaning| meaning.field.is_address_part();
        let parts = self.meanings.iter().enumerate();
        let parts = parts.filter_map(|(at, meaning)| Some((at, meaning.filter(is_part)?.field)));
        let is_asked = self.asked.is_some_and(|block| block.has_column(column));
        if self.others.is_empty()
            || is_asked
            || are_of_one_owner((Field::Line1, chosen), (field, column), self.head)
            || field == Field::Region && is_only_region_behind(column, parts)
        {
            return chosen;
        }
        let has_own = |street: &usize| {
            let blocks = self.head.blocks().addresses();
            let mut blocks = blocks.filter(|block| block.has_column(*street));
            blocks.any(|block| block.column_of(field).is_some_and(|own| own != column))
        };
        let rivals = self.others.iter().copied().filter(|one| !has_own(one));
        let mut streets: Vec<usize> = rivals.chain([chosen]).collect();
        streets.sort_unstable();
        let front = streets.iter().rfind(|street| **street < column);
        *front.unwrap_or(&streets[0])
    }
}

fn text(row: &CandidateRow, column: usize) -> &str {
    row.cells.get(column).map_or("", |cell| cell.trim())
}

/// Whether a text is a street and nothing else: a number, and a type at its end, as in `12 Elm St NW`, or behind the
/// number, as in `12 rue Maple`; or a box.
pub(crate) fn is_street(cell: &str) -> bool {
    if fold(cell).starts_with("pobox") {
        return true;
    }
    let street = cell.split(',').next().unwrap_or_default();
    let words: Vec<String> = street
        .split_whitespace()
        .map(|word| word.trim_end_matches('.').to_lowercase())
        .collect();
    let is_type = |at: Option<usize>| {
        at.and_then(|at| words.get(at))
            .is_some_and(|word| ends_street(word))
    };
    let last = words.len().checked_sub(1);
    let before_last = words.len().checked_sub(2);
    let is_direction_or_unit = words
        .last()
        .is_some_and(|word| word.len() <= 2 || word.bytes().any(|byte| byte.is_ascii_digit()));
    has_house_number(cell)
        && words.len() <= MOST_WORDS
        && (is_type(Some(1)) || is_type(last) || is_direction_or_unit && is_type(before_last))
}

/// Words of a long street, such as `12 Martin Luther King Jr Blvd NW`.
const MOST_WORDS: usize = 7;

/// Whether a column is the only region of several addresses and stands behind them, so that it is that of all. `parts`
/// are the address columns of the sheet.
fn is_only_region_behind(region: usize, parts: impl Iterator<Item = (usize, Field)>) -> bool {
    let mut parts = parts.filter(|(_, field)| *field != Field::Country);
    parts.all(|(column, field)| (column == region) == (field == Field::Region) && column <= region)
}
