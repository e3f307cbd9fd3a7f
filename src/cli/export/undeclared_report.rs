//! The report of `export --new --json` if measurements may have been billed elsewhere.

use serde::Serialize;

use crate::cli::ExitStatus;
use crate::export::UndeclaredBilling;
use crate::model::json_time;

#[derive(Serialize)]
pub(super) struct UndeclaredReport<'a> {
    command: &'static str,
    sealed: Option<u64>,
    undeclared: u64,
    earlier: Vec<EarlierReport<'a>>,
    exit_code: u8,
}

#[derive(Serialize)]
struct EarlierReport<'a> {
    external_id: &'a str,
    address: &'a str,
    completed_at: String,
    measurement_id: &'a str,
}

impl<'a> UndeclaredReport<'a> {
    pub(super) fn new(undeclared: &'a UndeclaredBilling) -> Self {
        Self {
            command: "export",
            sealed: None,
            undeclared: undeclared.measurements,
            earlier: undeclared
                .earlier
                .iter()
                .map(|earlier| EarlierReport {
                    external_id: &earlier.external_id,
                    address: &earlier.address,
                    completed_at: json_time(earlier.completed_at),
                    measurement_id: &earlier.measurement_id,
                })
                .collect(),
            exit_code: ExitStatus::Attention.code(),
        }
    }
}
