//! Results to bytes, in any format.

use std::io::Write;
use std::path::Path;

use crate::export::workbook::{self, WorkbookContent};
use crate::export::{
    self, Adjustment, Error, ExcelSafe, ExportFormat, ExportResults, FetchedImages, ResultSurvey,
    SheetLimits, json, ndjson,
};

/// How results are rendered.
#[derive(Clone, Copy, Debug)]
pub struct Rendering<'a> {
    /// The format.
    pub format: ExportFormat,
    /// Whether CSV quotes text that looks like a formula.
    pub safety: ExcelSafe,
    /// What a sheet can hold.
    pub limits: SheetLimits,
    /// What accounting must put right; workbooks alone have a place for it.
    pub adjustments: &'a [Adjustment],
    /// Pictures that the workbook is to hold; other formats hold addresses alone.
    pub pictures: Option<&'a FetchedImages>,
    /// Takes temporary files: the folder of the target.
    pub scratch: &'a Path,
}

/// Writes results. What is written follows from the arguments alone: the same journal gives the same bytes.
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
