//! The one way to the service: waits for the budget, writes the intent down, sends, and writes the answer down.
//!
//! `api` knows what an answer means and `journal` what is durable; a [`Line`] joins the two. Every wait ends early when
//! the user stops the run.

mod clock;
mod effect;
mod errand;
mod event;
mod gate;
mod halt;
mod lanes;
mod line;
mod pause;
mod prove;
mod setup;
mod stop;
mod tally;
mod wire;

pub use clock::Clock;
pub use event::Event;
pub use halt::Halt;
pub use line::{Line, Settled};
pub use setup::{Pacing, Patience, Setup};
pub use stop::{StopSignal, Stopper, Stopping, stop_signal};
pub use tally::Tally;
