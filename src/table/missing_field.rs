//! What a table lacks before it can be read, and what may supply it; the sentences about that.

use std::fmt;

use crate::model::{Field, excerpt, joined_with_and};

/// One of several addresses side by side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AddressTitle {
    /// The title above its columns, or the words in front of their headers.
    pub title: String,
    /// Its columns: `F–I`, and whether most rows have none of it.
    pub columns: String,
    /// What `--address` calls it: the title, or a column's letters where titles are the same.
    pub flag_value: String,
}

/// A required field without a header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MissingField {
    /// What is missing.
    pub field: Field,
    /// Unused headers that are spelled similarly, the nearest first. For the id only columns whose values are all
    /// there and all different.
    pub suggestions: Vec<SuggestedHeader>,
    /// For the id, why those columns are left out whose values are not all there or not all different; for email and
    /// phone, the columns of other persons.
    pub refused: Vec<UnsuitableColumn>,
}

impl MissingField {
    /// A field with the columns that are suggested for it.
    pub(crate) fn with_near(field: Field, columns: &[usize], headers: &[String]) -> Self {
        let near = columns.iter().map(|&column| SuggestedHeader {
            column,
            header: headers[column].clone(),
        });
        Self {
            field,
            suggestions: near.collect(),
            refused: Vec::new(),
        }
    }
}

/// A header that is spelled like one of a field that is missing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SuggestedHeader {
    /// The zero-based column.
    pub column: usize,
    /// The header as written.
    pub header: String,
}

/// A column that is not suggested.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnsuitableColumn {
    /// The header as written.
    pub header: String,
    /// Why.
    pub cause: UnsuitableReason,
}

/// Why a column is not suggested.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UnsuitableReason {
    /// This cell is empty.
    Empty(String),
    /// This cell has the value of an earlier row.
    Repeated(String),
    /// Its values are 1, 2, 3, and so on, as in any other file.
    Counts,
    /// It is the email or phone of the person below this header.
    OfAnother(String),
}

impl fmt::Display for UnsuitableColumn {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let header = excerpt(self.header.trim());
        let why = match &self.cause {
            UnsuitableReason::Empty(cell) => format!("{cell} is empty"),
            UnsuitableReason::Repeated(cell) => format!("{cell} has the value of an earlier row"),
            UnsuitableReason::Counts => {
                "it is a row counter, and ids must be unique in the whole app".to_owned()
            }
            UnsuitableReason::OfAnother(person) => {
                let person = excerpt(person.trim());
                return write!(
                    formatter,
                    "`{header}` belongs to `{person}`; name it with --map if that is the customer"
                );
            }
        };
        write!(formatter, "`{header}` is not used for the ids: {why}")
    }
}

pub(super) fn missing_sentence(
    missing: &[MissingField],
    whole_addresses: &[(String, String)],
    street: Option<&(String, String)>,
    differing: (usize, usize),
) -> String {
    if whole_addresses.is_empty() {
        return missing_fields(missing);
    }
    let headers: Vec<String> = whole_addresses
        .iter()
        .map(|(header, _)| format!("`{}`", header.trim()))
        .collect();
    let columns = joined_with_and(&headers);
    let sentence = match (headers.len(), street) {
        (1, None) => format!("{columns} has whole addresses"),
        (_, None) => format!(
            "{columns} have whole addresses{}",
            differing_rows(differing)
        ),
        (_, Some((street, _))) => format!(
            "two addresses: {columns} with whole ones, and one in several columns beginning with `{}`{}",
            street.trim(),
            differing_rows(differing)
        ),
    };
    if missing.is_empty() {
        return sentence;
    }
    format!("{sentence}; {}", missing_fields(missing))
}

pub(super) fn numbered_addresses(count: usize) -> String {
    match count {
        2 => "two addresses".to_owned(),
        count => format!("{count} addresses"),
    }
}

pub(super) fn listed_addresses(blocks: &[AddressTitle]) -> String {
    let blocks: Vec<String> = blocks
        .iter()
        .map(|block| format!("{} ({})", block.title, block.columns))
        .collect();
    joined_with_and(&blocks)
}

pub(super) fn differing_rows((differing, rows): (usize, usize)) -> String {
    let all = match rows {
        0 => return String::new(),
        1 => "the first row".to_owned(),
        rows => format!("the first {rows} rows"),
    };
    match differing {
        0 => format!("; they are equal in {all}"),
        differing if differing == rows => format!("; they differ in {all}"),
        differing => format!("; they differ in {differing} of {all}"),
    }
}

fn missing_fields(missing: &[MissingField]) -> String {
    let mut fields: Vec<&str> = missing.iter().map(|one| one.field.name()).collect();
    // An address may take several columns.
    fields.dedup();
    let columns = if fields.len() == 1 {
        "no column"
    } else {
        "no columns"
    };
    format!("{columns} for {}", joined_with_and(&fields))
}

pub(super) fn listed(columns: &[(String, String)]) -> String {
    let columns: Vec<String> = columns
        .iter()
        .map(|(header, letters)| format!("`{}` (column {letters})", excerpt(header.trim())))
        .collect();
    joined_with_and(&columns)
}

pub(super) fn listed_names(names: &[String]) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    joined_with_and(&names)
}
