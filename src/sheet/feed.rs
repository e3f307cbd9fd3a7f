//! Sends the rows of a worksheet to the reader in batches.

use std::ops::ControlFlow;

use crate::model::RowNumber;
use crate::sheet::SheetError;
use crate::sheet::batch::{CellKind, RowBatch, RowVisibility};
use crate::sheet::csv::read::COLUMN_LIMIT;
use crate::sheet::row_details::{RowDetail, RowDetails};
use crate::sheet::stream::BatchSender;
use crate::sheet::workbook::{OpenWorkbook, SheetRow};

/// Feeds every row below the headers.
pub(crate) fn feed(
    mut book: OpenWorkbook,
    sheet: &str,
    below: Option<RowNumber>,
    row_filter: RowFilter,
    feed: &mut BatchSender,
) -> Result<(), SheetError> {
    let RowFilter {
        mut details,
        visible_only,
    } = row_filter;
    let mut before = below.map_or(0, |header| header.0);
    let mut wanted = true;
    let mut left_out = 0;
    let mut outside = None;
    book.rows(sheet, &mut |row| {
        if below.is_some_and(|header| row.number <= header.0) {
            return ControlFlow::Continue(());
        }
        feed.batch.blank_lines += u64::from(row.number.saturating_sub(before + 1));
        before = row.number;
        let details = details
            .as_mut()
            .map(|details| details.of_row(row.number))
            .unwrap_or_default();
        if details.iter().any(is_outside) {
            outside = Some(RowNumber(row.number));
            return ControlFlow::Break(());
        }
        let visibility = visibility(row, &details);
        if visibility == RowVisibility::Hidden && visible_only {
            left_out += u64::from(row.cells().any(|(_, kind, _)| kind != CellKind::Empty));
            return ControlFlow::Continue(());
        }
        let number = RowNumber(row.number);
        feed.batch.begin(number, visibility);
        feed_cells(row, &details, &mut feed.batch);
        if feed.turn().is_ok() {
            return ControlFlow::Continue(());
        }
        wanted = false;
        ControlFlow::Break(())
    })?;
    if let Some(row) = outside {
        return Err(SheetError::TooManyColumns(row));
    }
    if !wanted {
        return Ok(());
    }
    feed.batch.summary = match details {
        Some(details) => details.into_summary()?,
        None => book.summary(),
    };
    feed.batch.summary.left_out = left_out;
    Ok(())
}

/// What is known of rows besides their values, and which rows are read.
pub(crate) struct RowFilter {
    /// None where the format is not scanned.
    pub(crate) details: Option<RowDetails>,
    /// Whether hidden rows are left out.
    pub(crate) visible_only: bool,
}

/// Whether a row is hidden or crossed out: the scanned details know what the reader of the format may not tell.
fn visibility(row: &SheetRow, details: &[RowDetail]) -> RowVisibility {
    let is_hidden = |detail: &RowDetail| matches!(detail, RowDetail::Hidden { .. });
    if details.iter().any(is_hidden) {
        RowVisibility::Hidden
    } else {
        row.visibility
    }
}

/// Whether it is in a column that no sheet has, as in a damaged workbook: the empty cells before it would fill the
/// memory.
fn is_outside(detail: &RowDetail) -> bool {
    matches!(detail, RowDetail::Cell { column, .. } if *column >= COLUMN_LIMIT)
}

fn feed_cells(row: &SheetRow, details: &[RowDetail], batch: &mut RowBatch) {
    let marked = details.iter().filter_map(|detail| match detail {
        RowDetail::Cell {
            column, kind, text, ..
        } => Some((*column, *kind, text.as_str())),
        RowDetail::Hidden { .. } => None,
    });
    let mut cells: Vec<(usize, CellKind, &str)> = Vec::new();
    if !details.is_empty() {
        // A displayed value takes precedence over the stored one.
        cells.extend(marked.chain(row.cells()));
        cells.sort_by_key(|cell| cell.0);
    }
    let mut next = 0;
    let mut add = |(column, kind, text): (usize, CellKind, &str)| {
        if column < next {
            return;
        }
        while next < column {
            batch.cell(CellKind::Empty, "");
            next += 1;
        }
        batch.cell(kind, text);
        next = column + 1;
    };
    if details.is_empty() {
        row.cells().for_each(&mut add);
    } else {
        cells.into_iter().for_each(&mut add);
    }
}
