//! The single test binary.

mod architecture;
mod budget;
mod echo;
mod rejects;
#[cfg(feature = "sandbox")]
mod import;
#[cfg(feature = "sandbox")]
mod sandbox;
#[cfg(feature = "sandbox")]
mod support;
#[cfg(feature = "sandbox")]
mod template;
mod workbook;
