//! Finds the rows of an XLSX sheet from which calamine omits nothing.

use std::ops::Range;

use memchr::memmem;

use crate::sheet::xlsx::tags::attribute;

/// Whole rows without a formula, an error or a hidden row, as nearly all are: a few searches cost less than
/// examining each tag. The row after them tells its number.
pub(super) fn plain_rows(xml: &[u8]) -> Option<Range<usize>> {
    let rows = memmem::find(xml, b"<row ")?..memmem::rfind(xml, b"<row ")?;
    let next = &xml[rows.end + 1..];
    attribute(&next[..memchr::memchr(b'>', next)?], "r")?;
    let details: [&[u8]; 4] = [b"<f", b"t=\"e\"", b"t='e'", b"hidden"];
    let has = |detail: &&[u8]| memmem::find(&xml[rows.clone()], detail).is_some();
    (!details.iter().any(has)).then_some(rows)
}
