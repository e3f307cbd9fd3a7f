//! A spreadsheet of homeowners becomes gutter measurement requests; the finished measurements become a workbook.
//!
//! The rooms, in reading order. Arrows run one way; `tests/architecture.rs` holds them:
//!
//! ```text
//! cli → connect | import | export → pace → table | api | journal → sheet → model
//! cli → sandbox
//! ```
//!
//! A room uses what stands to its right, never its neighbours. `sandbox` imports nothing of the others: it is a second
//! reading of the service's description, so that a misreading on either side fails a test.

pub mod model;

pub mod sheet;

pub mod table;

pub mod api;

pub mod journal;

pub mod pace;

pub mod connect;

pub mod import;

pub mod export;

#[cfg(feature = "sandbox")]
pub mod sandbox;

pub mod cli;
