//! One row of the sheet's XML: its cells are read, and written with the appended ones.

use std::io::{BufRead, Write};

use quick_xml::events::{BytesStart, Event};
use quick_xml::{Reader, Writer};

use crate::model::RowNumber;
use crate::sheet::cell_address::{cell_address, place_of};
use crate::sheet::xlsx::rewrite::column_map::ColumnMap;
use crate::sheet::xlsx::rewrite::error::XmlRewriteError;
use crate::sheet::xml::{attribute, local, number, with};

/// A row as it was read.
pub(super) struct RowXml {
    tag: BytesStart<'static>,
    cells: Vec<CellXml>,
    /// Elements that are not cells.
    rest: Vec<u8>,
}

struct CellXml {
    /// Zero-based.
    column: usize,
    tag: BytesStart<'static>,
    content: CellContent,
}

/// What is within a cell's tags.
#[derive(Default)]
struct CellContent {
    xml: Vec<u8>,
    has_value: bool,
}

impl RowXml {
    /// Reads up to the end of the row.
    pub(super) fn read<R: BufRead>(
        tag: BytesStart<'static>,
        reader: &mut Reader<R>,
    ) -> Result<Self, XmlRewriteError> {
        let mut row = Self {
            tag,
            cells: Vec::new(),
            rest: Vec::new(),
        };
        let mut rest = Writer::new(Vec::new());
        let mut buffer = Vec::new();
        loop {
            buffer.clear();
            match reader.read_event_into(&mut buffer)? {
                Event::Start(tag) if local(&tag) == "c" => {
                    let content = CellContent::read(reader)?;
                    row.push(&tag, content);
                }
                Event::Empty(tag) if local(&tag) == "c" => row.push(&tag, CellContent::default()),
                Event::End(tag) if tag.local_name().into_inner() == "row" => {
                    row.rest = rest.into_inner();
                    return Ok(row);
                }
                Event::Eof => return Err(XmlRewriteError::Unusual),
                other => rest.write_event(other)?,
            }
        }
    }

    fn push(&mut self, tag: &BytesStart<'_>, content: CellContent) {
        let next = self.cells.last().map_or(0, |cell| cell.column + 1);
        let named = attribute(tag, "r").and_then(|address| place_of(&address));
        self.cells.push(CellXml {
            column: named.map_or(next, |(column, _)| column),
            tag: tag.to_owned(),
            content,
        });
    }

    /// Whether there is a value in a column that is not overwritten.
    pub(super) fn has_kept_value(&self, columns: &ColumnMap) -> bool {
        let mut cells = self.cells.iter();
        cells.any(|cell| cell.content.has_value && columns.keeps(cell.column))
    }

    /// The style of the last cell with a value that is left of a column.
    pub(super) fn last_style(&self, column: usize) -> u32 {
        let is_before = |cell: &&CellXml| cell.content.has_value && cell.column < column;
        let before = self.cells.iter().filter(is_before);
        let last = before.max_by_key(|cell| cell.column);
        last.and_then(|cell| number(&cell.tag, "s")).unwrap_or(0)
    }

    /// Writes the row with the appended cells, which is their XML.
    pub(super) fn write<W: Write>(
        mut self,
        number: RowNumber,
        columns: &ColumnMap,
        appended: &str,
        out: &mut Writer<W>,
    ) -> Result<(), XmlRewriteError> {
        self.cells.retain(|cell| columns.keeps(cell.column));
        self.cells.sort_by_key(|cell| cell.column);
        let first = columns.appended.start;
        let right = self.cells.partition_point(|cell| cell.column < first);
        // Which columns a row spans is a hint, and no longer true.
        out.write_event(Event::Start(with(&self.tag, &[("spans", None)])))?;
        for cell in &self.cells[..right] {
            cell.write(number, out)?;
        }
        out.get_mut().write_all(appended.as_bytes())?;
        for cell in &self.cells[right..] {
            cell.write(number, out)?;
        }
        out.get_mut().write_all(&self.rest)?;
        Ok(out.write_event(Event::End(self.tag.to_end()))?)
    }
}

impl CellXml {
    fn write<W: Write>(&self, row: RowNumber, out: &mut Writer<W>) -> Result<(), XmlRewriteError> {
        let address = cell_address(self.column, row);
        let tag = with(&self.tag, &[("r", Some(&address))]);
        if self.content.xml.is_empty() {
            return Ok(out.write_event(Event::Empty(tag))?);
        }
        let end = tag.to_end().into_owned();
        out.write_event(Event::Start(tag))?;
        out.get_mut().write_all(&self.content.xml)?;
        Ok(out.write_event(Event::End(end))?)
    }
}

impl CellContent {
    /// Reads up to the end of a cell.
    fn read<R: BufRead>(reader: &mut Reader<R>) -> Result<Self, XmlRewriteError> {
        let mut xml = Writer::new(Vec::new());
        let mut content = Self::default();
        let (mut buffer, mut depth) = (Vec::new(), 0_usize);
        loop {
            buffer.clear();
            let event = reader.read_event_into(&mut buffer)?;
            match &event {
                Event::Start(tag) => {
                    depth += 1;
                    content.has_value |= matches!(local(tag), "v" | "is");
                }
                Event::End(_) if depth == 0 => {
                    content.xml = xml.into_inner();
                    return Ok(content);
                }
                Event::End(_) => depth -= 1,
                Event::Eof => return Err(XmlRewriteError::Unusual),
                _ => {}
            }
            xml.write_event(event)?;
        }
    }
}
