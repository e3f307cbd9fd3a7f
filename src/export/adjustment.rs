//! Adjustments: billed measurements whose figures have changed since.

use crate::export::columns::BILLED_COLUMNS;
use crate::export::result_column::{ColumnKind, ResultColumn};
use crate::export::{BilledFigures, Error, Feet, FigureTotals, ResultRecord};
use crate::journal::{JournalSnapshot, SealedExport};
use crate::model::Status;

/// A billed measurement whose figures changed.
#[derive(Clone, Debug, PartialEq)]
pub struct Adjustment {
    /// The external id.
    pub external_id: String,
    /// The homeowner.
    pub customer: String,
    /// The address in one line.
    pub address: String,
    /// The measurement id, `msr_…`.
    pub measurement_id: String,
    /// The sealed export that billed it.
    pub billed_in: u64,
    /// Why the figures changed, for the sheet `Adjustments`: the result changed, or the measurement was withdrawn.
    pub reason: &'static str,
    /// The figures as billed, or as last adjusted.
    pub old: BilledFigures,
    /// The current figures.
    pub new: BilledFigures,
}

/// One figure that changed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FigureChange {
    /// The figure's header in `Measurements`.
    pub figure: &'static str,
    /// The value as billed, or as last adjusted.
    pub old: Option<f64>,
    /// The current value.
    pub new: Option<f64>,
    /// New minus old; a missing value counts as 0. `None` for a size that is missing: it is unknown.
    pub difference: Option<f64>,
}

impl Adjustment {
    /// Returns the adjustment of a measurement, if its figures have changed. A measurement that the service no longer
    /// finds, or returns with another house's address, is not adjusted, since either may be temporary.
    pub fn new(record: &ResultRecord) -> Option<Self> {
        let billed = record.billed.as_ref()?;
        if !record.is_usable() {
            return None;
        }
        let (reason, new) = match (record.valid_result(), record.measurement.status) {
            (Some((result, _)), _) => ("result changed", BilledFigures::from(result)),
            (None, Status::Canceled) => ("canceled", BilledFigures::zero()),
            // A restored measurement was billed, and has not been requested again yet.
            (None, _) => return None,
        };
        let adjustment = Self {
            external_id: record.external_id.clone(),
            customer: record.customer().to_owned(),
            address: record.full_address(),
            measurement_id: record.measurement.id.clone(),
            billed_in: billed.number,
            reason,
            old: billed.figures.clone(),
            new,
        };
        let is_changed = adjustment.changes().next().is_some();
        is_changed.then_some(adjustment)
    }

    /// Returns the figures that changed, in the order of the sheet.
    pub fn changes(&self) -> impl Iterator<Item = FigureChange> {
        self.old.changes(&self.new)
    }
}

impl FigureTotals {
    /// Returns the net of the adjustments of an export, new minus old; `None` if there are none.
    pub(super) fn from_adjustments(adjustments: &[Adjustment]) -> Option<Self> {
        let changes = adjustments.iter().flat_map(Adjustment::changes);
        (!adjustments.is_empty()).then(|| Self::from_changes(&changes.collect::<Vec<_>>()))
    }

    /// Returns the totals of what a sealed export billed; `None` if they are not known.
    pub fn billed_by(export: &SealedExport) -> Option<Self> {
        serde_json::from_str(&export.totals).unwrap_or_default()
    }

    /// Returns the net of a sealed export; `None` if it adjusts nothing, or was restored without the adjusted figures.
    ///
    /// # Errors
    /// [`Error::Journal`].
    pub fn from_sealed(
        snapshot: &JournalSnapshot,
        export: &SealedExport,
    ) -> Result<Option<Self>, Error> {
        let figures = snapshot.adjusted_figures(export.number)?;
        if figures.is_empty() || figures.len() as u64 != export.adjustments {
            return Ok(None);
        }
        let mut changes = Vec::new();
        for (old, new) in &figures {
            let (Ok(old), Ok(new)) = (BilledFigures::parse(old), BilledFigures::parse(new)) else {
                return Ok(None);
            };
            if [&old, &new].contains(&&BilledFigures::default()) {
                return Ok(None);
            }
            changes.extend(old.changes(&new));
        }
        Ok(Some(Self::from_changes(&changes)))
    }

    fn from_changes(changes: &[FigureChange]) -> Self {
        Self::new(|column| net(changes, column).unwrap_or_default())
    }
}

/// Returns the changed figures that can be summed, each with its header and its net.
pub(super) fn net_by_figure(adjustments: &[Adjustment]) -> Vec<(&'static str, f64)> {
    let changes: Vec<_> = adjustments.iter().flat_map(Adjustment::changes).collect();
    let columns = BILLED_COLUMNS.iter();
    columns
        .filter(|column| column.kind != ColumnKind::Inches)
        .filter_map(|column| Some((column.header, net(&changes, column)?.value())))
        .collect()
}

/// Sums the changes of a figure; `None` if it has none.
fn net(changes: &[FigureChange], column: &ResultColumn) -> Option<Feet> {
    let changes = changes
        .iter()
        .filter(|change| change.figure == column.header);
    changes
        .filter_map(|change| change.difference.map(Feet::from))
        .reduce(|sum, one| sum + one)
}

impl BilledFigures {
    /// Returns the figures that are different in `new`. One that is missing on either side is not compared.
    pub(super) fn changes(&self, new: &Self) -> impl Iterator<Item = FigureChange> {
        BILLED_COLUMNS.iter().filter_map(|column| {
            let (old, new) = (*self.get(column)?, *new.get(column)?);
            let [before, after] = [old, new].map(|figure| Feet::from(figure.unwrap_or(0.0)));
            (!before.is_shown_as(after) || old.is_some() != new.is_some()).then(|| FigureChange {
                figure: column.header,
                old,
                new,
                difference: (column.kind != ColumnKind::Inches || old.is_some() && new.is_some())
                    .then(|| (after - before).value()),
            })
        })
    }
}
