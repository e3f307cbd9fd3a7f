//! Problems that depend on the whole table: another row with the same id, merged cells.
//!
//! There can be one for every row, so they are stored as numbers, and the message is composed when they are read.

use crate::import::CheckedRow;
use crate::import::check::problem_collector::{CheckProblems, RowProblem};
use crate::model::{Field, RowNumber, Severity, excerpt, pluralize};
use crate::sheet::{CellRange, column_letters};
use crate::table::Columns;

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
    /// The number of rows that have something in common; listed with the first.
    Counted { kind: CountedRow, count: u64 },
    /// A cell of the row is empty because it belongs to a merged range, given by its index.
    Merged {
        merge: u32,
        column: u32,
        row_is_valid: bool,
    },
    /// A header is merged over several columns.
    MergedHeader { merge: u32 },
}

/// What counted rows have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum CountedRow {
    Hidden,
    /// A cell of it is crossed out.
    CrossedOut,
    /// In this column it has the address of another house than the one that is sent.
    OtherAddress(u32),
    /// This column marks it as canceled, lost, done, or not to be contacted.
    Closed(u32),
    /// It is sent without a country.
    NoCountry,
}

impl CountedRow {
    fn column(self) -> Option<usize> {
        match self {
            Self::OtherAddress(column) | Self::Closed(column) => Some(column as usize),
            Self::Hidden | Self::CrossedOut | Self::NoCountry => None,
        }
    }

    fn message(self, count: u64, columns: &Columns) -> String {
        match self {
            Self::Hidden => hidden(count),
            Self::CrossedOut => crossed_out(count),
            Self::OtherAddress(column) => other_address(count, column as usize, columns),
            Self::Closed(_) => closed(count),
            Self::NoCountry => no_country(count),
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

    /// The problem with its message.
    pub(super) fn to_problem(self, table: &CheckProblems, rows: &[CheckedRow]) -> RowProblem {
        let (field, column, message) = match self {
            Self::RepeatedId { other, house } => {
                let message = repeated_id_message(other, house, &table.columns);
                (Some(Field::Id), None, message)
            }
            Self::Duplicate { of } => (
                Some(Field::Id),
                None,
                format!("the same request as row {of}, sent once"),
            ),
            Self::SimilarIds { first, second } => (
                Some(Field::Id),
                None,
                similar_ids(&rows[first as usize], &rows[second as usize]),
            ),
            Self::BareNumbers { largest } => (
                Some(Field::Id),
                None,
                format!(
                    "ids are plain numbers up to {largest}; ids must be unique in the whole app, so those of another file would collide; add --id-prefix"
                ),
            ),
            Self::Counted { kind, count } => {
                let field = (kind == CountedRow::NoCountry).then_some(Field::Country);
                let message = kind.message(count, &table.columns);
                (field, kind.column(), message)
            }
            Self::Merged { merge, column, .. } => {
                let column = column as usize;
                let mapped = table
                    .columns
                    .mapped()
                    .find(|(_, other)| other.index == column);
                (
                    mapped.map(|(field, _)| field),
                    Some(column),
                    merged(&table.merges[merge as usize]),
                )
            }
            Self::MergedHeader { merge } => (
                None,
                Some(table.merges[merge as usize].left),
                merged_header(&table.merges[merge as usize]),
            ),
        };
        let of_field = || table.columns.supplying(field?);
        RowProblem {
            severity: self.severity(),
            field,
            column: column.or_else(of_field),
            message,
        }
    }
}

fn repeated_id_message(other: RowNumber, house: HouseComparison, columns: &Columns) -> String {
    // Without a column of ids all of them are derived.
    if columns.indexes_of(Field::Id).is_empty() {
        return format!(
            "row {other} has the same customer and address, and so the same derived id, but other contents (such as notes, phone or email); keep one of the rows, or give two houses an id each in a column of their own"
        );
    }
    let advice = match house {
        HouseComparison::Same => "keep one of the rows",
        HouseComparison::Other => {
            "if they are two houses, give one an id of its own, for example with -2 at its end"
        }
    };
    format!(
        "row {other} has the same id and other values; the service would keep the first row and ignore the second: {advice}"
    )
}

fn similar_ids(first: &CheckedRow, second: &CheckedRow) -> String {
    let [one, other] = [first, second].map(|row| row.external_id().unwrap_or_default());
    format!(
        "`{}` and `{}` in row {} differ only in case or spaces; if they are Salesforce ids, export the form with 18 characters",
        excerpt(other),
        excerpt(one),
        first.number
    )
}

fn hidden(count: u64) -> String {
    let verb = if count == 1 { "is" } else { "are" };
    format!(
        "{} {verb} included; --visible-only leaves them out",
        pluralize(count, "hidden row")
    )
}

fn crossed_out(count: u64) -> String {
    let verb = if count == 1 { "is" } else { "are" };
    format!(
        "{} with crossed-out cells {verb} included; delete what should not be requested",
        pluralize(count, "row")
    )
}

fn closed(count: u64) -> String {
    let rows = match count {
        1 => "the row is".to_owned(),
        count => format!("{} are", pluralize(count, "row")),
    };
    format!(
        "{rows} marked as closed here: sent like all others; delete what should not be requested"
    )
}

fn no_country(count: u64) -> String {
    let rows = match count {
        1 => "the row has no country".to_owned(),
        count => format!("{} have no country", pluralize(count, "row")),
    };
    format!(
        "{rows}, and it does not follow from region and postal code: correct them, or give --default-country CA or US; otherwise the service uses the team's country"
    )
}

fn other_address(count: u64, column: usize, columns: &Columns) -> String {
    let sent = columns.supplying(Field::Line1);
    let sent = sent
        .map(|column| columns.name_of(column))
        .unwrap_or_default();
    let verb = if count == 1 { "has" } else { "have" };
    let rows = pluralize(count, "row");
    format!(
        "{rows} {verb} another address here than in `{}`, this one first; only `{}` is sent. To send this column, use --map address={}",
        excerpt(&sent),
        excerpt(&sent),
        column_letters(column)
    )
}

fn merged(merge: &CellRange) -> String {
    format!(
        "{} are merged, so only {} has the value; unmerge them in Excel (Home, Merge & Center) and fill each row",
        merge.range(),
        merge.value_cell()
    )
}

fn merged_header(merge: &CellRange) -> String {
    format!(
        "the header is merged over {}, and only the first of these columns has it; unmerge it in Excel (Home, Merge & Center) and name each column",
        merge.range()
    )
}
