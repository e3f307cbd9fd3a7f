//! Where the rejects of an import are written, and which existing files they replace.

use std::path::Path;

use crate::import::missing_rows::ReplaceableRejects;
use crate::import::{Error, ImportContext};
use crate::journal::OriginalTable;
use crate::sheet::{self, stored_path};
use crate::table::rejects::{ExistingFile, RejectsPath};

/// Where the rejects of an import are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RejectsTarget<'a> {
    /// Beside the input.
    BesideInput,
    /// To this path.
    File(&'a Path),
    /// Nowhere; an earlier file is not changed.
    None,
}

/// The path for the rejects of a run; `None` if it writes none. Skips existing rejects that were edited since they were
/// written, those of another run that are still needed, and those of another table.
///
/// # Errors
/// If another file exists at the path, if it is the input, or if its extension does not fit the format.
pub(super) fn rejects_path(
    context: &ImportContext<'_>,
    original: Option<&OriginalTable>,
    replaceable: &ReplaceableRejects,
) -> Result<Option<RejectsPath>, Error> {
    let asked = match context.rejects {
        RejectsTarget::File(path) => Some(path),
        RejectsTarget::BesideInput => None,
        RejectsTarget::None => return Ok(None),
    };
    let (input_file, own) = (&context.input.file, &context.checked.source);
    let existing = |path: &Path| {
        if original.is_some_and(|original| original.path == stored_path(path)) {
            // The name of a list may be that of rejects.
            return ExistingFile::Needed;
        }
        let Ok(Some(written)) = context.journal.written_file(&stored_path(path)) else {
            return ExistingFile::Unknown;
        };
        let Some(of) = &written.original else {
            return ExistingFile::Unknown;
        };
        let sha256 = sheet::file_sha256(path).ok();
        let is_unedited = sha256
            .as_ref()
            .is_some_and(|sha256| written.matches(sha256));
        if !is_unedited && sha256.is_some() && written.imported_sha256 == sha256 {
            return ExistingFile::Needed;
        }
        // A sheet that the workbook no longer has is this one under its earlier name.
        let mut other_sheets = context.checked.layout.other_sheets();
        let is_own =
            of.path == own.path && !other_sheets.any(|sheet| Some(sheet) == of.sheet.as_deref());
        let is_of_input = match original {
            Some(_) => written.input.as_ref() == Some(&own.path),
            None => is_own,
        };
        match original {
            // The input has all rows; its rejects have some of them. If that cannot be told, they are kept.
            _ if is_of_input => match replaceable.contains_all(context, original, path) {
                Ok(false) => ExistingFile::HasLeftRows,
                Ok(true) if is_unedited => ExistingFile::Replaceable,
                Ok(true) => ExistingFile::Edited,
                Err(_) => ExistingFile::OfAnother,
            },
            _ if !is_unedited => ExistingFile::Edited,
            Some(original) if original.path == of.path => ExistingFile::Needed,
            _ => ExistingFile::OfAnother,
        }
    };
    let format = context.checked.layout.format;
    let path = RejectsPath::find(input_file, format, asked, &existing)?;
    Ok(Some(path))
}
