//! The archive of a workbook: some parts are rewritten, the others are copied without decompressing them.

use std::fs::File;
use std::io::{BufReader, Read, Seek, Write};

use quick_xml::events::Event;
use zip::read::ZipFile;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use crate::sheet::cell_range::CellRange;
use crate::sheet::rewrite::plan::{RewriteNote, RewritePlan, Rewritten};
use crate::sheet::xlsx::archive_file::ArchiveFile;
use crate::sheet::xlsx::parts::{
    self, PackageArchive, is_of_type, part_of_type, parts_of_type, relations_of, sheet_part, text,
    workbook_part,
};
use crate::sheet::xlsx::rewrite::analysis::{AdditionFor, SheetAnalysis};
use crate::sheet::xlsx::rewrite::cell::Epoch;
use crate::sheet::xlsx::rewrite::error::XmlRewriteError;
use crate::sheet::xlsx::rewrite::ranges::{RangeExtension, cells_of_table, rewritten};
use crate::sheet::xlsx::rewrite::sheet_xml::{self, SheetEdit, WrittenSheet};
use crate::sheet::xlsx::rewrite::styles;
use crate::sheet::xml::{attribute, local, tags, with};

/// The content type of a workbook without macros; one with macros cannot be an .xlsx.
const WORKBOOK_TYPE: &str =
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml";

const CALC_CHAIN_TYPE: &str =
    "application/vnd.openxmlformats-officedocument.spreadsheetml.calcChain+xml";

const CONTENT_TYPES: &str = "[Content_Types].xml";

/// A part larger than this needs a ZIP64 entry, which LibreOffice reads only where it is needed.
const ZIP64_THRESHOLD: u64 = 2 << 30;

/// The workbook that is rewritten, with the paths of the parts that change.
pub(super) struct Package {
    archive: PackageArchive,
    epoch: Epoch,
    book: String,
    sheet: String,
    styles: String,
    /// The tables of the sheet.
    tables: Vec<String>,
    /// The list of cells with formulas, which a workbook may lack.
    calculation_chain: Option<String>,
}

impl Package {
    pub(super) fn open(file: File, sheet: &str) -> Result<Self, XmlRewriteError> {
        let mut archive = parts::open(file)?;
        let types = text(&mut archive, CONTENT_TYPES).unwrap_or_default();
        if !types.contains(WORKBOOK_TYPE) {
            return Err(XmlRewriteError::Unusual);
        }
        let book_name = workbook_part(&mut archive).ok_or(XmlRewriteError::Unusual)?;
        let book = text(&mut archive, &book_name).ok_or(XmlRewriteError::Unusual)?;
        let present = |part: Option<String>, archive: &PackageArchive| {
            part.filter(|part| archive.index_for_name(part).is_some())
        };
        let part = sheet_part(&mut archive, sheet).ok_or(XmlRewriteError::Unusual)?;
        let tables = parts_of_type(&mut archive, &part, "/table");
        let styles = part_of_type(&mut archive, "/styles");
        let calculation_chain = part_of_type(&mut archive, "/calcChain");
        Ok(Self {
            sheet: present(Some(part), &archive).ok_or(XmlRewriteError::Unusual)?,
            styles: present(styles, &archive).ok_or(XmlRewriteError::Unusual)?,
            tables,
            calculation_chain: present(calculation_chain, &archive),
            book: book_name,
            epoch: epoch_of(&book),
            archive,
        })
    }

    /// The cells of each table of the sheet.
    pub(super) fn tables(&mut self) -> Vec<CellRange> {
        let names = self.tables.iter();
        let parts = names.filter_map(|name| text(&mut self.archive, name));
        parts.filter_map(|part| cells_of_table(&part)).collect()
    }

    /// Writes the rewritten workbook.
    pub(super) fn write(
        mut self,
        (analysis, sheet): (&SheetAnalysis, &str),
        ranges: &RangeExtension<'_>,
        plan: &RewritePlan<'_>,
        (each, out): (AdditionFor<'_>, &mut File),
    ) -> Result<Rewritten, XmlRewriteError> {
        let styles = text_of(self.archive.by_name(&self.styles)?)?;
        let (styles, first_style) = styles::extended(&styles, plan.appended)?;
        let edit = SheetEdit {
            analysis,
            sheet,
            ranges,
            plan,
            each,
            first_style,
            epoch: self.epoch,
        };
        let mut package = ArchiveFile::start(out);
        let WrittenSheet {
            shortened,
            mut notes,
        } = self.copy(edit, &styles, &mut package)?;
        ArchiveFile::finish(package)?;
        if shortened > 0 {
            notes.push(RewriteNote::Shortened { cells: shortened });
        }
        Ok(Rewritten {
            rows: analysis.body_rows,
            notes,
        })
    }

    /// Copies every part except the sheet, its tables and the styles, and in the workbook's own part all but the range of
    /// the filter.
    ///
    /// Formulas that refer to overwritten cells have old values, so the workbook is marked to be calculated when it is
    /// opened. An overwritten cell may also have had a formula, and Excel calls a workbook damaged whose list of
    /// formulas names a cell without one.
    fn copy<W: Write + Seek>(
        mut self,
        edit: SheetEdit<'_>,
        styles: &str,
        package: &mut ZipWriter<W>,
    ) -> Result<WrittenSheet, XmlRewriteError> {
        let is_recalculated = edit.ranges.columns.is_overwriting;
        let relations = relations_of(&self.book);
        let (ranges, appended, sheet) = (edit.ranges, edit.plan.appended, edit.sheet);
        let mut edit = Some(edit);
        let mut written = WrittenSheet::default();
        let mut notes = Vec::new();
        for index in 0..self.archive.len() {
            let part = self.archive.by_index_raw(index)?;
            let name = part.name()?.into_owned();
            let options = entry_options(&part);
            if name == self.styles {
                package.start_file(name, options)?;
                package.write_all(styles.as_bytes())?;
            } else if name == self.sheet
                && let Some(edit) = edit.take()
            {
                drop(part);
                package.start_file(name, options)?;
                let sheet = BufReader::new(self.archive.by_index(index)?);
                written = sheet_xml::rewrite(sheet, &mut *package, edit)?;
            } else if self.tables.contains(&name) {
                drop(part);
                package.start_file(name, options)?;
                let table = text_of(self.archive.by_index(index)?)?;
                let extended = ranges.table(&table, appended)?;
                if extended.is_none() {
                    notes.extend(ranges.outside_table(&table));
                }
                package.write_all(extended.unwrap_or(table).as_bytes())?;
            } else if name == self.book {
                drop(part);
                package.start_file(name, options)?;
                let book = text_of(self.archive.by_index(index)?)?;
                let book = ranges.workbook(&book, sheet)?;
                let recalculated = is_recalculated.then(|| recalculated(&book)).transpose()?;
                package.write_all(recalculated.unwrap_or(book).as_bytes())?;
            } else if is_recalculated && [CONTENT_TYPES, &relations].contains(&&*name) {
                drop(part);
                package.start_file(name, options)?;
                let part = text_of(self.archive.by_index(index)?)?;
                package.write_all(recalculated(&part)?.as_bytes())?;
            } else if is_recalculated && self.calculation_chain.as_ref() == Some(&name) {
                // The program that opens the workbook makes a new one.
            } else {
                package.raw_copy_file(part)?;
            }
        }
        written.notes.extend(notes);
        Ok(written)
    }
}

/// The workbook's own part, its relations or the types of all parts, for a workbook without a list of formulas that is
/// calculated when it is opened.
fn recalculated(part: &str) -> Result<String, XmlRewriteError> {
    rewritten(part, |event, out| match event {
        Event::Empty(tag) if local(&tag) == "calcPr" => {
            let tag = with(&tag, &[("fullCalcOnLoad", Some("1"))]);
            out.write_event(Event::Empty(tag))
        }
        Event::Empty(tag) if is_of_type(&tag, "/calcChain") => Ok(()),
        Event::Empty(tag) if attribute(&tag, "ContentType").as_deref() == Some(CALC_CHAIN_TYPE) => {
            Ok(())
        }
        event => out.write_event(event),
    })
}

/// The whole text of a part that calamine holds in memory too.
pub(super) fn text_of<R: Read>(part: ZipFile<'_, R>) -> Result<String, XmlRewriteError> {
    std::io::read_to_string(part).map_err(|error| match error.kind() {
        std::io::ErrorKind::InvalidData => XmlRewriteError::Unusual,
        _ => error.into(),
    })
}

pub(super) fn entry_options<R: Read>(part: &ZipFile<'_, R>) -> SimpleFileOptions {
    SimpleFileOptions::default()
        .compression_method(CompressionMethod::Deflated)
        .last_modified_time(part.last_modified().unwrap_or_default())
        .large_file(part.size() > ZIP64_THRESHOLD)
}

/// Where a workbook counts its days from.
fn epoch_of(workbook: &str) -> Epoch {
    let properties = tags(workbook, "workbookPr");
    let mut values = properties
        .iter()
        .filter_map(|tag| attribute(tag, "date1904"));
    if values.any(|value| matches!(value.as_str(), "1" | "true" | "on")) {
        Epoch::Of1904
    } else {
        Epoch::Of1900
    }
}
