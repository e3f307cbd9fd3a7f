//! The result of a check: the result for every row, without the rows themselves.

use std::collections::{BTreeMap, HashSet};

use serde::Serialize;

use crate::import::check::{CheckProblems, CountryCounts, ProblemCounts};
use crate::import::{ImportInput, RowId};
use crate::model::{
    Address, ContentHash, Country, CustomerSketch, Field, FieldNames, HouseDecision, HouseHash,
    RowNumber, StreetNameSketch, TableSource, named_enum, pluralize,
};
use crate::sheet::Fingerprint;
use crate::table::{Columns, DetectedLayout, KnownTable};

/// A checked file. Its size grows only with the ids and hashes of the rows.
#[derive(Debug)]
pub struct CheckedFile {
    /// The file and sheet.
    pub source: TableSource,
    /// How it was read.
    pub layout: DetectedLayout,
    /// Its columns.
    pub columns: Columns,
    /// Number of formulas whose saved value was read; 0 if the format does not provide it.
    pub saved_formulas: u64,
    /// The hidden rows that were read.
    pub hidden_read: Vec<RowNumber>,
    /// Number of hidden rows that were left out.
    pub hidden_left_out: u64,
    /// Which column feeds each field.
    pub mapping: Vec<MappedColumn>,
    /// The rows whose cells are the samples of the columns.
    pub sampled_rows: Vec<RowNumber>,
    /// The user's name for each field that a column feeds.
    pub field_names: FieldNames,
    /// The first rows whose address is in one cell, split into its parts.
    pub address_samples: Vec<AddressSample>,
    /// Headers that feed nothing.
    pub unused: Vec<String>,
    /// The names of those columns, as the user knows them.
    pub unused_names: Vec<String>,
    /// Every row that is not blank, in the file's order.
    pub rows: Vec<CheckedRow>,
    /// The houses of the rows that could be sent, sorted so that possibly equal ones are adjacent.
    pub houses: Vec<RowHouseKey>,
    /// The user's decisions in the file about rows of the same house, by row index.
    pub decisions: BTreeMap<usize, TypedDecision>,
    /// Up to three of the ids that were derived for rows without one.
    pub derived_ids: Vec<String>,
    /// Number of blank rows and of the rows in [`CheckedFile::skipped`].
    pub blank_skipped: u64,
    /// Totals and footers below the last row that has an address.
    pub skipped: Vec<SkippedRows>,
    /// Invalid rows below the last one that has an address, with neither address nor contact, that are notes of the user.
    pub notes: Vec<RowNumber>,
    /// The problems, read by [`CheckedFile::problems`].
    pub stored_problems: CheckProblems,
    /// Number of problems by severity.
    pub counts: ProblemCounts,
    /// The countries of the valid rows.
    pub countries: CountryCounts,
    /// The fingerprint of the file when it was read.
    pub fingerprint: Fingerprint,
}

impl CheckedFile {
    /// The word that the user typed about the row with this index.
    pub fn typed_decision(&self, index: usize) -> Option<HouseDecision> {
        Some(self.decisions.get(&index)?.decision)
    }

    /// The external ids of all rows.
    pub fn external_ids(&self) -> HashSet<&str> {
        self.rows
            .iter()
            .filter_map(CheckedRow::external_id)
            .collect()
    }

    /// How rows are numbered, if cells of a text have line breaks, so that a spreadsheet numbers them otherwise.
    pub fn row_numbering(&self) -> Option<&'static str> {
        let ends = self.layout.header_row.zip(self.rows.last());
        let lines = ends.map_or(0, |(header, last)| u64::from(last.number.0 - header.0));
        let has_more_lines = lines > self.rows.len() as u64 + self.blank_skipped;
        (self.layout.format.is_text() && has_more_lines).then_some(
            "rows are numbered by line, as in a text editor: cells have line breaks, so a spreadsheet shows lower numbers",
        )
    }

    /// The table, for later passes over the file that was checked.
    pub fn table<'a>(&'a self, input: &'a ImportInput) -> KnownTable<'a> {
        KnownTable {
            input_file: &input.file,
            fingerprint: self.fingerprint,
            layout: &self.layout,
            columns: &self.columns,
            visible_only: input.options.visible_only,
        }
    }

    /// Whether a row that is not blank was skipped.
    pub fn is_skipped(&self, row: RowNumber) -> bool {
        self.skipped.iter().any(|group| group.rows.contains(&row))
    }

    /// A sentence for the hidden rows that were left out, and one for each group of [`CheckedFile::skipped`].
    pub fn skipped_sentences(&self) -> impl Iterator<Item = String> {
        let is_range = |first: &RowNumber, last: &RowNumber| {
            let next = self.rows.partition_point(|row| row.number <= *first);
            self.rows.get(next).is_none_or(|row| row.number > *last)
        };
        let hidden = self.hidden_left_out;
        let left_out = (hidden > 0).then(|| pluralize(hidden, "hidden row") + " left out");
        let groups = self.skipped.iter();
        let groups = groups.map(move |group| group.sentence(is_range));
        left_out.into_iter().chain(groups)
    }
}

/// Rows below the last address that are not customers, as `check --json` shows them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SkippedRows {
    /// Why they were skipped.
    #[serde(rename = "kind")]
    pub reason: SkippedRowReason,
    /// The rows, in the file's order.
    pub rows: Vec<RowNumber>,
    /// The first text by which they were recognized, cut to a readable length.
    pub text: String,
}

named_enum! {
    /// Why a row below the last address was skipped.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
    #[serde(rename_all = "snake_case")]
    pub enum SkippedRowReason {
        /// A row of sums or counts.
        Total = "total",
        /// Text that a report prints below its table.
        Footer = "footer",
    }
}

impl SkippedRows {
    /// `rows 166–169 skipped: the report's footer ("Copyright …")`. A range has only skipped and blank rows.
    fn sentence(&self, is_range: impl Fn(&RowNumber, &RowNumber) -> bool) -> String {
        let ranges = self.rows.chunk_by(is_range).map(|range| match range {
            [first, .., last] => format!("{first}–{last}"),
            [row] => row.to_string(),
            [] => String::new(),
        });
        let ranges: Vec<String> = ranges.collect();
        let label = if self.rows.len() == 1 { "row" } else { "rows" };
        let rows = format!("{label} {}", ranges.join(", "));
        let what = match (self.reason, self.rows.len()) {
            (SkippedRowReason::Total, 1) => "a total",
            (SkippedRowReason::Total, _) => "totals",
            (SkippedRowReason::Footer, _) => "the report's footer",
        };
        format!("{rows} skipped: {what} (\"{}\")", self.text)
    }
}

/// A column that feeds a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MappedColumn {
    /// The field.
    pub field: Field,
    /// The column's header as written.
    pub header: String,
    /// The user's name for the column: the header, and more if others have the same.
    pub name: String,
    /// Its cells in the rows that are shown, unchanged but for spaces around them.
    pub samples: Vec<String>,
    /// The first row in which it is not empty, and its cell there.
    pub first: Option<(RowNumber, String)>,
    /// In which rows its values are used, if not in all: where `first and last name are empty`.
    pub only_where: Option<String>,
}

/// An address that is in one cell, or whose street is in several, as it will be sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AddressSample {
    /// The row number as Excel or an editor shows it.
    pub row: RowNumber,
    /// Its parts.
    pub address: Address,
}

/// A user's decision in a file about a row of the same house.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TypedDecision {
    /// The decision.
    pub decision: HouseDecision,
    /// The zero-based column in which it was typed.
    pub column: usize,
    /// What rejects ask beside it.
    pub question: Option<String>,
}

/// One row after its check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckedRow {
    /// The row number as Excel or an editor shows it.
    pub number: RowNumber,
    /// Whether it may be sent.
    pub result: CheckResult,
}

impl CheckedRow {
    /// Its id, if it has a usable one that no earlier row has.
    pub fn external_id(&self) -> Option<&str> {
        match &self.result {
            CheckResult::Valid { external_id, .. } => Some(external_id),
            CheckResult::Invalid { external_id } => external_id.as_deref(),
            CheckResult::Duplicate { .. } => None,
        }
    }
}

/// What is kept in memory of the house of a row, for each number of a range.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RowHouseKey {
    /// Equal for all rows that may have this house.
    pub house_hash: HouseHash,
    /// The row's index.
    pub row: u32,
    /// Equal for the same words in both lines together, and different for most others.
    pub words: u16,
    /// Equal for the same house: its unit included.
    pub house_digest: u64,
    /// Differs for most other houses.
    pub street_name: StreetNameSketch,
    /// Differs for most other customers.
    pub customer: CustomerSketch,
}

/// The result of the check for a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CheckResult {
    /// The row may be sent.
    Valid {
        /// `external.id`, prefix included.
        external_id: RowId,
        /// The digest of the request made of it.
        content: ContentHash,
    },
    /// The same id and content as an earlier row.
    Duplicate {
        /// The earlier row.
        of: RowNumber,
    },
    /// The row has at least one error.
    Invalid {
        /// The id, if the row has a usable one.
        external_id: Option<RowId>,
    },
}

/// The rules for the rows of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CheckRules {
    /// Prefix of every id.
    pub id_prefix: Option<String>,
    /// Whether a row without an id gets one, derived from the address and the customer.
    pub derive_ids: bool,
    /// The country of rows that name none.
    pub default_country: Option<Country>,
    /// Template of `external.url`; `{id}` is replaced by the id.
    pub external_url: Option<String>,
    /// `external.label`.
    pub external_label: Option<String>,
    /// Whether values are used unchanged; otherwise those that have only one meaning are normalized and listed.
    pub as_is: bool,
    /// Whether notes that are too long are cut to the limit, with a warning; otherwise the row is invalid.
    pub truncate_notes: bool,
    /// For rejects, the cells of those rows of the original whose ids begin with zeros, by field.
    pub rows_with_zeros: Vec<(RowNumber, BTreeMap<String, String>)>,
}

impl CheckRules {
    /// The id of a row of rejects as it was in the original, if a spreadsheet removed its zeros: the row has the number of
    /// that row, and no other street.
    pub(super) fn id_with_zeros(
        &self,
        number: Option<RowNumber>,
        now: &BTreeMap<String, String>,
    ) -> Option<&str> {
        let text = |row: &BTreeMap<String, String>, field: Field| row.get(field.name()).cloned();
        let short = text(now, Field::Id)?;
        let streets = [Field::Line1, Field::Address, Field::HouseNumber];
        let is_row = |before: &BTreeMap<String, String>| {
            let of_street = streets.map(|field| (text(before, field), text(now, field)));
            let mut of_street = of_street.into_iter();
            of_street.all(|(before, now)| before.is_none() || before == now)
        };
        let rows = self.rows_with_zeros.iter();
        let mut rows = rows.filter(|(row, before)| Some(*row) == number && is_row(before));
        rows.find_map(|(_, before)| {
            let id = before.get(Field::Id.name())?;
            let is_short = id.len() > short.len()
                && id.trim_start_matches('0') == short.trim_start_matches('0');
            is_short.then_some(id.as_str())
        })
    }
}
