//! A spreadsheet of homeowners becomes gutter measurement requests; the finished measurements become a workbook.
//!
//! The rooms, in reading order. Arrows run one way; `tests/architecture.rs` holds them:
//!
//! ```text
//! cli → connect | import | export → dispatch → table | api | journal → sheet → model
//! cli → sandbox
//! ```
//!
//! A room uses the rooms to its right, never its neighbours. `sandbox` imports nothing of the others: it is a second
//! reading of the service's description, so that a misreading on either side fails a test.
//!
//! The files of `dispatch`:
//!
//! - `dispatcher.rs`: [`dispatch::Dispatcher`] sends one request through quota, journal, network and retries
//! - `config.rs`: [`dispatch::DispatcherConfig`], what a dispatcher is made of, and its limits
//! - `outbound_request.rs`: one request, and the intent that is recorded before it is sent
//! - `in_flight.rs`: how many requests are in flight at once
//! - `permit.rs`: the permit to send a recorded request, and its withdrawal
//! - `response_effect.rs`: what a verdict changes in the journal
//! - `account_check.rs`: GET /me, compared with the account that the journal is bound to
//! - `rate_limit_pauses.rs`: which pauses of the service every command waits for
//! - `shutdown.rs`: how far a run is ending because of one of its requests
//! - `stop.rs`: [`dispatch::StopSignal`], how the user stops a run
//! - `clock.rs`: [`dispatch::Clock`], the process's time
//! - `request_counts.rs`: [`dispatch::RequestCounts`], how many requests were sent
//! - `event.rs`: [`dispatch::DispatchEvent`], progress for display
//! - `error.rs`: [`dispatch::DispatchError`], why nothing more is sent

pub mod model;

pub mod sheet;

pub mod table;

pub mod api;

pub mod journal;

pub mod dispatch;

pub mod connect;

pub mod import;

pub mod export;

#[cfg(feature = "sandbox")]
pub mod sandbox;

pub mod cli;
