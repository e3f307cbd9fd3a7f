//! Adjustments: billed measurements whose figures have changed since.

use crate::export::columns::BILLED_COLUMNS;
use crate::export::{BilledFigures, Feet, ResultRecord};
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
    /// New minus old; a missing value counts as 0.
    pub difference: f64,
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
            (None, Status::Canceled) => ("canceled", BilledFigures::of_nothing()),
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

impl BilledFigures {
    /// Returns the figures that are different in `new`. One that is missing on either side is not compared.
    pub(super) fn changes(&self, new: &Self) -> impl Iterator<Item = FigureChange> {
        BILLED_COLUMNS.iter().filter_map(|column| {
            let (old, new) = (*self.get(column)?, *new.get(column)?);
            let [before, after] = [old, new].map(|figure| Feet::new(figure.unwrap_or(0.0)));
            (before != after || old.is_some() != new.is_some()).then(|| FigureChange {
                figure: column.header,
                old,
                new,
                difference: (after - before).value(),
            })
        })
    }
}
