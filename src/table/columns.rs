//! The columns of a table: which of them feeds each field.

use std::collections::{BTreeMap, HashMap, HashSet};

use crate::model::{Field, RowNumber, excerpt};
use crate::sheet::{Row, column_letters};
use crate::table::rejects_columns::{columns_before_results, is_added_header};
use crate::table::synonyms::fold_cell;
use crate::table::table_head::TableHead;
use crate::table::unit_columns::UnitKind;

/// The parts without which there is no address.
pub(super) const PARTS: [Field; 4] = [Field::Line1, Field::City, Field::Region, Field::PostalCode];

/// The table's columns.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Columns {
    /// Every header as written, in order; letters where there are no headers.
    pub(super) headers: Vec<String>,
    /// The title above each header, where titles tell columns apart.
    pub(super) titles: Vec<String>,
    /// The row of titles that distinguish addresses; a copy of the sheet needs it to be read in the same way.
    pub(super) title_row: Option<RowNumber>,
    /// The columns whose header is not unique.
    pub(super) repeated: HashSet<usize>,
    /// The columns that every rejects file adds, `error` and `source_row`; a person may have deleted one.
    pub(super) of_rejects: [Option<usize>; 2],
    /// The columns of each field, in the order of [`Field::ALL`]; the one to be read first in front.
    pub(super) fields: [Vec<usize>; Field::ALL.len()],
    /// The columns with the streets of further addresses of the customer.
    pub(crate) further_streets: Vec<usize>,
    /// The columns with whole addresses that are not sent; of an address with a column for each line, all of them.
    pub(crate) other_addresses: Vec<Vec<usize>>,
    /// The columns of streets that are not sent and have no city or postal code of their own.
    pub(crate) other_streets: Vec<usize>,
    /// Whether the sheet has another address, with a place of its own.
    pub(crate) has_other_address: bool,
    /// The columns that feed no field, though their cells look like one.
    pub(crate) unused_parts: Vec<(u32, Field)>,
    /// The kind of unit in each column of units.
    pub(super) unit_kinds: Vec<Option<UnitKind>>,
    /// The columns without a header that feed no field, each with one of its cells.
    pub(super) unnamed: Vec<(usize, String)>,
    /// Whether the user named the column of links.
    pub(crate) is_url_asked: bool,
    /// Which columns have the customer's name.
    pub(crate) name_from: NameFrom,
    /// The only column of names if its header names one half of a person's name, and that half; none if the user named
    /// it.
    pub(crate) half_of_name: Option<(usize, Field)>,
    /// How names are written.
    pub(crate) name_order: NameOrder,
}

/// How the column of names writes a person's name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NameOrder {
    /// In the form in which it is sent.
    #[default]
    AsWritten,
    /// `Patel, Chloé`, with last name and first name.
    LastFirst,
}

/// Which columns have the customer's name, if there are several.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NameFrom {
    /// The whole name; without one, first and last name.
    #[default]
    Whole,
    /// The whole name, which the user named though there are columns for first and last name.
    Mapped,
    /// First and last name; without them, the whole name, which is a company's or somebody else's.
    Parts,
}

/// A column that feeds a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Column<'a> {
    /// Zero-based.
    pub index: usize,
    /// As written.
    pub header: &'a str,
}

impl Columns {
    /// Every header as written, in order.
    pub fn headers(&self) -> &[String] {
        &self.headers
    }

    /// The columns that feed a field: one, except for phones and units of several kinds.
    pub fn indexes_of(&self, field: Field) -> &[usize] {
        // This is called for every cell.
        &self.fields[field as usize]
    }

    /// The columns of units, each with its kind, in the order in which units are read: the building first.
    pub fn units(&self) -> impl Iterator<Item = (usize, Option<UnitKind>)> {
        let columns = self.indexes_of(Field::Line2).iter().copied();
        columns.zip(self.unit_kinds.iter().copied()).rev()
    }

    /// The first column that supplies a field: its own, or that of the whole address or of a first or last name.
    pub fn supplying(&self, field: Field) -> Option<usize> {
        let mut fields = field.with_substitutes();
        fields.find_map(|field| self.indexes_of(field).first().copied())
    }

    /// The user's name for a column: its header, with title and letters if the header is not unique.
    pub fn name_of(&self, column: usize) -> String {
        let header = self.headers[column].trim();
        if header.is_empty() {
            return format!("column {}, without a header", column_letters(column));
        }
        if !self.repeated.contains(&column) {
            return header.to_owned();
        }
        let letters = column_letters(column);
        match self.titles.get(column).filter(|title| !title.is_empty()) {
            Some(title) if self.is_only_one_below(title, column) => format!("{title} / {header}"),
            Some(title) => format!("{title} / {header} (column {letters})"),
            None => format!("{header} (column {letters})"),
        }
    }

    /// Whether no other column below the title has the header.
    fn is_only_one_below(&self, title: &str, column: usize) -> bool {
        let header = fold_cell(&self.headers[column]);
        let columns = self.headers.iter().zip(&self.titles);
        let same = columns.filter(|(other, above)| *above == title && fold_cell(other) == header);
        same.count() == 1
    }

    /// The other half of a person's name than that of the only column of names.
    pub(crate) fn other_half(&self) -> Option<Field> {
        self.half_of_name.map(|(_, half)| match half {
            Field::FirstName => Field::LastName,
            _ => Field::FirstName,
        })
    }

    /// The user's names for the columns that feed no field; those without a header come last, each with a sample.
    pub fn unused_names(&self) -> impl Iterator<Item = String> {
        let unnamed = self.unnamed.iter();
        let unnamed =
            unnamed.map(|(column, sample)| format!("{} ({sample})", self.name_of(*column)));
        self.unused_columns()
            .map(|(column, _)| self.name_of(column))
            .chain(unnamed)
    }

    /// Whether a row has an address: at least two of its parts are filled.
    pub fn has_address(&self, row: &Row<'_>) -> bool {
        self.has_address_in(|column| !row.cell(column).is_blank())
    }

    /// As [`Columns::has_address`], for cells by column.
    pub(super) fn has_address_in(&self, is_filled_cell: impl Fn(usize) -> bool) -> bool {
        let is_filled = |field: &&Field| {
            let mut columns = self.indexes_of(**field).iter();
            columns.any(|&column| is_filled_cell(column))
        };
        is_filled(&&Field::Address) || PARTS.iter().filter(is_filled).count() >= 2
    }

    /// Whether a column is one that a rejects file adds.
    pub(crate) fn is_of_rejects(&self, column: usize) -> bool {
        let header = self.headers.get(column);
        header.is_some_and(|header| is_added_header(header))
    }

    /// Whether the table has one of the columns that every rejects file adds; a person may have deleted the other.
    pub(crate) fn are_of_rejects(&self) -> bool {
        self.of_rejects.iter().any(Option::is_some)
    }

    /// Every field that has a column, with its columns.
    pub fn mapped(&self) -> impl Iterator<Item = (Field, Column<'_>)> {
        Field::ALL.into_iter().flat_map(move |field| {
            self.indexes_of(field).iter().map(move |&index| {
                let header = self.headers.get(index).map_or("", String::as_str);
                (field, Column { index, header })
            })
        })
    }

    /// Headers that feed no field, without those that a rejects file adds.
    pub fn unused(&self) -> impl Iterator<Item = &str> {
        self.unused_columns().map(|(_, header)| header)
    }

    /// The number of columns in front of those with results that an export appended.
    pub fn before_results(&self) -> usize {
        columns_before_results(&self.headers)
    }

    /// Those columns by index, each with its header.
    pub(crate) fn unused_columns(&self) -> impl Iterator<Item = (usize, &str)> {
        let used: Vec<usize> = self.fields.iter().flatten().copied().collect();
        self.headers
            .iter()
            .enumerate()
            .filter(move |(index, header)| !used.contains(index) && !header.trim().is_empty())
            .filter(|(index, _)| !self.is_of_rejects(*index))
            .map(|(index, header)| (index, header.as_str()))
    }
}

/// The columns without a header, apart from those that are used, each with the first cell that is filled.
pub(super) fn unnamed(
    head: &TableHead,
    fields: &BTreeMap<Field, Vec<usize>>,
) -> Vec<(usize, String)> {
    let width = head.below.iter().map(|row| row.cells.len()).max();
    let columns = 0..width.unwrap_or(0).min(head.names.len());
    let is_used = |column: usize| fields.values().flatten().any(|used| *used == column);
    let unnamed =
        columns.filter(|&column| head.names[column].trim().is_empty() && !is_used(column));
    let sampled = unnamed.filter_map(|column| {
        let sample = head.filled(column).next()?;
        Some((column, excerpt(sample).into_owned()))
    });
    sampled.collect()
}

/// The columns whose header is not unique.
pub(super) fn repeated(headers: &[String]) -> HashSet<usize> {
    let folded: Vec<String> = headers.iter().map(|header| fold_cell(header)).collect();
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for header in folded.iter().filter(|header| !header.is_empty()) {
        *counts.entry(header).or_default() += 1;
    }
    let is_repeated = |column: &usize| counts.get(folded[*column].as_str()) > Some(&1);
    (0..headers.len()).filter(is_repeated).collect()
}

/// The title above each header; none if there is one title for all.
pub(super) fn titles(head: &TableHead) -> Vec<String> {
    let columns = 0..head.names.len();
    let titles: Vec<String> = columns
        .map(|column| excerpt(head.title_of(column)).into_owned())
        .collect();
    let first = titles.iter().find(|title| !title.is_empty());
    let is_one = titles
        .iter()
        .all(|title| title.is_empty() || Some(title) == first);
    if is_one { Vec::new() } else { titles }
}
