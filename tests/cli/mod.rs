//! The command line: flags, settings, questions, documents and hints.

mod documents;
#[cfg(unix)]
mod hints;
mod manual;
#[cfg(unix)]
mod progress;
#[cfg(target_os = "linux")]
mod questions;
mod quiet;
mod rehearse;
mod request_log;
mod schemas;
mod setting_values;
pub(crate) mod settings;
mod template;
mod usage;
mod usage_hints;
