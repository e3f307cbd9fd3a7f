//! The rows of one sheet, in order.

use std::io::BufRead;
use std::ops::ControlFlow;

use calamine::Data;
use quick_xml::events::{BytesStart, Event};

use crate::model::RowNumber;
use crate::sheet::SheetError;
use crate::sheet::batch::{CellKind, RowVisibility, SheetSummary};
use crate::sheet::cell_range::CellRange;
use crate::sheet::csv::lines::ROW_LIMIT;
use crate::sheet::csv::read::COLUMN_LIMIT;
use crate::sheet::ods::cell::{CellTag, cell};
use crate::sheet::ods::markup::Markup;
use crate::sheet::ods::{OdsCell, OdsRow};
use crate::sheet::xml::attribute;

/// Maximum number of cells that exist only by repetition: a kilobyte can declare billions.
const REPEATED_LIMIT: u64 = 8 << 20;

/// Reads from the beginning of a sheet to its end.
pub(super) fn walk(
    content: impl BufRead,
    summary: &mut SheetSummary,
    each: &mut dyn FnMut(&OdsRow) -> ControlFlow<()>,
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
        let mut cells = Cells {
            row: OdsRow {
                number: next,
                visibility: row.visibility,
                cells: Vec::new(),
            },
            column: 0,
            text: 0,
        };
        repeated = repeated.saturating_add(cells.read(&mut markup, summary)?);
        let mut row_read = cells.row;
        if !row_read.cells.is_empty() {
            let again = u64::from(row.repeats - 1) * row_read.cells.len() as u64;
            repeated = repeated.saturating_add(again);
            if repeated > REPEATED_LIMIT {
                return Err(SheetError::TooManyCells {
                    limit: REPEATED_LIMIT,
                });
            }
            for number in next..next.saturating_add(row.repeats) {
                row_read.number = number;
                if each(&row_read).is_break() {
                    return Ok(());
                }
            }
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

pub(super) fn repeats(attribute: Option<String>) -> u32 {
    let parsed = attribute.and_then(|digits| digits.trim().parse().ok());
    parsed.unwrap_or(1).max(1)
}

fn length(value: &Data) -> usize {
    match value {
        Data::String(text) => text.len(),
        _ => 0,
    }
}

/// The cells of the row that is read.
struct Cells {
    row: OdsRow,
    column: usize,
    text: usize,
}

impl Cells {
    /// Reads to the end of the row; returns how many cells exist only by repetition.
    fn read<R: BufRead>(
        &mut self,
        markup: &mut Markup<R>,
        summary: &mut SheetSummary,
    ) -> Result<u64, SheetError> {
        let mut repeated = 0_u64;
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
                Event::End(tag) if tag.local_name().into_inner() == "table-row" => {
                    return Ok(repeated);
                }
                Event::Start(tag) if tag.local_name().into_inner() == "table-row" => {
                    return Err(SheetError::Damaged(format!(
                        "row {} has another row in it",
                        self.row.number
                    )));
                }
                Event::Eof => return Err(ends_early()),
                _ => continue,
            };
            let repeats = tag.repeats as usize;
            summary.merges.extend(self.merge(&tag));
            let read = cell(&tag, markup)?;
            // Cells covered by a merged cell are not displayed.
            if let Some((value, displayed)) = read.filter(|_| !tag.is_covered) {
                let calculated = !matches!(displayed, Some((CellKind::Uncalculated, _)));
                summary.formulas += u64::from(tag.is_formula && calculated);
                self.text = self
                    .text
                    .saturating_add(length(&value).saturating_mul(repeats));
                self.refuse_large(repeats)?;
                let columns = self.column..self.column + repeats;
                self.row.cells.extend(columns.map(|column| OdsCell {
                    column,
                    value: value.clone(),
                    displayed: displayed.clone(),
                }));
                repeated += repeats as u64 - 1;
            }
            self.column = self.column.saturating_add(repeats);
        }
    }

    fn merge(&self, tag: &CellTag) -> Option<CellRange> {
        let top = self.row.number;
        (tag.rows_spanned > 1 || tag.columns_spanned > 1).then(|| CellRange {
            top: RowNumber(top),
            bottom: RowNumber(top.saturating_add(tag.rows_spanned - 1)),
            left: self.column,
            right: self.column.saturating_add(tag.columns_spanned as usize - 1),
        })
    }

    fn refuse_large(&self, repeats: usize) -> Result<(), SheetError> {
        if self.column.saturating_add(repeats) > COLUMN_LIMIT {
            return Err(SheetError::TooManyColumns {
                row: RowNumber(self.row.number),
                limit: COLUMN_LIMIT,
            });
        }
        if self.text > ROW_LIMIT {
            return Err(SheetError::RowTooLarge {
                row: RowNumber(self.row.number),
                limit_mib: ROW_LIMIT >> 20,
            });
        }
        Ok(())
    }
}
