//! What an export is to do, decided before anything is asked or written.

use crate::cli::context::Context;
use crate::cli::export::customer_sheet::CustomerSheetInput;
use crate::cli::export::flags::{Args, ExportDestination};
use crate::export::ExportOptions;

/// What an export is to do.
#[derive(Debug)]
pub(super) struct ExportJob<'a> {
    pub(super) args: &'a Args,
    pub(super) context: &'a Context,
    pub(super) order: ExportOptions,
    pub(super) destination: ExportDestination,
    /// The user's own sheet.
    pub(super) own: Option<CustomerSheetInput>,
}
