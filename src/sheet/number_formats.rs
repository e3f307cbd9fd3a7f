//! The number formats of a binary workbook: which styles show a number with zeros in front.

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
    /// Learns a format; those that show a number as it is are not kept.
    pub(super) fn format(&mut self, number: u16, code: &str) {
        let scan = NumberDisplay::parse(code);
        if scan != NumberDisplay::General {
            self.codes.insert(number, scan);
        }
    }

    /// Learns the next style.
    pub(super) fn style(&mut self, format: u16) {
        self.styles.push(format);
    }

    /// What a cell shows in place of its number; none where it shows the number.
    pub(super) fn shown(&self, at: (u32, usize), style: usize, number: f64) -> Option<RowDetail> {
        let scan = self.codes.get(self.styles.get(style)?)?;
        let mut text = String::new();
        let kind = write_number(number, scan, &mut text);
        let (row, column) = at;
        (kind == CellKind::Formatted).then_some(RowDetail::Cell {
            row,
            column,
            kind,
            text,
        })
    }
}
