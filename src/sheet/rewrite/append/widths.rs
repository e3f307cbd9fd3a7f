//! The column widths of the sheet, including the appended columns.

use std::io::Write;

use quick_xml::Writer;
use quick_xml::events::{BytesStart, Event};

use crate::sheet::rewrite::append::analysis::SheetAnalysis;
use crate::sheet::rewrite::append::error::AppendError;
use crate::sheet::rewrite::append::tag::{number, prefix, with};
use crate::sheet::rewrite::plan::RewritePlan;

/// What a column is wider than its longest text, in characters.
const MARGIN: usize = 2;
const NARROWEST: usize = 9;

/// The widths that are still to be written.
pub(super) struct AppendedWidths {
    /// The first appended column, from 1.
    first: u32,
    /// In characters.
    characters: Vec<usize>,
    prefix: String,
    written: bool,
}

impl AppendedWidths {
    pub(super) fn new(analysis: &SheetAnalysis, plan: &RewritePlan<'_>) -> Self {
        let width = |longest: &usize| (longest + MARGIN).max(NARROWEST);
        debug_assert_eq!(analysis.longest.len(), plan.appended.len());
        Self {
            first: u32::try_from(analysis.place + 1).unwrap_or(u32::MAX),
            characters: analysis.longest.iter().map(width).collect(),
            prefix: String::new(),
            written: false,
        }
    }

    /// A range of existing columns, without the appended ones.
    pub(super) fn col<W: Write>(
        &mut self,
        tag: &BytesStart<'_>,
        out: &mut Writer<W>,
    ) -> Result<(), AppendError> {
        self.prefix = prefix(tag);
        let (Some(from), Some(to)) = (number(tag, "min"), number(tag, "max")) else {
            return Err(AppendError::Unusual);
        };
        let last = self.first + u32::try_from(self.characters.len()).unwrap_or(0) - 1;
        if from < self.first {
            run(tag, from, to.min(self.first - 1), out)?;
        }
        if to >= self.first {
            self.rest(out)?;
        }
        if to > last {
            run(tag, from.max(last + 1), to, out)?;
        }
        Ok(())
    }

    /// The appended columns, where no existing range follows them.
    pub(super) fn rest<W: Write>(&mut self, out: &mut Writer<W>) -> Result<(), AppendError> {
        if std::mem::replace(&mut self.written, true) {
            return Ok(());
        }
        for (column, characters) in (self.first..).zip(&self.characters) {
            let prefix = &self.prefix;
            write!(
                out.get_mut(),
                r#"<{prefix}col min="{column}" max="{column}" width="{characters}" customWidth="1"/>"#
            )?;
        }
        Ok(())
    }

    /// The complete list, where the sheet has none; it immediately precedes the cells.
    pub(super) fn missing<W: Write>(
        &mut self,
        prefix: &str,
        out: &mut Writer<W>,
    ) -> Result<(), AppendError> {
        if self.written {
            return Ok(());
        }
        prefix.clone_into(&mut self.prefix);
        write!(out.get_mut(), "<{prefix}cols>")?;
        self.rest(out)?;
        Ok(write!(out.get_mut(), "</{prefix}cols>")?)
    }
}

fn run<W: Write>(
    tag: &BytesStart<'_>,
    from: u32,
    to: u32,
    out: &mut Writer<W>,
) -> Result<(), AppendError> {
    let (from, to) = (from.to_string(), to.to_string());
    let tag = with(tag, &[("min", Some(&from)), ("max", Some(&to))]);
    Ok(out.write_event(Event::Empty(tag))?)
}
