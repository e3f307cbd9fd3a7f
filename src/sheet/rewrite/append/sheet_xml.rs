//! The XML of the sheet, streamed: cells are inserted after those of their row, and nothing else changes.

use std::io::{BufRead, Write};
use std::iter::Peekable;
use std::slice;

use quick_xml::events::{BytesStart, Event};
use quick_xml::{Reader, Writer};

use crate::model::RowNumber;
use crate::sheet::address::{column_letters, place_of};
use crate::sheet::rewrite::append::analysis::{AdditionFor, SheetAnalysis};
use crate::sheet::rewrite::append::cell::{self, Epoch};
use crate::sheet::rewrite::append::error::AppendError;
use crate::sheet::rewrite::append::tag::{local, number, prefix, with};
use crate::sheet::rewrite::append::widths::AppendedWidths;
use crate::sheet::rewrite::plan::{AppendedValue, RewritePlan};

/// What becomes of the sheet.
pub(super) struct SheetEdit<'a> {
    pub(super) analysis: &'a SheetAnalysis,
    pub(super) plan: &'a RewritePlan<'a>,
    pub(super) each: AdditionFor<'a>,
    /// The style of the first appended column; the others follow.
    pub(super) first_style: usize,
    pub(super) epoch: Epoch,
}

/// Writes the sheet again; returns how many values were cut to what a cell can hold.
pub(super) fn rewrite(
    xml: impl BufRead,
    out: impl Write,
    edit: SheetEdit<'_>,
) -> Result<u64, AppendError> {
    let mut reader = Reader::from_reader(xml);
    let mut writer = SheetXmlWriter {
        rows: edit.analysis.rows.iter().peekable(),
        widths: AppendedWidths::new(edit.analysis, edit.plan),
        out: Writer::new(out),
        row: RowSeen::default(),
        shortened: 0,
        edit,
    };
    let mut buffer = Vec::new();
    let mut skipped = Vec::new();
    loop {
        buffer.clear();
        let event = reader.read_event_into(&mut buffer)?;
        match &event {
            Event::Eof => break,
            Event::Start(tag) if writer.makes_way(tag) => {
                reader.read_to_end_into(tag.name(), &mut skipped)?;
            }
            Event::Empty(tag) if writer.makes_way(tag) => {}
            Event::Start(tag) => writer.start(tag)?,
            Event::Empty(tag) => writer.empty(tag)?,
            Event::End(tag) => {
                writer.end(tag.local_name().into_inner())?;
                writer.out.write_event(event)?;
            }
            _ => writer.out.write_event(event)?,
        }
    }
    match writer.rows.next() {
        None => Ok(writer.shortened),
        // The sheet changed since the analysis, or its rows are not in order.
        Some(_) => Err(AppendError::Unusual),
    }
}

struct SheetXmlWriter<'a, W: Write> {
    edit: SheetEdit<'a>,
    /// Rows that are still to come.
    rows: Peekable<slice::Iter<'a, RowNumber>>,
    widths: AppendedWidths,
    out: Writer<W>,
    row: RowSeen,
    shortened: u64,
}

/// The current row.
#[derive(Debug, Default)]
struct RowSeen {
    number: u32,
    /// The zero-based column after the last cell read.
    next_column: usize,
    /// Whether something is appended to it, so that existing cells in those columns are removed.
    taken: bool,
    /// The cells that are appended, until they are written.
    cells: String,
}

impl<W: Write> SheetXmlWriter<'_, W> {
    /// Whether a tag is a cell that an appended one replaces. Cells further right are written after the appended ones.
    fn makes_way(&mut self, tag: &BytesStart<'_>) -> bool {
        if local(tag) != "c" {
            return false;
        }
        let named = tag.try_get_attribute("r").ok().flatten();
        let named = named.and_then(|named| place_of(&named.value));
        let column = named.map_or(self.row.next_column, |(column, _)| column);
        self.row.next_column = column + 1;
        let place = self.edit.analysis.place;
        self.row.taken && (place..place + self.edit.plan.appended.len()).contains(&column)
    }

    fn start(&mut self, tag: &BytesStart<'_>) -> Result<(), AppendError> {
        match local(tag) {
            "row" => return self.row(tag),
            "c" if self.row.next_column > self.edit.analysis.place => self.append()?,
            "sheetData" => self.widths.missing(&prefix(tag), &mut self.out)?,
            _ => {}
        }
        Ok(self.out.write_event(Event::Start(tag.borrow()))?)
    }

    fn empty(&mut self, tag: &BytesStart<'_>) -> Result<(), AppendError> {
        match local(tag) {
            "dimension" => {
                let wider = self.dimension(tag);
                return Ok(self.out.write_event(Event::Empty(wider))?);
            }
            "col" => return self.widths.col(tag, &mut self.out),
            // The list comes right before the cells instead.
            "cols" => return Ok(()),
            "row" => self.row.number = number(tag, "r").unwrap_or(self.row.number + 1),
            "c" if self.row.next_column > self.edit.analysis.place => self.append()?,
            "sheetData" => self.widths.missing(&prefix(tag), &mut self.out)?,
            _ => {}
        }
        Ok(self.out.write_event(Event::Empty(tag.borrow()))?)
    }

    fn end(&mut self, name: &str) -> Result<(), AppendError> {
        match name {
            "row" => self.append(),
            "cols" => self.widths.rest(&mut self.out),
            _ => Ok(()),
        }
    }

    fn row(&mut self, tag: &BytesStart<'_>) -> Result<(), AppendError> {
        let number = number(tag, "r").unwrap_or(self.row.number + 1);
        let cells = self.cells(RowNumber(number), &prefix(tag))?;
        self.row = RowSeen {
            number,
            next_column: 0,
            taken: cells.is_some(),
            cells: cells.unwrap_or_default(),
        };
        // Which columns a row spans is a hint, and no longer true.
        let tag = with(tag, &[("spans", None)]);
        Ok(self.out.write_event(Event::Start(tag))?)
    }

    fn append(&mut self) -> Result<(), AppendError> {
        let cells = std::mem::take(&mut self.row.cells);
        Ok(self.out.get_mut().write_all(cells.as_bytes())?)
    }

    /// What is appended to a row, as XML; none where it is left alone.
    fn cells(&mut self, row: RowNumber, prefix: &str) -> Result<Option<String>, AppendError> {
        let analysis = self.edit.analysis;
        if analysis.header_row == Some(row) {
            let headers = self.edit.plan.appended.iter();
            let headers: Vec<AppendedValue> = headers
                .map(|column| AppendedValue::Text(column.header.clone()))
                .collect();
            let styles = std::iter::repeat(analysis.header_style);
            return self.xml(row, prefix, &headers, styles).map(Some);
        }
        if self.rows.next_if_eq(&&row).is_none() {
            return Ok(None);
        }
        let addition = (self.edit.each)(row).ok_or(AppendError::Unusual)?;
        let styles = self.edit.first_style..;
        self.xml(row, prefix, &addition.values, styles).map(Some)
    }

    fn xml(
        &mut self,
        row: RowNumber,
        prefix: &str,
        values: &[AppendedValue],
        styles: impl Iterator<Item = usize>,
    ) -> Result<String, AppendError> {
        let mut xml = String::new();
        for (index, (value, style)) in values.iter().zip(styles).enumerate() {
            let column = self.edit.analysis.place + index;
            let address = format!("{}{row}", column_letters(column));
            let written = cell::write(&mut xml, value, prefix, &address, style, self.edit.epoch)?;
            self.shortened += u64::from(written == cell::CellFit::Shortened);
        }
        Ok(xml)
    }

    /// The dimension of the sheet, extended by the appended columns.
    fn dimension<'t>(&self, tag: &BytesStart<'t>) -> BytesStart<'t> {
        let range = tag.try_get_attribute("ref").ok().flatten();
        let range = range.map(|range| range.value.into_owned());
        let last = self.edit.analysis.place + self.edit.plan.appended.len() - 1;
        let wider = range.as_deref().and_then(|range| {
            let (from, to) = range.split_once(':').unwrap_or((range, range));
            let (column, row) = place_of(to)?;
            Some(format!("{from}:{}{row}", column_letters(column.max(last))))
        });
        match wider {
            Some(wider) => with(tag, &[("ref", Some(&wider))]),
            None => with(tag, &[]),
        }
    }
}
