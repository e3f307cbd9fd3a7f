//! ODS workbooks, streamed: one part holds all sheets, and rows and cells have repeat counts.
//!
//! calamine would load the whole document, rejects an indented one, and reads neither hidden rows nor merged cells nor
//! leading zeros of a number format. So ODS is read from its XML.

mod cell;
mod content;
mod index;
mod markup;
mod rows;

use std::fs::File;
use std::io::{BufReader, Seek, SeekFrom};

use crate::sheet::batch::SheetSummary;
use crate::sheet::workbook::WorkbookFormat;
use crate::sheet::workbook::{
    OpenWorkbook, RowAssembler, RowVisitor, SheetVisibility, WorkbookReader, damaged,
};
use crate::sheet::xlsx::parts::{self, text};
use crate::sheet::xml::tags;
use crate::sheet::{SheetError, limits};

/// How these workbooks are read.
pub(super) const WORKBOOK_FORMAT: WorkbookFormat = WorkbookFormat {
    name: "ODS",
    extensions: &["ods"],
    part: Some("content.xml"),
    check_limits: limits::refuse_bomb,
    open,
    scan: None,
};

/// An open document of sheets.
struct Ods {
    content: File,
    sheets: Vec<OdsSheet>,
    summary: SheetSummary,
}

/// A sheet, and where its rows begin within the content.
#[derive(Debug)]
pub(super) struct OdsSheet {
    pub(super) name: String,
    pub(super) visibility: SheetVisibility,
    start: u64,
}

/// Opens a document and finds its sheets.
fn open(file: File) -> Result<OpenWorkbook, SheetError> {
    let mut archive = parts::open(file).map_err(damaged)?;
    let manifest = text(&mut archive, "META-INF/manifest.xml").unwrap_or_default();
    if !tags(&manifest, "encryption-data").is_empty() {
        return Err(SheetError::Password);
    }
    let mut content = content::unpacked(&mut archive)?;
    let sheets = index::sheets(BufReader::new(&mut content))?;
    Ok(Box::new(Ods {
        content,
        sheets,
        summary: SheetSummary::default(),
    }))
}

impl WorkbookReader for Ods {
    fn sheets(&self) -> Vec<(String, SheetVisibility)> {
        let sheets = self.sheets.iter();
        sheets
            .map(|sheet| (sheet.name.clone(), sheet.visibility))
            .collect()
    }

    fn rows(&mut self, sheet: &str, each: RowVisitor<'_>) -> Result<(), SheetError> {
        let found = self.sheets.iter().find(|other| other.name == sheet);
        let start = found.map(|sheet| sheet.start);
        let start =
            start.ok_or_else(|| SheetError::Damaged(format!("it has no sheet `{sheet}`")))?;
        self.content
            .seek(SeekFrom::Start(start))
            .map_err(SheetError::Read)?;
        self.summary = SheetSummary::default();
        let content = BufReader::new(&mut self.content);
        rows::walk(content, &mut self.summary, RowAssembler::new(each))
    }

    fn summary(&self) -> SheetSummary {
        self.summary.clone()
    }
}
