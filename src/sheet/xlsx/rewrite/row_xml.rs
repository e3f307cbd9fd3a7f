//! One row of the sheet's XML: its cells are read, moved to their columns, and written with the appended ones.

use std::io::{BufRead, Write};

use quick_xml::events::{BytesStart, BytesText, Event};
use quick_xml::{Reader, Writer};

use crate::model::RowNumber;
use crate::sheet::address::{cell_address, place_of};
use crate::sheet::rewrite::Highlight;
use crate::sheet::xlsx::rewrite::RewriteMode;
use crate::sheet::xlsx::rewrite::column_map::ColumnMap;
use crate::sheet::xlsx::rewrite::error::XmlRewriteError;
use crate::sheet::xlsx::rewrite::shared_strings::UsedStrings;
use crate::sheet::xml::{AttributeChange, attribute, local, number, prefix, with};

/// A row as it was read.
pub(super) struct RowXml {
    tag: BytesStart<'static>,
    cells: Vec<CellXml>,
    /// Elements that are not cells.
    rest: Vec<u8>,
}

struct CellXml {
    /// Zero-based; in the sheet as it was read.
    column: usize,
    tag: BytesStart<'static>,
    content: CellContent,
}

/// What is within a cell's tags.
#[derive(Default)]
struct CellContent {
    xml: Vec<u8>,
    has_value: bool,
    /// A formula that was never calculated; in a new workbook it becomes an error, since an empty cell would look
    /// corrected.
    is_uncalculated: bool,
}

/// How a row is written.
pub(super) struct RowTarget<'a> {
    pub(super) number: RowNumber,
    pub(super) highlights: &'a [Highlight],
    /// What is added to a style's number for a highlighted cell.
    pub(super) highlighted_styles: u32,
    /// The appended cells.
    pub(super) appended: &'a str,
    /// The row's height in points, where it is set.
    pub(super) height: Option<u32>,
}

impl RowXml {
    /// Reads up to the end of the row.
    pub(super) fn read<R: BufRead>(
        tag: BytesStart<'static>,
        reader: &mut Reader<R>,
        mode: RewriteMode,
        strings: &mut UsedStrings,
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
                    let content = match mode {
                        RewriteMode::InPlace => unchanged(reader)?,
                        RewriteMode::NewWorkbook => values(&tag, reader, strings)?,
                    };
                    row.push(&tag, content);
                }
                Event::Empty(tag) if local(&tag) == "c" => row.push(&tag, CellContent::default()),
                Event::End(tag) if tag.local_name().into_inner() == "row" => {
                    row.rest = rest.into_inner();
                    return Ok(row);
                }
                Event::Eof => return Err(XmlRewriteError::Unusual),
                other if mode == RewriteMode::InPlace => rest.write_event(other)?,
                _ => {}
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

    /// Whether there is a value in a column that is not removed.
    pub(super) fn has_kept_value(&self, columns: &ColumnMap) -> bool {
        let is_kept = |cell: &CellXml| columns.target(cell.column).is_some();
        let mut cells = self.cells.iter();
        cells.any(|cell| cell.content.has_value && is_kept(cell))
    }

    /// The style of the last cell with a value that is left of a column of the new sheet.
    pub(super) fn last_style(&self, columns: &ColumnMap) -> u32 {
        let is_before = |cell: &&CellXml| {
            let target = columns.target(cell.column);
            cell.content.has_value && target.is_some_and(|target| target < columns.first_appended)
        };
        let last = self
            .cells
            .iter()
            .filter(is_before)
            .max_by_key(|cell| cell.column);
        last.and_then(|cell| number(&cell.tag, "s")).unwrap_or(0)
    }

    /// Writes the row: its cells, those that are highlighted although they are empty, and the appended ones.
    pub(super) fn write<W: Write>(
        mut self,
        target: &RowTarget<'_>,
        columns: &ColumnMap,
        mode: RewriteMode,
        out: &mut Writer<W>,
    ) -> Result<(), XmlRewriteError> {
        for highlight in target.highlights {
            if self
                .cells
                .iter()
                .all(|cell| cell.column != highlight.column)
            {
                self.cells.push(CellXml {
                    column: highlight.column,
                    tag: BytesStart::new(format!("{}c", prefix(&self.tag))),
                    content: CellContent::default(),
                });
            }
        }
        let mut cells: Vec<(usize, CellXml)> = Vec::with_capacity(self.cells.len());
        for cell in self.cells {
            cells.extend(columns.target(cell.column).map(|column| (column, cell)));
        }
        cells.sort_by_key(|(column, _)| *column);
        let right = cells.partition_point(|(column, _)| *column < columns.first_appended);
        out.write_event(Event::Start(row_tag(&self.tag, target, mode)))?;
        for (column, cell) in &cells[..right] {
            cell.write(*column, target, mode, out)?;
        }
        out.get_mut().write_all(target.appended.as_bytes())?;
        for (column, cell) in &cells[right..] {
            cell.write(*column, target, mode, out)?;
        }
        out.get_mut().write_all(&self.rest)?;
        Ok(out.write_event(Event::End(self.tag.to_end()))?)
    }
}

/// Which columns a row spans is a hint, and no longer true. In a new workbook no row is hidden.
fn row_tag(tag: &BytesStart<'_>, target: &RowTarget<'_>, mode: RewriteMode) -> BytesStart<'static> {
    let number = target.number.to_string();
    let height = target.height.map(|height| height.to_string());
    let mut changes: Vec<AttributeChange<'_>> = vec![("spans", None)];
    if mode == RewriteMode::NewWorkbook {
        changes.extend([("r", Some(number.as_str())), ("hidden", None)]);
    }
    if let Some(height) = &height {
        changes.extend([("ht", Some(height.as_str())), ("customHeight", Some("1"))]);
    }
    with(tag, &changes)
}

impl CellXml {
    fn write<W: Write>(
        &self,
        column: usize,
        target: &RowTarget<'_>,
        mode: RewriteMode,
        out: &mut Writer<W>,
    ) -> Result<(), XmlRewriteError> {
        let address = cell_address(column, target.number);
        let is_highlighted = target
            .highlights
            .iter()
            .any(|highlight| highlight.column == self.column);
        let style = number(&self.tag, "s").unwrap_or(0) + target.highlighted_styles;
        let style = style.to_string();
        let mut changes: Vec<AttributeChange<'_>> = vec![("r", Some(&address))];
        if is_highlighted {
            changes.push(("s", Some(&style)));
        }
        if mode == RewriteMode::NewWorkbook {
            // These refer to parts that a new workbook does not have.
            changes.extend([("cm", None), ("vm", None), ("ph", None)]);
        }
        let is_error = mode == RewriteMode::NewWorkbook && self.content.is_uncalculated;
        if is_error {
            changes.push(("t", Some("e")));
        }
        let tag = with(&self.tag, &changes);
        if self.content.xml.is_empty() && !is_error {
            return Ok(out.write_event(Event::Empty(tag))?);
        }
        let end = tag.to_end().into_owned();
        out.write_event(Event::Start(tag))?;
        if is_error {
            let prefix = prefix(&self.tag);
            write!(out.get_mut(), "<{prefix}v>#N/A</{prefix}v>")?;
        } else {
            out.get_mut().write_all(&self.content.xml)?;
        }
        Ok(out.write_event(Event::End(end))?)
    }
}

/// The content of a cell as it is.
fn unchanged<R: BufRead>(reader: &mut Reader<R>) -> Result<CellContent, XmlRewriteError> {
    let mut xml = Writer::new(Vec::new());
    let mut content = CellContent::default();
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

/// The content of a cell without its formula; a shared string gets its new index.
fn values<R: BufRead>(
    cell: &BytesStart<'_>,
    reader: &mut Reader<R>,
    strings: &mut UsedStrings,
) -> Result<CellContent, XmlRewriteError> {
    let kind = attribute(cell, "t").unwrap_or_default();
    let mut xml = Writer::new(Vec::new());
    let (mut has_value, mut has_formula) = (false, false);
    let (mut buffer, mut inner) = (Vec::new(), Vec::new());
    let (mut depth, mut in_value) = (0_usize, false);
    loop {
        buffer.clear();
        let event = reader.read_event_into(&mut buffer)?;
        match event {
            Event::Start(tag) if local(&tag) == "f" => {
                has_formula = true;
                reader.read_to_end_into(tag.name(), &mut inner)?;
            }
            Event::Empty(tag) if local(&tag) == "f" => has_formula = true,
            Event::Start(tag) => {
                depth += 1;
                in_value = local(&tag) == "v";
                // An empty text is the value of a formula that gives none.
                has_value |= local(&tag) == "is" || kind == "str";
                xml.write_event(Event::Start(tag))?;
            }
            Event::End(_) if depth == 0 => break,
            Event::End(tag) => {
                depth -= 1;
                in_value = false;
                xml.write_event(Event::End(tag))?;
            }
            Event::Text(text) if in_value => {
                has_value |= !text.is_empty();
                match text.trim().parse() {
                    Ok(old) if kind == "s" => {
                        let new = strings.index(old).to_string();
                        xml.write_event(Event::Text(BytesText::from_escaped(new)))?;
                    }
                    _ => xml.write_event(Event::Text(text))?,
                }
            }
            Event::Eof => return Err(XmlRewriteError::Unusual),
            other => xml.write_event(other)?,
        }
    }
    Ok(CellContent {
        xml: xml.into_inner(),
        has_value,
        is_uncalculated: has_formula && !has_value,
    })
}
