//! What a header means, by the list in `synonyms.txt`.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use crate::model::{Field, WordList, has_only_digits};

const LIST: &str = include_str!("synonyms.txt");

/// The line of the names of streets, which feed a field only beside a house number.
const STREET_NAMES: &str = "street_names";

/// The mark behind the field of a line whose headers feed it only under a condition.
const CONDITIONAL: char = '*';

static HEADER_FILLERS: WordList = WordList::new("header_fillers");
static UNIT_FILLERS: WordList = WordList::new("unit_fillers");

/// Words between two names of one field.
const ALTERNATIVES: [&str; 4] = ["or", "and", "ou", "et"];

/// Maximum length of a header that can be in the list, with additions.
const MAX_HEADER_LENGTH: usize = 200;

/// Maximum length of a name, without its number, that may also be the end of another word.
const SHORT: usize = 2;

/// What a header means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct HeaderMeaning {
    /// The field that it feeds.
    pub(super) field: Field,
    /// Its zero-based line in the list; an earlier one wins.
    pub(super) rank: usize,
}

struct Synonyms {
    headers: HashMap<String, HeaderMeaning>,
    /// Longest first, so that `Mailing Address` is tried before `Mailing`.
    sets: Vec<String>,
    street_names: Vec<String>,
    /// The first header of each line of `line2`.
    units: Vec<&'static str>,
    /// The lines whose headers feed their field only under a condition.
    conditional: HashSet<HeaderMeaning>,
}

static SYNONYMS: LazyLock<Synonyms> = LazyLock::new(|| {
    let mut headers = HashMap::new();
    let (mut sets, mut street_names, mut units) = (Vec::new(), Vec::new(), Vec::new());
    let mut ranks: HashMap<Field, usize> = HashMap::new();
    let mut conditional = HashSet::new();
    for (marked, words) in lines() {
        let name = marked.trim_end_matches(CONDITIONAL);
        let Some(field) = Field::from_name(name) else {
            let list = match name {
                STREET_NAMES => &mut street_names,
                _ => &mut sets,
            };
            list.extend(words.map(fold_cell));
            continue;
        };
        let rank = ranks.entry(field).or_insert(0);
        let mut words = words.peekable();
        if field == Field::Line2 {
            units.extend(words.peek().copied());
        }
        let meaning = HeaderMeaning { field, rank: *rank };
        if name != marked {
            conditional.insert(meaning);
        }
        for word in words.chain([name]) {
            headers.entry(fold_cell(word)).or_insert(meaning);
        }
        *rank += 1;
    }
    sets.sort_by_key(|set| std::cmp::Reverse(set.len()));
    Synonyms {
        headers,
        sets,
        street_names,
        units,
        conditional,
    }
});

fn lines() -> impl Iterator<Item = (&'static str, impl Iterator<Item = &'static str>)> {
    LIST.lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| line.split_once(':'))
        .map(|(name, words)| (name.trim(), words.split(',').map(str::trim)))
}

/// A header or another cell without case, accents, spaces and punctuation, except for `#`.
pub(crate) fn fold_cell(cell: &str) -> String {
    if cell.is_ascii() {
        let kept = cell
            .bytes()
            .filter(|b| b.is_ascii_alphanumeric() || *b == b'#');
        let mut folded = String::with_capacity(cell.len());
        folded.extend(kept.map(|b| char::from(b.to_ascii_lowercase())));
        return folded;
    }
    cell.nfkd()
        .filter(|c| (c.is_alphanumeric() || *c == '#') && !is_combining_mark(*c))
        .flat_map(char::to_lowercase)
        .collect()
}

/// What a header means; `None` for one that is not in the list.
pub(super) fn header_meaning(header: &str) -> Option<HeaderMeaning> {
    // `#REF!` and `#NAME?` are formula errors, not the headers `Ref` and `Name`; a notice is not a header either.
    if header.len() > MAX_HEADER_LENGTH || header.starts_with('#') && header.ends_with(['!', '?']) {
        return None;
    }
    let folded = fold_cell(header);
    // `Main Phone #` is a phone; the list has it without `#`.
    if let Some(meaning) = known(&folded).or_else(|| known(folded.trim_end_matches('#'))) {
        return Some(meaning);
    }
    let of_set = in_set(&folded).map(|(_, meaning)| meaning);
    of_set.or_else(|| meaning_of_parts(header).or_else(|| meaning_of_contact(&folded)))
}

/// What `phoneAlternate` means, as `Alternate Phone`.
fn meaning_of_contact(folded: &str) -> Option<HeaderMeaning> {
    let mut contacts = ["phone", "email"].iter();
    contacts.find_map(|one| known(&format!("{}{one}", folded.strip_prefix(one)?)))
}

/// What a header means whose parts are all names of one field, apart from fillers: `Apt, suite, etc. (optional)`,
/// `Ville / City`. In front may stand what the field belongs to: `Address - City`, `Name (First)`.
fn meaning_of_parts(header: &str) -> Option<HeaderMeaning> {
    let is_end = |c: char| "/,;:()[]|&+".contains(c);
    let parts = header.split(is_end).flat_map(|part| part.split(" - "));
    let mut names = parts.flat_map(alternatives);
    let front = names.next()?;
    // Up to the first one without a meaning: the rows of a table are searched for headers, and have long cells.
    let mut meanings: Vec<HeaderMeaning> = names
        .map(|name| meaning_of_name(&name))
        .collect::<Option<_>>()?;
    let belongs = |meaning: &HeaderMeaning| match front.concat().as_str() {
        "address" | "adresse" => meaning.field.is_address_part(),
        "name" | "nom" => matches!(meaning.field, Field::FirstName | Field::LastName),
        _ => false,
    };
    let behind_owner = common_meaning(&meanings).filter(belongs);
    behind_owner.or_else(|| {
        meanings.insert(0, meaning_of_name(&front)?);
        common_meaning(&meanings)
    })
}

/// The words of a part of a header, folded, apart from fillers; those of each name, if it has several.
fn alternatives(part: &str) -> Vec<Vec<String>> {
    let words = part.split(|c: char| !c.is_alphanumeric()).map(fold_cell);
    let words: Vec<String> = words.filter(|word| !word.is_empty()).collect();
    let names = words.split(|word| ALTERNATIVES.contains(&word.as_str()));
    let without_fillers = |name: &[String]| -> Vec<String> {
        let words = name.iter().filter(|word| !HEADER_FILLERS.has(word));
        words.cloned().collect()
    };
    let names = names.map(without_fillers);
    names.filter(|name| !name.is_empty()).collect()
}

/// What the words of a name mean.
fn meaning_of_name(words: &[String]) -> Option<HeaderMeaning> {
    let without_number = || {
        let words = words.iter().filter(|word| !UNIT_FILLERS.has(word));
        let words: Vec<&str> = words.map(String::as_str).collect();
        known(&words.concat()).filter(|one| one.field == Field::Line2)
    };
    known(&words.concat()).or_else(without_number)
}

/// What names with these meanings mean together; of two lines of the list, the earlier one.
fn common_meaning(meanings: &[HeaderMeaning]) -> Option<HeaderMeaning> {
    let first = *meanings.iter().min_by_key(|meaning| meaning.rank)?;
    let mut fields = meanings.iter().map(|meaning| meaning.field);
    fields.all(|field| field == first.field).then_some(first)
}

impl HeaderMeaning {
    /// Whether the header feeds its field only under the condition of its line, as those of companies and lots do.
    pub(super) fn is_conditional(self) -> bool {
        SYNONYMS.conditional.contains(&self)
    }
}

/// What a folded header means, by the list.
pub(super) fn known(folded: &str) -> Option<HeaderMeaning> {
    SYNONYMS.headers.get(folded).copied()
}

/// What a header means without those folded words in front or behind: `shipping` of `Shipping Phone` or
/// `Phone (Shipping)`.
pub(super) fn meaning_without(header: &str, words: &str) -> Option<HeaderMeaning> {
    let header = fold_cell(header);
    let rests = [header.strip_prefix(words), header.strip_suffix(words)];
    rests.into_iter().flatten().find_map(known)
}

/// All headers of the list, folded, with the fields that they feed, in no order.
pub(super) fn names() -> impl Iterator<Item = (&'static str, Field)> {
    let names = SYNONYMS.headers.iter();
    names.map(|(name, meaning)| (name.as_str(), meaning.field))
}

/// What remains of a folded header behind the words of a set.
pub(super) fn behind_set(folded: &str) -> Option<&str> {
    let mut sets = SYNONYMS.sets.iter();
    sets.find_map(|set| folded.strip_prefix(set.as_str()))
}

/// The word in front of a bare unit, by the rank of its header.
pub(super) fn unit_word(rank: usize) -> &'static str {
    SYNONYMS.units[rank]
}

/// The field that a text is a known name of, as a header is.
pub fn known_field(text: &str) -> Option<Field> {
    header_meaning(text).map(|meaning| meaning.field)
}

/// What remains of a header, folded, without a known name of a field in front or behind; nothing if it has none.
pub(super) fn additional_words(header: &str, field: Field) -> Vec<String> {
    let folded = &fold_cell(header);
    let names = SYNONYMS.headers.iter();
    let names = names.filter(|(name, meaning)| meaning.field == field && has_word(header, name));
    let rests = names.flat_map(|(name, _)| {
        let rests = [
            folded.strip_prefix(name.as_str()),
            folded.strip_suffix(name.as_str()),
        ];
        rests.into_iter().flatten()
    });
    let rests = rests.filter(|rest| !rest.is_empty());
    rests.map(str::to_owned).collect()
}

/// Whether a header may have a folded name of a field at an end: a short one only as a word, because `Cost` ends in `st`.
fn has_word(header: &str, name: &str) -> bool {
    let mut words = header.split(|c: char| !c.is_alphanumeric());
    let letters = name.trim_end_matches(|c: char| c.is_ascii_digit());
    letters.len() > SHORT || words.any(|word| fold_cell(word) == name)
}

/// The qualifier in front of a header, if it is in the list.
pub(super) fn listed_qualifier(header: &str) -> Option<&'static str> {
    in_set(&fold_cell(header)).map(|(set, _)| set)
}

/// The listed qualifier that a header begins with, whatever follows: `Billing` of `Billing Code`.
pub(super) fn listed_front(header: &str) -> Option<&'static str> {
    let folded = fold_cell(header);
    let mut sets = SYNONYMS.sets.iter();
    let set = sets.find(|set| folded.starts_with(set.as_str()) && folded != **set)?;
    Some(without_address(set))
}

/// The words in front of an address header that the list does not have, folded, and what it means without them; `None`
/// for a header that has a meaning, and for one that does not end in an address header.
pub(super) fn unlisted_front(header: &str) -> Option<(String, HeaderMeaning)> {
    if header.len() > MAX_HEADER_LENGTH
        || header_meaning(header).is_some()
        || is_further_street(header)
    {
        return None;
    }
    let folded = fold_cell(header);
    // The shortest front has the longest header behind it: `Street address` rather than `Address`.
    let mut splits = folded.char_indices().map(|(at, _)| folded.split_at(at));
    let (front, meaning) = splits.find_map(|(front, rest)| {
        let meaning = known(rest)?;
        has_word(header, rest).then_some((front, meaning))
    })?;
    let front = without_address(front);
    let is_numbered = front.strip_prefix("address").is_some_and(has_only_digits);
    let is_address = meaning.field == Field::Address || meaning.field.is_address_part();
    // `Address_2 City` is of a further address of the customer, which is not sent.
    (is_address && !front.is_empty() && !is_numbered).then(|| (front.to_owned(), meaning))
}

/// The words behind an address header, folded, and what it means without them: `roof` of `Address (Roof)`.
pub(super) fn words_behind(header: &str) -> Option<(String, HeaderMeaning)> {
    if header.len() > MAX_HEADER_LENGTH || is_further_street(header) {
        return None;
    }
    let (header, number) = without_line_number(header);
    let known_name = |name: &str| known(&(fold_cell(name) + number));
    let ends = header.char_indices().filter(|(_, c)| !c.is_alphanumeric());
    // The longest name: `Street 1` rather than `Street` of `Street 1 (Roof)`.
    let (name, behind) = ends
        .map(|(end, _)| header.split_at(end))
        .rfind(|(name, behind)| known_name(name).is_some() && !fold_cell(behind).is_empty())?;
    let meaning = known_name(name).filter(|meaning| meaning.field.is_address_part())?;
    let behind = fold_cell(behind);
    let is_part = |rest: &str| known(rest).is_some_and(|one| one.field.is_address_part());
    let ends_in_part = behind.char_indices().any(|(at, _)| is_part(&behind[at..]));
    // `Street Name` and `City Code` are further names.
    let is_name = ["name", "code", "decode", "desc", "text"].contains(&behind.as_str());
    (!ends_in_part && !is_name).then_some((behind, meaning))
}

/// A header without the number of the line of the street at its end, and this: `Rue de service 1` is `Rue 1` of
/// `de service`.
pub(super) fn without_line_number(header: &str) -> (&str, &str) {
    match header.trim_end().rsplit_once(' ') {
        Some((words, number @ ("1" | "2"))) if fold_cell(words).starts_with("ruede") => {
            (words, number)
        }
        _ => (header, ""),
    }
}

fn without_address(qualifier: &str) -> &str {
    qualifier.strip_suffix("address").unwrap_or(qualifier)
}

/// Whether a header is the street of a further address of one customer, such as `Address_2 Street Line 1`.
pub(super) fn is_further_street(header: &str) -> bool {
    let folded = fold_cell(header);
    let Some(rest) = folded.strip_prefix("address") else {
        return false;
    };
    let street = rest.trim_start_matches(|c: char| c.is_ascii_digit());
    let number = rest[..rest.len() - street.len()].parse::<u32>();
    let field = SYNONYMS.headers.get(street).map(|meaning| meaning.field);
    number.is_ok_and(|number| number > 1) && field == Some(Field::Line1)
}

/// Whether a header is that of a street without its number, with or without the words of a set in front.
pub(super) fn is_street_name(header: &str) -> bool {
    let folded = fold_cell(header);
    let mut names = SYNONYMS.street_names.iter();
    names.any(|name| *name == folded) || qualifier_of_street_name(header).is_some()
}

/// The listed qualifier of a header of street names.
pub(super) fn qualifier_of_street_name(header: &str) -> Option<&'static str> {
    let folded = fold_cell(header);
    let mut names = SYNONYMS.street_names.iter();
    let front = names.find_map(|name| folded.strip_suffix(name.as_str()))?;
    let mut sets = SYNONYMS.sets.iter();
    let set = sets.find(|set| *set == front)?;
    Some(without_address(set))
}

fn in_set(folded: &str) -> Option<(&'static str, HeaderMeaning)> {
    let sets = SYNONYMS.sets.iter();
    let mut rests = sets.filter_map(|set| Some((set.as_str(), folded.strip_prefix(set.as_str())?)));
    let (set, meaning) = rests.find_map(|(set, rest)| Some((set, known(rest)?)))?;
    // `Mailing Address Street` and `Mailing City` are of one set.
    let set = without_address(set);
    (meaning.field == Field::Address || meaning.field.is_address_part()).then_some((set, meaning))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The line of the sets of address columns.
    const SETS: &str = "sets";

    fn field(header: &str) -> Option<Field> {
        header_meaning(header).map(|meaning| meaning.field)
    }

    #[test]
    fn every_line_of_the_list_names_a_field_or_another_list() {
        for (marked, _) in lines() {
            let name = marked.trim_end_matches(CONDITIONAL);
            let is_list = [SETS, STREET_NAMES].contains(&name);
            assert!(is_list || Field::from_name(name).is_some(), "{name}");
        }
        for field in Field::ALL {
            assert!(lines().any(|(name, _)| name == field.name()), "{field}");
        }
    }

    #[test]
    fn no_header_of_the_list_feeds_two_fields() {
        let mut seen: HashMap<String, &str> = HashMap::new();
        for (name, words) in lines().filter(|(name, _)| *name != SETS) {
            for word in words {
                let earlier = seen.insert(fold_cell(word), name);
                assert!(
                    earlier.is_none_or(|earlier| earlier == name),
                    "{word} stands under {earlier:?} and {name}"
                );
            }
        }
    }

    #[test]
    fn case_accents_spaces_and_punctuation_do_not_matter() {
        for header in ["E-mail *", "EMAIL", "e_mail", " Email: ", "E\u{a0}mail"] {
            assert_eq!(field(header), Some(Field::Email), "{header}");
        }
        for header in ["PRENOM", "Prénom", "pre\u{301}nom"] {
            assert_eq!(field(header), Some(Field::FirstName), "{header}");
        }
        for header in [
            "Cust. name",
            "Homeowner's name",
            "Clients' Name",
            "Name of customer",
            "Name (first last)",
            "First and last name",
        ] {
            assert_eq!(field(header), Some(Field::Name), "{header}");
        }
    }

    #[test]
    fn sets_of_address_columns_share_their_fields() {
        for header in [
            "Mailing Street",
            "billing_address_street_1",
            "Property Address Line 1",
            "jobStreet",
        ] {
            assert_eq!(field(header), Some(Field::Line1), "{header}");
        }
        assert_eq!(field("MailingPostalCode"), Some(Field::PostalCode));
    }

    #[test]
    fn a_number_sign_tells_a_number_from_what_it_counts() {
        assert_eq!(field("Lead #"), Some(Field::Id));
        assert_eq!(field("Lead"), None);
        assert_eq!(field("Unit #"), Some(Field::Line2));
        assert_eq!(field("Main Phone #"), Some(Field::Phone));
        assert_eq!(field("#"), None);
    }

    #[test]
    fn a_header_that_means_nothing_stays_unused() {
        for header in [
            "",
            "Owner Name",
            "Lead Owner",
            "Sales Rep Email",
            "Company Address",
            "Created Date",
            "Number",
            "Lead Source",
            "Amount",
            "Job Notes Date",
            "#REF!",
            "#NAME?",
        ] {
            assert_eq!(field(header), None, "{header}");
        }
    }
}
