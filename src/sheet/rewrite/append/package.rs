//! The archive of a workbook: two parts are rewritten, the others are copied without decompressing them.

use std::fs::File;
use std::io::{BufReader, BufWriter, Read, Write};

use zip::read::ZipFile;
use zip::result::ZipError;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

use crate::sheet::parts::{attribute, sheet_part, styles_part, tags, text, workbook_part};
use crate::sheet::rewrite::append::analysis::{AdditionFor, SheetAnalysis};
use crate::sheet::rewrite::append::cell::Epoch;
use crate::sheet::rewrite::append::error::AppendError;
use crate::sheet::rewrite::append::sheet_xml::{self, SheetEdit};
use crate::sheet::rewrite::append::styles;
use crate::sheet::rewrite::plan::RewritePlan;

/// What a plain workbook is called among the parts; one with macros is called otherwise, and cannot be an .xlsx.
const PLAIN: &str = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml";

/// A part larger than this needs a ZIP64 entry.
const WIDE: u64 = 2 << 30;

/// An open archive, with the parts that are written again.
pub(super) struct Package {
    archive: ZipArchive<BufReader<File>>,
    sheet: usize,
    styles: usize,
    epoch: Epoch,
}

impl From<ZipError> for AppendError {
    fn from(error: ZipError) -> Self {
        match error {
            ZipError::Io(error) => error.into(),
            _ => Self::Unusual,
        }
    }
}

impl Package {
    pub(super) fn open(file: File, sheet: &str) -> Result<Self, AppendError> {
        let mut archive = ZipArchive::new(BufReader::new(file))?;
        let kinds = text(&mut archive, "[Content_Types].xml").ok_or(AppendError::Unusual)?;
        if !kinds.contains(PLAIN) {
            return Err(AppendError::Unusual);
        }
        let book = workbook_part(&mut archive).ok_or(AppendError::Unusual)?;
        let book = text(&mut archive, &book).ok_or(AppendError::Unusual)?;
        let sheet = sheet_part(&mut archive, sheet).ok_or(AppendError::Unusual)?;
        let styles = styles_part(&mut archive).ok_or(AppendError::Unusual)?;
        let index = |part: &str| archive.index_for_name(part).ok_or(AppendError::Unusual);
        Ok(Self {
            sheet: index(&sheet)?,
            styles: index(&styles)?,
            epoch: epoch_of(&book),
            archive,
        })
    }

    /// Writes the archive again; returns how many values were cut to what a cell can hold.
    pub(super) fn write(
        mut self,
        analysis: &SheetAnalysis,
        plan: &RewritePlan<'_>,
        each: AdditionFor<'_>,
        out: &mut File,
    ) -> Result<u64, AppendError> {
        let mut styles = Vec::new();
        self.archive
            .by_index(self.styles)?
            .read_to_end(&mut styles)?;
        let (styles, first_style) = styles::extended(&styles, plan.appended)?;
        let mut edit = Some(SheetEdit {
            analysis,
            plan,
            each,
            first_style,
            epoch: self.epoch,
        });
        let mut shortened = 0;
        let mut package = ZipWriter::new(BufWriter::new(out));
        for index in 0..self.archive.len() {
            if index != self.sheet && index != self.styles {
                package.raw_copy_file(self.archive.by_index_raw(index)?)?;
                continue;
            }
            let part = self.archive.by_index(index)?;
            package.start_file(part.name()?, options(&part))?;
            if index == self.styles {
                package.write_all(&styles)?;
            } else if let Some(edit) = edit.take() {
                shortened = sheet_xml::rewrite(BufReader::new(part), &mut package, edit)?;
            }
        }
        package.finish()?.flush()?;
        Ok(shortened)
    }
}

fn options<R: Read>(part: &ZipFile<'_, R>) -> SimpleFileOptions {
    SimpleFileOptions::default()
        .compression_method(CompressionMethod::Deflated)
        .last_modified_time(part.last_modified().unwrap_or_default())
        .large_file(part.size() > WIDE)
}

/// Where a workbook counts its days from.
fn epoch_of(workbook: &str) -> Epoch {
    let is_of_1904 = tags(workbook, "workbookPr").any(|tag| {
        let value = attribute(tag.as_bytes(), "date1904");
        matches!(value, Some(b"1" | b"true" | b"on"))
    });
    if is_of_1904 {
        Epoch::Of1904
    } else {
        Epoch::Of1900
    }
}
