//! The column widths of the sheet, including the appended columns.

use std::io::Write;

use quick_xml::Writer;
use quick_xml::events::{BytesStart, Event};

use crate::sheet::xlsx::rewrite::RewriteMode;
use crate::sheet::xlsx::rewrite::analysis::SheetAnalysis;
use crate::sheet::xlsx::rewrite::column_map::ColumnMap;
use crate::sheet::xlsx::rewrite::error::XmlRewriteError;
use crate::sheet::xml::{AttributeChange, attribute, number, prefix, with};

/// How much wider than its longest text a column is, in characters.
const MARGIN: usize = 2;
const NARROWEST: usize = 9;

/// The widths that are still to be written.
pub(super) struct SheetWidths<'a> {
    columns: &'a ColumnMap,
    mode: RewriteMode,
    /// Of each appended column, in characters.
    characters: Vec<usize>,
    /// The prefix of the sheet's elements.
    pub(super) prefix: String,
    written: bool,
}

impl<'a> SheetWidths<'a> {
    pub(super) fn new(analysis: &SheetAnalysis, columns: &'a ColumnMap, mode: RewriteMode) -> Self {
        let width = |longest: &usize| (longest + MARGIN).max(NARROWEST);
        Self {
            columns,
            mode,
            characters: analysis.longest.iter().map(width).collect(),
            prefix: String::new(),
            written: false,
        }
    }

    /// A range of existing columns, moved and without the appended ones.
    pub(super) fn col<W: Write>(
        &mut self,
        tag: &BytesStart<'_>,
        out: &mut Writer<W>,
    ) -> Result<(), XmlRewriteError> {
        self.prefix = prefix(tag);
        let (Some(from @ 1..), Some(to)) = (number(tag, "min"), number(tag, "max")) else {
            return Err(XmlRewriteError::Unusual);
        };
        let mut changes: Vec<AttributeChange<'_>> = Vec::new();
        if self.mode == RewriteMode::NewWorkbook {
            // A hidden column may have no width at all; a new sheet shows it.
            let width = attribute(tag, "width").and_then(|width| width.parse().ok());
            if width.is_some_and(|width: f64| width < 1.0) {
                return Ok(());
            }
            changes.push(("hidden", None));
        }
        let existing = from as usize - 1..=to as usize - 1;
        for [first, last] in self.columns.target_ranges(existing) {
            if first >= self.columns.first_appended {
                self.rest(out)?;
            }
            let (min, max) = ((first + 1).to_string(), (last + 1).to_string());
            let mut changes = changes.clone();
            changes.extend([("min", Some(min.as_str())), ("max", Some(max.as_str()))]);
            out.write_event(Event::Empty(with(tag, &changes)))?;
        }
        Ok(())
    }

    /// The appended columns, where no existing range follows them.
    pub(super) fn rest<W: Write>(&mut self, out: &mut Writer<W>) -> Result<(), XmlRewriteError> {
        if std::mem::replace(&mut self.written, true) {
            return Ok(());
        }
        for (column, characters) in (self.columns.first_appended + 1..).zip(&self.characters) {
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
