//! Finds the rows of an XLSX sheet from which calamine omits nothing.

use std::ops::Range;

use memchr::memmem;

use crate::sheet::xlsx::tags::attribute;

/// The index of a shared text as calamine reads it.
pub(super) fn is_index(text: &[u8]) -> bool {
    text.len() < 19 && text.iter().all(u8::is_ascii_digit)
}

/// Whole rows without a formula, an error or a hidden row, as nearly all are: a few searches cost less than
/// examining each tag. The row after them tells its number.
pub(super) fn plain_rows(xml: &[u8]) -> Option<Range<usize>> {
    let rows = memmem::find(xml, b"<row ")?..memmem::rfind(xml, b"<row ")?;
    let next = &xml[rows.end + 1..];
    attribute(&next[..memchr::memchr(b'>', next)?], "r")?;
    let details: [&[u8]; 4] = [b"<f", b"t=\"e\"", b"t='e'", b"hidden"];
    let has = |detail: &&[u8]| memmem::find(&xml[rows.clone()], detail).is_some();
    (!details.iter().any(has) && plain_values(&xml[rows.clone()])).then_some(rows)
}

/// Whether each value is a whole number, or the text of a cell that names no shared text.
fn plain_values(rows: &[u8]) -> bool {
    memmem::find_iter(rows, b"<v").all(|at| {
        let Some(value) = rows[at + 2..].strip_prefix(b">") else {
            return rows[at + 2..].starts_with(b"/>");
        };
        let end = value.iter().position(|byte| !byte.is_ascii_digit());
        let (text, after) = value.split_at(end.unwrap_or_default());
        if after.starts_with(b"</") && is_index(text) {
            return true;
        }
        let (text, after) = value.split_at(memchr::memchr(b'<', value).unwrap_or_default());
        let cell = memchr::memrchr(b'<', &rows[..at]).unwrap_or_default();
        after.starts_with(b"</")
            && !text.contains(&b'&')
            && attribute(&rows[cell..at], "t") != Some(b"s")
    })
}
