//! Appends columns to an XLSX workbook in place: everything else in it is unchanged, byte for byte where possible.
//!
//! A workbook is an archive of parts. Two of them are rewritten, the sheet and the styles; titles, widths, hidden
//! columns, formulas, filters, pictures and other sheets are not examined. A workbook with an unusual structure is
//! copied instead.

mod analysis;
mod cell;
mod error;
mod package;
mod sheet_xml;
mod styles;
mod tag;
mod widths;

use std::fs::File;
use std::io::{Seek, SeekFrom};

use crate::sheet::rewrite::error::RewriteError;
use crate::sheet::rewrite::plan::{RewriteNote, RewritePlan, Rewritten};
use crate::sheet::rewrite::source::SourceWorkbook;
use crate::sheet::rewrite::workbook::on_reader_thread;

use analysis::{AdditionFor, SheetAnalysis};
use error::AppendError;
use package::Package;

/// Appends the columns; none, and an empty file, where that cannot be done in place.
pub(super) fn rewrite(
    source: &mut SourceWorkbook<'_>,
    plan: &RewritePlan<'_>,
    each: AdditionFor<'_>,
    out: &mut File,
) -> Result<Option<Rewritten>, RewriteError> {
    let appended = on_reader_thread(|| match append(source, plan, each, out) {
        Ok(rewritten) => Ok(Some(rewritten)),
        Err(AppendError::Unusual) => Ok(None),
        Err(AppendError::Rewrite(error)) => Err(error),
    })?;
    if appended.is_none() {
        out.set_len(0)?;
        out.seek(SeekFrom::Start(0))?;
    }
    Ok(appended)
}

fn append(
    source: &mut SourceWorkbook<'_>,
    plan: &RewritePlan<'_>,
    each: AdditionFor<'_>,
    out: &mut File,
) -> Result<Rewritten, AppendError> {
    let analysis = SheetAnalysis::new(source, plan, each)?;
    let package = Package::open(source.document.open()?.0, &analysis.sheet)?;
    let shortened = package.write(&analysis, plan, each, out)?;
    let mut rewritten = Rewritten {
        rows: analysis.rows.len() as u64,
        notes: Vec::new(),
        unsynced: None,
    };
    if shortened > 0 {
        rewritten
            .notes
            .push(RewriteNote::Shortened { cells: shortened });
    }
    Ok(rewritten)
}
