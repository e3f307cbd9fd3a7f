//! The single test binary.

mod architecture;
