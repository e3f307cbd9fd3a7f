//! The journal's map from row to measurement, in a sheet that no menu shows: a lost journal is restored from it.
//!
//! The service has no list, so the journal is the only map. Each row is a kind and a JSON object. Paths are left out:
//! a workbook travels further than the folders of the machine that wrote it.

use serde::{Deserialize, Serialize};

use crate::export::workbook::cell::Cell;
use crate::export::workbook::sheet::{Column, column};
use crate::export::workbook::style::Kind;
use crate::export::{Figures, ResultLine};
use crate::model::Request;

pub(super) const NAME: &str = "Journal";

pub(super) const COLUMNS: [Column; 3] = [
    column("Kind", Kind::Text, 14),
    column("Id", Kind::Text, 24),
    column("Content", Kind::Text, 80),
];

/// One measurement of the map.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// `msr_…`
    pub measurement_id: String,
    /// `req_…`
    pub request_id: String,
    /// Opens the request in the service.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request_url: Option<String>,
    /// RFC 3339.
    pub created_at: jiff::Timestamp,
    /// The file's name, without its folder.
    pub file: String,
    /// The sheet; none for text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sheet: Option<String>,
    /// The row's number.
    pub row: u32,
    /// `created` or `existing`.
    pub outcome: String,
    /// The request as last submitted.
    pub request: Request,
    /// The sealed export that billed it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sealed: Option<u64>,
    /// What accounting knows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub figures: Option<Figures>,
}

impl Entry {
    pub(super) fn of(line: &ResultLine) -> Self {
        Self {
            measurement_id: line.measurement.id.clone(),
            request_id: line.measurement.request.id.clone(),
            request_url: line.measurement.request.url.clone(),
            created_at: line.measurement.created_at,
            file: line.source.file_name(),
            sheet: line.source.sheet.clone(),
            row: line.row.0,
            outcome: line.outcome.name().to_owned(),
            request: line.request.clone(),
            sealed: line.sealed(),
            figures: line.billed.as_ref().map(|billed| billed.figures),
        }
    }
}

/// The row of a line.
pub(super) fn row(line: &ResultLine) -> [Cell<'_>; 3] {
    let content = serde_json::to_string(&Entry::of(line)).expect("an entry has string keys alone");
    [
        Cell::text("measurement"),
        Cell::text(&line.external_id),
        Cell::text(content),
    ]
}
