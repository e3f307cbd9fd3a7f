//! The durable truth: every row, request, answer and sealed export, in one SQLite file.
//!
//! One writer thread owns the writing connection and commits in groups; readers open their own. Nothing outside this
//! room knows SQL.

mod error;
mod results;
mod overview;
mod schema;
mod store;
mod story;
mod writer;

pub use error::Error;
pub use results::{KeptMeasurement, Owner, RejectedRow, Snapshot};
pub use overview::{LastRun, Overview, Team, overview};
pub use store::{Access, Journal};
pub use story::{Attempted, Known, Story, story};
