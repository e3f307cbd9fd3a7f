//! Sends requests to the service: waits for the quota, records the intent, sends, and records the response.
//!
//! `api` decides what a response means, `journal` stores it durably, and a [`Dispatcher`] combines the two. Every wait
//! ends early when the user stops the run.

mod account_check;
mod attempt_record;
mod clock;
mod completed_request;
mod config;
mod dispatcher;
mod error;
mod event;
mod in_flight;
mod outbound_request;
mod rate_limit_pauses;
mod request_counts;
mod shutdown;
mod slot_wait;
mod stop;

pub use clock::Clock;
pub use completed_request::{CompletedRequest, milliseconds};
pub use config::{DispatchLimits, DispatcherConfig, QuotaWait};
pub use dispatcher::{DispatchResult, Dispatcher};
pub use error::DispatchError;
pub use event::DispatchEvent;
pub use request_counts::RequestCounts;
pub use stop::{StopHandle, StopSignal, StopStage, stop_signal};
