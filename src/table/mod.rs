//! Files to rows, and rows back to files, in the user's own layout.
