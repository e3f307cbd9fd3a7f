//! The journal's map from row to measurement, in a sheet that no menu shows: a lost journal is restored from it.
//!
//! The service has no list, so the journal is the only map. Each row is a kind and a JSON object. Paths are left out:
//! a workbook travels further than the folders of the machine that wrote it.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::export::workbook::Content;
use crate::export::workbook::cell::Cell;
use crate::export::workbook::plan::{Column, column};
use crate::export::workbook::style::Kind;
use crate::export::{About, Adjustment, Figures, ResultLine, Results};
use crate::journal::{Binding, RestoredSeal, SealedExport};
use crate::model::Request;

pub(in crate::export) const NAME: &str = "Journal";

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
    pub created_at: Timestamp,
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

/// Whose journal it was, and which workbook this is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Head {
    /// The service's address.
    pub base_url: String,
    /// The app's client id.
    pub client_id: String,
    /// The app's name.
    pub app: String,
    /// The team's id.
    pub team_id: String,
    /// The team's name.
    pub team: String,
    /// As the service wrote it.
    pub connected_at: String,
    /// When the newest answer came.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub as_of: Option<Timestamp>,
    /// The number, where the workbook is a sealed export.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sealed: Option<u64>,
    /// The period that was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub period: Option<String>,
    /// How many measurements the map holds, so that a row which is gone is missed.
    #[serde(default)]
    pub measurements: u64,
    /// How many measurements the workbook adjusts.
    #[serde(default)]
    pub adjustments: u64,
}

/// A sealed export that there was before.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SealFacts {
    /// The number.
    pub number: u64,
    sealed_at: Timestamp,
    period: Option<String>,
    file: String,
    format: String,
    measurements: u64,
    adjustments: u64,
    totals: String,
    sha256: String,
}

/// One row of the map.
#[derive(Debug)]
pub enum MapRow {
    /// The headers.
    Header,
    /// The first row below them.
    Head(Head),
    /// A sealed export.
    Sealed(SealFacts),
    /// A measurement.
    Measurement(Box<Entry>),
}

impl MapRow {
    /// Reads a row back; none for one that is not ours or was cut off.
    pub fn read(kind: &str, content: &str) -> Option<Self> {
        match kind {
            "Kind" => Some(Self::Header),
            "journal" => serde_json::from_str(content).ok().map(Self::Head),
            "sealed" => serde_json::from_str(content).ok().map(Self::Sealed),
            "measurement" => serde_json::from_str(content).ok().map(Self::Measurement),
            _ => None,
        }
    }
}

impl Head {
    fn of(results: &Results<'_>, content: Content<'_>) -> Option<Self> {
        let about = &results.about;
        let owner = about.owner.clone()?;
        Some(Self {
            base_url: owner.base_url,
            client_id: owner.client_id,
            app: owner.app_name,
            team_id: owner.team_id,
            team: owner.team_name,
            connected_at: owner.connected_at,
            as_of: about.as_of,
            sealed: about.sealed,
            period: results
                .selection
                .period
                .as_ref()
                .map(|period| period.name().to_owned()),
            measurements: content.survey.lines,
            adjustments: content.adjustments.len() as u64,
        })
    }

    /// As the journal is bound.
    pub fn binding(&self) -> Binding {
        Binding {
            base_url: self.base_url.clone(),
            client_id: self.client_id.clone(),
            app_name: self.app.clone(),
            team_id: self.team_id.clone(),
            team_name: self.team.clone(),
            connected_at: self.connected_at.clone(),
        }
    }
}

impl SealFacts {
    fn of(export: &SealedExport) -> Self {
        let file = export.path.file_name().unwrap_or_default();
        Self {
            number: export.number,
            sealed_at: export.sealed_at,
            period: export.period.clone(),
            file: file.to_string_lossy().into_owned(),
            format: export.format.clone(),
            measurements: export.measurements,
            adjustments: export.adjustments,
            totals: export.totals.clone(),
            sha256: export.sha256.clone(),
        }
    }

    /// As the journal takes it back, without its file.
    pub fn restored(&self) -> RestoredSeal {
        RestoredSeal {
            number: self.number,
            sealed_at: self.sealed_at,
            period: self.period.clone(),
            file_name: self.file.clone(),
            format: self.format.clone(),
            measurements: self.measurements,
            adjustments: self.adjustments,
            totals: self.totals.clone(),
            sha256: self.sha256.clone(),
            file: None,
        }
    }
}

/// The rows above the measurements.
pub(super) fn head_rows(results: &Results<'_>, content: Content<'_>) -> Vec<[Cell<'static>; 3]> {
    let head = Head::of(results, content).map(|head| ("journal", String::new(), json(&head)));
    let seals = results.about.sealed_before.iter().map(|export| {
        let facts = SealFacts::of(export);
        ("sealed", export.number.to_string(), json(&facts))
    });
    head.into_iter()
        .chain(seals)
        .map(|(kind, id, content)| [Cell::text(kind), Cell::text(id), Cell::text(content)])
        .collect()
}

fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("the map has string keys alone")
}

impl Entry {
    /// What accounting knows once it has the workbook: as billed, unless the workbook itself adjusts it.
    pub(super) fn of(line: &ResultLine, about: &About) -> Self {
        let adjusted = about.sealed.and_then(|_| Adjustment::of(line));
        let billed = line.billed.as_ref().map(|billed| billed.figures);
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
            figures: adjusted.map(|adjustment| adjustment.new).or(billed),
        }
    }
}

/// The row of a line.
pub(super) fn row<'a>(line: &'a ResultLine, about: &About) -> [Cell<'a>; 3] {
    let content = json(&Entry::of(line, about));
    [
        Cell::text("measurement"),
        Cell::text(&line.external_id),
        Cell::text(content),
    ]
}
