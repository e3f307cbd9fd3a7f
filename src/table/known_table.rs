//! A table that was read before: later passes over its file are told its layout and columns instead of finding them
//! again.

use crate::model::Field;
use crate::sheet::csv::read::TextDialect;
use crate::sheet::rewrite::{SourceContent, SourceTable, SourceWorkbook, TableRegion};
use crate::sheet::{Fingerprint, InputFile, SheetError};
use crate::table::columns::Columns;
use crate::table::detected_layout::DetectedLayout;

/// A table that was read before.
#[derive(Clone, Copy, Debug)]
pub struct KnownTable<'a> {
    /// Its file.
    pub input_file: &'a InputFile,
    /// The file's fingerprint when it was read; a different one is [`SheetError::Changed`].
    pub fingerprint: Fingerprint,
    /// How it was read.
    pub layout: &'a DetectedLayout,
    /// Its columns.
    pub columns: &'a Columns,
    /// Whether hidden rows are left out.
    pub visible_only: bool,
}

impl<'a> KnownTable<'a> {
    /// Opens its content.
    pub(super) fn open(&self) -> Result<SourceContent, SheetError> {
        let (file, fingerprint) = self.input_file.open()?;
        if fingerprint != self.fingerprint {
            return Err(SheetError::Changed);
        }
        let (layout, format) = (self.layout, self.layout.format);
        Ok(match (layout.charset, layout.delimiter) {
            (Some(charset), Some(delimiter)) => SourceContent::Text {
                file,
                layout: TextDialect { charset, delimiter },
            },
            _ => SourceContent::Workbook(SourceWorkbook {
                book: format.open(file)?,
                format,
                sheet: layout.sheet.clone().unwrap_or_default(),
            }),
        })
    }

    /// Opens it to be rewritten.
    pub(super) fn source(&self) -> Result<SourceTable<'a>, SheetError> {
        let region = TableRegion {
            headers: self.columns.headers().to_vec(),
            street: self.columns.supplying(Field::Line1),
            header_row: self.layout.header_row,
            title_row: self.columns.title_row,
            visible_only: self.visible_only,
        };
        Ok(SourceTable {
            input_file: self.input_file,
            fingerprint: self.fingerprint,
            region,
            content: self.open()?,
        })
    }
}
