//! The one test binary.

mod sandbox;
