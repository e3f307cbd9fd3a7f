//! Layouts of headers: two files with the same headers, in whatever order and spelling, have the same digest.

use crate::model::ContentHash;
use crate::table::Columns;
use crate::table::added::HEADERS;

impl Columns {
    /// The digest of the headers; case, spacing and order don't count, nor do the columns that rejects have besides, so
    /// that rejects have the layout of their original.
    pub fn layout(&self) -> ContentHash {
        let mut headers: Vec<String> = self
            .headers()
            .iter()
            .filter(|header| !HEADERS.contains(&header.trim()))
            .map(|header| header.split_whitespace().collect::<Vec<_>>().join(" "))
            .filter(|header| !header.is_empty())
            .map(|header| header.to_lowercase())
            .collect();
        headers.sort_unstable();
        ContentHash::from_fields(headers.iter().map(|header| Some(header.as_str())))
    }
}
