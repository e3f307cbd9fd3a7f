//! Appends columns to the user's table: it is located here by its headers, and rewritten by [`crate::sheet::rewrite`].

use std::fs::File;
use std::io;
use std::path::Path;

use crate::model::{Field, RowNumber};
use crate::sheet::format::recognize;
use crate::sheet::rewrite::{self, RewritePlan, Rewritten, RowAddition, SourceTable, TableRegion};
use crate::sheet::{Document, Error, Fingerprint, SheetError, folder_of, replace, temporary_file};
use crate::table::address_blocks::address_titles;
use crate::table::columns::Columns;
use crate::table::located::{LocatedTable, locate};
use crate::table::options::TableOptions;

/// The table that is rewritten.
#[derive(Clone, Copy, Debug)]
pub struct RewriteInput<'a> {
    /// Its file.
    pub document: &'a Document,
    /// How it is read.
    pub options: &'a TableOptions,
    /// The file's fingerprint when its rows were checked; a different one is [`SheetError::Changed`].
    pub fingerprint: Option<Fingerprint>,
}

/// Rewrites the table to a file that is complete or absent, and that only its owner can read.
///
/// `each` is called for every row that is not blank, in the file's order, and returns what is appended to it; none
/// drops the row. `finished` is given the temporary file before it is renamed; with an error of its the old file stays.
///
/// # Errors
/// What makes the table unreadable, among it [`SheetError::Changed`]; and [`SheetError::Write`].
pub fn write<F>(
    table: RewriteInput<'_>,
    plan: &RewritePlan<'_>,
    each: F,
    to: &Path,
    finished: &mut dyn FnMut(&Path) -> io::Result<()>,
) -> Result<Rewritten, Error>
where
    F: FnMut(&Columns, RowNumber) -> Option<RowAddition> + Send,
{
    let failed = |source| {
        let path = to.to_owned();
        SheetError::Write { path, source }.in_file(&table.document.name())
    };
    let mut file = temporary_file(folder_of(to)).map_err(failed)?;
    let out = file.as_file_mut();
    let rewritten = write_into(table, plan, each, (out, to))?;
    finished(file.path()).map_err(failed)?;
    let unsynced = replace(file, to).map_err(failed)?;
    Ok(Rewritten {
        unsynced,
        ..rewritten
    })
}

/// Rewrites the table into an open file, which is later put at the path; temporary files are created beside it.
///
/// # Errors
/// As [`write()`].
pub fn write_into<F>(
    table: RewriteInput<'_>,
    plan: &RewritePlan<'_>,
    mut each: F,
    (out, to): (&mut File, &Path),
) -> Result<Rewritten, Error>
where
    F: FnMut(&Columns, RowNumber) -> Option<RowAddition> + Send,
{
    let located = source_table(table);
    let (source, columns) = located.map_err(|cause| cause.in_file(&table.document.name()))?;
    rewrite::write_into(source, plan, |row| each(&columns, row), (out, to))
}

/// Finds the headers and columns, and leaves the file open.
fn source_table(table: RewriteInput<'_>) -> Result<(SourceTable<'_>, Columns), SheetError> {
    let RewriteInput {
        document, options, ..
    } = table;
    let (mut file, fingerprint) = document.open()?;
    if table.fingerprint.is_some_and(|known| known != fingerprint) {
        return Err(SheetError::Changed);
    }
    let format = recognize(&mut file)?;
    let LocatedTable {
        content, headers, ..
    } = locate(document, (file, format), options, None)?;
    let columns = Columns::find(headers.clone(), options)?;
    let region = TableRegion {
        headers: columns.headers().to_vec(),
        street: columns.supplying(Field::Line1),
        header_row: headers.row,
        title_row: address_titles(&headers),
        visible_only: options.visible_only,
    };
    let source = SourceTable {
        document,
        fingerprint,
        region,
        content,
    };
    Ok((source, columns))
}
