//! Rewrites an XLSX workbook: rows are kept or dropped, columns appended, and cells highlighted.
//!
//! A workbook is an archive of parts. Where everything around the rows is kept, the sheet's part and the styles are
//! changed in place, and titles, hidden columns, formulas, filters, pictures and other sheets are not examined. Where
//! only some rows are kept, they go to a new workbook of one sheet, with the styles of the old one; formulas are
//! replaced by their values. A workbook of another format, or with an unusual structure, is converted first.

mod analysis;
mod cell;
mod column_map;
mod error;
mod new_package;
mod package;
mod ranges;
mod row_xml;
mod shared_strings;
mod sheet_xml;
mod styles;
mod widths;

use std::fs::File;
use std::io::{Seek, SeekFrom};
use std::path::Path;

use crate::sheet::document::Document;
use crate::sheet::feed::RowFilter;
use crate::sheet::format::FileFormat;
use crate::sheet::rewrite::error::RewriteError;
use crate::sheet::rewrite::{RewriteNote, RewritePlan, Rewritten, SourceWorkbook, TableRegion};
use crate::sheet::row_details::RowDetails;
use crate::sheet::workbook::{self, OpenWorkbook};
use crate::sheet::xlsx;
use crate::sheet::xlsx::convert::{self, ConvertedSheet};

use analysis::SheetAnalysis;
use column_map::ColumnMap;
use error::XmlRewriteError;
use package::Package;
use ranges::RangeExtension;

pub(in crate::sheet) use analysis::AdditionFor;

/// Rewrites a workbook of any format as XLSX; temporary files are created beside `to`.
pub(in crate::sheet) fn rewrite(
    (document, source): (&Document, SourceWorkbook),
    region: &TableRegion,
    plan: &RewritePlan<'_>,
    each: AdditionFor<'_>,
    (out, to): (&mut File, &Path),
) -> Result<Rewritten, RewriteError> {
    let SourceWorkbook {
        mut book,
        format,
        sheet,
    } = source;
    let (name, visible_only) = (sheet.clone(), region.visible_only);
    let row_filter = |visible_only| -> Result<RowFilter, RewriteError> {
        Ok(RowFilter {
            details: RowDetails::start(document.open()?.0, format, &name),
            visible_only,
        })
    };
    if format == FileFormat::Xlsx {
        // A hidden row stays in a sheet that is kept, whether it was read or not.
        let leaves_out = visible_only && !plan.keeps_surroundings;
        let source = XlsxSource {
            book,
            row_filter: row_filter(leaves_out)?,
            file: document.open()?.0,
            sheet: sheet.clone(),
            region,
        };
        match rewrite_xml(source, plan, each, out) {
            Ok(rewritten) => return Ok(rewritten),
            Err(XmlRewriteError::Rewrite(error)) => return Err(error),
            Err(XmlRewriteError::Unusual) => {
                out.set_len(0)?;
                out.seek(SeekFrom::Start(0))?;
                book = workbook::open(document.open()?.0, format)?;
            }
        }
    }
    let converted = convert::to_xlsx(
        ConvertedSheet {
            book,
            sheet: sheet.clone(),
            row_filter: row_filter(visible_only)?,
            header_row: region.header_row,
        },
        to,
    )?;
    let mut rewritten = rewrite_converted(converted.file, (sheet, region), plan, each, out)?;
    if converted.shortened > 0 {
        let cells = converted.shortened;
        rewritten.notes.insert(0, RewriteNote::Shortened { cells });
    }
    match one_sheet_note(plan) {
        Some(note) => rewritten.notes.insert(0, note),
        None if format != FileFormat::Xlsx => {
            rewritten.notes.insert(0, RewriteNote::AsXlsx(format));
        }
        None => {}
    }
    Ok(rewritten)
}

/// Rewrites a workbook that was converted to XLSX with only the rows that are read.
fn rewrite_converted(
    file: File,
    (sheet, region): (String, &TableRegion),
    plan: &RewritePlan<'_>,
    each: AdditionFor<'_>,
    out: &mut File,
) -> Result<Rewritten, RewriteError> {
    let source = XlsxSource {
        book: xlsx::read::open(file.try_clone()?)?,
        row_filter: RowFilter {
            details: None,
            visible_only: false,
        },
        file,
        sheet,
        region,
    };
    rewrite_xml(source, plan, each, out).map_err(|error| match error {
        XmlRewriteError::Rewrite(error) => error,
        XmlRewriteError::Unusual => {
            std::io::Error::other("the converted workbook cannot be rewritten").into()
        }
    })
}

/// Tells what is lost where everything around the rows should be kept.
fn one_sheet_note(plan: &RewritePlan<'_>) -> Option<RewriteNote> {
    plan.keeps_surroundings.then_some(RewriteNote::OneSheet)
}

/// The XLSX workbook that is rewritten.
struct XlsxSource<'a> {
    /// Its values, for the analysis.
    book: OpenWorkbook,
    row_filter: RowFilter,
    /// The same workbook as an archive.
    file: File,
    sheet: String,
    region: &'a TableRegion,
}

/// How the workbook is rewritten.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RewriteMode {
    /// Columns are appended in place; everything else is kept.
    InPlace,
    /// Some rows go to a new workbook.
    NewWorkbook,
}

fn rewrite_xml(
    source: XlsxSource<'_>,
    plan: &RewritePlan<'_>,
    each: AdditionFor<'_>,
    out: &mut File,
) -> Result<Rewritten, XmlRewriteError> {
    let mut package = Package::open(source.file, &source.sheet)?;
    let analysis = SheetAnalysis::new(
        (source.book, source.row_filter),
        (&source.sheet, source.region),
        plan,
        each,
    )?;
    let columns = if plan.keeps_surroundings {
        ColumnMap::in_place(source.region, plan, analysis.used_width)
    } else {
        ColumnMap::to_new_sheet(source.region, plan)
    };
    let mode = if plan.keeps_surroundings && package.is_plain {
        RewriteMode::InPlace
    } else {
        RewriteMode::NewWorkbook
    };
    columns.refuse_too_many(analysis.used_width)?;
    let ranges = RangeExtension::new(source.region, &columns, package.tables());
    let mut rewritten = package.write(&analysis, (mode, &ranges), plan, each, out)?;
    if mode == RewriteMode::NewWorkbook {
        rewritten.notes.extend(one_sheet_note(plan));
    }
    Ok(rewritten)
}
