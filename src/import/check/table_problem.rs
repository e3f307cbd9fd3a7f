//! Problems that depend on the whole table: another row with the same id, merged cells.
//!
//! There can be one for every row, so they are stored as numbers, and the message is composed when they are read.

use std::collections::BTreeSet;

use crate::import::CheckedRow;
use crate::import::check::problem_message::ProblemMessage;
use crate::model::{Field, RowNumber, Severity, excerpt, pluralize};
use crate::sheet::{CellRange, column_letters};
use crate::table::{Columns, is_of_customer_record};

/// A problem that depends on other rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TableProblem {
    /// Another row has the same id and other content, possibly of another house.
    RepeatedId {
        other: RowNumber,
        house: HouseComparison,
    },
    /// An earlier row is the same request.
    Duplicate { of: RowNumber },
    /// Two rows, by index, whose ids differ only in case or spaces.
    SimilarIds { first: u32, second: u32 },
    /// All ids are numbers up to this one.
    BareNumbers { largest: u64 },
    /// Rows that have something in common; listed with the first.
    Counted { group: RowGroup },
    /// A cell of the row or a header is empty because it belongs to a merged range, given by its index.
    Merged {
        merge: u32,
        column: u32,
        row_is_valid: bool,
    },
}

/// What counted rows have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum RowGroup {
    Hidden,
    /// A cell of it is crossed out.
    CrossedOut,
    /// In this column it has the address or the street of another house than the one that is sent.
    OtherAddress(u32, Field),
    /// In this column it has a value that looks like the field, and is not sent.
    Unused(u32, Field),
    /// In this column, which the user named, it has another name than that in the columns of first and last name.
    OtherName(u32),
    /// Its name in this column is one word, and no column has the other half of it.
    HalfOfName(u32),
    /// It has the same email or phone as all others, though their customers have different names.
    OneContact(u32, Field),
    /// Its name in this column looks like `Patel, Chloé`, and is sent so.
    LastFirst(u32),
    /// This column marks it as canceled, lost, done, or not to be contacted.
    Closed(u32),
    /// Its postal code in this column is none of its province or state.
    OddPostalCode(u32),
    /// It is sent without a country.
    NoCountry,
    /// Its link is no https link and is not sent.
    OtherLink,
}

impl RowGroup {
    /// The column that tells, if one does.
    pub(super) fn column(self) -> Option<usize> {
        match self {
            Self::OtherAddress(column, _)
            | Self::Unused(column, _)
            | Self::OneContact(column, _)
            | Self::OtherName(column)
            | Self::HalfOfName(column)
            | Self::LastFirst(column)
            | Self::Closed(column)
            | Self::OddPostalCode(column) => Some(column as usize),
            Self::Hidden | Self::CrossedOut | Self::NoCountry | Self::OtherLink => None,
        }
    }
}

/// Maximum number of row numbers in a message.
const LISTED_ROWS: usize = 5;

/// Rows that have something in common.
#[derive(Debug, Default)]
pub(super) struct RowGroupCount {
    pub(super) count: u64,
    /// The first of them.
    pub(super) first_rows: Vec<RowNumber>,
    /// The words by which rows are marked as closed.
    words: BTreeSet<&'static str>,
}

impl RowGroupCount {
    /// Whether there are enough of them among all rows to be told: a few names with a comma may be companies, and a few
    /// postal codes are mistyped.
    pub(super) fn is_told(&self, group: RowGroup, rows: usize) -> bool {
        const ENOUGH: u64 = 5;
        let has_tenths = |tenths| self.count * 10 >= rows as u64 * tenths;
        match group {
            RowGroup::LastFirst(_) | RowGroup::HalfOfName(_) => {
                self.count > 1 && has_tenths(5) || self.count >= ENOUGH && has_tenths(1)
            }
            RowGroup::OddPostalCode(_) => self.count >= ENOUGH && has_tenths(5),
            _ => true,
        }
    }

    pub(super) fn add(&mut self, row: RowNumber, word: Option<&'static str>) {
        self.count += 1;
        self.words.extend(word);
        if self.first_rows.len() < LISTED_ROWS {
            self.first_rows.push(row);
        }
    }

    /// For instance `3 rows (21, 35, 36)`.
    fn listed(&self, one: &str) -> String {
        let rows = pluralize(self.count, one);
        if self.count == 1 {
            return rows;
        }
        let mut listed: Vec<String> = self.first_rows.iter().map(RowNumber::to_string).collect();
        if self.count > LISTED_ROWS as u64 {
            listed.push("…".to_owned());
        }
        format!("{rows} ({})", listed.join(", "))
    }

    /// The problem of a kind of rows.
    pub(super) fn message(&self, group: RowGroup, columns: &Columns) -> ProblemMessage {
        let (is, has) = match self.count {
            1 => ("is", "has"),
            _ => ("are", "have"),
        };
        let rows = self.listed("row");
        match group {
            RowGroup::Hidden => message!(
                "{} {is} included; --visible-only leaves them out",
                self.listed("hidden row")
            ),
            RowGroup::CrossedOut => message!(
                "{rows} with crossed-out cells {is} included; delete what should not be requested"
            ),
            RowGroup::OtherAddress(column, field) => {
                let sent = columns.supplying(Field::Line1);
                let sent = sent.map_or_else(String::new, |column| columns.name_of(column));
                let sent = excerpt(&sent);
                message!(
                    "{rows} {has} another address here than in `{sent}`; only `{sent}` is sent. To send this column, use --map {field}={}",
                    column_letters(column as usize)
                )
            }
            RowGroup::Unused(column, field) => message!(
                "{rows} {has} a value here that looks like {} and is not sent; to send it, use {}",
                match field {
                    Field::Phone => "a phone number",
                    Field::Email => "an email",
                    _ => field.name(),
                },
                columns.flags_with(field, Some(column as usize))
            ),
            RowGroup::OtherName(_) => message!(
                "{rows} {has} another name in the columns of first and last name, and only this one, named with --map, is sent; to send it only where those are empty, add {} {}",
                columns.flags_with(Field::FirstName, None),
                columns.flags_with(Field::LastName, None)
            ),
            RowGroup::HalfOfName(_) => {
                let other = columns.other_half().unwrap_or(Field::LastName);
                message!(
                    "{rows} {has} one word as the name of the customer; if another column has the rest, add --map {other}=HEADER"
                )
            }
            RowGroup::OneContact(_, field) => message!(
                "{rows} {has} one {field}, and the customers have different names: is it the customers' own?"
            ),
            RowGroup::LastFirst(_) => message!(
                "{rows} {has} a name with the last name in front, and {is} sent so; to send `Chloé Patel` for `Patel, Chloé`, add --last-name-first"
            ),
            RowGroup::Closed(_) => {
                let words: Vec<&str> = self.words.iter().copied().collect();
                message!(
                    "{rows} {is} marked as closed here (`{}`): sent like all others; delete what should not be requested",
                    words.join("`, `")
                )
            }
            RowGroup::OtherLink => {
                message!("{rows} {has} no https link here, and {is} sent without it")
            }
            RowGroup::OddPostalCode(_) => message!(
                "{rows} {has} a postal code here that does not fit the province or state: was one column sorted without the others?"
            ),
            RowGroup::NoCountry => message!(
                "{rows} {has} no country, and it does not follow from region and postal code: correct them, or give --default-country CA or US; otherwise the service uses the team's country"
            ),
        }
    }
}

/// Whether two rows with one id have one house.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum HouseComparison {
    /// It is the same, or unknown.
    Same,
    Other,
}

impl TableProblem {
    pub(super) fn severity(self) -> Severity {
        match self {
            Self::RepeatedId { .. }
            | Self::Merged {
                row_is_valid: false,
                ..
            } => Severity::Error,
            _ => Severity::Warning,
        }
    }
}

pub(super) fn repeated_id_message(
    other: RowNumber,
    house: HouseComparison,
    columns: &Columns,
) -> ProblemMessage {
    // Without a column of ids all of them are derived.
    if columns.indexes_of(Field::Id).is_empty() {
        return message!(
            "row {other} of this file has the same customer and address, but other contents (such as notes, phone or email); delete one of the rows, or give two houses an id each in a column of their own"
        );
    }
    let is_of_customer = columns
        .mapped()
        .any(|(field, column)| field == Field::Id && is_of_customer_record(column.header));
    let advice = match house {
        HouseComparison::Same => "keep one of the rows",
        HouseComparison::Other if is_of_customer => {
            "if these are houses of one customer, --derive-id makes an id for each house"
        }
        HouseComparison::Other => {
            "if they are two houses, give one an id of its own, for example with -2 at its end"
        }
    };
    message!(
        "row {other} of this file has the same id and other values; the service would keep the first row and ignore the second: {advice}"
    )
}

pub(super) fn similar_ids(first: &CheckedRow, second: &CheckedRow) -> ProblemMessage {
    let [one, other] = [first, second].map(|row| row.external_id().unwrap_or_default());
    message!(
        "`{}` and `{}` in row {} differ only in case or spaces; if they are Salesforce ids, export the form with 18 characters",
        excerpt(other),
        excerpt(one),
        first.number
    )
}

pub(super) fn merged(merge: &CellRange) -> ProblemMessage {
    message!(
        "{} are merged, so only {} has the value; unmerge them in Excel (Home, Merge & Center) and fill each cell",
        merge.address(),
        merge.value_cell()
    )
}
