//! Columns of whole addresses: which ones a table has, beside an address in parts or another one, and the questions about
//! them.

use crate::model::{AddressKey, Field, RowNumber, WholeAddress, WordList, short_postal_code};
use crate::sheet::column_letters;
use crate::table::address_names::{house_rank, is_of_customer};
use crate::table::columns::{Columns, PARTS};
use crate::table::error::TableError;
use crate::table::field_columns::{named, with_letters};
use crate::table::missing_field::MissingField;
use crate::table::options::TableOptions;
use crate::table::street_cells::is_street;
use crate::table::synonyms::{fold_cell, header_meaning};
use crate::table::table_head::{CandidateRow, TableHead};

static DITTO: WordList = WordList::new("ditto");

/// The columns at least half of whose cells read like whole addresses.
pub(super) fn whole_addresses(headers: &TableHead) -> Vec<usize> {
    if headers.row.is_none() {
        return Vec::new();
    }
    let is_whole = |column: usize| {
        let columns = address_lines(&headers.names, column);
        let addresses = headers.below.iter().map(|row| row.text_of(&columns));
        let filled: Vec<String> = addresses.filter(|one| !one.is_empty()).collect();
        let whole = filled.iter().filter(|one| is_likely_below_a_name(one));
        !filled.is_empty() && whole.count() * 2 >= filled.len()
    };
    (0..headers.names.len())
        .filter(|&column| !headers.names[column].trim().is_empty() && is_whole(column))
        .collect()
}

/// The error that asks which column of whole addresses is meant, or a street that `cause` asks about; `None` if there
/// is no such column.
pub(super) fn whole_address_choice(
    headers: &TableHead,
    options: &TableOptions,
    cause: &TableError,
) -> Option<TableError> {
    let mut whole = headers.whole_addresses().to_vec();
    whole.sort_by_key(|column| house_rank(&headers.names[*column]));
    let chosen = options.address.as_deref().map(fold_cell);
    let is_chosen = |column: &usize| chosen == Some(fold_cell(&headers.names[*column]));
    if let Some(column) = whole.iter().copied().find(is_chosen) {
        whole = vec![column];
    }
    let whole_addresses = with_letters(&headers.names, &whole);
    let street = match cause {
        TableError::Ambiguous {
            field: Field::Line1,
            columns,
            ..
        } => columns.iter().find(|one| !whole_addresses.contains(one)),
        _ => None,
    };
    // The customer's mail may go elsewhere than the house is.
    let is_mail = |column: &usize| is_of_customer(&headers.names[*column]);
    let of_parts = || {
        let is_street =
            |(column, field): &(usize, Field)| *field == Field::Line1 && !whole.contains(column);
        let street = headers.fields().find(is_street)?.0;
        with_letters(&headers.names, &[street]).pop()
    };
    let street = street.cloned().or_else(|| {
        let is_open = options.address.is_none() && whole.iter().all(is_mail);
        of_parts().filter(|_| is_open)
    });
    let missing = missing_besides(headers, options, &[*whole.first()?]);
    let differing = count_differing(headers, |row| houses(row, &whole, &headers.names).collect());
    Some(unmapped(headers, missing, (&whole, street), differing))
}

/// The columns of an address in parts beside columns of whole addresses, such as a billing address; the error that asks
/// which of them is the house's, if their houses differ and the headers of the parts do not tell. None without both.
pub(super) fn parts_beside_whole_addresses(
    headers: &TableHead,
    options: &TableOptions,
) -> Option<Result<Columns, TableError>> {
    let mut whole = headers.whole_addresses().to_vec();
    whole.sort_by_key(|column| house_rank(&headers.names[*column]));
    if whole.is_empty() {
        return None;
    }
    let beside = headers.without_names(&whole);
    let (mut columns, chosen) = Columns::from_known_headers(&beside, options).ok()?;
    let found = columns.check_required_fields(&beside, options, &chosen);
    let mut missing = match &found {
        Err(TableError::MissingFields { missing, .. }) => missing.clone(),
        _ => Vec::new(),
    };
    let is_street = |one: &MissingField| one.field == Field::Line1;
    let guessed = missing.iter().find(|one| is_street(one));
    let guessed = guessed.and_then(|one| Some(one.suggestions.first()?.column));
    missing.retain(|one| !is_street(one));
    let part = |field: Field| {
        let guessed = guessed.filter(|_| field == Field::Line1);
        columns.indexes_of(field).first().copied().or(guessed)
    };
    if PARTS.iter().any(|field| part(*field).is_none()) {
        return None;
    }
    let street = part(Field::Line1)?;
    let differing = differing_from_parts(&beside, part, &whole);
    let is_likely =
        |column: &usize| house_rank(&headers.names[*column]) <= house_rank(&headers.names[street]);
    if guessed.is_some() || differing.0 > 0 && whole.iter().any(is_likely) {
        let street = with_letters(&headers.names, &[street]).pop();
        return Some(Err(unmapped(headers, missing, (&whole, street), differing)));
    }
    columns.headers.clone_from(&headers.names);
    Some(found.map(|()| columns))
}

/// The error that asks which address is the house's, if the header of whole addresses that are not used names the house's
/// more likely than that of the used address, such as `Job site` beside `Address`, and their houses differ.
pub(super) fn likelier_whole_address(headers: &TableHead, columns: &Columns) -> Option<TableError> {
    let used = columns.supplying(Field::Line1)?;
    let house_rank = |column: &usize| house_rank(&headers.names[*column]);
    let unused = columns.other_addresses.iter().filter_map(|one| one.first());
    let likelier = unused
        .copied()
        .filter(|one| house_rank(one) < house_rank(&used));
    let likelier: Vec<usize> = likelier.collect();
    if likelier.is_empty() {
        return None;
    }
    let is_whole = columns.indexes_of(Field::Line1).is_empty();
    let part = |field: Field| columns.indexes_of(field).first().copied();
    let mut whole = likelier;
    let differing = if is_whole {
        whole.push(used);
        count_differing(headers, |row| houses(row, &whole, &headers.names).collect())
    } else {
        differing_from_parts(headers, part, &whole)
    };
    let street = with_letters(&headers.names, &[used])
        .pop()
        .filter(|_| !is_whole);
    (differing.0 > 0).then(|| unmapped(headers, Vec::new(), (&whole, street), differing))
}

/// The number of the first rows in which a whole address is of another house than the parts, and of the rows with both.
fn differing_from_parts(
    headers: &TableHead,
    part: impl Fn(Field) -> Option<usize>,
    whole: &[usize],
) -> (usize, usize) {
    count_differing(headers, |row| {
        let others: Vec<AddressKey> = houses(row, whole, &headers.names).collect();
        let own = house(row, &part).filter(|_| !others.is_empty());
        own.map_or_else(Vec::new, |own| [vec![own], others].concat())
    })
}

/// The house of a row by the columns of its parts; none without a street, and none for `same as above`.
pub(super) fn house(
    row: &CandidateRow,
    part: impl Fn(Field) -> Option<usize>,
) -> Option<AddressKey> {
    let text = |field| Some(row.cells.get(part(field)?)?.trim());
    let is_filled = |street: &&str| !street.is_empty() && !DITTO.has_in_any_case(street);
    let street = text(Field::Line1).filter(is_filled)?;
    let postal_code = text(Field::PostalCode).unwrap_or_default();
    // Excel removes the zero in front of `07042`.
    let postal_code = short_postal_code(postal_code);
    Some(AddressKey::new(street, &postal_code, None))
}

/// The number of the first rows whose houses differ, and of those with any.
pub(super) fn count_differing(
    headers: &TableHead,
    houses: impl Fn(&CandidateRow) -> Vec<AddressKey>,
) -> (usize, usize) {
    let rows = headers.below.iter().map(houses);
    let filled: Vec<Vec<AddressKey>> = rows.filter(|houses| !houses.is_empty()).collect();
    let differs = |houses: &&Vec<AddressKey>| houses.iter().any(|one| !one.matches(&houses[0]));
    (filled.iter().filter(differs).count(), filled.len())
}

/// The houses of a row in columns of whole addresses.
fn houses(
    row: &CandidateRow,
    whole: &[usize],
    headers: &[String],
) -> impl Iterator<Item = AddressKey> {
    let texts = whole
        .iter()
        .map(|&column| row.text_of(&address_lines(headers, column)));
    texts.filter_map(|text| AddressKey::parse_whole(&text))
}

/// The error that asks to join a street with a column that has the rest of its address, such as `City, State ZIP`, or
/// more of it; none without such a column.
pub(super) fn joined_address(headers: &TableHead, options: &TableOptions) -> Option<TableError> {
    let known = |field: Field| {
        let has = |header: &String| header_meaning(header).is_some_and(|one| one.field == field);
        headers.names.iter().position(has)
    };
    let street = known(Field::Line1)?;
    let places = [Field::City, Field::Region, Field::PostalCode].map(known);
    // Where two parts of the place are known, only the third one is missing.
    let is_joined = places.iter().flatten().count() < 2;
    let [city, region, code] = places.map(|place| place.filter(|_| is_joined));
    // `City, State` and `Zip`, or `City` and `State Zip`.
    let lines = |rest: usize| -> Vec<usize> {
        let lines = [Some(street), city, Some(rest), region, code];
        lines.into_iter().flatten().collect()
    };
    let is_rest = |column: &usize| {
        let lines = lines(*column);
        let addresses = headers.below.iter().map(|row| row.text_of(&lines));
        let filled: Vec<String> = addresses.filter(|one| !one.is_empty()).collect();
        let whole = filled.iter().filter(|one| WholeAddress::parse(one).is_ok());
        !filled.is_empty() && whole.count() * 2 >= filled.len()
    };
    let is_named = |column: &usize| !headers.names[*column].trim().is_empty();
    // Behind another street, it is the rest of that one.
    let is_other_street = |other: usize| {
        let group = headers.groups().of(other);
        other != street && group.is_some_and(|group| group.column_of(Field::Line1) == Some(other))
    };
    let is_own = |column: &usize| {
        let start = if street < *column { street } else { 0 };
        !(start..street.max(*column)).any(is_other_street)
    };
    let rest = (0..headers.names.len())
        .filter(|column| is_named(column) && is_own(column))
        .filter(|column| *column != street && !places.contains(&Some(*column)))
        .find(is_rest)?;
    let lines = lines(rest);
    let part = |column: &usize| MissingField::with_near(Field::Address, &[*column], &headers.names);
    let mut missing: Vec<MissingField> = lines.iter().map(part).collect();
    missing.extend(missing_besides(headers, options, &lines));
    Some(unmapped(headers, missing, (&[], None), (0, 0)))
}

impl CandidateRow {
    /// The lines of a text that has one column or several.
    fn text_of(&self, columns: &[usize]) -> String {
        let lines = columns.iter().filter_map(|&line| self.cells.get(line));
        let lines: Vec<&str> = lines.map(|line| line.trim()).collect();
        lines.join("\n").trim().to_owned()
    }
}

impl Columns {
    /// The columns of whole addresses that feed no field, and those that may have some below the first rows.
    pub(super) fn unused_whole_addresses(&self, head: &TableHead) -> Vec<Vec<usize>> {
        if head.row.is_none() {
            return Vec::new();
        }
        let (whole, end) = (head.whole_addresses(), self.before_results());
        let unused = self.unused_columns().map(|(column, _)| column);
        let may_have = unused.filter(|column| {
            *column < end && (whole.contains(column) || head.filled(*column).next().is_none())
        });
        let lines = may_have.map(|column| address_lines(&head.names, column));
        lines.collect()
    }

    /// The columns of streets that feed no field and have no city or postal code of their own: an assessor's roll has the
    /// place of the parcel beside the owner's address.
    pub(super) fn unused_streets(&self, head: &TableHead) -> Vec<usize> {
        let is_unused = |street: &usize| {
            let mut unused = self.unused_columns().map(|(column, _)| column);
            unused.any(|column| column == *street && column < self.before_results())
                && !self.further_streets.contains(street)
                && !head.whole_addresses().contains(street)
        };
        let groups = head.groups();
        // Beside a whole address, the parts may be those of the house.
        let whole = self.indexes_of(Field::Address).first();
        let is_likelier = |street: usize| {
            let rank = |column: usize| house_rank(&head.names[column]);
            whole.is_some_and(|whole| rank(street) < rank(*whole))
        };
        let lone = groups.groups.iter().filter_map(|group| {
            let street = group.column_of(Field::Line1)?;
            (group.place().is_none() || is_likelier(street)).then_some(street)
        });
        // Few customers may have another address than their own.
        let others = 0..head.names.len();
        let others = others.filter(|column| groups.of(*column).is_none());
        let others = others.filter(|column| head.are_mostly(*column, 5, is_street));
        lone.chain(others).filter(is_unused).collect()
    }
}

/// Whether a text looks like a whole address, with or without a name in its first line.
fn is_likely_below_a_name(text: &str) -> bool {
    let below = text.split_once('\n').map(|(_, below)| below);
    WholeAddress::is_likely(text) || below.is_some_and(WholeAddress::is_likely)
}

/// The columns of an address whose lines have a column each, such as `Bill to 1` to `Bill to 5`, from its first column;
/// only that column if it is not the first of several.
pub(super) fn address_lines(headers: &[String], first: usize) -> Vec<usize> {
    let folded = fold_cell(&headers[first]);
    let stem = folded.strip_suffix('1');
    let stem = stem.filter(|stem| !stem.ends_with(|c: char| c.is_ascii_digit()));
    let Some(stem) = stem.filter(|_| header_meaning(&headers[first]).is_none()) else {
        return vec![first];
    };
    let further = (2..).map_while(|line| {
        let (line, header) = (line.to_string(), format!("{stem}{line}"));
        // A sheet may have thousands of headers.
        let is_line = |other: &String| other.contains(&line) && fold_cell(other) == header;
        headers.iter().position(is_line)
    });
    std::iter::once(first).chain(further).collect()
}

/// The error that names what is missing, and asks which column of whole addresses is meant, or a street in parts.
pub(super) fn unmapped(
    headers: &TableHead,
    missing: Vec<MissingField>,
    (whole, street): (&[usize], Option<(String, String)>),
    differing: (usize, usize),
) -> TableError {
    TableError::MissingFields {
        missing,
        headers: named(&headers.names),
        header_row: headers.row.unwrap_or(RowNumber(1)),
        whole_addresses: with_letters(&headers.names, whole).into(),
        street: street.map(Box::new),
        differing,
        country: headers.likely_country(),
    }
}

/// What is missing once columns feed whole addresses.
fn missing_besides(
    headers: &TableHead,
    options: &TableOptions,
    columns: &[usize],
) -> Vec<MissingField> {
    let mut options = options.clone();
    options.address = None;
    let columns = columns.iter().map(|column| column_letters(*column));
    options
        .map
        .extend(columns.map(|column| (Field::Address, column)));
    match Columns::from_headers(headers, &options) {
        Err(TableError::MissingFields { missing, .. }) => missing,
        _ => Vec::new(),
    }
}
