//! The flags with which a command can read a table that could not be read without them.

use crate::cli::failure::suggested_flag::SuggestedFlag;
use crate::cli::nearest::nearest;
use crate::model::{EXCERPT_CHARS, Field};
use crate::sheet::{column_letters, column_of};
use crate::table::{
    AddressTitle, MissingField, SuggestedHeader, TableError, fold_cell, house_rank,
};

/// The flags with which the command works; several sets are a choice. `HEADER` stands for a name that only the user
/// knows.
pub(super) fn flags(cause: &TableError) -> Vec<Vec<SuggestedFlag>> {
    let each = |flags: Vec<SuggestedFlag>| flags.into_iter().map(|flag| vec![flag]).collect();
    match cause {
        TableError::MissingFields { .. } if is_no_header(cause) => Vec::new(),
        TableError::MissingFields {
            missing,
            headers,
            whole_addresses,
            ..
        } if whole_addresses.is_empty() => {
            // Without a flag for each field, the command would fail again.
            let flag = |one: &MissingField| {
                flag_of(one, headers).unwrap_or_else(|| SuggestedFlag::map(one.field, "HEADER"))
            };
            vec![missing.iter().map(flag).collect()]
        }
        TableError::MissingFields {
            missing,
            headers,
            whole_addresses,
            street,
            ..
        } => {
            let mut addresses = choices(Field::Address, whole_addresses);
            let street = street.as_deref().map(std::slice::from_ref);
            let street = street.unwrap_or_default();
            let is_less_likely = |(header, _): &(String, String)| {
                let mut streets = street.iter();
                streets.any(|(street, _)| house_rank(street) < house_rank(header))
            };
            let at = whole_addresses.iter().position(is_less_likely);
            let at = at.unwrap_or(addresses.len());
            addresses.splice(at..at, choices(Field::Line1, street));
            with_missing(addresses, missing, headers)
        }
        TableError::SeveralAddresses {
            blocks, missing, ..
        } => with_missing(addresses(blocks), missing, &[]),
        TableError::NoSuchAddress { blocks, .. } if blocks.len() > 1 => each(addresses(blocks)),
        // Of several phones of one customer, a row's first one is sent.
        TableError::Ambiguous {
            field: Field::Phone,
            columns,
        } if are_adjacent(columns) => {
            let choices = choices(Field::Phone, columns);
            [vec![choices.clone()], each(choices)].concat()
        }
        TableError::Ambiguous { field, columns } => each(choices(*field, columns)),
        TableError::TwoAddresses { addresses, .. } => {
            let map = |(part, column): &(Field, String)| SuggestedFlag::map(*part, column);
            let maps = addresses
                .iter()
                .map(|parts| parts.iter().map(map).collect());
            maps.collect()
        }
        TableError::SeveralSheets(sheets) | TableError::HiddenSheets(sheets) => {
            let sheets = sheets
                .iter()
                .map(|name| SuggestedFlag::new("--sheet", name));
            each(sheets.collect())
        }
        TableError::NoSuchHeader {
            field,
            header,
            headers,
        } => {
            let headers = headers.iter().map(String::as_str);
            let near = nearest(header, headers.filter(|one| is_typeable(one)));
            let flag = near.map(|near| match field {
                Field::Id => SuggestedFlag::new("--id-column", near),
                field => SuggestedFlag::map(*field, near),
            });
            each(flag.into_iter().collect())
        }
        TableError::NoHeaders { .. } => vec![columns_by_letter()],
        TableError::CustomerAboveHeaders { header_row, .. } => {
            vec![vec![SuggestedFlag::new(
                "--header-row",
                &header_row.to_string(),
            )]]
        }
        _ => Vec::new(),
    }
}

/// Whether columns stand side by side: nobody else's is between them.
fn are_adjacent(columns: &[(String, String)]) -> bool {
    let columns: Vec<Option<usize>> = columns.iter().map(|(_, one)| column_of(one)).collect();
    let mut pairs = columns.windows(2);
    pairs.all(|pair| pair[0].map(|one| one + 1) == pair[1])
}

/// Whether the row of the headers is another text: a table has more than one column.
pub(super) fn is_no_header(cause: &TableError) -> bool {
    matches!(cause, TableError::MissingFields { whole_addresses, headers, .. } if whole_addresses.is_empty() && headers.len() <= 1)
}

/// A flag for each field that a table needs; only the user knows the letters of its column.
fn columns_by_letter() -> Vec<SuggestedFlag> {
    let fields = [
        Field::Id,
        Field::Name,
        Field::Line1,
        Field::City,
        Field::Region,
        Field::PostalCode,
        Field::Phone,
    ];
    let maps = fields.map(|field| SuggestedFlag::map(field, "LETTER"));
    let no_headers = SuggestedFlag::new("--header-row", "0");
    [no_headers].into_iter().chain(maps).collect()
}

fn addresses(blocks: &[AddressTitle]) -> Vec<SuggestedFlag> {
    let titles = blocks.iter().map(|block| block.flag_value.as_str());
    titles
        .map(|title| SuggestedFlag::new("--address", title))
        .collect()
}

/// Each of the choices, with the flags for everything else that is missing in a table of these headers.
fn with_missing(
    choices: Vec<SuggestedFlag>,
    missing: &[MissingField],
    headers: &[String],
) -> Vec<Vec<SuggestedFlag>> {
    let others = missing.iter().filter_map(|one| flag_of(one, headers));
    let others: Vec<SuggestedFlag> = others.collect();
    let choices = choices.into_iter();
    choices
        .map(|choice| [vec![choice], others.clone()].concat())
        .collect()
}

/// The flag for a missing field; `None` if no column is like it, so that the sheet probably has none.
fn flag_of(missing: &MissingField, headers: &[String]) -> Option<SuggestedFlag> {
    let is_repeated = |header: &str| {
        let same = headers
            .iter()
            .filter(|other| fold_cell(other) == fold_cell(header));
        same.count() > 1
    };
    let flag = match (missing.suggestions.first(), missing.field) {
        (Some(SuggestedHeader { column, header }), field) => {
            let letters = column_letters(*column);
            if is_repeated(header) {
                SuggestedFlag::map(field, &letters)
            } else {
                SuggestedFlag::map(field, &typed(header, &letters))
            }
        }
        (None, Field::Id) => SuggestedFlag::derive_id(),
        (None, _) if missing.refused.is_empty() => return None,
        (None, field) => SuggestedFlag::map(field, "HEADER"),
    };
    Some(flag)
}

fn choices(field: Field, columns: &[(String, String)]) -> Vec<SuggestedFlag> {
    let doubled = columns
        .iter()
        .any(|(header, _)| columns.iter().filter(|(other, _)| other == header).count() > 1);
    let column = |(header, letters): &(String, String)| {
        if doubled {
            letters.clone()
        } else {
            typed(header, letters)
        }
    };
    let columns = columns.iter().map(column);
    columns
        .map(|column| SuggestedFlag::map(field, &column))
        .collect()
}

/// A header as it is typed in a command; the letters of its column if it is too long or has several lines.
fn typed(header: &str, letters: &str) -> String {
    let typed = if is_typeable(header) { header } else { letters };
    typed.to_owned()
}

/// Whether a header can be typed in a command.
fn is_typeable(header: &str) -> bool {
    header.chars().count() <= EXCERPT_CHARS && !header.contains(char::is_control)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_of_several_lines_is_named_by_its_column() {
        let missing = MissingField {
            field: Field::Line1,
            suggestions: vec![SuggestedHeader {
                column: 27,
                header: "Street\nAddress".to_owned(),
            }],
            refused: Vec::new(),
        };
        let flag = flag_of(&missing, &[]);
        assert_eq!(flag, Some(SuggestedFlag::map(Field::Line1, "AB")));
    }
}
