//! The dimensions that the sheets of an XLS workbook declare.
//!
//! calamine allocates a rectangle for every sheet, up to its farthest cells, and trusts the dimensions that the sheet
//! declares. So both are checked first.

use std::collections::HashMap;

use crate::sheet::SheetError;
use crate::sheet::xls::compound::{read_u16, read_u32, records};

/// Cells of the largest sheet that XLS allows.
const DECLARED_LIMIT: u64 = 65_536 * 256;
/// Cells of all rectangles together that are held in memory.
const CELL_LIMIT: u64 = 4 << 20;

/// The dimensions of one sheet, as it declares them and as its cells need them.
#[derive(Default)]
struct SheetDimensions {
    declared: u64,
    rows: Option<(u16, u16)>,
    columns: (u16, u16),
}

impl SheetDimensions {
    fn hold(&mut self, row: u16, first: u16, last: u16) {
        let (top, bottom) = self.rows.unwrap_or((row, row));
        let (left, right) = if self.rows.is_some() {
            self.columns
        } else {
            (first, last)
        };
        self.rows = Some((top.min(row), bottom.max(row)));
        self.columns = (left.min(first), right.max(last));
    }

    fn cells(&self) -> u64 {
        let span = |(from, to): (u16, u16)| u64::from(to.saturating_sub(from)) + 1;
        self.rows.map_or(0, |rows| span(rows) * span(self.columns))
    }
}

/// Records that begin a sheet, give its dimensions, and hold a cell: [MS-XLS] 2.4.
const BEGIN: [u16; 4] = [0x0809, 0x0409, 0x0209, 0x0009];
const DIMENSIONS: [u16; 2] = [0x0200, 0x0000];
const ONE_CELL: [u16; 13] = [
    0x0203, 0x0204, 0x00D6, 0x0205, 0x0006, 0x0206, 0x0406, 0x027E, 0x00FD, 0x0002, 0x0003, 0x0004,
    0x0005,
];
const MANY_CELLS: u16 = 0x00BD;
/// What follows is encrypted.
const PASSWORD: u16 = 0x002F;

/// Refuses a stream of cells whose sheets ask for more than they hold.
pub(super) fn refuse_dimensions(stream: &[u8]) -> Result<(), SheetError> {
    let mut sheets: HashMap<usize, SheetDimensions> = HashMap::new();
    let mut sheet = 0;
    for (kind, data) in records(stream) {
        if kind == PASSWORD {
            return Err(SheetError::Password);
        }
        if BEGIN.contains(&kind) {
            sheet += 1;
        }
        let dimensions = sheets.entry(sheet).or_default();
        if DIMENSIONS.contains(&kind) {
            dimensions.declared = dimensions.declared.max(declared(data)?);
        } else if let (true, Some(row), Some(column)) = (
            ONE_CELL.contains(&kind),
            read_u16(data, 0),
            read_u16(data, 2),
        ) {
            dimensions.hold(row, column, column);
        } else if let (MANY_CELLS, Some(row), Some(first)) =
            (kind, read_u16(data, 0), read_u16(data, 2))
        {
            let last = read_u16(data, data.len().saturating_sub(2)).unwrap_or(first);
            dimensions.hold(row, first, last.max(first));
        }
    }
    let cells: u64 = sheets.values().map(SheetDimensions::cells).sum();
    if cells > CELL_LIMIT || sheets.values().any(|sheet| sheet.declared > DECLARED_LIMIT) {
        return Err(SheetError::TooManyCells { limit: CELL_LIMIT });
    }
    Ok(())
}

/// The number of cells that the sheet declares: from the first row and column to those before the last. An empty sheet
/// may have zeros; for others calamine computes the size without a check.
fn declared(data: &[u8]) -> Result<u64, SheetError> {
    let bounds = match data.len() {
        14 | 16 => (
            read_u32(data, 0),
            read_u32(data, 4),
            read_u16(data, 8),
            read_u16(data, 10),
        ),
        10 => (
            read_u16(data, 0).map(u32::from),
            read_u16(data, 2).map(u32::from),
            read_u16(data, 4),
            read_u16(data, 6),
        ),
        _ => return Ok(0),
    };
    let (Some(top), Some(bottom), Some(left), Some(right)) = bounds else {
        return Ok(0);
    };
    let left = if left > 0xFF || right < left { 0 } else { left };
    if bottom > 0 && right > 0 && top >= bottom {
        return Err(SheetError::Damaged(
            "a sheet ends before its first row".to_owned(),
        ));
    }
    Ok(u64::from(bottom.saturating_sub(top)) * u64::from(right.saturating_sub(left)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(kind: u16, words: &[u16]) -> Vec<u8> {
        let length = u16::try_from(words.len() * 2).unwrap();
        let all = [kind, length].into_iter().chain(words.iter().copied());
        all.flat_map(u16::to_le_bytes).collect()
    }

    #[test]
    fn two_cells_far_apart_are_refused() {
        let near = [
            record(0x0809, &[0]),
            record(0x0203, &[0, 0]),
            record(0x0203, &[9, 9]),
        ]
        .concat();
        assert!(refuse_dimensions(&near).is_ok());
        let far = [
            record(0x0809, &[0]),
            record(0x0203, &[0, 0]),
            record(0x0203, &[65_535, 255]),
        ]
        .concat();
        assert!(matches!(
            refuse_dimensions(&far),
            Err(SheetError::TooManyCells { .. })
        ));
    }

    #[test]
    fn a_password_is_told() {
        let locked = [
            record(0x0809, &[0]),
            record(0x002F, &[1]),
            record(0x0203, &[65_535, 255]),
        ]
        .concat();
        assert!(matches!(
            refuse_dimensions(&locked),
            Err(SheetError::Password)
        ));
    }

    #[test]
    fn a_size_that_no_old_sheet_has_is_refused() {
        let claim = |bottom: u32| {
            let low = u16::try_from(bottom & 0xFFFF).unwrap();
            let high = u16::try_from(bottom >> 16).unwrap();
            [
                record(0x0809, &[0]),
                record(0x0200, &[0, 0, low, high, 0, 256, 0]),
            ]
            .concat()
        };
        assert!(refuse_dimensions(&claim(65_536)).is_ok());
        assert!(refuse_dimensions(&claim(1 << 24)).is_err());
    }

    #[test]
    fn a_sheet_that_ends_before_its_first_row_is_damaged() {
        let sheet = |rows: [u16; 2], columns: [u16; 2]| {
            let claim = [rows[0], 0, rows[1], 0, columns[0], columns[1], 0];
            [record(0x0809, &[0]), record(0x0200, &claim)].concat()
        };
        for (rows, columns) in [([2, 1], [0, 1]), ([1, 1], [0, 1])] {
            let refused = refuse_dimensions(&sheet(rows, columns));
            assert!(matches!(refused, Err(SheetError::Damaged(_))), "{rows:?}");
        }
        for (rows, columns) in [([0, 0], [0, 0]), ([5, 0], [0, 0]), ([2, 3], [0, 1])] {
            assert!(refuse_dimensions(&sheet(rows, columns)).is_ok(), "{rows:?}");
        }
    }
}
