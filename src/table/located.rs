//! Locates the table in a file: its encoding and delimiter or its sheet, and its headers.

use std::fs::File;

use crate::sheet::InputFile;
use crate::sheet::SheetError;
use crate::sheet::csv::encoding;
use crate::sheet::csv::read::{self, TextDialect};
use crate::sheet::file_format::FileFormat;
use crate::sheet::foreign::refuse_shortcut;
use crate::sheet::rewrite::{SourceContent, SourceWorkbook};
use crate::sheet::stream::in_reader_thread;
use crate::table::detected_layout::DetectedLayout;
use crate::table::error::TableError;
use crate::table::header_digest::HeaderDigest;
use crate::table::headers;
use crate::table::options::TableOptions;
use crate::table::sheet_choice::find_sheet;
use crate::table::table_head::TableHead;

/// A table whose headers were found.
pub(super) struct LocatedTable {
    pub(super) content: SourceContent,
    pub(super) headers: TableHead,
    /// What was detected, without what only the columns tell.
    pub(super) layout: DetectedLayout,
}

/// Locates the table in an open file.
pub(super) fn locate(
    input_file: &InputFile,
    mut file: File,
    format: FileFormat,
    options: &TableOptions,
) -> Result<LocatedTable, TableError> {
    let mut layout = DetectedLayout::new(input_file.name(), format);
    let (content, headers) = if format.is_text() {
        refuse_shortcut(&mut file, &input_file.name())?;
        if let Some(wanted) = options.sheet.clone() {
            return Err(SheetError::TextHasNoSheets { wanted }.into());
        }
        read::refuse_endless_line(&mut file)?;
        let charset = encoding::find(&mut file, options.encoding.as_deref())?;
        let head = headers::find_text_head(&mut file, charset, options)?;
        let delimiter = head.delimiter;
        layout.charset = Some(charset);
        layout.delimiter = Some(delimiter);
        layout.delimited_by = Some(head.delimited_by);
        let layout = TextDialect { charset, delimiter };
        (SourceContent::Text { file, layout }, head.headers)
    } else {
        let mut book = format.open(file)?;
        let found = in_reader_thread(|| find_sheet(&mut book, options))?;
        layout.sheet = Some(found.name.clone());
        layout.passed_over = found.passed_over;
        let sheet = found.name;
        let source = SourceWorkbook {
            book,
            format,
            sheet,
        };
        (SourceContent::Workbook(source), found.headers)
    };
    layout.header_row = headers.row;
    layout.header_digest = Some(HeaderDigest::new(&headers, options));
    layout.known_headers = headers.score;
    Ok(LocatedTable {
        content,
        headers,
        layout,
    })
}
