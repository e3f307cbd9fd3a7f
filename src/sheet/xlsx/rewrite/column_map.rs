//! Which columns of the sheet take the appended values.

use std::ops::{Range, RangeInclusive};

use crate::model::RowNumber;
use crate::sheet::SheetError;
use crate::sheet::csv::read::COLUMN_LIMIT;
use crate::sheet::rewrite::plan::RewritePlan;
use crate::sheet::rewrite::source::TableRegion;

/// The columns of the appended values; all others stay where they are.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct ColumnMap {
    pub(super) appended: Range<usize>,
    /// Whether they replace those of an earlier copy in their place.
    pub(super) is_overwriting: bool,
}

impl ColumnMap {
    /// Columns of an earlier copy are overwritten; without any, columns are appended to the right of all cells.
    pub(super) fn new(region: &TableRegion, plan: &RewritePlan<'_>, used_width: usize) -> Self {
        let width = used_width.max(region.headers.len());
        let overwritten = plan.overwritten(&region.headers);
        let first = overwritten.as_ref().map_or(width, |block| block.start);
        Self {
            appended: first..first + plan.appended.len(),
            is_overwriting: overwritten.is_some(),
        }
    }

    /// For a row that stays as it is, although columns of an earlier copy are overwritten in others.
    pub(super) fn unchanged(&self) -> Self {
        Self {
            appended: self.appended.start..self.appended.start,
            ..*self
        }
    }

    /// Whether the sheet's own cells in a column stay.
    pub(super) fn keeps(&self, column: usize) -> bool {
        !self.appended.contains(&column)
    }

    /// The parts of a range of columns that stay.
    pub(super) fn kept(
        &self,
        columns: RangeInclusive<usize>,
    ) -> impl Iterator<Item = Range<usize>> {
        let (start, end) = columns.into_inner();
        let end = end.saturating_add(1).min(COLUMN_LIMIT);
        let before = start..end.min(self.appended.start);
        let behind = start.max(self.appended.end)..end;
        let parts = [before, behind].into_iter();
        parts.filter(|part| !part.is_empty())
    }

    pub(super) fn refuse_too_many(&self) -> Result<(), SheetError> {
        if self.appended.end > COLUMN_LIMIT {
            return Err(SheetError::TooManyColumns(RowNumber(1)));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sheet::rewrite::plan::{AppendedColumn, EarlierColumns};

    const APPENDED: [&str; 2] = ["error", "source_row"];

    /// The map for a sheet with these headers and as many columns that are used.
    fn map(headers: &[&str], used_width: usize) -> ColumnMap {
        let region = TableRegion {
            headers: headers.iter().map(|&header| header.to_owned()).collect(),
            street: None,
            header_row: None,
            title_row: None,
            visible_only: false,
        };
        let columns = APPENDED.map(|header| AppendedColumn {
            header: header.to_owned(),
            number_format: None,
            max_width: 9,
        });
        let plan = RewritePlan {
            appended: &columns,
            earlier: EarlierColumns::Block(&APPENDED),
            keeps_surroundings: true,
            fills_short_rows: false,
            adds_mark: false,
        };
        ColumnMap::new(&region, &plan, used_width)
    }

    #[test]
    fn columns_of_an_earlier_copy_are_overwritten_where_they_are() {
        for used_width in [4, 5] {
            let map = map(&["ID", "Name", "error", "source_row"], used_width);
            assert_eq!(map.appended.start, 2);
            assert_eq!(map.kept(1..=5).collect::<Vec<_>>(), [1..2, 4..6]);
        }
        assert_eq!(map(&["ID", "Name"], 5).appended.start, 5);
    }

    #[test]
    fn only_the_last_whole_block_is_an_earlier_copy() {
        let first = |headers: &[&str]| map(headers, 0).appended.start;
        assert_eq!(
            first(&["error", "ID", "error", "source_row", "source_row"]),
            2
        );
        assert_eq!(
            first(&["error", "source_row", "ID", "error (2)", "source_row"]),
            3
        );
        assert_eq!(first(&["source_row", "error", "ID"]), 3);
        assert_eq!(first(&["error", "ID", "source_row"]), 3);
        assert_eq!(first(&["error"]), 1);
    }
}
