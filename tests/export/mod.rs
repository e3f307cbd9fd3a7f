//! `export`: what it requests, writes and refuses.

mod images;
mod keys;
mod protected;
mod refresh;
pub(crate) mod restore;
mod results;
mod stopped;
mod unwritable_outputs;
