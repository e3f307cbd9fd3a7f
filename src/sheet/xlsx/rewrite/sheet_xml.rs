//! The XML of the sheet, streamed: cells are added to rows, widths to columns, and ranges extended; nothing else changes.

use std::io::{BufRead, Write};

use quick_xml::events::{BytesStart, Event};
use quick_xml::{Reader, Writer};

use crate::model::RowNumber;
use crate::sheet::cell_address::{cell_address, place_of};
use crate::sheet::rewrite::plan::{AppendedValue, RewriteNote, RewritePlan};
use crate::sheet::xlsx::rewrite::analysis::{AdditionFor, SheetAnalysis};
use crate::sheet::xlsx::rewrite::cell::{self, CellTarget, Epoch};
use crate::sheet::xlsx::rewrite::error::XmlRewriteError;
use crate::sheet::xlsx::rewrite::ranges::RangeExtension;
use crate::sheet::xlsx::rewrite::row_xml::RowXml;
use crate::sheet::xlsx::rewrite::widths::SheetWidths;
use crate::sheet::xml::{attribute, local, number, prefix, with};

/// What happens to the sheet.
pub(super) struct SheetEdit<'a> {
    pub(super) analysis: &'a SheetAnalysis,
    pub(super) sheet: &'a str,
    pub(super) ranges: &'a RangeExtension<'a>,
    pub(super) plan: &'a RewritePlan<'a>,
    pub(super) each: AdditionFor<'a>,
    /// The style of the first appended column; the others follow.
    pub(super) first_style: u32,
    pub(super) epoch: Epoch,
}

/// What is known after the last row.
#[derive(Default)]
pub(super) struct WrittenSheet {
    /// How many values were cut to what a cell can hold.
    pub(super) shortened: u64,
    pub(super) notes: Vec<RewriteNote>,
}

/// Writes the sheet's part again.
pub(super) fn rewrite(
    xml: impl BufRead,
    out: impl Write,
    edit: SheetEdit<'_>,
) -> Result<WrittenSheet, XmlRewriteError> {
    let mut sheet = SheetXmlRewriter {
        reader: Reader::from_reader(xml),
        out: Writer::new(out),
        next_row: 0,
        row_number: 0,
        widths: SheetWidths::new(edit.analysis, edit.ranges.columns),
        written: WrittenSheet::default(),
        edit,
    };
    let mut buffer = Vec::new();
    loop {
        buffer.clear();
        match sheet.reader.read_event_into(&mut buffer)? {
            Event::Eof => break,
            Event::Start(tag) => sheet.start(tag)?,
            Event::Empty(tag) => sheet.empty(tag)?,
            Event::End(tag) => {
                if tag.local_name().into_inner() == "cols" {
                    sheet.widths.rest(&mut sheet.out)?;
                }
                sheet.out.write_event(Event::End(tag))?;
            }
            other => sheet.out.write_event(other)?,
        }
    }
    if sheet.next_row < sheet.edit.analysis.rows.len() {
        // The sheet changed since the analysis, or its rows are not in order.
        return Err(XmlRewriteError::Unusual);
    }
    Ok(sheet.written)
}

struct SheetXmlRewriter<'a, R, W: Write> {
    edit: SheetEdit<'a>,
    reader: Reader<R>,
    out: Writer<W>,
    /// Index of the next row to edit.
    next_row: usize,
    /// The number of the last row read.
    row_number: u32,
    widths: SheetWidths<'a>,
    written: WrittenSheet,
}

impl<R: BufRead, W: Write> SheetXmlRewriter<'_, R, W> {
    fn start(&mut self, tag: BytesStart<'_>) -> Result<(), XmlRewriteError> {
        match local(&tag) {
            "row" => return self.row(tag),
            "sheetData" => self.widths.missing(&prefix(&tag), &mut self.out)?,
            "autoFilter" | "sortState" => {
                let tag = self.range(&tag);
                return Ok(self.out.write_event(Event::Start(tag))?);
            }
            _ => {}
        }
        Ok(self.out.write_event(Event::Start(tag))?)
    }

    fn empty(&mut self, tag: BytesStart<'_>) -> Result<(), XmlRewriteError> {
        let tag = match local(&tag) {
            "col" => return self.widths.col(&tag, &mut self.out),
            // The list comes right before the cells instead.
            "cols" => return Ok(()),
            "sheetData" => {
                self.widths.missing(&prefix(&tag), &mut self.out)?;
                tag
            }
            "dimension" => self.dimension(&tag),
            "autoFilter" | "sortState" => self.range(&tag),
            "row" => {
                self.row_number = number(&tag, "r").unwrap_or(self.row_number + 1);
                tag
            }
            _ => tag,
        };
        Ok(self.out.write_event(Event::Empty(tag))?)
    }

    /// A filter or a range to sort, extended by the appended columns.
    fn range(&mut self, tag: &BytesStart<'_>) -> BytesStart<'static> {
        if local(tag) == "autoFilter" {
            self.written
                .notes
                .extend(self.edit.ranges.outside_filter(tag));
        }
        self.edit.ranges.tag(tag)
    }

    fn row(&mut self, tag: BytesStart<'_>) -> Result<(), XmlRewriteError> {
        self.row_number = number(&tag, "r").unwrap_or(self.row_number + 1);
        let number = RowNumber(self.row_number);
        if self.edit.analysis.rows.get(self.next_row) != Some(&number) {
            return Ok(self.out.write_event(Event::Start(tag))?);
        }
        self.next_row += 1;
        let RangeExtension {
            columns, region, ..
        } = self.edit.ranges;
        let prefix = prefix(&tag);
        let xml = RowXml::read(tag.into_owned(), &mut self.reader)?;
        if region.header_row == Some(number) {
            let headers = self.edit.plan.appended.iter();
            let headers = headers.map(|column| AppendedValue::Text(column.header.clone()));
            let style = xml.last_style(columns.appended.start);
            let (values, styles) = (headers.collect::<Vec<_>>(), std::iter::repeat(style));
            let cells = self.cells(number, &prefix, &values, styles)?;
            return xml.write(number, columns, &cells, &mut self.out);
        }
        let addition = (self.edit.each)(number).ok_or(XmlRewriteError::Unusual)?;
        let has_values = !addition.values.is_empty() && xml.has_kept_value(columns);
        if columns.is_overwriting && !has_values {
            return xml.write(number, &columns.unchanged(), "", &mut self.out);
        }
        let styles = self.edit.first_style..;
        let cells = self.cells(number, &prefix, &addition.values, styles)?;
        xml.write(number, columns, &cells, &mut self.out)
    }

    /// The appended cells of a row.
    fn cells(
        &mut self,
        row: RowNumber,
        prefix: &str,
        values: &[AppendedValue],
        styles: impl Iterator<Item = u32>,
    ) -> Result<String, XmlRewriteError> {
        let mut xml = String::new();
        let columns = self.edit.ranges.columns.appended.start..;
        for ((value, style), column) in values.iter().zip(styles).zip(columns) {
            let address = cell_address(column, row);
            let target = CellTarget {
                prefix,
                address: &address,
                style,
            };
            let written = cell::write(&mut xml, value, self.edit.epoch, target)?;
            self.written.shortened += u64::from(written == cell::CellFit::Shortened);
        }
        Ok(xml)
    }

    /// The dimension of the sheet, extended by the appended columns.
    fn dimension(&self, tag: &BytesStart<'_>) -> BytesStart<'static> {
        let last = self.edit.ranges.columns.appended.end - 1;
        let wider = attribute(tag, "ref").and_then(|range| {
            let (from, to) = range.split_once(':').unwrap_or((&range, &range));
            let (column, row) = place_of(to)?;
            Some(format!("{from}:{}", cell_address(column.max(last), row)))
        });
        match &wider {
            Some(wider) => with(tag, &[("ref", Some(wider))]),
            None => with(tag, &[]),
        }
    }
}
