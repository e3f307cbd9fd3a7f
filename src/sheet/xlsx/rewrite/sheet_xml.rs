//! The XML of the sheet, streamed. In place, cells are added to rows and nothing else changes; for a new workbook, some
//! rows, the column widths and nothing else are written.

use std::io::{BufRead, Write};

use quick_xml::events::{BytesStart, Event};
use quick_xml::{Reader, Writer};

use crate::model::RowNumber;
use crate::sheet::address::{cell_address, place_of};
use crate::sheet::rewrite::{AppendedValue, RewriteNote, RewritePlan, RowAddition};
use crate::sheet::xlsx::rewrite::RewriteMode;
use crate::sheet::xlsx::rewrite::analysis::{AdditionFor, RowRole, SheetAnalysis};
use crate::sheet::xlsx::rewrite::cell::{self, CellFrame, Epoch};
use crate::sheet::xlsx::rewrite::column_map::ColumnMap;
use crate::sheet::xlsx::rewrite::error::XmlRewriteError;
use crate::sheet::xlsx::rewrite::ranges::RangeExtension;
use crate::sheet::xlsx::rewrite::row_xml::{RowTarget, RowXml};
use crate::sheet::xlsx::rewrite::shared_strings::UsedStrings;
use crate::sheet::xlsx::rewrite::styles::AddedStyles;
use crate::sheet::xlsx::rewrite::widths::SheetWidths;
use crate::sheet::xml::{attribute, local, number, prefix, with};

/// The relation by which a new sheet names the drawing of its notes.
const NOTES_RELATION: &str = "rId1";

/// The height of a line in points, and the maximum number of lines that a row shows.
const LINE_HEIGHT: usize = 15;
const LINE_LIMIT: usize = 20;

/// What happens to the sheet.
pub(super) struct SheetEdit<'a> {
    pub(super) analysis: &'a SheetAnalysis,
    pub(super) mode: RewriteMode,
    pub(super) columns: &'a ColumnMap,
    pub(super) ranges: &'a RangeExtension<'a>,
    pub(super) plan: &'a RewritePlan<'a>,
    pub(super) each: AdditionFor<'a>,
    pub(super) styles: AddedStyles,
    pub(super) epoch: Epoch,
}

/// What is known after the last row.
#[derive(Default)]
pub(super) struct WrittenSheet {
    /// How many values were cut to what a cell can hold.
    pub(super) shortened: u64,
    pub(super) strings: UsedStrings,
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
        widths: SheetWidths::new(edit.analysis, edit.columns, edit.mode),
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
                sheet.out.write_event(Event::End(tag.borrow()))?;
                if tag.local_name().into_inner() == "sheetData" {
                    sheet.refer_to_notes()?;
                }
            }
            Event::Decl(declaration) => sheet.out.write_event(Event::Decl(declaration))?,
            other if sheet.edit.mode == RewriteMode::InPlace => sheet.out.write_event(other)?,
            _ => {}
        }
    }
    let is_edited = |(_, role): &(RowNumber, RowRole)| sheet.edit.is_edited(*role);
    let rest = &sheet.edit.analysis.rows[sheet.next_row..];
    if rest.iter().any(is_edited) {
        // The sheet changed since the analysis, or its rows are not in order.
        return Err(XmlRewriteError::Unusual);
    }
    Ok(sheet.written)
}

impl SheetEdit<'_> {
    fn is_edited(&self, role: RowRole) -> bool {
        self.mode == RewriteMode::NewWorkbook || role != RowRole::Above
    }
}

struct SheetXmlRewriter<'a, R, W: Write> {
    edit: SheetEdit<'a>,
    reader: Reader<R>,
    out: Writer<W>,
    /// Index of the next row to write.
    next_row: usize,
    /// The number of the last row read.
    row_number: u32,
    widths: SheetWidths<'a>,
    written: WrittenSheet,
}

impl<R: BufRead, W: Write> SheetXmlRewriter<'_, R, W> {
    fn start(&mut self, tag: BytesStart<'_>) -> Result<(), XmlRewriteError> {
        let is_new = self.edit.mode == RewriteMode::NewWorkbook;
        match local(&tag) {
            "row" => return self.row(tag),
            "worksheet" if is_new => {
                // The strict edition has other namespaces than the new workbook.
                if tag.attributes_raw().contains("purl.oclc.org") {
                    return Err(XmlRewriteError::Unusual);
                }
                self.out.write_event(Event::Start(tag.borrow()))?;
                return self.view(&prefix(&tag));
            }
            "sheetData" => self.widths.missing(&prefix(&tag), &mut self.out)?,
            "cols" => {}
            "autoFilter" | "sortState" if !is_new => {
                let tag = self.range(&tag);
                return Ok(self.out.write_event(Event::Start(tag))?);
            }
            _ if is_new => {
                let mut skipped = Vec::new();
                self.reader.read_to_end_into(tag.name(), &mut skipped)?;
                return Ok(());
            }
            _ => {}
        }
        Ok(self.out.write_event(Event::Start(tag))?)
    }

    fn empty(&mut self, tag: BytesStart<'_>) -> Result<(), XmlRewriteError> {
        let is_new = self.edit.mode == RewriteMode::NewWorkbook;
        let tag = match local(&tag) {
            "col" => return self.widths.col(&tag, &mut self.out),
            // The list comes right before the cells instead.
            "cols" => return Ok(()),
            "sheetData" => {
                self.widths.missing(&prefix(&tag), &mut self.out)?;
                tag
            }
            "sheetFormatPr" if is_new => with(&tag, &[("zeroHeight", None)]),
            _ if is_new => return Ok(()),
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

    /// The headers of a new sheet stay in sight.
    fn view(&mut self, prefix: &str) -> Result<(), XmlRewriteError> {
        let rows = &self.edit.analysis.rows;
        let header = rows.iter().position(|(_, role)| *role == RowRole::Header);
        let Some(above) = header.map(|header| header + 1) else {
            return Ok(());
        };
        let below = above + 1;
        write!(
            self.out.get_mut(),
            r#"<{prefix}sheetViews><{prefix}sheetView tabSelected="1" workbookViewId="0"><{prefix}pane ySplit="{above}" topLeftCell="A{below}" activePane="bottomLeft" state="frozen"/></{prefix}sheetView></{prefix}sheetViews>"#
        )?;
        Ok(())
    }

    /// A new sheet names the part with its notes.
    fn refer_to_notes(&mut self) -> Result<(), XmlRewriteError> {
        if self.edit.mode == RewriteMode::NewWorkbook && !self.edit.analysis.notes.is_empty() {
            let prefix = &self.widths.prefix;
            write!(
                self.out.get_mut(),
                r#"<{prefix}legacyDrawing xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" r:id="{NOTES_RELATION}"/>"#
            )?;
        }
        Ok(())
    }

    fn row(&mut self, tag: BytesStart<'_>) -> Result<(), XmlRewriteError> {
        let row = number(&tag, "r").unwrap_or(self.row_number + 1);
        self.row_number = row;
        let next = self.edit.analysis.rows.get(self.next_row).copied();
        let Some((number, role)) = next.filter(|(number, _)| number.0 == row) else {
            return self.other_row(tag);
        };
        self.next_row += 1;
        if !self.edit.is_edited(role) {
            return self.other_row(tag);
        }
        let (mode, mut columns) = (self.edit.mode, self.edit.columns);
        let prefix = prefix(&tag);
        let strings = &mut self.written.strings;
        let xml = RowXml::read(tag.into_owned(), &mut self.reader, mode, strings)?;
        let target = match mode {
            RewriteMode::InPlace => number,
            RewriteMode::NewWorkbook => RowNumber(u32::try_from(self.next_row).unwrap_or(u32::MAX)),
        };
        let first_style = self.edit.styles.first_appended;
        let unchanged = columns.unchanged();
        let (addition, appended) = match role {
            RowRole::Above => (RowAddition::default(), String::new()),
            RowRole::Header => {
                let headers = self.edit.plan.appended.iter();
                let headers = headers.map(|column| AppendedValue::Text(column.header.clone()));
                let values: Vec<AppendedValue> = headers.collect();
                let style = xml.last_style(columns);
                let cells = self.cells(target, &prefix, &values, std::iter::repeat(style))?;
                (RowAddition::default(), cells)
            }
            RowRole::Body => {
                let mut addition = (self.edit.each)(number).ok_or(XmlRewriteError::Unusual)?;
                if columns.is_overwriting
                    && (addition.values.is_empty() || !xml.has_kept_value(columns))
                {
                    columns = &unchanged;
                    addition.values.clear();
                }
                let cells = self.cells(target, &prefix, &addition.values, first_style..)?;
                (addition, cells)
            }
        };
        let target = RowTarget {
            number: target,
            highlights: &addition.highlights,
            highlighted_styles: self.edit.styles.first_highlighted,
            appended: &appended,
            height: self.height(&addition),
        };
        xml.write(&target, columns, mode, &mut self.out)
    }

    /// A row that is dropped, or stays as it is.
    fn other_row(&mut self, tag: BytesStart<'_>) -> Result<(), XmlRewriteError> {
        if self.edit.mode == RewriteMode::NewWorkbook {
            let mut skipped = Vec::new();
            self.reader.read_to_end_into(tag.name(), &mut skipped)?;
            return Ok(());
        }
        Ok(self.out.write_event(Event::Start(tag))?)
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
        let columns = self.edit.columns.first_appended..;
        for ((value, style), column) in values.iter().zip(styles).zip(columns) {
            let address = cell_address(column, row);
            let frame = CellFrame {
                prefix,
                address: &address,
                style,
            };
            let written = cell::write(&mut xml, value, self.edit.epoch, frame)?;
            self.written.shortened += u64::from(written == cell::CellFit::Shortened);
        }
        Ok(xml)
    }

    /// The height of a row of a new sheet whose appended text needs several lines.
    fn height(&self, addition: &RowAddition) -> Option<u32> {
        if self.edit.mode == RewriteMode::InPlace {
            return None;
        }
        let columns = self.edit.plan.appended;
        let lines = addition
            .values
            .iter()
            .zip(columns)
            .map(|(value, column)| match value {
                AppendedValue::Text(text) => {
                    1 + text.chars().count() / usize::from(column.max_width.max(1))
                }
                _ => 1,
            });
        let lines = lines.max().filter(|lines| *lines > 1)?;
        u32::try_from(LINE_HEIGHT * lines.min(LINE_LIMIT)).ok()
    }

    /// The dimension of the sheet, extended by the appended columns.
    fn dimension(&self, tag: &BytesStart<'_>) -> BytesStart<'static> {
        let last = self.edit.columns.first_appended + self.edit.columns.appended - 1;
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
