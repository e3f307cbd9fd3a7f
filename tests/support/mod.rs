//! `Stage`: a temporary folder, the sandbox where a test wants it, and the program itself. `Canned`: a service that
//! misbehaves. `Scripted`: one whose measurements a test rewrites. `parts`: workbooks written part by part.

pub(crate) mod canned;
pub(crate) mod parts;
mod scripted;
mod stage;

pub(crate) use canned::Canned;
pub(crate) use scripted::Scripted;
pub(crate) use stage::{Run, Stage};
