//! Text files of separated values: encoding, delimiter, rows, and writing them in the same way again.

mod decoding_reader;
pub(in crate::sheet) mod delimiter;
mod encoder;
pub(crate) mod encoding;
pub(in crate::sheet) mod lines;
mod quoting;
pub(crate) mod read;
mod rewrite;
pub(in crate::sheet) mod write;

pub use rewrite::MISSING_VALUES;
pub(in crate::sheet) use rewrite::rewrite;
