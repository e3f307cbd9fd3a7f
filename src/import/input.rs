//! The file of an import, how it is read, and the rules for its rows.

use std::fmt;
use std::path::Path;

use crate::import::CheckRules;
use crate::journal::IdsOfOtherTeam;
use crate::model::{group_digits, pluralize};
use crate::sheet::{self, InputFile};
use crate::table::TableOptions;

/// A file of rows, how it is read, and the rules for its rows.
#[derive(Clone, Debug)]
pub struct ImportInput {
    /// The file, or standard input in a temporary file.
    pub file: InputFile,
    /// How it is read.
    pub options: TableOptions,
    /// The rules for its rows.
    pub rules: CheckRules,
    /// If its ids are derived and another address of it is chosen than in its last import: a run then sends nothing,
    /// because the rows of the second address are other houses of the same customers.
    pub address_change: Option<FlagChange>,
    /// If its flags choose other houses or ids than those of an earlier import: rows in conflict are then probably read
    /// wrongly.
    pub reading_change: Option<FlagChange>,
    /// Whether hidden rows are read, and the last import of a file with the same headers left them out.
    pub may_leave_hidden_rows_out: bool,
    /// Whether it has rejects that the journal does not know or mixed ones, and no flag chooses ids or addresses: under
    /// other ids their houses would be requested again.
    pub has_unknown_rejects: bool,
    /// Whether the user gave the prefix of its ids, for this import or the last one of the file.
    pub is_prefix_given: bool,
    /// Whether the columns may be others than those of the last import.
    pub forgets_columns: bool,
}

/// Why an import sends nothing until the user says which rows are meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ImportStop {
    /// With derived ids, other flags choose another address than in its last import: other houses of the same customers.
    AddressFlags(FlagChange),
    /// With derived ids, the street is read from another column than in the last import, and no row is known.
    AddressColumn {
        /// The header in the last import.
        before: String,
        /// The header now.
        now: String,
    },
    /// With derived ids, new rows have the street, unit and postal code of different earlier requests.
    ExchangedAddresses {
        /// The number of these rows.
        exchanged: u64,
        /// The number of new rows of the customers of these requests.
        new: u64,
    },
    /// The file has rejects that the journal does not know.
    UnknownRejects,
    /// This number of hidden rows would be sent, and the last file with these headers was imported without its hidden
    /// rows.
    HiddenRows(u64),
    /// Most rows were requested before under ids with another prefix.
    OtherPrefix {
        /// The prefix of the earlier ids; empty for none.
        before: String,
        /// The prefix of the present ids.
        now: String,
        /// The number of these rows.
        rows: u64,
    },
    /// The sheet is new, no prefix is given, and another sheet of the workbook was imported with one.
    PrefixOfSheet {
        /// That prefix.
        prefix: String,
        /// The sheet that has it.
        sheet: String,
        /// Whether ids of the new sheet are taken with it.
        is_taken: bool,
    },
    /// The service would return the measurements of another team.
    IdsOfOtherTeam(IdsOfOtherTeam),
}

impl fmt::Display for ImportStop {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let address = "; with derived ids (made from address and customer), other houses of the same customers would be requested";
        match self {
            Self::AddressFlags(FlagChange { before, now }) => {
                write!(
                    formatter,
                    "{now} chooses another address than {before}{address}"
                )
            }
            Self::AddressColumn { before, now } => write!(
                formatter,
                "the column `{now}` chooses another address than `{before}` in its last import{address}"
            ),
            Self::ExchangedAddresses { exchanged, new } => write!(
                formatter,
                "{} of {} of earlier customers have the street, unit and postal code of different earlier requests, as after one column was sorted without the others; either these houses or the earlier ones do not exist",
                group_digits(*exchanged),
                pluralize(*new, "new row")
            ),
            Self::UnknownRejects => formatter.write_str(
                "the file has rejects that the journal does not know, those of several sheets, a few of one beside other rows, or some that were read with other flags than their sheet; under other ids their houses would be requested again",
            ),
            Self::HiddenRows(rows) => write!(
                formatter,
                "{} would be included; --visible-only left them out in the last file with these headers",
                pluralize(*rows, "hidden row")
            ),
            Self::OtherPrefix { before, now, rows } => write!(
                formatter,
                "{} of this file {} requested before {}, and the other rows would be {}",
                pluralize(*rows, "row"),
                if *rows == 1 { "was" } else { "were" },
                with_or_without(before),
                with_or_without(now)
            ),
            Self::PrefixOfSheet { prefix, sheet, .. } => write!(
                formatter,
                "the sheet `{sheet}` of this workbook was imported {}, and the rows of this new sheet would be {}",
                with_or_without(prefix),
                with_or_without("")
            ),
            Self::IdsOfOtherTeam(found) => write!(
                formatter,
                "the team {} of the same app has measurements with {} of these rows, such as `{}`; the service would return those",
                found.team,
                pluralize(found.ids.len() as u64, "id"),
                found.ids[0]
            ),
        }
    }
}

/// `with the prefix acme-`, or `without a prefix`.
pub fn with_or_without(prefix: &str) -> String {
    match prefix {
        "" => "without a prefix".to_owned(),
        prefix => format!("with the prefix {prefix}"),
    }
}

/// The flags of an earlier import, and others that are given now, as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FlagChange {
    /// The flags of the earlier import.
    pub before: String,
    /// The flags that are given.
    pub now: String,
}

impl ImportInput {
    /// The input at a path; `-` reads standard input to its end, into a private temporary file.
    ///
    /// # Errors
    /// If standard input cannot be copied to a temporary file. A path is not opened here.
    pub fn new(
        path: &Path,
        mut options: TableOptions,
        rules: CheckRules,
    ) -> Result<Self, sheet::Error> {
        let file = if path == Path::new("-") {
            InputFile::spooled(&mut std::io::stdin().lock())?
        } else {
            InputFile::at(path)
        };
        options.derives_ids |= rules.derive_ids;
        Ok(Self {
            file,
            options,
            rules,
            address_change: None,
            reading_change: None,
            may_leave_hidden_rows_out: false,
            has_unknown_rejects: false,
            is_prefix_given: false,
            forgets_columns: false,
        })
    }

    /// The id as it is in the sheet, without the prefix.
    pub(super) fn bare_id<'a>(&self, external_id: &'a str) -> &'a str {
        let prefix = self.rules.id_prefix.as_deref().unwrap_or_default();
        external_id.strip_prefix(prefix).unwrap_or(external_id)
    }

    /// An id that is advised for a row whose own is taken, without the prefix: `411-2` for `411`.
    pub(super) fn new_id(&self, external_id: &str) -> String {
        format!("{}-2", self.bare_id(external_id))
    }

    /// The prefix of an earlier id that is the present one apart from it. Digits in front of digits are part of the number,
    /// for instance zeros that a spreadsheet removed.
    pub(super) fn other_prefix<'a>(&self, external_id: &str, earlier: &'a str) -> Option<&'a str> {
        let bare = self.bare_id(external_id);
        let prefix = earlier.strip_suffix(bare)?;
        let ends_in_digit = prefix.ends_with(|last: char| last.is_ascii_digit());
        let is_of_number = ends_in_digit && bare.starts_with(|first: char| first.is_ascii_digit());
        (!is_of_number && earlier != external_id).then_some(prefix)
    }
}
