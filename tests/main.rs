//! The single test binary.

#[cfg(feature = "sandbox")]
mod answers;
mod architecture;
mod budget;
#[cfg(feature = "sandbox")]
mod import;
#[cfg(feature = "sandbox")]
mod interrupted;
#[cfg(feature = "sandbox")]
mod journal;
#[cfg(feature = "sandbox")]
mod rerun;
#[cfg(feature = "sandbox")]
mod sandbox;
#[cfg(feature = "sandbox")]
mod support;
mod workbook;
