//! `check`.

use crate::cli::context::Context;
use crate::cli::{Exit, Failure};

/// Not here yet
#[derive(Debug, clap::Args)]
pub(super) struct Args {}

pub(super) fn run(_args: Args, _context: &Context) -> Result<Exit, Failure> {
    Err(Failure::new(Exit::Usage, "this command is not here yet"))
}
