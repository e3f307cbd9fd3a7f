//! Rewrites an XLSX workbook: columns are appended to a sheet in place.
//!
//! A workbook is an archive of parts. The sheet's part, its tables and the styles are changed, and titles, hidden
//! columns, formulas, pictures and other sheets are not examined. Where only some rows are wanted, where the workbook
//! has another format, and where its structure is unusual, the rows go to a new workbook instead.

mod accepted;
pub(in crate::sheet) mod analysis;
mod cell;
mod column_map;
mod error;
mod package;
mod ranges;
mod row_xml;
mod sheet_xml;
mod styles;
mod widths;

use std::fs::File;
use std::io::{Seek, SeekFrom};

use crate::sheet::feed::RowFilter;
use crate::sheet::file_format::FileFormat;
use crate::sheet::input_file::InputFile;
use crate::sheet::rewrite::RewriteOutput;
use crate::sheet::rewrite::error::RewriteError;
use crate::sheet::rewrite::plan::{RewriteNote, RewritePlan, Rewritten};
use crate::sheet::rewrite::source::{SourceWorkbook, TableRegion};
use crate::sheet::xlsx::new_workbook;

pub(super) use accepted::accepted_copy;
use analysis::{AdditionFor, SheetAnalysis, SheetSource};
use column_map::ColumnMap;
use error::XmlRewriteError;
use package::Package;
use ranges::RangeExtension;

/// Rewrites a workbook of any format as XLSX; temporary files are created beside the output.
pub(in crate::sheet) fn rewrite(
    (input_file, source): (&InputFile, SourceWorkbook),
    region: &TableRegion,
    plan: &RewritePlan<'_>,
    each: AdditionFor<'_>,
    output: RewriteOutput<'_>,
) -> Result<Rewritten, RewriteError> {
    let SourceWorkbook {
        mut book,
        format,
        sheet,
    } = source;
    let source = |book| -> Result<SheetSource<'_>, RewriteError> {
        Ok(SheetSource {
            book,
            row_filter: RowFilter {
                details: format.scan(input_file.open()?.0, &sheet)?,
                // A hidden row stays in a sheet that is kept, whether it was read or not.
                visible_only: region.visible_only && !plan.keeps_surroundings,
            },
            sheet: &sheet,
            region,
        })
    };
    if format == FileFormat::Xlsx && plan.keeps_surroundings {
        match in_place(
            input_file.open()?.0,
            source(book)?,
            plan,
            (each, output.file),
        ) {
            Ok(rewritten) => return Ok(rewritten),
            Err(XmlRewriteError::Rewrite(error)) => return Err(error),
            Err(XmlRewriteError::Unusual) => {
                output.file.set_len(0)?;
                output.file.seek(SeekFrom::Start(0))?;
                book = format.open(input_file.open()?.0)?;
            }
        }
    }
    let mut rewritten = new_workbook::write(source(book)?, plan, each, output)?;
    if plan.keeps_surroundings {
        rewritten.notes.insert(0, RewriteNote::OneSheet);
    } else if format != FileFormat::Xlsx {
        rewritten.notes.insert(0, RewriteNote::AsXlsx(format));
    }
    Ok(rewritten)
}

fn in_place(
    file: File,
    source: SheetSource<'_>,
    plan: &RewritePlan<'_>,
    (each, out): (AdditionFor<'_>, &mut File),
) -> Result<Rewritten, XmlRewriteError> {
    let (sheet, region) = (source.sheet, source.region);
    let mut package = Package::open(file, sheet)?;
    let analysis = SheetAnalysis::new(source, plan, each)?;
    let columns = ColumnMap::new(region, plan, analysis.used_width);
    columns.refuse_too_many()?;
    let ranges = RangeExtension {
        columns: &columns,
        region,
        tables: package.tables(),
    };
    package.write((&analysis, sheet), &ranges, plan, (each, out))
}
