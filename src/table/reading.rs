//! How a file was read, in one line and as facts.

use crate::model::RowNumber;
use crate::table::encoding::Charset;
use crate::table::kind::Form;
use crate::table::options::Delimiter;

/// What was found out about a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reading {
    /// The file's name as the user knows it.
    pub file: String,
    /// What it is, by content.
    pub form: Form,
    /// The sheet's name; none for text.
    pub sheet: Option<String>,
    /// The encoding; none for workbooks.
    pub charset: Option<Charset>,
    /// What separates columns; none for workbooks.
    pub delimiter: Option<Delimiter>,
    /// Where the headers stand; none where there are none.
    pub header_row: Option<RowNumber>,
}

impl Reading {
    /// `leads.csv: Windows-1252, semicolons, headers in row 3`.
    pub fn sentence(&self) -> String {
        let mut parts = Vec::new();
        match (self.charset, self.delimiter) {
            (Some(charset), Some(delimiter)) => {
                parts.push(charset.name().to_owned());
                parts.push(delimiter.plural());
            }
            _ => parts.push(self.form.name().to_owned()),
        }
        if let Some(sheet) = &self.sheet {
            parts.push(format!("sheet `{sheet}`"));
        }
        parts.push(match self.header_row {
            Some(row) => format!("headers in row {row}"),
            None => "no headers".to_owned(),
        });
        format!("{}: {}", self.file, parts.join(", "))
    }
}
