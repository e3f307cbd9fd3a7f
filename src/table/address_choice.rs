//! Chooses the columns of the address: one for each part or one for all, of one of several addresses.

use std::collections::BTreeMap;

use crate::model::{AddressKey, Field, RowNumber, WholeAddress};
use crate::sheet::column_letters;
use crate::sheet::{Missing, NearHeader, SheetError};
use crate::table::address_blocks::{AddressBlock, AddressBlocks};
use crate::table::address_names::likelihood;
use crate::table::address_owner::unused_parts_of;
use crate::table::address_sets::AddressSets;
use crate::table::columns::{Columns, PARTS};
use crate::table::field_columns::{lettered, named};
use crate::table::headers::{CandidateRow, Headers};
use crate::table::options::{HeaderRow, TableOptions};
use crate::table::synonyms::{fold, meaning};

/// The columns of the other addresses, which must not be mixed with the chosen one.
pub(super) fn other_addresses(
    headers: &Headers,
    options: &TableOptions,
    asked: &BTreeMap<Field, Vec<usize>>,
) -> Result<Vec<usize>, SheetError> {
    let blocks = AddressBlocks::find(headers);
    match &options.address {
        Some(title) => blocks.without(title),
        None if asked.contains_key(&Field::Address) => Ok(Vec::new()),
        None => blocks.without_unasked(asked),
    }
}

/// Keeps either the columns of the parts or the column of whole addresses; the parts win if they are complete and the
/// column was not requested.
pub(super) fn keep_one_form_of_address(
    headers: &[String],
    fields: &mut BTreeMap<Field, Vec<usize>>,
    options: &TableOptions,
) {
    if !fields.contains_key(&Field::Address) {
        return;
    }
    let is_asked = |field: Field| options.map.iter().any(|(asked, _)| *asked == field);
    if !is_asked(Field::Address) && PARTS.iter().all(|part| fields.contains_key(part)) {
        fields.remove(&Field::Address);
        return;
    }
    let sets = AddressSets::find(headers);
    // A column of units or countries may supplement whole addresses, unless it belongs to another address.
    let of_set = |columns: &[usize]| {
        columns
            .iter()
            .any(|&column| sets.set_of(&headers[column]).is_some())
    };
    fields.retain(|field, columns| {
        !field.is_address_part() || is_asked(*field) || (!PARTS.contains(field) && !of_set(columns))
    });
}

/// Stops at a street of one address with the city of another, for instance of a service and a billing address, unless the
/// user named a column for each part.
pub(super) fn check_single_address(
    around: &Headers,
    fields: &BTreeMap<Field, Vec<usize>>,
    asked: &[Field],
) -> Result<(), SheetError> {
    if PARTS.iter().all(|field| asked.contains(field)) {
        return Ok(());
    }
    let headers = &around.names;
    let column = |field: &Field| fields.get(field)?.first().copied();
    if let (Some(street), Some(city)) = (column(&Field::Line1), column(&Field::City)) {
        let is_used = |column: usize| fields.values().flatten().any(|used| *used == column);
        let (of_street, of_city) = (&headers[street], &headers[city]);
        if let Some(unused) = unused_parts_of(of_street, of_city, headers, is_used) {
            let part = |part: Field| unused.iter().find(|(field, _)| *field == part);
            let of_street = |field| match field {
                Field::Line1 => Some(street),
                field => part(field).map(|(_, column)| *column),
            };
            let used = |field| column(&field).filter(|_| field != Field::Line1);
            return Err(SheetError::TwoAddresses {
                columns: lettered(headers, &[street, city]),
                addresses: vec![parts_of(of_street), parts_of(used)],
            });
        }
    }
    let blocks = AddressBlocks::find(around);
    let of_blocks = PARTS.iter().filter_map(|field| {
        let column = column(field)?;
        let block = blocks.addresses().find(|block| block.has_column(column))?;
        Some((block, column))
    });
    let of_blocks: Vec<(&AddressBlock, usize)> = of_blocks.collect();
    if let [(block, column), others @ ..] = &of_blocks[..] {
        return match others.iter().find(|(other, _)| other != block) {
            Some((other, of_other)) => Err(SheetError::TwoAddresses {
                columns: lettered(headers, &[*column, *of_other]),
                addresses: vec![
                    parts_of(|part| block.column_of(part)),
                    parts_of(|part| other.column_of(part)),
                ],
            }),
            None => Ok(()),
        };
    }
    let sets = AddressSets::find(headers);
    let guessed = PARTS.iter().filter(|field| !asked.contains(field));
    let columns = guessed.filter_map(column);
    let mut of_sets = columns.filter_map(|column| Some((sets.set_of(&headers[column])?, column)));
    let Some((set, column)) = of_sets.next() else {
        return Ok(());
    };
    match of_sets.find(|(other, _)| *other != set) {
        Some((_, other)) => Err(SheetError::TwoAddresses {
            columns: lettered(headers, &[column, other]),
            addresses: vec![parts_of(|_| None)],
        }),
        None => Ok(()),
    }
}

/// Drops `Address 2` beside `City 2` and `Zip 2`: it is no second line but the street of another house.
pub(super) fn drop_street_of_further_address(
    headers: &[String],
    fields: &mut BTreeMap<Field, Vec<usize>>,
    asked: &[Field],
) {
    let first = |field: &Field| fields.get(field)?.first().copied();
    let (Some(line2), Some(city)) = (first(&Field::Line2), first(&Field::City)) else {
        return;
    };
    let is_used = |column: usize| fields.values().flatten().any(|used| *used == column);
    let further = unused_parts_of(&headers[line2], &headers[city], headers, is_used);
    if further.is_some() && !asked.contains(&Field::Line2) {
        fields.remove(&Field::Line2);
    }
}

/// The letters of the column of each part, or what stands for one that only the user knows.
pub(super) fn parts_of(column: impl Fn(Field) -> Option<usize>) -> Vec<(Field, String)> {
    let letters = |part| column(part).map_or("HEADER".to_owned(), column_letters);
    PARTS
        .into_iter()
        .map(|part| (part, letters(part)))
        .collect()
}

/// Whether an error is about missing or ambiguous parts of an address.
pub(super) fn is_about_address(cause: &SheetError) -> bool {
    match cause {
        SheetError::MissingFields { missing, .. } => {
            missing.iter().any(|one| PARTS.contains(&one.field))
        }
        SheetError::Ambiguous { field, .. } => field.is_address_part(),
        SheetError::TwoAddresses { .. } => true,
        SheetError::NoSuchAddress { blocks, .. } => blocks.is_empty(),
        _ => false,
    }
}

/// The columns at least half of whose cells read like whole addresses.
pub(super) fn whole_addresses(headers: &Headers, options: &TableOptions) -> Vec<usize> {
    if options.header_row == HeaderRow::Absent {
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

/// The error that asks which column of whole addresses is meant; none if there is no such column.
pub(super) fn whole_address_choice(
    headers: &Headers,
    options: &TableOptions,
) -> Option<SheetError> {
    let mut whole = whole_addresses(headers, options);
    whole.sort_by_key(|column| likelihood(&headers.names[*column]));
    let asked = options.address.as_deref().map(fold);
    let is_asked = |column: &usize| asked == Some(fold(&headers.names[*column]));
    if let Some(asked) = whole.iter().copied().find(is_asked) {
        whole = vec![asked];
    }
    Some(SheetError::MissingFields {
        missing: missing_besides(headers, options, &[*whole.first()?]),
        headers: named(&headers.names),
        header_row: headers.row.unwrap_or(RowNumber(1)),
        whole_addresses: lettered(&headers.names, &whole).into(),
        street: None,
        differing: differing_rows(headers, &whole),
    })
}

/// The columns of an address in parts beside columns of whole addresses, such as a billing address; the error that asks
/// which of them is the house's, if their houses differ and the headers of the parts do not tell. None without both.
pub(super) fn parts_beside_whole_addresses(
    headers: &Headers,
    options: &TableOptions,
) -> Option<Result<Columns, SheetError>> {
    let whole = whole_addresses(headers, options);
    let mut beside = headers.clone();
    for &column in &whole {
        beside.names[column].clear();
    }
    let blocks = AddressBlocks::find(&beside);
    let parts = blocks.addresses().next().filter(|_| !whole.is_empty())?;
    if !PARTS.iter().all(|part| parts.has(*part)) {
        return None;
    }
    let street = parts.column_of(Field::Line1)?;
    let found = Columns::of_headers(&beside, options);
    let missing = match &found {
        Ok(_) => Vec::new(),
        Err(SheetError::MissingFields { missing, .. }) => missing.clone(),
        Err(_) => return None,
    };
    if missing.iter().any(|one| one.field.is_address_part()) {
        return None;
    }
    let likelihood = |column: usize| likelihood(&headers.names[column]);
    let differing = differing_from_parts(&beside, parts, &whole);
    if differing.0 > 0
        && whole
            .iter()
            .any(|&column| likelihood(column) <= likelihood(street))
    {
        return Some(Err(SheetError::MissingFields {
            missing,
            headers: named(&headers.names),
            header_row: headers.row.unwrap_or(RowNumber(1)),
            whole_addresses: lettered(&headers.names, &whole).into(),
            street: lettered(&headers.names, &[street]).pop().map(Box::new),
            differing,
        }));
    }
    Some(found.map(|columns| Columns {
        headers: headers.names.clone(),
        ..columns
    }))
}

/// The number of the first rows in which a whole address is of another house than the parts, and of the rows with both.
fn differing_from_parts(
    headers: &Headers,
    parts: &AddressBlock,
    whole: &[usize],
) -> (usize, usize) {
    let mut counts = (0, 0);
    for row in &headers.below {
        let text = |field| Some(row.cells.get(parts.column_of(field)?)?.trim());
        let Some(street) = text(Field::Line1).filter(|street| !street.is_empty()) else {
            continue;
        };
        let house = AddressKey::new(street, text(Field::PostalCode).unwrap_or_default(), None);
        let others = whole.iter().map(|&column| row.text_of(&[column]));
        let others: Vec<AddressKey> = others
            .filter_map(|text| AddressKey::of_whole(&text))
            .collect();
        counts.0 += usize::from(others.iter().any(|other| !other.matches(&house)));
        counts.1 += usize::from(!others.is_empty());
    }
    counts
}

/// The error that asks to join a street with a column that has the rest of its address, such as `City, State ZIP`; none
/// without such a column.
pub(super) fn joined_address(headers: &Headers, options: &TableOptions) -> Option<SheetError> {
    let is_street = |header: &String| meaning(header).is_some_and(|one| one.field == Field::Line1);
    let street = headers.names.iter().position(is_street)?;
    let is_rest = |column: &usize| {
        let addresses = headers
            .below
            .iter()
            .map(|row| row.text_of(&[street, *column]));
        let filled: Vec<String> = addresses.filter(|one| !one.is_empty()).collect();
        let whole = filled.iter().filter(|one| WholeAddress::parse(one).is_ok());
        !filled.is_empty() && whole.count() * 2 >= filled.len()
    };
    let is_named = |column: &usize| !headers.names[*column].trim().is_empty();
    let rest = (0..headers.names.len())
        .filter(|column| *column != street && is_named(column))
        .find(is_rest)?;
    let part = |column: usize| Missing {
        field: Field::Address,
        near: vec![NearHeader {
            column,
            header: headers.names[column].clone(),
        }],
        refused: Vec::new(),
    };
    let mut missing = vec![part(street), part(rest)];
    missing.extend(missing_besides(headers, options, &[street, rest]));
    Some(SheetError::MissingFields {
        missing,
        headers: named(&headers.names),
        header_row: headers.row.unwrap_or(RowNumber(1)),
        whole_addresses: Box::default(),
        street: None,
        differing: (0, 0),
    })
}

/// The number of the first rows in which columns of whole addresses differ, and of those with any of them.
fn differing_rows(headers: &Headers, whole: &[usize]) -> (usize, usize) {
    let columns: Vec<Vec<usize>> = whole
        .iter()
        .map(|&column| address_lines(&headers.names, column))
        .collect();
    let mut counts = (0, 0);
    for row in &headers.below {
        let texts = columns.iter().map(|lines| row.text_of(lines));
        let houses: Vec<AddressKey> = texts
            .filter_map(|text| AddressKey::of_whole(&text))
            .collect();
        counts.0 += usize::from(houses.iter().any(|house| !house.matches(&houses[0])));
        counts.1 += usize::from(!houses.is_empty());
    }
    counts
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
    /// The columns of whole addresses that feed no field.
    pub(super) fn unused_whole_addresses(
        &self,
        headers: &Headers,
        options: &TableOptions,
    ) -> Vec<Vec<usize>> {
        let is_used = |column: &usize| self.fields.iter().flatten().any(|used| used == column);
        let whole = whole_addresses(headers, options).into_iter();
        whole
            .filter(|column| !is_used(column))
            .map(|column| address_lines(&headers.names, column))
            .collect()
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
    let folded: Vec<String> = headers.iter().map(|header| fold(header)).collect();
    let stem = folded[first].strip_suffix('1');
    let stem = stem.filter(|stem| !stem.ends_with(|c: char| c.is_ascii_digit()));
    let Some(stem) = stem.filter(|_| meaning(&headers[first]).is_none()) else {
        return vec![first];
    };
    let further = (2..).map_while(|line| {
        let header = format!("{stem}{line}");
        folded.iter().position(|other| *other == header)
    });
    std::iter::once(first).chain(further).collect()
}

/// What is missing once columns feed whole addresses.
fn missing_besides(headers: &Headers, options: &TableOptions, columns: &[usize]) -> Vec<Missing> {
    let mut options = options.clone();
    options.address = None;
    let columns = columns.iter().map(|column| column_letters(*column));
    options
        .map
        .extend(columns.map(|column| (Field::Address, column)));
    match Columns::of_headers(headers, &options) {
        Err(SheetError::MissingFields { missing, .. }) => missing,
        _ => Vec::new(),
    }
}
