//! Words typed and words shown.
