//! The single test binary. Each folder has one subject, which its `mod.rs` states.

#![expect(
    clippy::unwrap_used,
    clippy::unchecked_time_subtraction,
    reason = "a test that cannot go on stops"
)]

mod addresses;
mod architecture;
mod billing;
mod budget;
mod cli;
mod command_histories;
mod connect;
mod contract;
mod customer_sheet;
mod export;
mod failures;
mod hazards;
mod histories;
mod import;
mod library;
mod messages;
mod readme;
mod rejects;
mod remembered;
mod responses;
mod same_house;
mod sandbox;
mod security;
mod status;
mod support;
mod workbook;
