//! Words typed and words shown: a file a command, and the way from errors to sentences and exit codes.

mod backup;
mod check;
mod clock;
mod common;
mod completions;
mod conflicts;
mod connect;
mod connection;
mod console;
mod context;
mod credentials;
mod disconnect;
mod dispatcher;
mod exit;
mod export;
mod failure;
mod hidden_input;
mod import;
mod man;
mod network;
mod output_style;
mod panics;
mod progress;
mod prompt;
mod reading;
#[cfg(feature = "sandbox")]
mod rehearse;
mod remembered;
mod runtime;
mod same_house;
#[cfg(feature = "sandbox")]
mod sandbox;
mod settings;
mod shell;
mod signals;
mod start;
mod status;
mod template;
mod token_proof;
mod waiting;
mod whoami;
mod wrap;

pub use exit::ExitStatus;
pub use failure::CommandError;
pub use start::{command, main};
