//! The transitions of a measurement: open, complete, correct, withdraw.

use std::cmp::Reverse;

use jiff::{SignedDuration, Timestamp};

use crate::sandbox::geocode;
use crate::sandbox::store::contractor::{Step, next_step, simulated_result};
use crate::sandbox::store::measurement::{
    Customer, ImageState, MeasuredResult, Measurement, Status,
};
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
            Self::Withdrawn => "This request was canceled.",
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
        self.change(id, now, opened);
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
        self.change(id, now, |measurement, at| measured(measurement, at, result));
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
        self.change(id, now, |measurement, _| {
            measurement.status = Status::Canceled;
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
        if measurement.customer != customer {
            self.change(id, now, |measurement, _| measurement.customer = customer);
        }
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
            let Some((due, step)) = next_step(measurement, &self.options) else {
                continue;
            };
            // A person has acted since; that change scheduled the step that is next now.
            if due != at {
                continue;
            }
            let id = measurement.id.clone();
            match step {
                Step::Open => self.change(&id, due, opened),
                Step::Complete => {
                    let result = simulated_result(self.options.seed, &id);
                    self.change(&id, due, |measurement, at| {
                        measured(measurement, at, result);
                    });
                }
                Step::ShowImages => self.change(&id, due, |measurement, _| {
                    if let Some(result) = &mut measurement.result {
                        result.images = ImageState::Ready;
                    }
                }),
            }
        }
    }

    pub(super) fn schedule(&mut self, index: usize) {
        let measurement = &self.measurements[index];
        if let Some((at, _)) = next_step(measurement, &self.options) {
            self.due.push(Reverse((at, index)));
        }
    }

    /// Changes a measurement at its next time, and logs it.
    fn change(&mut self, id: &str, now: Timestamp, edit: impl FnOnce(&mut Measurement, Timestamp)) {
        let Some(index) = self.by_id.get(id).copied() else {
            return;
        };
        let measurement = &mut self.measurements[index];
        let at = next_update(measurement, now);
        edit(measurement, at);
        measurement.updated_at = at;
        let event = Event::Measurement(Box::new(measurement.clone()));
        self.unlogged.push(event);
        self.schedule(index);
    }
}

fn opened(measurement: &mut Measurement, at: Timestamp) {
    measurement.status = Status::InProgress;
    measurement.opened_at = Some(at);
}

fn measured(measurement: &mut Measurement, at: Timestamp, result: MeasuredResult) {
    measurement.status = Status::Complete;
    measurement.completed_at.get_or_insert(at);
    measurement.place = geocode::refine(&measurement.address);
    measurement.result = Some(result);
}

/// Now, or the next microsecond after the last change: `updated_at` changes on any change.
fn next_update(measurement: &Measurement, now: Timestamp) -> Timestamp {
    let next = measurement
        .updated_at
        .saturating_add(SignedDuration::from_micros(1))
        .expect("a duration without calendar units always adds");
    now.max(next)
}
