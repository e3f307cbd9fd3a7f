//! The number formats of a binary workbook: which styles show a number with zeros in front.

use std::collections::HashMap;

use crate::sheet::batch::Kind;
use crate::sheet::number::{Look, write_number};
use crate::sheet::scan::Mark;

/// The formats by their numbers, and the format of each style in order.
#[derive(Debug, Default)]
pub(super) struct Looks {
    codes: HashMap<u16, Look>,
    styles: Vec<u16>,
}

impl Looks {
    /// Learns a format; those that show a number as it is are not kept.
    pub(super) fn format(&mut self, number: u16, code: &str) {
        let look = Look::of(code);
        if look != Look::General {
            self.codes.insert(number, look);
        }
    }

    /// Learns the next style.
    pub(super) fn style(&mut self, format: u16) {
        self.styles.push(format);
    }

    /// What a cell shows in place of its number; none where it shows the number.
    pub(super) fn shown(&self, at: (u32, usize), style: usize, number: f64) -> Option<Mark> {
        let look = self.codes.get(self.styles.get(style)?)?;
        let mut text = String::new();
        let kind = write_number(number, look, &mut text);
        let (row, column) = at;
        (kind == Kind::Formatted).then_some(Mark::Cell {
            row,
            column,
            kind,
            text,
        })
    }
}
