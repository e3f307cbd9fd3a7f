//! Rendering of results in each format.

use std::io::Write;
use std::path::Path;

use crate::export::workbook::{self, WorkbookContent};
use crate::export::{
    self, Adjustment, Error, ExcelSafe, ExportFormat, ExportResults, FetchedImages, ResultSurvey,
    SheetLimits, json, ndjson,
};

/// The options of rendering.
#[derive(Clone, Copy, Debug)]
pub struct Rendering<'a> {
    /// The format.
    pub format: ExportFormat,
    /// Whether CSV protects text that looks like a formula.
    pub safety: ExcelSafe,
    /// The limits of a sheet.
    pub limits: SheetLimits,
    /// Adjustments; only workbooks list them.
    pub adjustments: &'a [Adjustment],
    /// Images for the workbook; other formats contain links only.
    pub pictures: Option<&'a FetchedImages>,
    /// The folder for temporary files.
    pub scratch: &'a Path,
}

/// Writes results. The output depends on the arguments only: the same journal gives the same bytes.
///
/// # Errors
/// [`Error::Stream`] when `out` fails, and those of the journal.
pub fn render(
    results: &ExportResults<'_>,
    survey: &ResultSurvey,
    rendering: Rendering<'_>,
    out: impl Write + Send,
) -> Result<(), Error> {
    match rendering.format {
        ExportFormat::Xlsx => {
            let content = WorkbookContent {
                survey,
                adjustments: rendering.adjustments,
                limits: rendering.limits,
                pictures: rendering.pictures,
            };
            workbook::write(results, content, rendering.scratch, out)
        }
        ExportFormat::Csv => export::csv::write(results, rendering.safety, out),
        ExportFormat::Json => json::write(results, out),
        ExportFormat::Ndjson => ndjson::write(results, out),
    }
}
