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
use std::ops::ControlFlow;

use calamine::Data;
use zip::ZipArchive;

use crate::sheet::batch::{CellKind, SheetSummary};
use crate::sheet::xlsx::parts::text;
use crate::sheet::xml::tags;
use crate::sheet::{Fault, ods};

/// An open document of sheets.
pub(crate) struct Ods {
    content: File,
    sheets: Vec<OdsSheet>,
    summary: SheetSummary,
}

/// A sheet, and where its rows begin within the content.
#[derive(Debug)]
pub(super) struct OdsSheet {
    pub(super) name: String,
    pub(super) hidden: bool,
    start: u64,
}

/// One row that holds something.
#[derive(Debug, Default)]
pub(super) struct OdsRow {
    /// From 1.
    pub(super) number: u32,
    pub(super) hidden: bool,
    pub(super) cells: Vec<OdsCell>,
}

/// One cell that holds something.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct OdsCell {
    /// Zero-based.
    pub(super) column: usize,
    pub(super) value: Data,
    /// What a person sees in its place: digits in a format's places, an error, or nothing yet.
    pub(super) seen: Option<(CellKind, String)>,
}

impl Ods {
    /// Opens a document and finds its sheets.
    pub(super) fn open(file: File) -> Result<Self, Fault> {
        let mut archive = ZipArchive::new(BufReader::new(file))
            .map_err(|error| Fault::Damaged(error.to_string()))?;
        let manifest = text(&mut archive, "META-INF/manifest.xml").unwrap_or_default();
        if !tags(&manifest, "encryption-data").is_empty() {
            return Err(Fault::Password);
        }
        let mut content = content::unpacked(&mut archive)?;
        let sheets = index::sheets(BufReader::new(&mut content))?;
        Ok(Self {
            content,
            sheets,
            summary: SheetSummary::default(),
        })
    }

    /// Its sheets, in order.
    pub(super) fn sheets(&self) -> &[OdsSheet] {
        &self.sheets
    }

    /// What is known of the last read sheet after its last row.
    pub(super) fn summary(&self) -> SheetSummary {
        self.summary.clone()
    }

    /// Calls `each` for every row of a sheet that is not empty, until it breaks.
    pub(super) fn rows(
        &mut self,
        sheet: &str,
        each: &mut dyn FnMut(&OdsRow) -> ControlFlow<()>,
    ) -> Result<(), Fault> {
        let found = self.sheets.iter().find(|other| other.name == sheet);
        let start = found.map(|sheet| sheet.start);
        let start = start.ok_or_else(|| Fault::Damaged(format!("it has no sheet `{sheet}`")))?;
        self.content
            .seek(SeekFrom::Start(start))
            .map_err(Fault::Read)?;
        self.summary = SheetSummary::default();
        ods::rows::walk(BufReader::new(&mut self.content), &mut self.summary, each)
    }
}
