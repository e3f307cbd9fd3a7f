//! The digest of the headers, which is equal for files with the same headers in any order.

use crate::model::ContentHash;
use crate::table::Columns;
use crate::table::rejects_columns::{DECISION, HEADERS, columns_before_results};

impl Columns {
    /// The digest of the headers. It does not depend on case, spacing, order, or the columns that rejects and results add,
    /// so that rejects and a sheet with results have the layout of their original.
    pub fn header_digest(&self) -> ContentHash {
        let headers = self.headers();
        let mut headers: Vec<String> = headers[..columns_before_results(headers)]
            .iter()
            .filter(|header| !HEADERS.contains(&header.trim()) && header.trim() != DECISION)
            .map(|header| header.split_whitespace().collect::<Vec<_>>().join(" "))
            .filter(|header| !header.is_empty())
            .map(|header| header.to_lowercase())
            .collect();
        headers.sort_unstable();
        ContentHash::from_fields(headers.iter().map(|header| Some(header.as_str())))
    }
}
