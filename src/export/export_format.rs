//! The formats of an export, and their detection by extension or name.

use std::path::Path;

use crate::export::Error;
use crate::model::named_enum;

named_enum! {
    /// A format of an export.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum ExportFormat {
        /// An Excel workbook.
        Xlsx = "xlsx",
        /// Comma-separated values, RFC 4180.
        Csv = "csv",
        /// One JSON array.
        Json = "json",
        /// One JSON object per line.
        Ndjson = "ndjson",
    }
}

impl ExportFormat {
    /// Returns the format of a file by its extension.
    ///
    /// # Errors
    /// [`Error::Extension`] for any other extension, and for none.
    pub fn from_path(path: &Path) -> Result<Self, Error> {
        let extension = path.extension().and_then(|extension| extension.to_str());
        extension
            .and_then(|extension| Self::from_name(&extension.to_ascii_lowercase()))
            .ok_or_else(|| Error::Extension(path.to_owned()))
    }

    /// Whether a sealed export of this format lists adjustments.
    pub(super) fn lists_adjustments(self) -> bool {
        self == Self::Xlsx
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_extension_decides_whatever_its_case() {
        assert_eq!(
            ExportFormat::from_path(Path::new("a/Results.XLSX")).unwrap(),
            ExportFormat::Xlsx
        );
        for path in ["results", "results.xls", "results.pdf", ".csv", "xlsx"] {
            assert!(ExportFormat::from_path(Path::new(path)).is_err(), "{path}");
        }
    }
}
