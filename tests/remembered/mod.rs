//! Reading flags that the journal remembers.

mod columns;
mod copies;
mod files;
pub(crate) mod flags;
mod forgotten_prefix;
mod sheets;
