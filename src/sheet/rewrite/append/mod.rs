//! An XLSX workbook with columns appended in place: everything else in it stays as it was, byte for byte where it can.
//!
//! A workbook is an archive of parts. Two of them are written again, the sheet's own and the one of the styles; titles,
//! widths, hidden columns, formulas, filters, pictures and other sheets are never looked at. A workbook that is laid out
//! in no usual way is left to the copy.

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

use crate::sheet::rewrite::error::Trouble;
use crate::sheet::rewrite::plan::{Echoed, Note, Plan};
use crate::sheet::rewrite::source::SourceWorkbook;
use crate::sheet::rewrite::workbook::on_reader_thread;

use analysis::{Each, Survey};
use error::Halt;
use package::Package;

/// Appends the columns; none, and an empty file, where that cannot be done in place.
pub(super) fn rewrite(
    source: &mut SourceWorkbook<'_>,
    plan: &Plan<'_>,
    each: Each<'_>,
    out: &mut File,
) -> Result<Option<Echoed>, Trouble> {
    let appended = on_reader_thread(|| match append(source, plan, each, out) {
        Ok(echoed) => Ok(Some(echoed)),
        Err(Halt::Unusual) => Ok(None),
        Err(Halt::Trouble(trouble)) => Err(trouble),
    })?;
    if appended.is_none() {
        out.set_len(0)?;
        out.seek(SeekFrom::Start(0))?;
    }
    Ok(appended)
}

fn append(
    source: &mut SourceWorkbook<'_>,
    plan: &Plan<'_>,
    each: Each<'_>,
    out: &mut File,
) -> Result<Echoed, Halt> {
    let survey = Survey::of(source, plan, each)?;
    let package = Package::open(source.document.open()?.0, &survey.sheet)?;
    let shortened = package.write(&survey, plan, each, out)?;
    let mut echoed = Echoed {
        rows: survey.rows.len() as u64,
        notes: Vec::new(),
        unsynced: None,
    };
    if shortened > 0 {
        echoed.notes.push(Note::Shortened { cells: shortened });
    }
    Ok(echoed)
}
