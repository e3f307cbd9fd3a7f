//! Adjustments: billed measurements whose figures have changed since.

use crate::export::columns::{CORNERS, DOWNSPOUT_LENGTH, DOWNSPOUTS, GUTTER_LENGTH, GUTTER_SIZE};
use crate::export::{BilledFigures, ResultRecord};
use crate::model::Status;

/// A billed measurement whose figures changed.
#[derive(Clone, Debug, PartialEq)]
pub struct Adjustment {
    /// `external.id`.
    pub external_id: String,
    /// The homeowner.
    pub customer: String,
    /// The address in one line.
    pub address: String,
    /// `msr_…`
    pub measurement_id: String,
    /// The sealed export that billed it.
    pub billed_in: u64,
    /// Why the figures changed.
    pub reason: AdjustmentReason,
    /// The figures as billed, or as last adjusted.
    pub old: BilledFigures,
    /// The current figures.
    pub new: BilledFigures,
}

/// Why a billed measurement is adjusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AdjustmentReason {
    /// The contractor changed the result.
    Changed,
    /// It was withdrawn after it was billed.
    Canceled,
}

impl AdjustmentReason {
    /// Returns the text of the sheet `Adjustments`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Changed => "result changed",
            Self::Canceled => "canceled",
        }
    }
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
            (Some((result, _)), _) => (AdjustmentReason::Changed, BilledFigures::from(result)),
            (None, Status::Canceled) => (AdjustmentReason::Canceled, BilledFigures::default()),
            // A restored journal knows it was billed, and has not asked again yet.
            (None, _) => return None,
        };
        (new != billed.figures).then(|| Self {
            external_id: record.external_id.clone(),
            customer: record.customer().to_owned(),
            address: record.full_address(),
            measurement_id: record.measurement.id.clone(),
            billed_in: billed.number,
            reason,
            old: billed.figures,
            new,
        })
    }

    /// Returns the figures that changed, in the order of the sheet.
    pub fn changes(&self) -> impl Iterator<Item = FigureChange> {
        let figures = |of: BilledFigures| {
            [
                (GUTTER_LENGTH.header, Some(of.gutter_length.value())),
                (GUTTER_SIZE.header, of.gutter_size_in),
                (CORNERS.header, Some(f64::from(of.corners))),
                (DOWNSPOUTS.header, Some(f64::from(of.downspouts))),
                (DOWNSPOUT_LENGTH.header, Some(of.downspout_length.value())),
            ]
        };
        let differences = [
            (self.new.gutter_length - self.old.gutter_length).value(),
            self.new.gutter_size_in.unwrap_or(0.0) - self.old.gutter_size_in.unwrap_or(0.0),
            f64::from(self.new.corners) - f64::from(self.old.corners),
            f64::from(self.new.downspouts) - f64::from(self.old.downspouts),
            (self.new.downspout_length - self.old.downspout_length).value(),
        ];
        figures(self.old)
            .into_iter()
            .zip(figures(self.new))
            .zip(differences)
            .filter(|((old, new), _)| old != new)
            .map(|(((figure, old), (_, new)), difference)| FigureChange {
                figure,
                old,
                new,
                difference,
            })
    }
}
