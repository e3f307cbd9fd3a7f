//! An unsealed export, from a snapshot of the journal to its file or to a stream.

use std::io::Write;

use crate::export::output_file::{OutputFile, PreparedOutput};
use crate::export::{
    Adjustment, Error, ExportOptions, ExportSummary, OverwritePolicy, ResultStatistics, render,
};
use crate::journal::{Journal, JournalSnapshot};
use crate::sheet::resolved_path;

/// A complete unsealed export in a temporary file.
#[derive(Debug)]
pub struct UnsealedExport {
    pub(super) ready: PreparedOutput,
    pub(super) summary: ExportSummary,
}

impl UnsealedExport {
    /// Gives the file its name, unless somebody has saved a file there meanwhile that may not be replaced. The journal
    /// records its digest first: if the run is killed in between, the next one may replace the file.
    ///
    /// # Errors
    /// [`Error::Protected`] and [`Error::Write`] with an existing file unchanged, and [`Error::Journal`].
    pub fn put(
        self,
        journal: &Journal,
        overwrite: OverwritePolicy,
    ) -> Result<ExportSummary, Error> {
        let Self { ready, summary } = self;
        let sha256 = ready.sha256()?;
        let temporary = resolved_path(ready.temporary());
        journal.record_export(temporary.clone(), sha256.clone())?;
        overwrite.refuse_protected(ready.output().path_as_given(), journal)?;
        let placed = ready.rename_into_place()?;
        journal.record_renamed_export(temporary, resolved_path(&placed), sha256)?;
        Ok(ExportSummary {
            written: Some(placed),
            ..summary
        })
    }
}

/// Writes an export to a temporary file beside its final path.
///
/// # Errors
/// [`Error::Write`] and [`Error::Interrupted`] with an existing file unchanged, and [`Error::Journal`].
pub fn to_file(
    snapshot: &JournalSnapshot,
    options: &ExportOptions,
    output: &OutputFile,
) -> Result<UnsealedExport, Error> {
    let results = options.results(snapshot, options.filter.clone())?;
    let mut adjustments = Vec::new();
    let statistics = ResultStatistics::with_visitor(&results, &mut |filtered| {
        adjustments.extend(Adjustment::new(&filtered.record));
        Ok(())
    })?;
    let rendering = options.rendering(output.folder(), &adjustments);
    let ready = output.write(|out| render(&results, &statistics, rendering, out))?;
    options.unless_stopped()?;
    let summary = ExportSummary::new(statistics);
    Ok(UnsealedExport { ready, summary })
}

/// Writes an export to a stream. The caller must not ask for a workbook.
///
/// # Errors
/// [`Error::Stream`], and [`Error::Journal`].
pub fn to_stream(
    snapshot: &JournalSnapshot,
    options: &ExportOptions,
    out: &mut (dyn Write + Send),
) -> Result<ExportSummary, Error> {
    let results = options.results(snapshot, options.filter.clone())?;
    let statistics = ResultStatistics::new(&results)?;
    let scratch = std::env::temp_dir();
    render(&results, &statistics, options.rendering(&scratch, &[]), out)?;
    Ok(ExportSummary::new(statistics))
}
