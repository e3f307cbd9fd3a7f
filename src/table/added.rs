//! The columns that a rejects file has besides the user's own; they are ignored where it is read.

/// The headers of the two columns.
pub(super) const HEADERS: [&str; 2] = ["error", "source_row"];
