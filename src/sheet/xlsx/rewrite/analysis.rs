//! The first pass over the sheet: which rows get values, and how wide these are.

use crate::model::RowNumber;
use crate::sheet::SheetError;
use crate::sheet::batch::{CellKind, Row};
use crate::sheet::cell_range::CellRange;
use crate::sheet::feed::{self, RowFilter};
use crate::sheet::rewrite::plan::{AppendedValue, RewritePlan, RowAddition};
use crate::sheet::rewrite::source::TableRegion;
use crate::sheet::stream::RowStream;
use crate::sheet::workbook::OpenWorkbook;

/// The rows of the sheet that is rewritten.
pub(in crate::sheet) struct SheetSource<'a> {
    pub(in crate::sheet) book: OpenWorkbook,
    pub(in crate::sheet) row_filter: RowFilter,
    pub(in crate::sheet) sheet: &'a str,
    pub(in crate::sheet) region: &'a TableRegion,
}

impl SheetSource<'_> {
    /// Starts to read the rows.
    pub(in crate::sheet) fn rows(self) -> Result<RowStream, SheetError> {
        let (book, row_filter, sheet) = (self.book, self.row_filter, self.sheet.to_owned());
        RowStream::start(move |feed| feed::feed(book, &sheet, None, row_filter, feed))
    }
}

/// Returns what is appended to a row; `None` if the row is dropped.
pub(in crate::sheet) type AdditionFor<'e> =
    &'e mut (dyn FnMut(RowNumber) -> Option<RowAddition> + Send);

/// A merge at least this wide covers whole rows, so nothing can be appended beside it.
const WIDEST_MERGE: usize = 1_000;

/// What the first pass found.
#[derive(Debug, Default)]
pub(super) struct SheetAnalysis {
    /// The rows that are edited, that of the headers included, in the order of the sheet.
    pub(super) rows: Vec<RowNumber>,
    /// How many of them are rows of the table.
    pub(super) body_rows: u64,
    /// The rows that get values, and that of the headers, in the order of the sheet.
    filled: Vec<RowNumber>,
    /// Columns from this one on are empty in the table.
    pub(super) used_width: usize,
    /// The longest value of each appended column, in characters.
    pub(super) longest: Vec<usize>,
}

impl SheetAnalysis {
    pub(super) fn new(
        source: SheetSource<'_>,
        plan: &RewritePlan<'_>,
        each: AdditionFor<'_>,
    ) -> Result<Self, SheetError> {
        let region = source.region;
        let mut analysis = Self {
            // A column is at least as wide as its header.
            longest: plan
                .appended
                .iter()
                .map(|column| column.header.chars().count())
                .collect(),
            ..Self::default()
        };
        let mut rows = source.rows()?;
        while rows.advance()? {
            analysis.row(rows.row(), region, plan, each);
        }
        analysis.widen_by_merges(&rows.summary.merges);
        Ok(analysis)
    }

    /// Counts the cells of merged ranges beside the table as used: a value written there would not be seen.
    fn widen_by_merges(&mut self, merges: &[CellRange]) {
        let is_filled = |merge: &CellRange| {
            let first = self.filled.partition_point(|row| *row < merge.top);
            self.filled
                .get(first)
                .is_some_and(|row| *row <= merge.bottom)
        };
        let beside = merges
            .iter()
            .filter(|merge| merge.right < WIDEST_MERGE && is_filled(merge));
        let width = beside.map(|merge| merge.right + 1).max().unwrap_or(0);
        self.used_width = self.used_width.max(width);
    }

    fn row(
        &mut self,
        row: Row<'_>,
        region: &TableRegion,
        plan: &RewritePlan<'_>,
        each: AdditionFor<'_>,
    ) {
        let number = row.number;
        if row.is_blank() || region.header_row.is_some_and(|header| number < header) {
            return;
        }
        let used = row
            .cells()
            .zip(1..)
            .filter(|(cell, _)| cell.kind != CellKind::Empty);
        self.used_width = self
            .used_width
            .max(used.map(|(_, width)| width).last().unwrap_or(0));
        if region.header_row == Some(number) {
            self.rows.push(number);
            self.filled.push(number);
            return;
        }
        let Some(addition) = each(number) else {
            return;
        };
        if !addition.values.is_empty() {
            self.filled.push(number);
        }
        for ((longest, value), column) in self
            .longest
            .iter_mut()
            .zip(&addition.values)
            .zip(plan.appended)
        {
            *longest = length(value).min(column.max_width.into()).max(*longest);
        }
        self.rows.push(number);
        self.body_rows += 1;
    }
}

/// The length of a value in characters, as its cell shows it.
fn length(value: &AppendedValue) -> usize {
    match value {
        AppendedValue::Empty => 0,
        AppendedValue::Text(text) => {
            let lines = text.lines().map(|line| line.chars().count());
            lines.max().unwrap_or(0)
        }
        AppendedValue::Number(_) => 10,
        AppendedValue::Moment(_) => 16,
    }
}
