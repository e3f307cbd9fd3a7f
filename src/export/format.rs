//! The formats of an export, and their detection by extension or name.

use std::path::Path;

use crate::export::Error;

/// A format of an export.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ExportFormat {
    /// An Excel workbook.
    Xlsx,
    /// Comma-separated values, RFC 4180.
    Csv,
    /// One JSON array.
    Json,
    /// One JSON object per line.
    Ndjson,
}

impl ExportFormat {
    /// Every format.
    pub const ALL: [Self; 4] = [Self::Xlsx, Self::Csv, Self::Json, Self::Ndjson];

    /// Returns the name, which is also the extension.
    pub fn name(self) -> &'static str {
        match self {
            Self::Xlsx => "xlsx",
            Self::Csv => "csv",
            Self::Json => "json",
            Self::Ndjson => "ndjson",
        }
    }

    /// Returns the format with a name, ignoring case.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|format| format.name().eq_ignore_ascii_case(name))
    }

    /// Returns the format of a file by its extension.
    ///
    /// # Errors
    /// [`Error::Extension`] for any other extension, and for none.
    pub fn from_path(path: &Path) -> Result<Self, Error> {
        path.extension()
            .and_then(|extension| extension.to_str())
            .and_then(Self::from_name)
            .ok_or_else(|| Error::Extension {
                path: path.to_owned(),
            })
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
