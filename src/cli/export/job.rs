//! What an export is to do, decided before anything is asked or written.

use crate::cli::context::Context;
use crate::cli::export::flags::{Args, Destination};
use crate::cli::export::own::Own;
use crate::export::Order;

/// What an export is to do.
#[derive(Debug)]
pub(super) struct Job<'a> {
    pub(super) args: &'a Args,
    pub(super) context: &'a Context,
    pub(super) order: Order,
    pub(super) destination: Destination,
    /// The user's own sheet.
    pub(super) own: Option<Own>,
}
