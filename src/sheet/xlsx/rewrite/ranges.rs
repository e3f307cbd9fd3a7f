//! Extends the user's filter or table to the appended columns; sorting moves only cells inside the range.

use std::collections::HashSet;
use std::ops::Range;

use quick_xml::escape::escape;
use quick_xml::events::{BytesStart, BytesText, Event};
use quick_xml::{Reader, Writer};

use crate::sheet::cell_address::column_letters;
use crate::sheet::cell_range::CellRange;
use crate::sheet::rewrite::plan::{AppendedColumn, RewriteNote};
use crate::sheet::rewrite::source::TableRegion;
use crate::sheet::xlsx::rewrite::column_map::ColumnMap;
use crate::sheet::xlsx::rewrite::error::XmlRewriteError;
use crate::sheet::xml::{attribute, local, number, tags, with};

/// The name that a workbook gives the range of a sheet's filter.
const FILTER_NAME: &str = "_xlnm._FilterDatabase";

/// The cells of a table, from its part.
pub(super) fn cells_of_table(part: &str) -> Option<CellRange> {
    let table = tags(part, "table").into_iter().next()?;
    CellRange::parse(&attribute(&table, "ref")?)
}

/// Extends ranges over the appended columns.
pub(super) struct RangeExtension<'a> {
    pub(super) columns: &'a ColumnMap,
    pub(super) region: &'a TableRegion,
    /// Every table of the sheet.
    pub(super) tables: Vec<CellRange>,
}

impl RangeExtension<'_> {
    /// The last appended column.
    fn end(&self) -> usize {
        self.columns.appended.end - 1
    }

    /// Whether a range contains the streets of the table that was read, and not all appended columns. A range to sort
    /// begins below the headers.
    fn is_short(&self, range: CellRange) -> bool {
        let (Some(header), Some(street)) = (self.region.header_row, self.region.street) else {
            return false;
        };
        [header.0, header.0 + 1].contains(&range.top.0)
            && (range.left..=range.right).contains(&street)
            && range.right < self.end()
    }

    /// The columns between a range and the appended ones.
    fn gap(&self, range: CellRange) -> Range<usize> {
        let begin = self.columns.appended.start;
        begin.min(range.right + 1)..begin
    }

    /// The extended range of a filter; `None` if it stays as it is. It may contain columns without a header, but not a
    /// table, nor columns of the user's with a header, which may be a list of their own.
    fn extended(&self, range: CellRange) -> Option<CellRange> {
        let gap = self.gap(range);
        let extended = CellRange {
            right: self.end(),
            ..range
        };
        let added = CellRange {
            left: range.right + 1,
            ..extended
        };
        let has_header = |column: usize| {
            let header = self.region.headers.get(column);
            header.is_some_and(|header| !header.trim().is_empty())
        };
        let is_free = !gap.into_iter().any(has_header)
            && !self.tables.iter().any(|table| table.overlaps(&added));
        (self.is_short(range) && is_free).then_some(extended)
    }

    /// Tells of a filter that cannot be extended.
    pub(super) fn outside_filter(&self, tag: &BytesStart<'_>) -> Option<RewriteNote> {
        let range = CellRange::parse(&attribute(tag, "ref")?)?;
        match self.extended(range) {
            Some(_) => None,
            None => self.outside(range, None),
        }
    }

    /// Tells of a table that cannot be extended.
    pub(super) fn outside_table(&self, part: &str) -> Option<RewriteNote> {
        let table = tags(part, "table").into_iter().next()?;
        self.outside(cells_of_table(part)?, attribute(&table, "displayName"))
    }

    fn outside(&self, range: CellRange, table: Option<String>) -> Option<RewriteNote> {
        self.is_short(range).then(|| RewriteNote::OutsideRange {
            table,
            range: range.address(),
            between: self.gap(range),
        })
    }

    /// The tag of a filter, a range to sort or a table, with its range extended.
    pub(super) fn tag(&self, tag: &BytesStart<'_>) -> BytesStart<'static> {
        let range = attribute(tag, "ref").and_then(|range| CellRange::parse(&range));
        let extended = range.and_then(|range| self.extended(range));
        match extended.map(|range| range.address()) {
            Some(range) => with(tag, &[("ref", Some(&range))]),
            None => tag.clone().into_owned(),
        }
    }

    /// The workbook's own part with the range of the sheet's filter extended.
    pub(super) fn workbook(&self, book: &str, sheet: &str) -> Result<String, XmlRewriteError> {
        let is_sheet = |tag: &BytesStart<'_>| attribute(tag, "name").as_deref() == Some(sheet);
        let index = tags(book, "sheet").iter().position(is_sheet);
        let index = index.map(|index| index.to_string());
        let is_filter = |tag: &BytesStart<'_>| {
            attribute(tag, "name").as_deref() == Some(FILTER_NAME)
                && attribute(tag, "localSheetId") == index
        };
        let mut is_inside = false;
        rewritten(book, |event, out| {
            match &event {
                Event::Start(tag) if local(tag) == "definedName" => is_inside = is_filter(tag),
                Event::End(_) => is_inside = false,
                Event::Text(text) if is_inside => {
                    let text = self.absolute(text);
                    return out.write_event(Event::Text(BytesText::from_escaped(text)));
                }
                _ => {}
            }
            out.write_event(event)
        })
    }

    /// The reference `Sheet!$A$1:$H$9`, extended.
    fn absolute(&self, reference: &str) -> String {
        let extended = || {
            let (sheet, range) = reference.rsplit_once('!')?;
            let range = self.extended(CellRange::parse(&range.replace('$', ""))?)?;
            let (first, last) = (column_letters(range.left), column_letters(range.right));
            Some(format!(
                "{sheet}!${first}${}:${last}${}",
                range.top, range.bottom
            ))
        };
        extended().unwrap_or_else(|| reference.to_owned())
    }

    /// The part of a table, extended by the appended columns; the headers of those that it has already are renewed.
    /// None where it stays as it is: one of other cells, behind which other cells stand, or of which two columns would
    /// have one name, which Excel calls damaged.
    pub(super) fn table(
        &self,
        part: &str,
        appended: &[AppendedColumn],
    ) -> Result<Option<String>, XmlRewriteError> {
        let Some(names) = self.table_columns(part, appended) else {
            return Ok(None);
        };
        let ids = tags(part, "tableColumn").into_iter();
        let largest = ids.filter_map(|column| number(&column, "id")).max();
        let new_ids = largest.unwrap_or(0) + 1..;
        let mut position = 0;
        let count = names.len().to_string();
        let table = rewritten(part, |event, out| match event {
            Event::Start(tag) if local(&tag) == "tableColumns" => {
                let tag = with(&tag, &[("count", Some(&count))]);
                out.write_event(Event::Start(tag))
            }
            Event::End(tag) if tag.local_name().into_inner() == "tableColumns" => {
                let name = tag.name().into_inner();
                let prefix = &name[..name.len() - "tableColumns".len()];
                for (id, name) in new_ids.clone().zip(&names[position..]) {
                    let column = BytesStart::new(format!("{prefix}tableColumn"));
                    let id = id.to_string();
                    let changes = [("id", Some(id.as_str())), ("name", Some(name.as_str()))];
                    out.write_event(Event::Empty(with(&column, &changes)))?;
                }
                out.write_event(Event::End(tag))
            }
            Event::Start(tag) if local(&tag) == "tableColumn" => {
                position += 1;
                let name = names[position - 1].as_str();
                out.write_event(Event::Start(with(&tag, &[("name", Some(name))])))
            }
            Event::Empty(tag) if local(&tag) == "tableColumn" => {
                position += 1;
                let name = names[position - 1].as_str();
                out.write_event(Event::Empty(with(&tag, &[("name", Some(name))])))
            }
            Event::Start(tag) => out.write_event(Event::Start(self.tag(&tag))),
            Event::Empty(tag) => out.write_event(Event::Empty(self.tag(&tag))),
            event => out.write_event(event),
        });
        table.map(Some)
    }

    /// The names of the columns that a table has afterwards, escaped; `None` if it stays as it is.
    fn table_columns(&self, part: &str, appended: &[AppendedColumn]) -> Option<Vec<String>> {
        let table = tags(part, "table").into_iter().next()?;
        let kind = attribute(&table, "tableType");
        if kind.is_some_and(|kind| kind != "worksheet")
            || number(&table, "headerRowCount") == Some(0)
        {
            return None;
        }
        let range = cells_of_table(part)?;
        let (first, last) = (range.left, range.right);
        let begin = self.columns.appended.start;
        let is_unextended = last < self.end() && self.extended(range).is_none();
        if Some(range.top) != self.region.header_row || first >= begin || is_unextended {
            return None;
        }
        let columns = tags(part, "tableColumn").into_iter();
        let mut names: Vec<String> = columns
            .filter_map(|column| attribute(&column, "name"))
            .collect();
        if names.len() != last + 1 - first {
            return None;
        }
        for (position, column) in (begin - first..).zip(appended) {
            match names.get_mut(position) {
                Some(name) => name.clone_from(&column.header),
                None if last + 1 == begin => names.push(column.header.clone()),
                None => return None,
            }
        }
        let mut known = HashSet::new();
        let is_unique = names.iter().all(|name| known.insert(name.to_lowercase()));
        is_unique.then(|| {
            names
                .iter()
                .map(|name| escape(name.as_str()).into_owned())
                .collect()
        })
    }
}

/// A part whose events are written by `write`.
pub(super) fn rewritten(
    part: &str,
    mut write: impl FnMut(Event<'_>, &mut Writer<Vec<u8>>) -> std::io::Result<()>,
) -> Result<String, XmlRewriteError> {
    let mut reader = Reader::from_str(part);
    let mut out = Writer::new(Vec::new());
    loop {
        match reader.read_event()? {
            Event::Eof => break,
            event => write(event, &mut out)?,
        }
    }
    String::from_utf8(out.into_inner()).map_err(|_| XmlRewriteError::Unusual)
}
