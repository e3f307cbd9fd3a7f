//! The single test binary.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on stops")]

#[cfg(feature = "sandbox")]
mod answers;
mod architecture;
mod budget;
#[cfg(feature = "sandbox")]
mod connect;
#[cfg(feature = "sandbox")]
mod import;
#[cfg(feature = "sandbox")]
mod sandbox;
#[cfg(feature = "sandbox")]
mod secrets;
#[cfg(feature = "sandbox")]
mod support;
mod workbook;
