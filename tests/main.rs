//! The single test binary.

mod budget;
