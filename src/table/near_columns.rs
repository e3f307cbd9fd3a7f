//! Which columns are near a field: their headers have a name of it as whole words or misspell one, and most of their
//! cells are right for it.

use std::collections::BTreeSet;

use crate::model::{
    Field, Region, WordList, fold_place, has_house_number, is_canadian_postal_code, is_excel_date,
    is_zip,
};
use crate::table::misspelled_headers::{has_one_error, misspelled_field};
use crate::table::street_cells::is_street;
use crate::table::street_columns::has_house_numbers;
use crate::table::synonyms::{
    HeaderMeaning, fold_cell, header_meaning, is_street_name, known, listed_front,
};
use crate::table::table_head::TableHead;
use crate::table::totals::is_total;
use crate::table::unit_columns::are_units;

static NUMBER_ENDS: WordList = WordList::new("number_ends");
static RECORDS: WordList = WordList::new("records");
static CONTACT_WORDS: WordList = WordList::new("contact_words");
static PHONE_WORDS: WordList = WordList::new("phone_words");
static ANSWERS: WordList = WordList::new("answers");
pub(super) static NAME_WORDS: WordList = WordList::new("name_words");
static WEAK_CITIES: WordList = WordList::new("weak_cities");
static PERSONS: WordList = WordList::new("persons");
static NAMED_CUSTOMERS: WordList = WordList::new("named_customers");
static OCCUPANTS: WordList = WordList::new("occupants");
static CONTACT_PERSONS: WordList = WordList::new("contact_persons");
pub(super) static OWNERS: WordList = WordList::new("owners");
pub(super) static OTHER_OWNERS: WordList = WordList::new("other_owners");
/// Words for contacts of persons who cannot be called about the house.
static NO_CUSTOMER: WordList = WordList::new("no_customer");
/// Words for persons other than the customer, and for those in the household.
static OTHER_PERSONS: WordList = WordList::new("other_persons");
pub(super) static HOUSEHOLD: WordList = WordList::new("household");

/// A longer text is no header, and is not split into words: each part of it would be looked up.
const MAX_HEADER_BYTES: usize = 200;

/// The length of the longest code of a record, and the least number of rows of which the cells tell that a column has
/// codes.
const MAX_CODE_LENGTH: usize = 36;
const MIN_CODES: usize = 3;

/// How near a header is to a field, the nearest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum HeaderSimilarity {
    /// It ends with a name of the field.
    AtEnd,
    /// It begins with one.
    AtFront,
    /// It is one with a typing error or two.
    Misspelled,
    /// It has a word for something alike, such as `Township` for the city.
    Alike,
}

/// The field that a header is near: it has a name of it as whole words, the longest one counts, or misspells one.
fn near_field(header: &str) -> Option<(Field, HeaderSimilarity)> {
    if let Some(meaning) = header_meaning(header) {
        return Some((meaning.field, HeaderSimilarity::AtEnd));
    }
    if is_street_name(header) {
        return Some((Field::Line1, HeaderSimilarity::AtEnd));
    }
    let cuts: Vec<usize> = word_ends(header).collect();
    let field = |part: &str| known(&fold_cell(part)).map(|meaning| meaning.field);
    let mut at_end = cuts.iter().map(|cut| &header[*cut..]);
    let mut at_front = cuts.iter().rev().map(|cut| &header[..*cut]);
    at_end
        .find_map(|end| Some((field(end)?, HeaderSimilarity::AtEnd)))
        .or_else(|| at_front.find_map(|front| Some((field(front)?, HeaderSimilarity::AtFront))))
        .or_else(|| Some((misspelled_field(header)?, HeaderSimilarity::Misspelled)))
}

/// The words of a header, folded: `provider`, `name` and `1` of `ProviderName_1`.
pub(super) fn header_words(header: &str) -> Vec<String> {
    let mut start = 0;
    let ends = word_ends(header).chain([header.len()]);
    let words = ends.map(|end| fold_cell(&header[std::mem::replace(&mut start, end)..end]));
    words.filter(|word| !word.is_empty()).collect()
}

/// Where the words of a header end, apart from the last one.
pub(super) fn word_ends(header: &str) -> impl Iterator<Item = usize> {
    let is_end = |one: char, next: char| {
        !one.is_alphanumeric()
            || !next.is_alphanumeric()
            || one.is_lowercase() && next.is_uppercase()
            || one.is_alphabetic() && next.is_numeric()
    };
    let header = Some(header).filter(|header| header.len() <= MAX_HEADER_BYTES);
    let header = header.unwrap_or_default();
    let pairs = header.char_indices().zip(header.chars().skip(1));
    pairs
        .filter(move |((_, one), next)| is_end(*one, *next))
        .map(|((at, one), _)| at + one.len_utf8())
}

/// Whether a header ends like that of a number or id of a record, such as `Permit No`; phone numbers are not ids.
fn is_number_of_record(header: &str) -> bool {
    let folded = fold_cell(header);
    let first = header_words(header).into_iter().next();
    let is_in_front = first.is_some_and(|first| ["n", "no", "numero"].contains(&first.as_str()));
    (is_in_front || NUMBER_ENDS.iter().any(|end| folded.ends_with(end)))
        && !PHONE_WORDS.iter().any(|phone| folded.contains(phone))
}

/// How near a header is to a field. A record's number may be the id, and an owner the customer.
pub(super) fn similarity(header: &str, field: Field) -> Option<HeaderSimilarity> {
    // `Contract Number` is no typing error for `Contact Number`.
    let near = near_field(header).filter(|(_, near)| {
        *near != HeaderSimilarity::Misspelled || !has_word(header, &OTHER_OWNERS)
    });
    let is_at_word = near.is_some_and(|(_, near)| near != HeaderSimilarity::Misspelled);
    match (field, near) {
        (Field::Id, _) if !is_at_word && is_number_of_record(header) => {
            Some(HeaderSimilarity::AtEnd)
        }
        // `Shipping Code` stands beside `Shipping City`.
        (Field::PostalCode, None) if listed_front(header).is_some() => header_words(header)
            .last()
            .is_some_and(|last| last == "code")
            .then_some(HeaderSimilarity::AtEnd),
        (Field::City, None) if has_word(header, &WEAK_CITIES) => Some(HeaderSimilarity::Alike),
        // `Nom` means a last name too.
        (
            Field::Name,
            None | Some((Field::Name, _) | (Field::LastName, HeaderSimilarity::AtFront)),
        ) if names_customer(header) => Some(HeaderSimilarity::AtEnd),
        (Field::Name, None | Some((Field::LastName, HeaderSimilarity::AtFront)))
            if header_words(header)
                .last()
                .is_some_and(|last| OCCUPANTS.has(last)) =>
        {
            Some(HeaderSimilarity::Alike)
        }
        (Field::Name, _) if names_contact_person(header) => Some(HeaderSimilarity::Alike),
        (Field::FirstName | Field::LastName, _) if names_half(header, field) => {
            Some(HeaderSimilarity::AtFront)
        }
        (Field::Name, _) if !has_word(header, &OTHER_OWNERS) && has_one_error(header, field) => {
            Some(HeaderSimilarity::Misspelled)
        }
        // `Customer/Job name`, but not `County Name` and `Customer Type`.
        (Field::Name, _) if is_at_word => {
            let lists = [&PERSONS, &NAMED_CUSTOMERS];
            let is_named = has_word(header, &NAME_WORDS)
                && lists.iter().any(|list| has_word(header, list))
                && !has_word(header, &OTHER_OWNERS);
            is_named.then_some(HeaderSimilarity::Alike)
        }
        (_, Some((of, near))) => (of == field).then_some(near),
        (_, None) => None,
    }
}

/// Whether a word of a header is in a list.
pub(super) fn has_word(header: &str, list: &WordList) -> bool {
    header_words(header).iter().any(|word| list.has(word))
}

/// Whether the header of a contact has a word for a person who cannot be called about the house.
pub(super) fn is_of_no_customer(header: &str) -> bool {
    // `Contact Owner` is the colleague who has the record.
    let is_of_record = has_word(header, &OTHER_OWNERS) && has_word(header, &OWNERS);
    has_word(header, &NO_CUSTOMER) || names_other_person(header) || is_of_record
}

/// Whether a header has a word for another person than the customer.
pub(super) fn names_other_person(header: &str) -> bool {
    has_word(header, &OTHER_PERSONS) || has_word(header, &HOUSEHOLD)
}

/// Whether a header is a word for the customer, such as `Current Owner`, with or without `Name` behind it.
pub(super) fn names_customer(header: &str) -> bool {
    let words = header_words(header.trim_end_matches("(s)"));
    let (mut rest, mut is_named) = (&words[..], false);
    while let [front @ .., last] = rest {
        let is_name = NAME_WORDS.has(last);
        if !is_name && last.contains(char::is_alphabetic) {
            break;
        }
        (rest, is_named) = (front, is_named || is_name);
    }
    let is_customer = rest
        .last()
        .is_none_or(|word| PERSONS.has(word) || is_named && NAMED_CUSTOMERS.has(word));
    is_customer && !has_word(header, &OTHER_OWNERS) && (is_named || !rest.is_empty())
}

/// Whether a header is that of a house's or project's name, which is the customer's where no header names one.
pub(super) fn names_house(meaning: HeaderMeaning) -> bool {
    let company = known("company");
    meaning.is_conditional() && company.is_some_and(|company| meaning.rank > company.rank)
}

/// Whether a header is that of the person of a company, such as `Site Contact` or `Attn`.
pub(super) fn names_contact_person(header: &str) -> bool {
    let words = header_words(header);
    let is_other = |word: &String| OTHER_OWNERS.has(word) && !CONTACT_PERSONS.has(word);
    words.last().is_some_and(|last| CONTACT_PERSONS.has(last)) && !words.iter().any(is_other)
}

/// Whether a header begins or ends with a name of this half of a person's name: `Last Name/Company`, `First & Spouse`.
fn names_half(header: &str, half: Field) -> bool {
    let is_half = |part: &str| known(&fold_cell(part)).is_some_and(|meaning| meaning.field == half);
    word_ends(header).any(|cut| is_half(&header[..cut]) || is_half(&header[cut..]))
}

/// Whether a header of ids has a word for the customer, who may have several houses.
pub(crate) fn is_of_customer_record(header: &str) -> bool {
    let lists = [&PERSONS, &NAMED_CUSTOMERS, &CONTACT_PERSONS];
    lists.iter().any(|list| has_word(header, list))
        || header_words(header).iter().any(|word| word == "account")
}

/// Whether a header has a word for the customer or a name.
pub(super) fn has_word_for_customer(header: &str) -> bool {
    [&PERSONS, &NAMED_CUSTOMERS, &NAME_WORDS]
        .iter()
        .any(|list| has_word(header, list))
}

/// Whether a header of emails or phones has no other words than those for the customer, the house and kinds of contacts.
pub(super) fn names_contact_of_customer(header: &str) -> bool {
    let lists = [&CONTACT_WORDS, &PERSONS, &NAMED_CUSTOMERS, &NAME_WORDS];
    let is_number = |word: &str| {
        word.bytes()
            .all(|byte| byte.is_ascii_digit() || byte == b'#')
    };
    header_words(header)
        .iter()
        .all(|word| is_number(word) || lists.iter().any(|list| list.has(word)))
        || [Field::Email, Field::Phone]
            .iter()
            .any(|field| has_one_error(header, *field))
}

/// Whether a text is the answer to a question: `Yes`.
pub(super) fn is_answer(text: &str) -> bool {
    ANSWERS.has(&fold_cell(text))
}

/// Whether most filled cells of a column are answers to a question. `N` alone may be an initial or a unit.
pub(super) fn has_answers(head: &TableHead, column: usize) -> bool {
    let has =
        |is_it: &dyn Fn(&str) -> bool| head.filled(column).any(|cell| is_it(&fold_cell(cell)));
    let has_letter = |letter: &str| has(&|answer| answer == letter);
    head.are_mostly(column, 8, is_answer)
        && (has(&|answer| answer.len() > 1) || has_letter("y") && has_letter("n"))
}

/// Whether at most half of the cells of a column are different, as contacts of colleagues are.
pub(super) fn are_repeated(head: &TableHead, column: usize) -> bool {
    let different: BTreeSet<&str> = head.filled(column).collect();
    different.len() * 2 <= head.filled(column).count()
}

/// Whether the cells of a column without a meaning look like numbers or codes of records, all different: with letters and
/// digits, or below a header such as `Ticket` with digits alone.
pub(super) fn are_codes(head: &TableHead, column: usize) -> bool {
    let header = &head.names[column];
    let has_word = header_words(header)
        .last()
        .is_some_and(|last| RECORDS.has(last));
    let is_code = |cell: &&str| {
        let is_of_code = |c: char| c.is_ascii_alphanumeric() || "-_/#".contains(c);
        cell.len() <= MAX_CODE_LENGTH
            && cell.chars().all(is_of_code)
            && (has_word || cell.contains(|c: char| c.is_ascii_alphabetic()))
            && !is_canadian_postal_code(cell)
            && !is_excel_date(cell)
    };
    let cells: Vec<&str> = head.filled(column).filter(|cell| !is_total(cell)).collect();
    let different: BTreeSet<&&str> = cells.iter().collect();
    header_meaning(header).is_none()
        && cells.len() >= MIN_CODES
        && different.len() == cells.len()
        && cells.iter().all(is_code)
}

/// Whether most cells of a column are values of a field; for ids all of them, with digits, and no units, amounts or house
/// numbers.
pub(super) fn has_values(head: &TableHead, column: usize, field: Field) -> bool {
    if head.below.is_empty() {
        return true;
    }
    let count = |cell: &str, is: fn(&char) -> bool| cell.chars().filter(is).count();
    let digits = |cell: &str| count(cell, char::is_ascii_digit);
    let letters = |cell: &str| count(cell, |c| c.is_alphabetic());
    let is_region = |cell: &str| Region::from_spelling(&fold_place(cell)).is_some();
    let is_text = |cell: &str| letters(cell) > 1 && !has_house_number(cell);
    let mostly = |fits: &dyn Fn(&str) -> bool| head.are_mostly(column, 8, fits);
    match field {
        Field::Id => {
            let is_amount = |cell: &str| cell.contains('.') && cell.parse::<f64>().is_ok();
            // The last group of a phone number has four digits, that of `010-000077-00` two.
            let last_group = |cell: &str| cell.rsplit(['-', '.', ' ']).next().map_or(0, str::len);
            let is_grouped = |cell: &str| last_group(cell) == 4 && is_phone(cell);
            !are_units(head, column)
                && !has_house_numbers(head, column)
                && !head.are_mostly(column, 8, is_grouped)
                && !are_numbers_of_streets(head, column)
                && head
                    .filled(column)
                    .filter(|cell| !is_total(cell))
                    .all(|cell| digits(cell) > 0 && !is_amount(cell))
        }
        Field::Name => {
            mostly(&|cell| is_text(cell) && !is_region(cell) && letters(cell) > digits(cell))
        }
        Field::Email => mostly(&|cell| cell.matches('@').count() == 1 && !cell.contains("://")),
        Field::Phone => mostly(&is_phone),
        Field::Line1 if is_street_name(&head.names[column]) => mostly(&|cell| letters(cell) > 1),
        Field::Line1 => head.are_mostly(column, 5, |cell| {
            has_house_number(cell) && !is_excel_date(cell) || is_street(cell)
        }),
        Field::City => mostly(&|cell| is_text(cell) && digits(cell) == 0),
        Field::Region => mostly(&is_region),
        Field::PostalCode => mostly(&|cell| is_zip(cell) || is_canadian_postal_code(cell)),
        _ => true,
    }
}

/// Whether a column repeats the house numbers of the streets in another one: `12` beside `12 Elm St`.
fn are_numbers_of_streets(head: &TableHead, column: usize) -> bool {
    let is_street = |street: &usize| {
        let meaning = head.meanings()[*street];
        meaning.is_some_and(|meaning| meaning.field == Field::Line1)
    };
    let mut streets = (0..head.names.len()).filter(is_street);
    streets.any(|street| {
        let cells = head.below.iter();
        let cells = cells.filter_map(|row| Some((row.cells.get(column)?, row.cells.get(street)?)));
        let filled = cells.filter(|(number, _)| !number.trim().is_empty());
        let is_same = |(number, street): &(&String, &String)| {
            street.split_whitespace().next() == Some(number.trim())
        };
        let (count, same) = (filled.clone().count(), filled.filter(is_same).count());
        same > 1 && same * 10 >= count * 8
    })
}

/// Whether a cell is a phone number, with or without an extension.
fn is_phone(cell: &str) -> bool {
    let number = cell
        .split(['x', 'X', 'e', 'E', ';', '/'])
        .next()
        .unwrap_or_default();
    let digits = number.chars().filter(char::is_ascii_digit).count();
    (10..=11).contains(&digits) && !number.contains(char::is_alphabetic)
}
