//! The single test binary.

mod architecture;
mod budget;
#[cfg(feature = "sandbox")]
mod hazards;
#[cfg(feature = "sandbox")]
mod hostile;
#[cfg(feature = "sandbox")]
mod import;
#[cfg(feature = "sandbox")]
mod rejects;
#[cfg(feature = "sandbox")]
mod samples;
#[cfg(feature = "sandbox")]
mod sandbox;
#[cfg(feature = "sandbox")]
mod support;
#[cfg(feature = "sandbox")]
mod template;
mod workbook;
