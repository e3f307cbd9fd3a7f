//! Runs that are killed, stopped or starved, and journals that cannot be used.

mod injected;
pub(crate) mod interrupted;
mod journal;
#[cfg(unix)]
mod locks;
#[cfg(unix)]
mod machine;
#[cfg(unix)]
mod stopping;
