//! The first pass over the sheet: which rows are extended, from which column, and the width of the appended values.

use calamine::Data;

use crate::model::RowNumber;
use crate::sheet::HiddenRows;
use crate::sheet::feed::RowFilter;
use crate::sheet::rewrite::append::error::AppendError;
use crate::sheet::rewrite::cells::{self, StyledRow};
use crate::sheet::rewrite::error::RewriteError;
use crate::sheet::rewrite::plan::{AppendedColumn, AppendedValue, RewritePlan, RowAddition};
use crate::sheet::rewrite::source::SourceWorkbook;
use crate::sheet::scan::RowDetails;
use crate::sheet::text::COLUMN_LIMIT;

/// Returns what is appended to a row; none where nothing is.
pub(super) type AdditionFor<'e> = &'e mut (dyn FnMut(RowNumber) -> Option<RowAddition> + Send);

/// Where columns are appended, and to which rows.
#[derive(Debug)]
pub(super) struct SheetAnalysis {
    /// The sheet's name.
    pub(super) sheet: String,
    pub(super) header_row: Option<RowNumber>,
    /// The style of the last header, which the appended headers take.
    pub(super) header_style: usize,
    /// The zero-based column of the first that is appended.
    pub(super) place: usize,
    /// Rows below the headers that are not blank, in the order of the sheet.
    pub(super) rows: Vec<RowNumber>,
    /// The longest value of each appended column, in characters.
    pub(super) longest: Vec<usize>,
}

impl SheetAnalysis {
    pub(super) fn new(
        source: &mut SourceWorkbook<'_>,
        plan: &RewritePlan<'_>,
        each: AdditionFor<'_>,
    ) -> Result<Self, AppendError> {
        let headers = &source.region.headers;
        let dropped = plan.dropped_of(headers);
        let mut analysis = Self {
            sheet: source.sheet.clone(),
            header_row: source.region.header_row,
            header_style: 0,
            place: headers.len(),
            rows: Vec::new(),
            longest: plan.appended.iter().map(header_width).collect(),
        };
        // A hidden row stays in the sheet, whether it was read or not.
        let row_filter = RowFilter {
            details: RowDetails::start(source.document.open()?.0, source.format, &analysis.sheet),
            hidden_rows: HiddenRows::Included,
        };
        cells::rows(&mut source.book, &source.sheet, row_filter, &mut |row| {
            analysis.row(row, plan, each);
            Ok::<(), RewriteError>(())
        })?;
        analysis.settle(&dropped, plan)?;
        Ok(analysis)
    }

    fn row(&mut self, row: &StyledRow, plan: &RewritePlan<'_>, each: AdditionFor<'_>) {
        let number = RowNumber(row.number);
        let is_header = self.header_row == Some(number);
        if self.header_row.is_some_and(|header| number < header) || row.is_blank() {
            return;
        }
        let used = |cell: &&cells::StyledCell| !matches!(cell.value, Data::Empty);
        let last = row.cells.iter().filter(used).max_by_key(|cell| cell.column);
        let Some(last) = last else { return };
        self.place = self.place.max(last.column + 1);
        if is_header {
            self.header_style = last.style;
            return;
        }
        let Some(addition) = each(number) else {
            return;
        };
        for (index, longest) in self.longest.iter_mut().enumerate() {
            let needed = addition.values.get(index).map_or(0, length);
            *longest = needed.min(plan.appended[index].widest.into()).max(*longest);
        }
        self.rows.push(number);
    }

    /// Columns of an earlier copy are overwritten where they are the last ones.
    fn settle(&mut self, dropped: &[usize], plan: &RewritePlan<'_>) -> Result<(), AppendError> {
        if let Some(&first) = dropped.first() {
            let in_a_run = dropped.iter().copied().eq(first..self.place);
            if !in_a_run || dropped.len() != plan.appended.len() {
                return Err(AppendError::Unusual);
            }
            self.place = first;
        }
        if self.place + plan.appended.len() > COLUMN_LIMIT {
            return Err(AppendError::Unusual);
        }
        Ok(())
    }
}

/// An appended header is never truncated, whatever its style.
fn header_width(column: &AppendedColumn) -> usize {
    column.header.chars().count()
}

fn length(value: &AppendedValue) -> usize {
    match value {
        AppendedValue::Empty => 0,
        AppendedValue::Text(text) => text
            .lines()
            .map(|line| line.chars().count())
            .max()
            .unwrap_or(0),
        AppendedValue::Number(_) | AppendedValue::Date(_) => 10,
        AppendedValue::Moment(_) => 16,
    }
}
