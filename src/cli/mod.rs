//! The command line: one file or folder per command, and the conversion of errors into messages and exit codes.

mod backup;
mod check;
mod clock;
mod common;
mod completions;
mod config;
mod conflicts;
mod connect;
mod connection;
mod console;
mod context;
mod credentials;
mod disconnect;
mod dispatcher;
mod document;
mod edited_rows;
mod exit;
mod export;
mod failure;
mod hidden_input;
mod import;
mod lock_wait;
mod man;
mod nearest;
mod network;
mod output_style;
mod panics;
mod problem_list;
mod profiles;
mod progress;
mod prompt;
mod reading;
#[cfg(feature = "sandbox")]
mod rehearse;
mod remembered;
mod request_log;
mod same_house;
#[cfg(feature = "sandbox")]
mod sandbox;
mod setting_values;
mod settings;
mod shared_list;
mod shell;
mod signals;
mod start;
mod status;
mod template;
mod token_proof;
mod usage;
mod waiting;
mod whoami;
mod wrap;

pub use exit::ExitStatus;
pub use failure::{CliError, CommandError, ErrorKind};
pub use prompt::ConnectionSetting;
pub use start::{command, main};
