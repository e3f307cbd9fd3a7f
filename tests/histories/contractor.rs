//! What the contractor does with the measurements of the service.

use jiff::Timestamp;

use super::service::{MeasurementStatus, Service};

/// What the contractor does with a measurement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ContractorAction {
    Open,
    Complete,
    CompleteWithoutImages,
    ChangeResult,
    Withdraw,
}

impl Service {
    /// Where the measurements are, in an order that does not depend on which of several requests came first.
    pub(super) fn by_house_and_id(&self) -> Vec<usize> {
        let mut indices: Vec<usize> = (0..self.measurements.len()).collect();
        indices.sort_by_key(|index| {
            let measurement = &self.measurements[*index];
            (&measurement.house, &measurement.external_id)
        });
        indices
    }

    /// Lets the contractor act on one of the measurements; says on which house, if it was possible.
    pub(super) fn act(
        &mut self,
        which: usize,
        action: ContractorAction,
        now: Timestamp,
    ) -> Option<String> {
        let houses = self.by_house_and_id();
        let index = *houses.get(which % houses.len().max(1))?;
        let measurement = &mut self.measurements[index];
        let status = measurement.status;
        match action {
            ContractorAction::Open if status == MeasurementStatus::Pending => {
                measurement.status = MeasurementStatus::InProgress;
            }
            ContractorAction::Complete | ContractorAction::CompleteWithoutImages
                if !measurement.is_complete() && !measurement.is_canceled() =>
            {
                measurement.status = MeasurementStatus::Complete;
                measurement.completed_at = Some(now);
                measurement.has_images = action == ContractorAction::Complete;
            }
            ContractorAction::ChangeResult if measurement.is_complete() => measurement.version += 1,
            ContractorAction::Withdraw if !measurement.is_canceled() => {
                measurement.status = MeasurementStatus::Canceled;
            }
            _ => return None,
        }
        measurement.updated_at = now;
        Some(measurement.house.clone())
    }
}
