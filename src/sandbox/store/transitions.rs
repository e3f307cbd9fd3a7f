//! The transitions of a measurement: open, complete, correct, withdraw.

use std::cmp::Reverse;

use jiff::{SignedDuration, Timestamp};

use crate::sandbox::store::contractor;
use crate::sandbox::store::measurement::{Customer, MeasuredResult, Measurement, Status};
use crate::sandbox::store::{Event, Store};

/// Why a transition is not possible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::sandbox) enum TransitionError {
    Unknown,
    AlreadyComplete,
    Withdrawn,
}

impl TransitionError {
    pub(in crate::sandbox) fn sentence(self) -> &'static str {
        match self {
            Self::Unknown => "No request has this id.",
            Self::AlreadyComplete => "This request is complete and cannot be withdrawn.",
            Self::Withdrawn => "This request was withdrawn.",
        }
    }
}

impl Store {
    /// A contractor opens a pending request; opening one again changes nothing.
    pub(in crate::sandbox) fn open(
        &mut self,
        id: &str,
        now: Timestamp,
    ) -> Result<(), TransitionError> {
        let measurement = self.measurement(id).ok_or(TransitionError::Unknown)?;
        match measurement.status {
            Status::Pending => {}
            Status::InProgress | Status::Complete => return Ok(()),
            Status::Canceled => return Err(TransitionError::Withdrawn),
        }
        let at = next_update(measurement, now);
        self.record(Event::Opened {
            id: id.to_owned(),
            at,
        });
        Ok(())
    }

    /// A contractor completes a request, or corrects the numbers of a complete one.
    ///
    /// # Source
    /// S3; S2.4, `gutter_length_ft` (the contractor's override).
    pub(in crate::sandbox) fn measure(
        &mut self,
        id: &str,
        result: MeasuredResult,
        now: Timestamp,
    ) -> Result<(), TransitionError> {
        self.open(id, now)?;
        let measurement = self.measurement(id).ok_or(TransitionError::Unknown)?;
        let at = next_update(measurement, now);
        self.record(Event::Measured {
            id: id.to_owned(),
            at,
            result: Box::new(result),
        });
        Ok(())
    }

    /// A contractor withdraws a request. One that is complete stays complete; withdrawing twice changes nothing.
    ///
    /// # Source
    /// S3.
    pub(in crate::sandbox) fn withdraw(
        &mut self,
        id: &str,
        now: Timestamp,
    ) -> Result<(), TransitionError> {
        let measurement = self.measurement(id).ok_or(TransitionError::Unknown)?;
        match measurement.status {
            Status::Pending | Status::InProgress => {}
            Status::Complete => return Err(TransitionError::AlreadyComplete),
            Status::Canceled => return Ok(()),
        }
        let at = next_update(measurement, now);
        self.record(Event::Withdrawn {
            id: id.to_owned(),
            at,
        });
        Ok(())
    }

    /// A contractor corrects the customer's name, email or phone.
    ///
    /// # Source
    /// S2.4, measurement.request.customer.
    pub(in crate::sandbox) fn correct(
        &mut self,
        id: &str,
        customer: Customer,
        now: Timestamp,
    ) -> Result<(), TransitionError> {
        let measurement = self.measurement(id).ok_or(TransitionError::Unknown)?;
        if measurement.customer == customer {
            return Ok(());
        }
        let at = next_update(measurement, now);
        self.record(Event::Corrected {
            id: id.to_owned(),
            at,
            customer,
        });
        Ok(())
    }

    /// Applies the steps of the simulated contractor that are due, each with its own time.
    pub(in crate::sandbox) fn advance(&mut self, now: Timestamp) {
        while let Some(Reverse((at, index))) = self.due.peek().copied() {
            if at > now {
                return;
            }
            self.due.pop();
            let measurement = &self.measurements[index];
            let Some((due, step)) = contractor::next_step(measurement, &self.options) else {
                continue;
            };
            // A person has acted since; that change scheduled the step that is next now.
            if due != at {
                continue;
            }
            let at = next_update(measurement, due);
            let event = contractor::perform(step, measurement, &self.options, at);
            self.record(event);
        }
    }

    pub(super) fn schedule(&mut self, index: usize) {
        let measurement = &self.measurements[index];
        if let Some((at, _)) = contractor::next_step(measurement, &self.options) {
            self.due.push(Reverse((at, index)));
        }
    }

    pub(super) fn change(&mut self, id: &str, at: Timestamp, edit: impl FnOnce(&mut Measurement)) {
        let Some(index) = self.by_id.get(id).copied() else {
            return;
        };
        let measurement = &mut self.measurements[index];
        edit(measurement);
        measurement.updated_at = at;
        self.schedule(index);
    }
}

/// Now, or the next microsecond after the last change: `updated_at` changes on any change.
fn next_update(measurement: &Measurement, now: Timestamp) -> Timestamp {
    let next = measurement
        .updated_at
        .saturating_add(SignedDuration::from_micros(1))
        .expect("a duration without calendar units always adds");
    now.max(next)
}
