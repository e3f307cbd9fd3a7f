//! The head of a table: its headers, the rows around them, and what they mean together. Each analysis is made once.

use std::cell::OnceCell;
use std::collections::BTreeSet;

use crate::model::{Country, Field, Region, RowNumber, is_canadian_postal_code};
use crate::table::address_groups::AddressGroups;
use crate::table::qualifiers::Qualifiers;
use crate::table::street_columns::meanings;
use crate::table::synonyms::HeaderMeaning;
use crate::table::whole_addresses::whole_addresses;

/// The least number of columns of which a row needs more than one.
const MIN_COLUMNS: usize = 3;

/// One of the first rows of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct CandidateRow {
    pub(super) number: RowNumber,
    pub(super) cells: Vec<String>,
}

impl CandidateRow {
    pub(super) fn is_blank(&self) -> bool {
        self.cells.iter().all(|cell| cell.trim().is_empty())
    }
}

/// The headers that were found, with the rows above and below.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct TableHead {
    /// None where the table has none.
    pub(super) row: Option<RowNumber>,
    pub(super) names: Vec<String>,
    /// How many fields they feed.
    pub(super) score: usize,
    /// The cells of the row above them, which may be titles of several columns.
    pub(super) titles: Vec<String>,
    /// The row of the titles.
    pub(super) titles_row: Option<RowNumber>,
    /// The first rows below them.
    pub(super) below: Vec<CandidateRow>,
    analysis: Analysis,
}

/// What the headers and the rows around them mean, found when it is first asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Analysis {
    qualifiers: OnceCell<Qualifiers>,
    meanings: OnceCell<Vec<Option<HeaderMeaning>>>,
    groups: OnceCell<AddressGroups>,
    whole_addresses: OnceCell<Vec<usize>>,
}

impl TableHead {
    /// Headers without surrounding rows.
    pub(super) fn new(row: Option<RowNumber>, names: Vec<String>) -> Self {
        Self {
            row,
            names,
            ..Self::default()
        }
    }

    /// The same table without the headers of some columns.
    pub(super) fn without_names(&self, columns: &[usize]) -> Self {
        let mut headers = Self {
            analysis: Analysis::default(),
            ..self.clone()
        };
        for &column in columns {
            headers.names[column].clear();
        }
        headers
    }

    /// The filled cells of a column in the first rows, trimmed.
    pub(super) fn filled(&self, column: usize) -> impl Iterator<Item = &str> {
        let cells = self.below.iter();
        let cells = cells.filter_map(move |row| Some(row.cells.get(column)?.trim()));
        cells.filter(|cell| !cell.is_empty())
    }

    /// Whether a column has filled cells, and at least this many tenths of them fit.
    pub(super) fn are_mostly(
        &self,
        column: usize,
        tenths: usize,
        fits: impl Fn(&str) -> bool,
    ) -> bool {
        let filled: Vec<&str> = self.filled(column).collect();
        let fitting = filled.iter().filter(|cell| fits(cell)).count();
        fitting > 0 && fitting * 10 >= filled.len() * tenths
    }

    /// Canada if one of the cells is a Canadian postal code or the code of a province.
    pub(super) fn likely_country(&self) -> Country {
        let is_canadian = |cell: &str| {
            let region = Region::from_code(cell);
            is_canadian_postal_code(cell)
                || region.is_some_and(|region| region.country == Country::Canada)
        };
        let mut cells = self.below.iter().flat_map(|row| &row.cells);
        if cells.any(|cell| is_canadian(cell.trim())) {
            Country::Canada
        } else {
            Country::UnitedStates
        }
    }

    /// The title above a column, which applies to the columns to its right too; empty if there is none.
    pub(super) fn title_of(&self, column: usize) -> &str {
        let above = self.titles.iter().take(column + 1).rev();
        let mut above = above.map(|title| title.trim());
        above.find(|title| !title.is_empty()).unwrap_or_default()
    }

    /// The qualifiers of the headers.
    pub(super) fn qualifiers(&self) -> &Qualifiers {
        let find = || Qualifiers::find(&self.names);
        self.analysis.qualifiers.get_or_init(find)
    }

    /// The meaning of each header in this table.
    pub(super) fn meanings(&self) -> &[Option<HeaderMeaning>] {
        let find = || meanings(self);
        self.analysis.meanings.get_or_init(find)
    }

    /// Whether the header of a column tells what it has.
    pub(super) fn is_known(&self, column: usize) -> bool {
        self.meanings()[column].is_some()
    }

    /// The columns that feed a field, each with it.
    pub(super) fn fields(&self) -> impl Iterator<Item = (usize, Field)> {
        let meanings = self.meanings().iter().enumerate();
        meanings.filter_map(|(column, meaning)| Some((column, meaning.as_ref()?.field)))
    }

    /// The address columns of each address.
    pub(super) fn groups(&self) -> &AddressGroups {
        let find = || AddressGroups::find(self);
        self.analysis.groups.get_or_init(find)
    }

    /// The columns at least half of whose cells read like whole addresses.
    pub(super) fn whole_addresses(&self) -> &[usize] {
        let find = || whole_addresses(self);
        self.analysis.whole_addresses.get_or_init(find)
    }

    /// Adds the titles above and the rows below.
    pub(super) fn with_surroundings(mut self, rows: &[CandidateRow]) -> Self {
        let above = |row: &&CandidateRow| Some(row.number) < self.row && !row.is_blank();
        let titles = rows.iter().rev().find(above);
        self.titles_row = titles.map(|row| row.number);
        self.titles = titles.map(|row| row.cells.clone()).unwrap_or_default();
        // The title of the whole sheet tells no columns apart.
        let first = self.titles.first().map_or("", |title| title.trim());
        let mut others = self.titles.iter().map(|title| title.trim());
        let is_one = !first.is_empty() && others.all(|title| title.is_empty() || title == first);
        // Neither do those of all columns, each with another, as pandas writes: `Unnamed: 0`, `Unnamed: 1`.
        let filled = |cells: &[String]| cells.iter().filter(|cell| !cell.trim().is_empty()).count();
        let distinct: BTreeSet<&str> = self.titles.iter().map(|title| title.trim()).collect();
        let is_of_each =
            distinct.len() >= self.names.len() && filled(&self.titles) >= filled(&self.names);
        if is_one || is_of_each && self.names.len() > 1 {
            self.titles.clear();
            self.titles_row = None;
        }
        let below = rows.iter().filter(|row| Some(row.number) > self.row);
        self.below = below.filter(|row| !self.is_heading(row)).cloned().collect();
        self
    }

    /// Whether a row repeats the headers, as on each page of a report, or is a heading: only one of its cells is
    /// filled, below a header.
    fn is_heading(&self, row: &CandidateRow) -> bool {
        let is_filled = |cell: &&String| !cell.trim().is_empty();
        let has_many_columns = self.names.iter().filter(is_filled).count() > MIN_COLUMNS;
        if self.row.is_none() || !has_many_columns {
            return false;
        }
        let mut cells = row.cells.iter().zip(&self.names);
        match row.cells.iter().filter(is_filled).count() {
            0 => false,
            1 => cells.any(|(cell, name)| is_filled(&cell) && is_filled(&name)),
            _ => cells.all(|(cell, name)| cell.trim() == name.trim()),
        }
    }
}
