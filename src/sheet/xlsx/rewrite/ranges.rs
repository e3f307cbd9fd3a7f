//! Filters and tables that end where the appended columns begin: they are extended over these, because sorting by them
//! moves only the cells that they contain.

use std::collections::HashSet;

use quick_xml::escape::escape;
use quick_xml::events::{BytesStart, BytesText, Event};
use quick_xml::{Reader, Writer};

use crate::model::RowNumber;
use crate::sheet::address::{cell_address, column_letters, place_of};
use crate::sheet::rewrite::AppendedColumn;
use crate::sheet::xlsx::rewrite::analysis::{RowRole, SheetAnalysis};
use crate::sheet::xlsx::rewrite::column_map::ColumnMap;
use crate::sheet::xlsx::rewrite::error::XmlRewriteError;
use crate::sheet::xml::{attribute, local, number, tags, with};

/// The name that a workbook gives the range of a sheet's filter.
const FILTER_NAME: &str = "_xlnm._FilterDatabase";

/// Extends ranges over the appended columns.
#[derive(Clone, Copy)]
pub(super) struct RangeExtension<'a> {
    columns: &'a ColumnMap,
    header_row: Option<RowNumber>,
}

impl<'a> RangeExtension<'a> {
    pub(super) fn new(analysis: &SheetAnalysis, columns: &'a ColumnMap) -> Self {
        let mut rows = analysis.rows.iter();
        let header = rows.find(|(_, role)| *role == RowRole::Header);
        Self {
            columns,
            header_row: header.map(|(number, _)| *number),
        }
    }

    /// The extended range; none for one that begins in another row or ends in another column. A range to sort begins
    /// below the headers.
    fn extended(&self, range: &str) -> Option<String> {
        let (from, to) = range.split_once(':')?;
        let ((_, top), (last, bottom)) = (place_of(from)?, place_of(to)?);
        let header = self.header_row?;
        let is_of_table = top == header || top.0 == header.0 + 1;
        let end = self.columns.first_appended + self.columns.appended - 1;
        let is_adjacent = last + 1 == self.columns.first_appended;
        (is_of_table && is_adjacent).then(|| format!("{from}:{}", cell_address(end, bottom)))
    }

    /// The tag of a filter, a range to sort or a table, with its range extended.
    pub(super) fn tag(&self, tag: &BytesStart<'_>) -> BytesStart<'static> {
        let range = attribute(tag, "ref").and_then(|range| self.extended(&range));
        match &range {
            Some(range) => with(tag, &[("ref", Some(range))]),
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
            let range = self.extended(&range.replace('$', ""))?;
            let (from, to) = range.split_once(':')?;
            let ((first, top), (last, bottom)) = (place_of(from)?, place_of(to)?);
            let (first, last) = (column_letters(first), column_letters(last));
            Some(format!("{sheet}!${first}${top}:${last}${bottom}"))
        };
        extended().unwrap_or_else(|| reference.to_owned())
    }

    /// The part of a table, extended by the appended columns; the headers of those that it has already are renewed. It
    /// stays as it is where two of its columns would have one name, which Excel calls damaged.
    pub(super) fn table(
        &self,
        part: &str,
        appended: &[AppendedColumn],
    ) -> Result<String, XmlRewriteError> {
        let Some(names) = self.table_columns(part, appended) else {
            return Ok(part.to_owned());
        };
        let ids = tags(part, "tableColumn").into_iter();
        let largest = ids.filter_map(|column| number(&column, "id")).max();
        let new_ids = largest.unwrap_or(0) + 1..;
        let mut position = 0;
        let count = names.len().to_string();
        rewritten(part, |event, out| match event {
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
        })
    }

    /// The names of the columns that a table has afterwards, escaped; none where it stays as it is.
    fn table_columns(&self, part: &str, appended: &[AppendedColumn]) -> Option<Vec<String>> {
        let table = tags(part, "table").into_iter().next()?;
        let kind = attribute(&table, "tableType");
        if kind.is_some_and(|kind| kind != "worksheet")
            || number(&table, "headerRowCount") == Some(0)
        {
            return None;
        }
        let range = attribute(&table, "ref")?;
        let (from, to) = range.split_once(':')?;
        let ((first, top), (last, _)) = (place_of(from)?, place_of(to)?);
        let begin = self.columns.first_appended;
        if Some(top) != self.header_row || first >= begin || last + 1 < begin {
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
fn rewritten(
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
