//! `Stage`: a temporary folder, the sandbox where a test wants it, and the program itself.

mod stage;

pub(crate) use stage::{Run, Stage};
