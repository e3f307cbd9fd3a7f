//! The columns that complete a street: those of house number, direction and type beside one of street names.

use std::collections::BTreeMap;

use crate::model::{
    Country, Field, Region, WordList, fold_place, has_digit, has_house_number, is_ordinal,
    is_street_direction, is_street_type,
};
use crate::table::near_columns::{has_answers, header_words, is_answer, word_ends};
use crate::table::numbered_streets::take_numbered_streets;
use crate::table::street_cells::drop_joined_streets;
use crate::table::synonyms::{
    HeaderMeaning, fold_cell, header_meaning, is_further_street, is_street_name, known,
    listed_qualifier,
};
use crate::table::table_head::TableHead;
use crate::table::unit_columns::{
    are_appointments, are_units, drop_other_numbers, is_beside_further_street, is_measure_or_time,
};

static HOUSE_NUMBER_WORDS: WordList = WordList::new("house_number_words");
static NUMBER_WORDS: WordList = WordList::new("number_words");
static CONNECTING_WORDS: WordList = WordList::new("connecting_words");

/// The header of units of any kind.
const UNIT: &str = "Unit";

/// The fields that are joined with the street.
pub const STREET_ADDITIONS: [Field; 3] = [
    Field::HouseNumber,
    Field::StreetDirection,
    Field::StreetType,
];

/// The meanings of headers in their sheet, with those that only the cells or the columns beside them tell.
pub(super) fn meanings(head: &TableHead) -> Vec<Option<HeaderMeaning>> {
    let headers = &head.names;
    let columns = 0..headers.len();
    let mut meanings: Vec<_> = columns
        .map(|column| head.qualifiers().meaning(column))
        .collect();
    drop_other_numbers(head, &mut meanings);
    // `St` is a street too, and `Prefix` a person's.
    let is_region = |cell: &str| Region::from_spelling(&fold_place(cell)).is_some();
    for (column, one) in meanings.iter_mut().enumerate() {
        one.take_if(|one| match one.field {
            Field::Region => one.is_conditional() && !head.filled(column).all(is_region),
            Field::StreetDirection => {
                let is_beside = || touches_street(head, column);
                one.is_conditional()
                    && !(is_beside() && head.are_mostly(column, 10, is_street_direction))
            }
            // `Homeowner` and `Condo` may be questions; who has no unit may answer `No`.
            Field::Name => has_answers(head, column),
            Field::Line2 => {
                has_answers(head, column) && head.filled(column).all(is_answer)
                    || head.are_mostly(column, 9, is_measure_or_time)
                    || are_appointments(head, column)
                    || is_beside_further_street(headers, column)
            }
            Field::HouseNumber => one.is_conditional() && !are_number_suffixes(head, column),
            _ => false,
        });
    }
    drop_repeated_places(head, &mut meanings);
    drop_joined_streets(head, &mut meanings);
    for column in (0..headers.len()).filter(|column| is_connecting(head, *column)) {
        let (field, rank) = (Field::StreetType, 0);
        meanings[column] = Some(HeaderMeaning { field, rank });
    }
    let has_number = meanings
        .iter()
        .flatten()
        .any(|meaning| meaning.field == Field::HouseNumber);
    for suffix in 1..headers.len() {
        let street = suffix - 1;
        let is_street = meanings[street].is_some_and(|meaning| meaning.field == Field::Line1)
            || is_street_name(&headers[street]);
        // Elsewhere, it is a person's: `Jr`.
        let is_type = fold_cell(&headers[suffix]) == "suffix"
            || (has_number && meanings[suffix].is_none() && has_street_types(head, suffix));
        if is_street && is_type {
            let (field, rank) = (Field::StreetType, 0);
            meanings[suffix] = Some(HeaderMeaning { field, rank });
        }
    }
    take_numbered_streets(head, &mut meanings);
    // `JobNimbus` exports an empty `External Id` beside `jnid`.
    let is_empty = |column| head.filled(column).next().is_none();
    drop_if_others(&mut meanings, Field::Id, is_empty);
    take_lone_units(head, &mut meanings);
    meanings
}

/// Whether a column has the words between the types and the names of streets: `de` of `Boulevard de l'Outaouais`.
/// `Lien` is a link too.
fn is_connecting(head: &TableHead, column: usize) -> bool {
    fold_cell(&head.names[column]) == "lien"
        && head.are_mostly(column, 10, |cell| CONNECTING_WORDS.has(&fold_cell(cell)))
}

/// Whether all cells of a column are numbers, with or without signs.
pub(super) fn are_numbers(head: &TableHead, column: usize) -> bool {
    let mut cells = head.filled(column).peekable();
    cells.peek().is_some() && cells.all(|cell| !cell.contains(char::is_alphabetic))
}

/// Whether a text is the last part of a house number: `A` or `1/2`.
pub fn is_number_suffix(text: &str) -> bool {
    let is_letter = text.chars().count() == 1 && text.chars().all(char::is_alphabetic);
    is_letter || ["1/2", "1/4", "3/4", "1/3", "2/3", "½"].contains(&text)
}

/// Whether a column is beside one of the street: a roof has an orientation too.
fn touches_street(head: &TableHead, column: usize) -> bool {
    let is_of_street = |header: &String| {
        let field = header_meaning(header).map(|one| one.field);
        let is_part =
            field.is_some_and(|field| field == Field::Line1 || STREET_ADDITIONS.contains(&field));
        is_part || is_street_name(header)
    };
    let beside = [column.checked_sub(1), Some(column + 1)];
    let mut beside = beside.into_iter().flatten();
    beside.any(|other| head.names.get(other).is_some_and(is_of_street))
}

/// Whether a column has the last parts of the house numbers in front of it; a person has a suffix too, and a street a
/// direction.
fn are_number_suffixes(head: &TableHead, column: usize) -> bool {
    let front = column
        .checked_sub(1)
        .and_then(|front| header_meaning(&head.names[front]));
    front.is_some_and(|front| front.field == Field::HouseNumber)
        && head.filled(column).all(is_number_suffix)
        && !head.filled(column).all(is_street_direction)
        && !head.filled(column).all(is_answer)
}

/// Where no header means a unit, takes the only column whose header begins with a word for one and whose cells are units:
/// `Apartment/suite no of Address`.
fn take_lone_units(head: &TableHead, meanings: &mut [Option<HeaderMeaning>]) {
    let is_unit = |one: &HeaderMeaning| one.field == Field::Line2;
    let begins_with_unit = |header: &str| {
        let mut fronts = word_ends(header).filter_map(|end| known(&fold_cell(&header[..end])));
        fronts.any(|front| is_unit(&front))
    };
    let has_units = |&column: &usize| {
        meanings[column].is_none()
            && begins_with_unit(&head.names[column])
            && are_units(head, column)
    };
    if meanings.iter().flatten().any(is_unit) {
        return;
    }
    let found: Vec<usize> = (0..meanings.len()).filter(has_units).collect();
    if let [column] = found[..] {
        meanings[column] = known(&fold_cell(UNIT));
    }
}

/// Drops the columns of a field of which something is true if there are others.
pub(super) fn drop_if_others(
    meanings: &mut [Option<HeaderMeaning>],
    field: Field,
    is_poor: impl Fn(usize) -> bool,
) {
    let is_of_field = |column: &usize| meanings[*column].is_some_and(|one| one.field == field);
    let columns = (0..meanings.len()).filter(is_of_field);
    let (poor, others): (Vec<_>, Vec<_>) = columns.partition(|&column| is_poor(column));
    if !others.is_empty() {
        for column in poor {
            meanings[column] = None;
        }
    }
}

/// Of two columns with the same first word and the same regions or countries in all rows, such as `state` and
/// `state_name`, keeps the one with more cells; the first rows of a shop's customers may have neither.
fn drop_repeated_places(head: &TableHead, meanings: &mut [Option<HeaderMeaning>]) {
    let region = |cell: &str| Some(Region::from_spelling(&fold_place(cell))?.code);
    let country = |cell: &str| Some(Country::from_spelling(cell)?.code());
    drop_repeated(head, meanings, Field::Region, region);
    drop_repeated(head, meanings, Field::Country, country);
}

fn drop_repeated(
    head: &TableHead,
    meanings: &mut [Option<HeaderMeaning>],
    field: Field,
    code: impl Fn(&str) -> Option<&'static str>,
) {
    let is_place = |column: &usize| meanings[*column].is_some_and(|one| one.field == field);
    let columns: Vec<usize> = (0..meanings.len()).filter(is_place).collect();
    let filled = |column: usize| head.filled(column).count();
    let of_one = |one: usize, other: usize| {
        let qualifiers = head.qualifiers();
        let [names, others] = [one, other].map(|column| header_words(&head.names[column]));
        names != others
            && names.first() == others.first()
            && qualifiers.of(one) == qualifiers.of(other)
            && head.title_of(one) == head.title_of(other)
    };
    let are_same = |one: usize, other: usize| {
        head.below.iter().all(|row| {
            let cell = |column: usize| row.cells.get(column).map_or("", |cell| cell.trim());
            let [one, other] = [cell(one), cell(other)];
            one.is_empty() || other.is_empty() || code(one).is_some() && code(one) == code(other)
        })
    };
    for (at, &one) in columns.iter().enumerate() {
        for &other in &columns[at + 1..] {
            let is_alike = (filled(one) == 0) == (filled(other) == 0);
            if is_alike && of_one(one, other) && are_same(one, other) {
                meanings[if filled(other) > filled(one) {
                    one
                } else {
                    other
                }] = None;
            }
        }
    }
}

/// Whether the cells of a column are street types: one of them below a header that says so, half of them below another.
/// The others are not sent.
pub(super) fn has_street_types(head: &TableHead, column: usize) -> bool {
    const NAMES: [&str; 3] = ["type", "sfx", "suf"];
    let is_named = NAMES.contains(&fold_cell(&head.names[column]).as_str());
    head.are_mostly(column, if is_named { 0 } else { 5 }, is_street_type)
}

/// Whether nearly all cells of a column are types that many of the streets do not have: `12 Elm` beside `St`.
pub(super) fn completes_streets(head: &TableHead, (types, street): (usize, usize)) -> bool {
    head.are_mostly(types, 8, is_street_type)
        && head.are_mostly(street, 3, |cell| !has_street_type(cell))
}

/// Whether a word behind the first one is a street type.
pub(super) fn has_street_type(street: &str) -> bool {
    street.split_whitespace().skip(1).any(is_street_type)
}

/// The columns in front of a street and behind it, apart from directions, types, units and empty ones.
pub(super) fn columns_beside_street(head: &TableHead, street: usize) -> [Option<usize>; 2] {
    let is_between = |column: &usize| match head.meanings()[*column] {
        Some(one) => one.field == Field::Line2 || STREET_ADDITIONS.contains(&one.field),
        None => {
            head.filled(*column).next().is_none()
                || head.are_mostly(*column, 8, is_street_direction)
                || are_units(head, *column)
        }
    };
    let front = (0..street).rfind(|column| !is_between(column));
    let behind = (street + 1..head.names.len()).find(|column| !is_between(column));
    [front, behind]
}

/// Whether a header has no other words than those for a house number: `HSE_NBR`; not for a number alone.
pub(super) fn names_house_number(header: &str) -> bool {
    let words = header_words(header);
    let is_of_house = |word: &String| HOUSE_NUMBER_WORDS.has(word);
    words.iter().any(is_of_house)
        && words
            .iter()
            .all(|word| is_of_house(word) || NUMBER_WORDS.has(word))
}

/// Whether a header has no other words than those for a number of anything: `No.`.
pub(super) fn names_number(header: &str) -> bool {
    let words = header_words(header);
    !words.is_empty() && words.iter().all(|word| NUMBER_WORDS.has(word))
}

/// Whether the cells of a column are house numbers and the streets have none, apart from a few. It may have other
/// numbers, so the user is asked.
pub(super) fn are_house_numbers(head: &TableHead, (number, street): (usize, usize)) -> bool {
    // Some sheets count their rows: 1, 2, 3.
    let mut counted = head.filled(number).zip(1..);
    let is_count = counted.all(|(cell, count)| cell.parse() == Ok(count));
    !is_count
        && head.are_mostly(street, 9, lacks_house_number)
        && head.are_mostly(number, 9, is_bare_number)
}

/// Whether a cell is a house number alone: `12A`.
fn is_bare_number(cell: &str) -> bool {
    let letters = cell.chars().filter(|c| c.is_alphabetic());
    cell.starts_with(|c: char| c.is_ascii_digit()) && letters.count() < 2 && cell.len() <= 8
}

/// Whether a street has no house number, but may have that of a name: `104 Ave NW`, `E 200 S`.
fn lacks_house_number(street: &str) -> bool {
    let mut numbers = street.split_whitespace().filter(|word| has_digit(word));
    // A grid has `W156N8480`, and a unit may stand in front: `Apt 4, 12 Elm St`.
    let first = numbers.next().unwrap_or_default();
    let is_name = first.starts_with(|c: char| c.is_ascii_digit()) && numbers.next().is_none();
    has_no_other_digits(street) || is_name && !has_house_number(street)
}

/// The column with the streets of bare house numbers: `Road` beside an `Address` of `12`.
pub(super) fn street_of_numbers(head: &TableHead, number: usize) -> Option<usize> {
    if !head.are_mostly(number, 8, is_bare_number) {
        return None;
    }
    let is_street = |cell: &str| lacks_house_number(cell) && has_street_type(cell);
    let is_open = |column: &usize| {
        head.meanings()[*column].is_none()
            && (is_street_name(&head.names[*column]) || head.are_mostly(*column, 5, is_street))
    };
    (0..head.names.len()).find(is_open)
}

/// Whether a street has no digits but those of a name: `5th Ave`, `County Road 12`.
pub(super) fn has_no_other_digits(street: &str) -> bool {
    let mut words = street.split_whitespace().rev();
    let last_is_name = words.next().is_none_or(|word| !word.contains('#'));
    last_is_name && words.all(|word| !has_digit(word) || is_ordinal(word))
}

/// The street that a column of house numbers completes: the one behind it, with directions and types between; `None` if
/// no street stands there.
fn street_behind(head: &TableHead, number: usize) -> Option<usize> {
    let meanings = head.meanings();
    let is_addition =
        |column: usize| meanings[column].is_some_and(|one| STREET_ADDITIONS.contains(&one.field));
    let behind = (number + 1..meanings.len()).find(|column| !is_addition(*column))?;
    let is_street = meanings[behind].is_some_and(|one| one.field == Field::Line1);
    (is_street || is_street_name(&head.names[behind])).then_some(behind)
}

/// Removes the additions, except for those that the user named, where no house number is that of the street and no type
/// completes it. Whether a street has a number already is decided for each row, so that no row changes the request of
/// another.
pub(super) fn drop_needless_additions(
    head: &TableHead,
    fields: &mut BTreeMap<Field, Vec<usize>>,
    mapped: &[Field],
) {
    let street = fields
        .get(&Field::Line1)
        .and_then(|columns| columns.first());
    let street = street.copied();
    let types = fields.get(&Field::StreetType).into_iter().flatten();
    let are_completed = !fields.contains_key(&Field::HouseNumber)
        && street.is_some_and(|street| {
            let mut types = types.map(|types| (*types, street));
            types.any(|columns| completes_streets(head, columns))
        });
    let is_own = |number: &usize| {
        street.is_some_and(|street| {
            let behind = street_behind(head, *number);
            behind.is_none_or(|behind| behind == street) || *number == street + 1
        })
    };
    if !mapped.contains(&Field::HouseNumber)
        && let Some(numbers) = fields.get_mut(&Field::HouseNumber)
    {
        numbers.retain(is_own);
    }
    if !are_completed && fields.get(&Field::HouseNumber).is_none_or(Vec::is_empty) {
        fields.retain(|field, _| !STREET_ADDITIONS.contains(field) || mapped.contains(field));
    }
}

/// Whether at least half of the first streets begin with a house number.
pub(super) fn has_house_numbers(head: &TableHead, street: usize) -> bool {
    head.are_mostly(street, 5, has_house_number)
}

/// The columns with the streets of further addresses of one customer: `Address_2 Street` beside the first of a numbered
/// family, or `Property 2 Address` beside `Property 1 Address`.
pub(super) fn further_streets(
    headers: &[String],
    fields: &[Vec<usize>; Field::ALL.len()],
) -> Vec<usize> {
    let Some(&street) = fields[Field::Line1 as usize].first() else {
        return Vec::new();
    };
    let is_first = listed_qualifier(&headers[street]) == Some("address1");
    let own = fold_cell(&headers[street]);
    let without_number = |folded: &str| folded.replace(|c: char| c.is_ascii_digit(), "");
    let has_other_number = |other: &str| {
        let other = fold_cell(other);
        // `Address 3` is another line.
        let is_line = other.ends_with(|c: char| c.is_ascii_digit());
        !is_line
            && other.len() == own.len()
            && other != own
            && without_number(&other) == without_number(&own)
    };
    let is_used = |column: &usize| fields.iter().flatten().any(|used| used == column);
    let is_further = |column: &usize| {
        let header = &headers[*column];
        (is_first && is_further_street(header)) || (has_other_number(header) && !is_used(column))
    };
    (0..headers.len()).filter(is_further).collect()
}
