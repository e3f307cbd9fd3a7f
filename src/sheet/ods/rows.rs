//! The rows of one sheet, in order.

use std::io::BufRead;

use quick_xml::events::{BytesStart, Event};

use crate::model::RowNumber;
use crate::sheet::SheetError;
use crate::sheet::batch::{CellKind, RowVisibility, SheetSummary};
use crate::sheet::cell_range::CellRange;
use crate::sheet::csv::lines::ROW_LIMIT;
use crate::sheet::csv::read::COLUMN_LIMIT;
use crate::sheet::ods::cell::{CellTag, cell};
use crate::sheet::ods::markup::{Markup, repeats};
use crate::sheet::workbook::RowAssembler;
use crate::sheet::xml::attribute;

/// Maximum number of cells that exist only by repetition: a kilobyte can declare billions.
const REPEATED_LIMIT: u64 = 8 << 20;

/// Reads from the beginning of a sheet to its end.
pub(super) fn walk(
    content: impl BufRead,
    summary: &mut SheetSummary,
    mut rows: RowAssembler<'_>,
) -> Result<(), SheetError> {
    let mut markup = Markup::new(content);
    let mut next = 1_u32;
    let mut repeated = 0_u64;
    loop {
        let row = match markup.next()? {
            Event::Start(tag) if tag.local_name().into_inner() == "table-row" => {
                RowTag::parse(&tag)
            }
            // A chart or drawing above the rows may have a table of its own.
            Event::Start(tag) if tag.local_name().into_inner() == "shapes" => {
                markup.skip("shapes")?;
                continue;
            }
            Event::End(tag) if tag.local_name().into_inner() == "table" => return Ok(()),
            Event::Eof => return Err(ends_early()),
            _ => continue,
        };
        rows.begin_row(next, row.visibility);
        let mut cells = Cells {
            row: next,
            column: 0,
            text: 0,
            filled: 0,
            repeated: 0,
        };
        cells.read(&mut markup, &mut rows, summary)?;
        let again = u64::from(row.repeats - 1) * cells.filled;
        repeated = repeated.saturating_add(cells.repeated + again);
        if repeated > REPEATED_LIMIT {
            return Err(SheetError::TooManyCells {
                limit: REPEATED_LIMIT,
            });
        }
        if rows.end_rows(row.repeats).is_break() {
            return Ok(());
        }
        next = next
            .checked_add(row.repeats)
            .ok_or(SheetError::TooManyRows { limit: u32::MAX })?;
    }
}

fn ends_early() -> SheetError {
    SheetError::Damaged("its content ends within a sheet".to_owned())
}

struct RowTag {
    repeats: u32,
    visibility: RowVisibility,
}

impl RowTag {
    fn parse(tag: &BytesStart<'_>) -> Self {
        let visibility = attribute(tag, "visibility");
        Self {
            repeats: repeats(attribute(tag, "number-rows-repeated")),
            visibility: match visibility.as_deref() {
                Some("collapse" | "filter") => RowVisibility::Hidden,
                _ => RowVisibility::Visible,
            },
        }
    }
}

/// The cells of the row that is read.
struct Cells {
    row: u32,
    column: usize,
    text: usize,
    /// Cells that hold something.
    filled: u64,
    /// Those that exist only by repetition.
    repeated: u64,
}

impl Cells {
    /// Reads to the end of the row.
    fn read<R: BufRead>(
        &mut self,
        markup: &mut Markup<R>,
        rows: &mut RowAssembler<'_>,
        summary: &mut SheetSummary,
    ) -> Result<(), SheetError> {
        loop {
            let tag = match markup.next()? {
                Event::Start(tag)
                    if matches!(
                        tag.local_name().into_inner(),
                        "table-cell" | "covered-table-cell"
                    ) =>
                {
                    CellTag::parse(&tag)
                }
                Event::End(tag) if tag.local_name().into_inner() == "table-row" => return Ok(()),
                Event::Start(tag) if tag.local_name().into_inner() == "table-row" => {
                    return Err(SheetError::Damaged(format!(
                        "row {} has another row in it",
                        self.row
                    )));
                }
                Event::Eof => return Err(ends_early()),
                _ => continue,
            };
            let repeats = tag.repeats as usize;
            summary.merges.extend(self.merge(&tag));
            let is_formula = tag.is_formula;
            // Cells covered by a merged cell are not displayed.
            let is_covered = tag.is_covered;
            if let Some((kind, text)) = cell(tag, markup)?.filter(|_| !is_covered) {
                summary.formulas += u64::from(is_formula && kind != CellKind::Uncalculated);
                self.text = self.text.saturating_add(text.len().saturating_mul(repeats));
                self.refuse_large(repeats)?;
                for column in self.column..self.column + repeats {
                    rows.value(column, kind, &text);
                }
                self.filled += repeats as u64;
                self.repeated += repeats as u64 - 1;
            }
            self.column = self.column.saturating_add(repeats);
        }
    }

    fn merge(&self, tag: &CellTag) -> Option<CellRange> {
        let top = self.row;
        (tag.rows_spanned > 1 || tag.columns_spanned > 1).then(|| CellRange {
            top: RowNumber(top),
            bottom: RowNumber(top.saturating_add(tag.rows_spanned - 1)),
            left: self.column,
            right: self.column.saturating_add(tag.columns_spanned as usize - 1),
        })
    }

    fn refuse_large(&self, repeats: usize) -> Result<(), SheetError> {
        if self.column.saturating_add(repeats) > COLUMN_LIMIT {
            return Err(SheetError::TooManyColumns(RowNumber(self.row)));
        }
        if self.text > ROW_LIMIT {
            return Err(SheetError::RowTooLarge {
                row: RowNumber(self.row),
                limit_mib: ROW_LIMIT >> 20,
            });
        }
        Ok(())
    }
}
