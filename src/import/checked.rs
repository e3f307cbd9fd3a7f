//! What a check knows of a file: a standing for every row, and never the rows themselves.

use std::collections::BTreeMap;

use crate::import::check::{CheckFindings, CountryCounts, ProblemCounts};
use crate::model::{
    Address, ContentHash, Country, CustomerSketch, Field, FieldNames, HouseDecision, HouseLookup,
    NameSketch, RowNumber, TableSource, excerpt,
};
use crate::sheet::Fingerprint;
use crate::table::DetectedLayout;

/// A checked file. Memory grows with ids and hashes alone.
#[derive(Clone, Debug)]
pub struct CheckedFile {
    /// The file and sheet.
    pub source: TableSource,
    /// How it was read, for instance `leads.csv: Windows-1252, semicolons, headers in row 3`.
    pub reading: String,
    /// How it was read, as facts.
    pub layout: DetectedLayout,
    /// Formulas whose saved value was read; 0 where the form does not tell.
    pub saved_formulas: u64,
    /// What feeds each field.
    pub mapping: Vec<MappedColumn>,
    /// The first rows whose address stands in one cell, taken apart.
    pub address_samples: Vec<AddressSample>,
    /// Headers that feed nothing.
    pub unused: Vec<String>,
    /// What a person calls those columns.
    pub unused_names: Vec<String>,
    /// Every row that is not blank, in the file's order.
    pub rows: Vec<CheckedRow>,
    /// The houses of the rows that could be sent, those that may be one beside each other.
    pub houses: Vec<RowHouse>,
    /// What a person decided in the file about rows that were held as the same house, by their index.
    pub decisions: BTreeMap<usize, HouseDecision>,
    /// Up to three of the ids that were made for rows without one.
    pub derived_ids: Vec<String>,
    /// Blank rows, which are no rows, and those of [`CheckedFile::skipped`].
    pub blank_skipped: u64,
    /// Totals and footers below the last row that has an address.
    pub skipped: Vec<SkippedRows>,
    /// What was found in the rows; [`CheckedFile::problems`] tells it.
    pub found: CheckFindings,
    /// How many findings there are.
    pub counts: ProblemCounts,
    /// The countries of the valid rows.
    pub countries: CountryCounts,
    /// The digest of the headers; none where there are none.
    pub headers: Option<ContentHash>,
    /// What the file looked like when it was read.
    pub fingerprint: Fingerprint,
}

impl CheckedFile {
    /// What the user calls a field: the header of the column that feeds it, cut to a readable length; the field's own
    /// name where no column does.
    pub fn name_of(&self, field: Field) -> String {
        let instead: &[Field] = match field {
            Field::Name => &[Field::FirstName, Field::LastName],
            _ => &[],
        };
        let header = std::iter::once(&field)
            .chain(instead)
            .find_map(|field| self.mapping.iter().find(|column| column.field == *field));
        match (header, self.layout.header_row) {
            (Some(column), Some(_)) => excerpt(&column.name).into_owned(),
            (Some(column), None) => format!("column {}", column.header),
            (None, _) => field.name().to_owned(),
        }
    }

    /// What the user calls each field that a column feeds.
    pub fn field_names(&self) -> FieldNames {
        let mut names = FieldNames::default();
        for column in &self.mapping {
            names.insert(column.field, self.name_of(column.field));
        }
        names
    }

    /// Whether a row that is not blank was skipped.
    pub fn is_skipped(&self, row: RowNumber) -> bool {
        self.skipped.iter().any(|group| group.rows.contains(&row))
    }
}

/// Rows below the last address that are no customers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SkippedRows {
    /// The rows, in the file's order.
    pub rows: Vec<RowNumber>,
    /// What they are.
    pub what: SkippedRowReason,
    /// The first text by which they were recognised, cut to a readable length.
    pub text: String,
}

/// Why a row below the last address was skipped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SkippedRowReason {
    /// Sums or counts.
    Total,
    /// What a report prints below its table.
    Footer,
}

impl SkippedRowReason {
    /// The name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Total => "total",
            Self::Footer => "footer",
        }
    }
}

impl SkippedRows {
    /// `rows 166–169 skipped: the report's footer ("Copyright …")`.
    pub fn sentence(&self) -> String {
        let rows = match self.rows.as_slice() {
            [first, .., last] => format!("rows {first}–{last}"),
            [row] => format!("row {row}"),
            [] => "no rows".to_owned(),
        };
        let what = match (self.what, self.rows.len()) {
            (SkippedRowReason::Total, 1) => "a total",
            (SkippedRowReason::Total, _) => "totals",
            (SkippedRowReason::Footer, _) => "the report's footer",
        };
        format!("{rows} skipped: {what} (\"{}\")", self.text)
    }
}

/// What feeds a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MappedColumn {
    /// The field.
    pub field: Field,
    /// The column's header as written.
    pub header: String,
    /// What a person calls the column: the header, and more where others have the same.
    pub name: String,
    /// Up to three values as they stand.
    pub samples: Vec<String>,
    /// When its values are used.
    pub usage: ColumnUsage,
}

/// When the values of a column are used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColumnUsage {
    /// In every row.
    Always,
    /// Only where first and last name are empty: a company, or somebody else's name.
    WithoutPersonName,
}

/// An address that stood in one cell, as it is sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AddressSample {
    /// As Excel or an editor shows it.
    pub row: RowNumber,
    /// Its parts.
    pub address: Address,
}

/// One row after its check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckedRow {
    /// As Excel or an editor shows it.
    pub number: RowNumber,
    /// What the check found.
    pub standing: CheckResult,
}

impl CheckedRow {
    /// Its id, where it has a usable one of its own.
    pub fn external_id(&self) -> Option<&str> {
        match &self.standing {
            CheckResult::Valid { external_id, .. } => Some(external_id),
            CheckResult::Invalid { external_id } => external_id.as_deref(),
            CheckResult::Duplicate { .. } => None,
        }
    }
}

/// The house of a row, as far as it is kept in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RowHouse {
    /// Shared by all rows that could be of this house.
    pub lookup: HouseLookup,
    /// The row's index.
    pub row: u32,
    /// Tells most other houses apart.
    pub name: NameSketch,
    /// Tells most other customers apart.
    pub customer: CustomerSketch,
}

/// What the check found of a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CheckResult {
    /// May be sent.
    Valid {
        /// `external.id`, prefix included.
        external_id: Box<str>,
        /// The digest of the request made of it.
        content: ContentHash,
    },
    /// The same id and content as an earlier row.
    Duplicate {
        /// The earlier row.
        of: RowNumber,
    },
    /// Fails; its problems say why.
    Invalid {
        /// The id, where the row has a usable one.
        external_id: Option<Box<str>>,
    },
}

/// What the user asked of the check, besides how to read the file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CheckRules {
    /// Put in front of every id.
    pub id_prefix: Option<String>,
    /// Make a stable id from address and customer where the file has none.
    pub ids: IdSource,
    /// For rows that are silent about the country.
    pub default_country: Option<Country>,
    /// `external.url` with `{id}`.
    pub external_url: Option<String>,
    /// `external.label`.
    pub external_label: Option<String>,
    /// Whether values with one meaning are mended.
    pub tidying: CellTidying,
    /// What happens to notes that are too long.
    pub long_notes: LongNotes,
}

/// Where ids come from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum IdSource {
    /// The file's id column.
    #[default]
    Column,
    /// Derived from the address and the customer.
    Derived,
}

/// Whether values with one meaning are mended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CellTidying {
    /// Mended, counted and listed.
    #[default]
    On,
    /// Taken as they stand.
    AsIs,
}

/// What happens to notes that are too long.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LongNotes {
    /// The row is invalid.
    #[default]
    Refuse,
    /// Cut to the limit, and said.
    Truncate,
}
