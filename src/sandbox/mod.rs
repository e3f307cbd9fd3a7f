//! A local implementation of the service, written from its description.
//!
//! It imports nothing of the other rooms and shares no type with the client, so that a misreading on either side fails
//! a test. [`start()`] serves the API, the OAuth endpoints and the pages on a loopback address.
//!
//! Inside, `store` has the data and every transition, without I/O; `log` keeps its events on disk; the rest translates
//! between the store and HTTP.

mod api;
mod assets;
mod clock;
mod error;
mod faults;
mod geocode;
mod handle;
mod log;
mod oauth;
mod options;
mod pages;
mod parameters;
mod random;
mod rate;
mod received_call;
mod records;
mod roof;
mod server;
mod service;
mod start;
mod store;
mod validation;
mod wire;

pub use error::Error;
pub use faults::{Faults, FaultsError};
pub use handle::{ConnectionInfo, GrantedToken, SandboxHandle};
pub use options::{Country, Options};
pub use rate::{Rate, RateError};
pub use received_call::ReceivedCall;
pub use records::StoredMeasurement;
pub use start::start;
