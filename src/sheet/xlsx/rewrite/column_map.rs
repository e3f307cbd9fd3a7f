//! Which column of the new sheet takes each column of the old one.

use crate::model::RowNumber;
use crate::sheet::SheetError;
use crate::sheet::csv::read::COLUMN_LIMIT;
use crate::sheet::rewrite::{RewritePlan, TableRegion};

/// The columns before and after.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct ColumnMap {
    /// Columns that are left out, or overwritten by appended ones; ascending.
    removed: Vec<usize>,
    /// The first appended column.
    pub(super) first_appended: usize,
    pub(super) appended: usize,
    /// Columns from this one on make way for the appended ones.
    shifted_from: usize,
    /// Whether a column moves left when one before it is removed.
    closes_gaps: bool,
    /// Whether the appended columns replace those of an earlier copy in their place.
    pub(super) is_overwriting: bool,
}

impl ColumnMap {
    /// Every column stays where it is. Columns of an earlier copy are overwritten; without any, columns are appended to
    /// the right of all cells.
    pub(super) fn in_place(
        region: &TableRegion,
        plan: &RewritePlan<'_>,
        used_width: usize,
    ) -> Self {
        let width = used_width.max(region.headers.len());
        let overwritten = plan.overwritten(&region.headers);
        let first = overwritten.as_ref().map_or(width, |block| block.start);
        let appended = plan.appended.len();
        Self {
            removed: (first..first + appended).collect(),
            first_appended: first,
            appended,
            shifted_from: usize::MAX,
            closes_gaps: false,
            is_overwriting: overwritten.is_some(),
        }
    }

    /// For a row that stays as it is, although columns of an earlier copy are overwritten in others.
    pub(super) fn unchanged(&self) -> Self {
        Self {
            removed: Vec::new(),
            ..*self
        }
    }

    /// Columns are left out, and the appended ones follow the last header; cells further right follow those.
    pub(super) fn to_new_sheet(region: &TableRegion, plan: &RewritePlan<'_>) -> Self {
        let removed = plan.dropped_of(&region.headers);
        Self {
            first_appended: region.headers.len() - removed.len(),
            removed,
            appended: plan.appended.len(),
            shifted_from: region.headers.len(),
            closes_gaps: true,
            is_overwriting: false,
        }
    }

    /// Where a column goes; none where it is left out.
    pub(super) fn target(&self, column: usize) -> Option<usize> {
        if self.removed.contains(&column) {
            return None;
        }
        let is_gap = |removed: &&usize| self.closes_gaps && **removed < column;
        let gaps = self.removed.iter().filter(is_gap).count();
        let shift = if column < self.shifted_from {
            0
        } else {
            self.appended
        };
        Some(column - gaps + shift)
    }

    /// The ranges to which a range of columns goes, first and last column of each.
    pub(super) fn target_ranges(
        &self,
        columns: std::ops::RangeInclusive<usize>,
    ) -> Vec<[usize; 2]> {
        let mut ranges: Vec<[usize; 2]> = Vec::new();
        let targets = columns.filter_map(|column| self.target(column));
        for target in targets.filter(|target| *target < COLUMN_LIMIT) {
            match ranges.last_mut() {
                Some([_, last]) if *last + 1 == target => *last = target,
                _ => ranges.push([target; 2]),
            }
        }
        ranges
    }

    pub(super) fn refuse_too_many(&self, used_width: usize) -> Result<(), SheetError> {
        let last = used_width.checked_sub(1).and_then(|last| self.target(last));
        let needed = (self.first_appended + self.appended).max(last.map_or(0, |last| last + 1));
        if needed > COLUMN_LIMIT {
            return Err(SheetError::TooManyColumns {
                row: RowNumber(1),
                limit: COLUMN_LIMIT,
            });
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sheet::rewrite::{AppendedColumn, EarlierColumns};

    const APPENDED: [&str; 2] = ["error", "source_row"];

    fn region(headers: &[&str]) -> TableRegion {
        TableRegion {
            headers: headers.iter().map(|&header| header.to_owned()).collect(),
            street: None,
            header_row: None,
            title_row: None,
            visible_only: false,
        }
    }

    fn columns() -> [AppendedColumn; 2] {
        APPENDED.map(|header| AppendedColumn {
            header: header.to_owned(),
            number_format: None,
            max_width: 9,
        })
    }

    fn plan<'a>(appended: &'a [AppendedColumn], earlier: EarlierColumns<'a>) -> RewritePlan<'a> {
        RewritePlan {
            appended,
            earlier,
            keeps_surroundings: true,
            fills_short_rows: false,
            adds_mark: false,
        }
    }

    #[test]
    fn a_new_sheet_has_the_appended_columns_behind_the_last_header() {
        let headers = ["ID", "error", "Name", "source_row"];
        let columns = columns();
        let plan = plan(&columns, EarlierColumns::Anywhere(&APPENDED, "same_house"));
        let map = ColumnMap::to_new_sheet(&region(&headers), &plan);
        let targets: Vec<_> = (0..6).map(|column| map.target(column)).collect();
        assert_eq!(targets, [Some(0), None, Some(1), None, Some(4), Some(5)]);
        assert_eq!(map.first_appended, 2);
        assert_eq!(map.target_ranges(0..=5), [[0, 1], [4, 5]]);
    }

    #[test]
    fn columns_of_an_earlier_copy_are_overwritten_where_they_are() {
        let columns = columns();
        let plan = plan(&columns, EarlierColumns::Block(&APPENDED));
        let copy = region(&["ID", "Name", "error", "source_row"]);
        for used_width in [4, 5] {
            let map = ColumnMap::in_place(&copy, &plan, used_width);
            assert_eq!(map.first_appended, 2);
            assert_eq!(map.target_ranges(1..=5), [[1, 1], [4, 5]]);
        }
        let first = ColumnMap::in_place(&region(&["ID", "Name"]), &plan, 5);
        assert_eq!(first.first_appended, 5);
    }

    #[test]
    fn only_the_last_whole_block_is_an_earlier_copy() {
        let columns = columns();
        let plan = plan(&columns, EarlierColumns::Block(&APPENDED));
        let first =
            |headers: &[&str]| ColumnMap::in_place(&region(headers), &plan, 0).first_appended;
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
