//! An unsealed export, from a snapshot of the journal to its file or to a stream.

use std::io::Write;

use crate::export::output_file::{OutputFile, PreparedOutput};
use crate::export::protected_file::absolute;
use crate::export::{
    Error, ExportOptions, ExportOutcome, Rendering, ResultSurvey, SheetLimits, render,
};
use crate::journal::{Journal, JournalSnapshot};
use crate::sheet;

/// A complete unsealed export in a temporary file.
#[derive(Debug)]
pub struct UnsealedExport {
    pub(super) ready: PreparedOutput,
    pub(super) exported: ExportOutcome,
}

impl UnsealedExport {
    /// Gives the file its name. The journal records its digest first: if the run is killed in between, the next one may
    /// replace the file.
    ///
    /// # Errors
    /// [`Error::Write`] with an existing file unchanged, and those of the journal.
    pub fn put(self, journal: &Journal) -> Result<ExportOutcome, Error> {
        let Self { ready, exported } = self;
        let sha256 = sheet::sha256(ready.file()?)?;
        let temporary = absolute(ready.temporary());
        journal.record_export(temporary.clone(), sha256.clone())?;
        let placed = ready.put()?;
        journal.record_renamed_export(temporary, absolute(&placed.path), sha256)?;
        Ok(exported.placed(placed))
    }
}

/// Writes an export to a temporary file beside its final path.
///
/// # Errors
/// [`Error::Write`] and [`Error::Interrupted`] with an existing file unchanged, and those of the journal.
pub fn to_place(
    snapshot: &JournalSnapshot,
    order: &ExportOptions,
    place: &OutputFile,
) -> Result<UnsealedExport, Error> {
    let results = order.results(snapshot, order.selection.clone())?;
    let survey = ResultSurvey::new(&results)?;
    let rendering = order.rendering(place, &[]);
    let ready = place.write(|out| render(&results, &survey, rendering, out))?;
    order.unless_stopped()?;
    let exported = ExportOutcome::new(&survey);
    Ok(UnsealedExport { ready, exported })
}

/// Writes an export to a stream. The caller must not ask for a workbook.
///
/// # Errors
/// [`Error::Stream`], and those of the journal.
pub fn to_stream(
    snapshot: &JournalSnapshot,
    order: &ExportOptions,
    out: impl Write + Send,
) -> Result<ExportOutcome, Error> {
    let results = order.results(snapshot, order.selection.clone())?;
    let survey = ResultSurvey::new(&results)?;
    let scratch = std::env::temp_dir();
    let rendering = Rendering {
        format: order.format,
        safety: order.safety,
        limits: SheetLimits::EXCEL,
        adjustments: &[],
        pictures: None,
        scratch: &scratch,
    };
    render(&results, &survey, rendering, out)?;
    Ok(ExportOutcome::new(&survey))
}
