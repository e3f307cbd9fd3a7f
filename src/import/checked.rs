//! What a check knows of a file: a standing for every row, and never the rows themselves.

use crate::import::check::{Counts, Found};
use crate::model::{ContentHash, Country, Field, RowNumber, Source};
use crate::table::{Fingerprint, Reading};

/// A checked file. Memory grows with ids and hashes alone.
#[derive(Clone, Debug)]
pub struct Checked {
    /// The file and sheet.
    pub source: Source,
    /// How it was read, for instance `leads.csv: Windows-1252, semicolons, headers in row 3`.
    pub reading: String,
    /// How it was read, as facts.
    pub layout: Reading,
    /// Formulas whose saved value was read; 0 where the form does not tell.
    pub saved_formulas: u64,
    /// What feeds each field.
    pub mapping: Vec<MappedColumn>,
    /// Headers that feed nothing.
    pub unused: Vec<String>,
    /// Every row that is not blank, in the file's order.
    pub rows: Vec<CheckedRow>,
    /// Blank rows, which are no rows.
    pub blank_skipped: u64,
    /// What was found in the rows; [`Checked::problems`] tells it.
    pub found: Found,
    /// How many findings there are.
    pub counts: Counts,
    /// The digest of the headers; none where there are none.
    pub headers: Option<ContentHash>,
    /// What the file looked like when it was read.
    pub fingerprint: Fingerprint,
}

/// What feeds a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MappedColumn {
    /// The field.
    pub field: Field,
    /// The column's header as written.
    pub header: String,
    /// Up to three values as they stand.
    pub samples: Vec<String>,
}

/// One row after its check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckedRow {
    /// As Excel or an editor shows it.
    pub number: RowNumber,
    /// What the check found.
    pub standing: Standing,
}

impl CheckedRow {
    /// Its id, where it has a usable one of its own.
    pub fn external_id(&self) -> Option<&str> {
        match &self.standing {
            Standing::Valid { external_id, .. } => Some(external_id),
            Standing::Invalid { external_id } => external_id.as_deref(),
            Standing::Duplicate { .. } => None,
        }
    }
}

/// What the check found of a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Standing {
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
pub struct Rules {
    /// Put in front of every id.
    pub id_prefix: Option<String>,
    /// Make a stable id from address and customer where the file has none.
    pub ids: Ids,
    /// For rows that are silent about the country.
    pub default_country: Option<Country>,
    /// `external.url` with `{id}`.
    pub external_url: Option<String>,
    /// `external.label`.
    pub external_label: Option<String>,
    /// Whether values with one meaning are mended.
    pub tidying: Tidying,
    /// What happens to notes that are too long.
    pub long_notes: LongNotes,
}

/// Where ids come from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ids {
    /// The file's id column.
    #[default]
    Column,
    /// Derived from the address and the customer.
    Derived,
}

/// Whether values with one meaning are mended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tidying {
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
