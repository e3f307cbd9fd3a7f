//! Renders results in each format.

use std::io::Write;
use std::path::Path;

use crate::export::{
    self, Adjustment, Error, ExportFormat, ExportOptions, ExportResults, ResultStatistics,
    SheetLimits, json, workbook,
};

/// The options of rendering.
#[derive(Clone, Copy, Debug)]
pub struct RenderOptions<'a> {
    /// The options of the export.
    pub options: &'a ExportOptions,
    /// The limits of a sheet.
    pub limits: SheetLimits,
    /// Adjustments; only workbooks list them.
    pub adjustments: &'a [Adjustment],
    /// The folder for temporary files.
    pub temporary_folder: &'a Path,
}

/// Writes results. The output depends on the arguments only: the same journal gives the same bytes.
///
/// # Errors
/// [`Error::Stream`] when `out` fails, and [`Error::Journal`].
pub fn render(
    results: &ExportResults<'_>,
    statistics: &ResultStatistics,
    rendering: RenderOptions<'_>,
    out: &mut (dyn Write + Send),
) -> Result<(), Error> {
    match rendering.options.format {
        ExportFormat::Xlsx => workbook::write(results, statistics, rendering, out),
        ExportFormat::Csv => export::csv::write(results, rendering.options.formula_escaping, out),
        ExportFormat::Json => json::write_array(results, out),
        ExportFormat::Ndjson => json::write_lines(results, out),
    }
}
