//! The column widths of the sheet, including the appended columns.

use std::io::Write;

use quick_xml::Writer;
use quick_xml::events::{BytesStart, Event};

use crate::sheet::xlsx::rewrite::analysis::SheetAnalysis;
use crate::sheet::xlsx::rewrite::column_map::ColumnMap;
use crate::sheet::xlsx::rewrite::error::XmlRewriteError;
use crate::sheet::xml::{number, prefix, with};

/// How much wider than its longest text a column is, in characters.
const MARGIN: usize = 2;
const NARROWEST: usize = 9;

/// The widths that are still to be written.
pub(super) struct SheetWidths<'a> {
    columns: &'a ColumnMap,
    /// Of each appended column, in characters.
    characters: Vec<usize>,
    /// The prefix of the sheet's elements.
    prefix: String,
    written: bool,
}

impl<'a> SheetWidths<'a> {
    pub(super) fn new(analysis: &SheetAnalysis, columns: &'a ColumnMap) -> Self {
        let width = |longest: &usize| (longest + MARGIN).max(NARROWEST);
        Self {
            columns,
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
    ) -> Result<(), XmlRewriteError> {
        self.prefix = prefix(tag);
        let (Some(from @ 1..), Some(to)) = (number(tag, "min"), number(tag, "max")) else {
            return Err(XmlRewriteError::Unusual);
        };
        let existing = from as usize - 1..=to as usize - 1;
        for kept in self.columns.kept(existing) {
            if kept.start >= self.columns.appended.start {
                self.rest(out)?;
            }
            let (min, max) = ((kept.start + 1).to_string(), kept.end.to_string());
            let changes = [("min", Some(min.as_str())), ("max", Some(max.as_str()))];
            out.write_event(Event::Empty(with(tag, &changes)))?;
        }
        Ok(())
    }

    /// The appended columns, where no existing range follows them.
    pub(super) fn rest<W: Write>(&mut self, out: &mut Writer<W>) -> Result<(), XmlRewriteError> {
        if std::mem::replace(&mut self.written, true) {
            return Ok(());
        }
        for (column, characters) in (self.columns.appended.start + 1..).zip(&self.characters) {
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
    ) -> Result<(), XmlRewriteError> {
        prefix.clone_into(&mut self.prefix);
        if self.written {
            return Ok(());
        }
        write!(out.get_mut(), "<{prefix}cols>")?;
        self.rest(out)?;
        Ok(write!(out.get_mut(), "</{prefix}cols>")?)
    }
}
