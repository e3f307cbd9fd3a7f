//! README's commands, tables and examples, and the samples.

#[cfg(unix)]
mod examples;
#[cfg(target_os = "linux")]
mod office;
mod samples;
#[cfg(unix)]
mod schedules;
pub(crate) mod tables;
