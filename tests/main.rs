//! The single test binary.

mod architecture;
mod budget;
#[cfg(feature = "sandbox")]
mod echo;
mod import;
#[cfg(feature = "sandbox")]
mod sandbox;
#[cfg(feature = "sandbox")]
mod support;
mod workbook;
