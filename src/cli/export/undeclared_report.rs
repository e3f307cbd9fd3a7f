//! The report of `export --new --json` if measurements may have been billed elsewhere.

use serde::Serialize;

use crate::cli::ExitStatus;
use crate::export::{EarlierMeasurement, UndeclaredBilling};

#[derive(Serialize)]
pub(super) struct UndeclaredReport<'a> {
    command: &'static str,
    sealed: Option<u64>,
    undeclared: u64,
    earlier: &'a [EarlierMeasurement],
    exit_code: u8,
}

impl<'a> UndeclaredReport<'a> {
    pub(super) fn new(undeclared: &'a UndeclaredBilling) -> Self {
        Self {
            command: "export",
            sealed: None,
            undeclared: undeclared.measurements,
            earlier: &undeclared.earlier,
            exit_code: ExitStatus::Attention.code(),
        }
    }
}
