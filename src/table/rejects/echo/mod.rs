//! The user's own sheet again: its columns, its order and its looks, with the rows that are wanted and some columns
//! appended.
//!
//! Text keeps its encoding, byte order mark, delimiter, line ends and header row. Every field holds what it held, quoted
//! as RFC 4180 has it. A workbook of any form comes out as XLSX, with the styles and number formats of its cells;
//! formulas become the values that they showed. Cells can be marked, each with a note that says why. Where all that
//! stands around the rows is kept, an XLSX is not copied: the columns are appended in place.
//!
//! Rows stream through: memory does not grow with them, but for the notes, whose number is limited.

mod encoder;
mod file;
mod in_place;
mod look;
mod page;
mod plan;
mod scan;
mod sheet;
mod text;
mod trouble;
mod widths;
mod workbook;

pub use plan::{Addition, Appended, Around, Echoed, Mark, Note, Plan, ShortRows, Value};

pub(super) use file::same_file;

use std::fs::File;
use std::io;
use std::path::Path;

use crate::model::RowNumber;
use crate::table::document::Document;
use crate::table::kind::{Form, recognise};
use crate::table::options::Options;
use crate::table::{Columns, Error, Fault};

use trouble::Trouble;

/// Writes the sheet again, to a file that is whole or not there at all, and that its owner alone can read.
///
/// `each` is asked for every row that is not blank, in the file's order, and says what is appended to it; none leaves
/// the row out. `finished` is given the temporary file before it is renamed; an error of its keeps what was there.
///
/// # Errors
/// What makes the sheet unreadable, among it [`Fault::Changed`]; and [`Fault::Write`].
pub fn write<F>(
    document: &Document,
    options: &Options,
    plan: &Plan<'_>,
    each: F,
    to: &Path,
    finished: &mut dyn FnMut(&Path) -> io::Result<()>,
) -> Result<Echoed, Error>
where
    F: FnMut(&Columns, RowNumber) -> Option<Addition> + Send,
{
    let name = document.name();
    let outcome = file::whole(
        to,
        |out| echo(document, options, plan, each, out, to),
        finished,
    );
    let (echoed, unsynced) = outcome.map_err(|trouble| trouble.at(to).of(&name))?;
    Ok(Echoed { unsynced, ..echoed })
}

/// Writes the sheet again into an open file, which is to stand at a path; temporary files stand beside it.
///
/// # Errors
/// As [`write()`].
pub fn write_into<F>(
    document: &Document,
    options: &Options,
    plan: &Plan<'_>,
    each: F,
    (out, to): (&mut File, &Path),
) -> Result<Echoed, Error>
where
    F: FnMut(&Columns, RowNumber) -> Option<Addition> + Send,
{
    let outcome = echo(document, options, plan, each, out, to);
    outcome.map_err(|trouble| trouble.at(to).of(&document.name()))
}

fn echo<F>(
    document: &Document,
    options: &Options,
    plan: &Plan<'_>,
    mut each: F,
    out: &mut File,
    to: &Path,
) -> Result<Echoed, Trouble>
where
    F: FnMut(&Columns, RowNumber) -> Option<Addition> + Send,
{
    let (mut source, fingerprint) = document.open()?;
    if plan.fingerprint.is_some_and(|known| known != fingerprint) {
        return Err(Fault::Changed.into());
    }
    let echoed = match recognise(&mut source)? {
        Form::Text => text::echo(source, options, plan, each, out)?,
        form => {
            let source = workbook::Source {
                document,
                file: source,
                form,
                options,
            };
            match whole(&source, plan, &mut each, out)? {
                Some(echoed) => echoed,
                None => workbook::echo(source, plan, each, (out, to))?,
            }
        }
    };
    let now = document.fingerprint().ok();
    if now.is_some_and(|now| now != fingerprint) {
        return Err(Fault::Changed.into());
    }
    Ok(echoed)
}

/// The whole workbook, where all of it is wanted and its form can be written.
fn whole(
    source: &workbook::Source<'_>,
    plan: &Plan<'_>,
    each: &mut (dyn FnMut(&Columns, RowNumber) -> Option<Addition> + Send),
    out: &mut File,
) -> Result<Option<Echoed>, Trouble> {
    match (plan.around, source.form) {
        (Around::Kept, Form::Xlsx) => in_place::echo(source, plan, each, out),
        _ => Ok(None),
    }
}
