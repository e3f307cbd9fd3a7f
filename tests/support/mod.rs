//! `Stage`: a temporary folder, the sandbox where a test wants it, and the program itself. `Canned`: a service that
//! misbehaves.

pub(crate) mod canned;
mod stage;

pub(crate) use canned::Canned;
pub(crate) use stage::{Run, Stage};
