//! The number formats of a binary workbook: which styles show a number otherwise than it is.

use std::collections::HashMap;

use crate::sheet::batch::CellKind;
use crate::sheet::number::{NumberDisplay, write_number};
use crate::sheet::row_details::RowDetail;

/// The formats by their numbers, and the format of each style in order.
#[derive(Debug, Default)]
pub(super) struct NumberFormats {
    codes: HashMap<u16, NumberDisplay>,
    styles: Vec<u16>,
}

impl NumberFormats {
    /// Learns a format.
    pub(super) fn format(&mut self, number: u16, code: &str) {
        self.codes.insert(number, NumberDisplay::parse(code));
    }

    /// Learns the next style.
    pub(super) fn style(&mut self, format: u16) {
        if let Some(code) = built_in(format) {
            let codes = self.codes.entry(format);
            codes.or_insert_with(|| NumberDisplay::parse(code));
        }
        self.styles.push(format);
    }

    /// What a cell shows in place of its number; `None` if it shows the number.
    pub(super) fn shown(&self, at: (u32, usize), style: usize, number: f64) -> Option<RowDetail> {
        let display = self.codes.get(self.styles.get(style)?)?;
        let mut text = String::new();
        let kind = write_number(number, display, &mut text);
        let (row, column) = at;
        matches!(kind, CellKind::Formatted | CellKind::DisplayDiffers).then_some(RowDetail::Cell {
            row,
            column,
            kind,
            text,
        })
    }
}

/// The code of a format that a workbook need not list: [MS-XLS] 2.4.126.
fn built_in(format: u16) -> Option<&'static str> {
    Some(match format {
        1 | 3 | 37 | 38 => "#,##0",
        2 | 4 | 39 | 40 => "#,##0.00",
        9 | 10 => "0%",
        12 | 13 => "# ?/?",
        _ => return None,
    })
}
