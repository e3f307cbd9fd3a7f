//! The user's own sheet with the results, as `export --for` writes it.

pub(crate) mod appended;
mod appended_again;
mod ranges;
pub(crate) mod rewriting;
