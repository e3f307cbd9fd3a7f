//! The single test binary.

mod architecture;
mod workbook;
