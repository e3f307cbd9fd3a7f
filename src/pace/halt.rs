//! Every way a line ends a run, as facts.

use jiff::Timestamp;

use crate::api::Stop;
use crate::journal;

/// Why nothing more is sent. Rows that were not answered stay pending.
#[derive(Debug, thiserror::Error)]
pub enum Halt {
    /// The window's budget is spent, and the user does not want to wait, or not so long.
    #[error("the budget is used up until {}", shown(*until))]
    Spent {
        /// When a slot frees.
        until: Timestamp,
    },
    /// The time that the user set has come.
    #[error("the time to stop has come")]
    TimeIsUp,
    /// The service asked for a longer silence than a run waits out.
    #[error("the service asked to wait until {}", shown(*until))]
    Limited {
        /// When it may go on.
        until: Timestamp,
    },
    /// Row after row got no answer.
    #[error("{rows} requests in a row got no usable answer: {reason}")]
    Unreachable {
        /// How many in a row.
        rows: u32,
        /// What the last one met.
        reason: String,
    },
    /// The service's answer leaves nothing to be done.
    #[error("the service's answer ends the run")]
    Stop(Stop),
    /// The user stopped the run.
    #[error("interrupted")]
    Interrupted,
    /// What cannot be recorded is not sent.
    #[error(transparent)]
    Journal(#[from] journal::Error),
    /// Another request of the run has halted it.
    #[error("the run has ended")]
    Closed,
}

/// A moment for people, to the second.
fn shown(moment: Timestamp) -> impl std::fmt::Display {
    moment.strftime("%Y-%m-%d %H:%M:%S UTC")
}
