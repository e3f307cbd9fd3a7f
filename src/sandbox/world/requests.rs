//! Requests come in, are opened, completed, corrected or withdrawn: the states of a measurement.

use std::cmp::Reverse;

use jiff::{SignedDuration, Timestamp};

use crate::sandbox::chance::identifier;
use crate::sandbox::options::Country;
use crate::sandbox::place;
use crate::sandbox::world::contractor;
use crate::sandbox::world::measurement::{
    Address, Customer, External, Measurement, Pictures, Status, Survey,
};
use crate::sandbox::world::{Event, World};

/// The body of a creation that passed every rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::sandbox) struct Draft {
    pub(in crate::sandbox) line1: String,
    pub(in crate::sandbox) line2: Option<String>,
    pub(in crate::sandbox) city: String,
    pub(in crate::sandbox) region: String,
    pub(in crate::sandbox) postal_code: String,
    /// `None` stands for the team's country.
    pub(in crate::sandbox) country: Option<Country>,
    pub(in crate::sandbox) customer: Customer,
    pub(in crate::sandbox) notes: Option<String>,
    pub(in crate::sandbox) external: Option<External>,
}

/// How a creation ended; a measurement is named by its place in the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::sandbox) enum Created {
    /// A new measurement.
    New(usize),
    /// The app sent this external id before.
    Known(usize),
    /// The app sent this external id before, for another team, whose data this token does not reach.
    OfAnotherTeam,
}

/// Why a contractor cannot do this now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::sandbox) enum NotPossible {
    Unknown,
    AlreadyComplete,
    Withdrawn,
}

impl NotPossible {
    pub(in crate::sandbox) fn describe(self) -> &'static str {
        match self {
            Self::Unknown => "no request has this id",
            Self::AlreadyComplete => "this request is complete and stays complete",
            Self::Withdrawn => "this request was withdrawn",
        }
    }
}

impl World {
    /// The measurement with this id, whatever its team.
    pub(in crate::sandbox) fn measurement(&self, id: &str) -> Option<&Measurement> {
        self.by_id.get(id).map(|index| &self.measurements[*index])
    }

    /// The measurement behind a request's id, whatever its team.
    pub(in crate::sandbox) fn request(&self, request_id: &str) -> Option<&Measurement> {
        let index = self.by_request.get(request_id)?;
        Some(&self.measurements[*index])
    }

    /// What the app made earlier under this external id, as seen by a team. Withdrawal frees no id.
    ///
    /// # Source
    /// S4.5, 200; S8, external.id; S5.8.
    pub(in crate::sandbox) fn known(&self, external_id: &str, team: usize) -> Option<Created> {
        let index = *self.by_external.get(external_id)?;
        Some(if self.measurements[index].team == team {
            Created::Known(index)
        } else {
            Created::OfAnotherTeam
        })
    }

    /// Creates a measurement, or finds the one that has this external id.
    pub(in crate::sandbox) fn create(
        &mut self,
        draft: Draft,
        team: usize,
        now: Timestamp,
    ) -> Created {
        let external_id = draft.external.as_ref().and_then(|link| link.id.as_deref());
        if let Some(known) = external_id.and_then(|id| self.known(id, team)) {
            return known;
        }
        let measurement = self.draw_up(draft, team, now);
        self.happen(Event::Created(Box::new(measurement)));
        Created::New(self.measurements.len() - 1)
    }

    fn draw_up(&self, draft: Draft, team: usize, now: Timestamp) -> Measurement {
        let address = Address {
            line1: draft.line1,
            line2: draft.line2,
            city: draft.city,
            region: draft.region,
            postal_code: draft.postal_code,
            country: draft.country.unwrap_or(self.settings.country),
        };
        let number = self.measurements.len().to_string();
        let external_id = draft.external.as_ref().and_then(|link| link.id.as_deref());
        // Ids repeat with the seed, so that two rehearsals of one sheet can be compared.
        let subject = match external_id {
            Some(id) => ["external", id],
            None => ["number", &number],
        };
        let draw = |prefix| {
            identifier(
                prefix,
                self.settings.seed,
                &[prefix, subject[0], subject[1]],
            )
        };
        Measurement {
            id: draw("msr_"),
            request_id: draw("req_"),
            team,
            status: Status::Pending,
            created_at: now,
            updated_at: now,
            opened_at: None,
            completed_at: None,
            place: place::geocode(&address),
            address,
            customer: draft.customer,
            notes: draft.notes,
            external: draft.external,
            survey: None,
        }
    }

    /// A contractor opens a pending request; opening one again changes nothing.
    pub(in crate::sandbox) fn open(&mut self, id: &str, now: Timestamp) -> Result<(), NotPossible> {
        let measurement = self.measurement(id).ok_or(NotPossible::Unknown)?;
        match measurement.status {
            Status::Pending => {}
            Status::InProgress | Status::Complete => return Ok(()),
            Status::Canceled => return Err(NotPossible::Withdrawn),
        }
        let at = later(measurement, now);
        self.happen(Event::Opened {
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
        survey: Survey,
        now: Timestamp,
    ) -> Result<(), NotPossible> {
        self.open(id, now)?;
        let measurement = self.measurement(id).ok_or(NotPossible::Unknown)?;
        let at = later(measurement, now);
        self.happen(Event::Measured {
            id: id.to_owned(),
            at,
            survey: Box::new(survey),
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
    ) -> Result<(), NotPossible> {
        let measurement = self.measurement(id).ok_or(NotPossible::Unknown)?;
        match measurement.status {
            Status::Pending | Status::InProgress => {}
            Status::Complete => return Err(NotPossible::AlreadyComplete),
            Status::Canceled => return Ok(()),
        }
        let at = later(measurement, now);
        self.happen(Event::Withdrawn {
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
    ) -> Result<(), NotPossible> {
        let measurement = self.measurement(id).ok_or(NotPossible::Unknown)?;
        if measurement.customer == customer {
            return Ok(());
        }
        let at = later(measurement, now);
        self.happen(Event::Corrected {
            id: id.to_owned(),
            at,
            customer,
        });
        Ok(())
    }

    /// Does what the simulated contractor would have done by now, each step at its own time.
    pub(in crate::sandbox) fn advance(&mut self, now: Timestamp) {
        while let Some(Reverse((at, index))) = self.due.peek().copied() {
            if at > now {
                return;
            }
            self.due.pop();
            let measurement = &self.measurements[index];
            let Some((due, step)) = contractor::next_step(measurement, &self.settings) else {
                continue;
            };
            // A person was faster: the change has put the step that is next now into the plan.
            if due != at {
                continue;
            }
            let at = later(measurement, due);
            let event = contractor::perform(step, measurement, &self.settings, at);
            self.happen(event);
        }
    }

    fn plan(&mut self, index: usize) {
        let measurement = &self.measurements[index];
        if let Some((at, _)) = contractor::next_step(measurement, &self.settings) {
            self.due.push(Reverse((at, index)));
        }
    }

    pub(super) fn apply_created(&mut self, measurement: &Measurement) {
        let index = self.measurements.len();
        self.by_id.insert(measurement.id.clone(), index);
        self.by_request
            .insert(measurement.request_id.clone(), index);
        if let Some(id) = measurement.external_id() {
            self.by_external.insert(id.to_owned(), index);
        }
        self.measurements.push(measurement.clone());
        self.plan(index);
    }

    pub(super) fn apply_opened(&mut self, id: &str, at: Timestamp) {
        self.change(id, at, |measurement| {
            measurement.status = Status::InProgress;
            measurement.opened_at = Some(at);
        });
    }

    pub(super) fn apply_measured(&mut self, id: &str, at: Timestamp, survey: &Survey) {
        self.change(id, at, |measurement| {
            measurement.status = Status::Complete;
            measurement.completed_at.get_or_insert(at);
            measurement.place = place::refine(&measurement.address);
            measurement.survey = Some(survey.clone());
        });
    }

    pub(super) fn apply_illustrated(&mut self, id: &str, at: Timestamp) {
        self.change(id, at, |measurement| {
            if let Some(survey) = &mut measurement.survey {
                survey.pictures = Pictures::Ready;
            }
        });
    }

    pub(super) fn apply_withdrawn(&mut self, id: &str, at: Timestamp) {
        self.change(id, at, |measurement| measurement.status = Status::Canceled);
    }

    pub(super) fn apply_corrected(&mut self, id: &str, at: Timestamp, customer: &Customer) {
        self.change(id, at, |measurement| {
            measurement.customer = customer.clone();
        });
    }

    fn change(&mut self, id: &str, at: Timestamp, edit: impl FnOnce(&mut Measurement)) {
        let Some(index) = self.by_id.get(id).copied() else {
            return;
        };
        let measurement = &mut self.measurements[index];
        edit(measurement);
        measurement.updated_at = at;
        self.plan(index);
    }
}

/// Now, or the next microsecond after the last change: `updated_at` changes on any change.
fn later(measurement: &Measurement, now: Timestamp) -> Timestamp {
    let next = measurement
        .updated_at
        .saturating_add(SignedDuration::from_micros(1))
        .expect("a duration without calendar units always adds");
    now.max(next)
}
