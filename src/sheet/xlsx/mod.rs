//! XLSX workbooks: their parts, what calamine omits of them, and rewriting them.

mod convert;
pub(in crate::sheet) mod parts;
mod rewrite;

pub(in crate::sheet) use rewrite::rewrite;
