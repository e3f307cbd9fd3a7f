//! Appends columns to the user's table, which is rewritten by [`crate::sheet::rewrite`].

use std::io;
use std::path::Path;

use crate::model::RowNumber;
use crate::sheet::rewrite::{self, RewriteOutput, RewritePlan, Rewritten, RowAddition};
use crate::sheet::{Error, SheetError, folder_of, sync_and_rename, temporary_file};
use crate::table::columns::Columns;
use crate::table::known_table::KnownTable;

/// Rewrites the table to a file that is complete or absent, and that only its owner can read.
///
/// `each` is called for every row that is not blank, in the file's order, and returns what is appended to it; none
/// drops the row. `finished` is given the temporary file before it is renamed; if it returns an error, the old file is
/// kept.
///
/// # Errors
/// What makes the table unreadable, among it [`SheetError::Changed`]; and [`SheetError::Write`].
pub fn write<F>(
    table: KnownTable<'_>,
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
        SheetError::Write { path, source }.in_file(&table.input_file.name())
    };
    let mut file = temporary_file(folder_of(to)).map_err(failed)?;
    let output = RewriteOutput {
        file: file.as_file_mut(),
        path: to,
    };
    let rewritten = write_into(table, plan, each, output)?;
    finished(file.path()).map_err(failed)?;
    sync_and_rename(file, to).map_err(failed)?;
    Ok(rewritten)
}

/// Rewrites the table into an open file.
///
/// # Errors
/// As [`write()`].
pub fn write_into<F>(
    table: KnownTable<'_>,
    plan: &RewritePlan<'_>,
    mut each: F,
    output: RewriteOutput<'_>,
) -> Result<Rewritten, Error>
where
    F: FnMut(&Columns, RowNumber) -> Option<RowAddition> + Send,
{
    let source = table.source();
    let source = source.map_err(|cause| cause.in_file(&table.input_file.name()))?;
    rewrite::write_into(source, plan, |row| each(table.columns, row), output)
}
