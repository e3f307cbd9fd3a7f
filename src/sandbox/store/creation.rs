//! Requests come in: each becomes one measurement, however often it is sent.

use jiff::Timestamp;

use crate::sandbox::geocode;
use crate::sandbox::options::Country;
use crate::sandbox::random::seeded_id;
use crate::sandbox::store::measurement::{Address, Customer, ExternalLink, Measurement, Status};
use crate::sandbox::store::{Event, Store};

/// The body of a creation that passed every rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::sandbox) struct NewRequest {
    pub(in crate::sandbox) line1: String,
    pub(in crate::sandbox) line2: Option<String>,
    pub(in crate::sandbox) city: String,
    pub(in crate::sandbox) region: String,
    pub(in crate::sandbox) postal_code: String,
    /// `None` stands for the team's country.
    pub(in crate::sandbox) country: Option<Country>,
    pub(in crate::sandbox) customer: Customer,
    pub(in crate::sandbox) notes: Option<String>,
    pub(in crate::sandbox) external: Option<ExternalLink>,
}

/// How a creation ended; a measurement is named by its place in the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::sandbox) enum CreateOutcome {
    /// A new measurement.
    New(usize),
    /// The app sent this external id before.
    Existing(usize),
    /// The app sent this external id before, for another team, whose data this token does not reach.
    OfAnotherTeam,
}

impl Store {
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
    pub(in crate::sandbox) fn known(
        &self,
        external_id: &str,
        team: usize,
    ) -> Option<CreateOutcome> {
        let index = *self.by_external.get(external_id)?;
        Some(if self.measurements[index].team == team {
            CreateOutcome::Existing(index)
        } else {
            CreateOutcome::OfAnotherTeam
        })
    }

    /// Creates a measurement, or finds the one that has this external id.
    pub(in crate::sandbox) fn create(
        &mut self,
        draft: NewRequest,
        team: usize,
        now: Timestamp,
    ) -> CreateOutcome {
        let external_id = draft.external.as_ref().and_then(|link| link.id.as_deref());
        if let Some(known) = external_id.and_then(|id| self.known(id, team)) {
            return known;
        }
        let measurement = self.new_measurement(draft, team, now);
        self.record(Event::Created(Box::new(measurement)));
        CreateOutcome::New(self.measurements.len() - 1)
    }

    fn new_measurement(&self, draft: NewRequest, team: usize, now: Timestamp) -> Measurement {
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
            seeded_id(
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
            place: geocode::geocode(&address),
            address,
            customer: draft.customer,
            notes: draft.notes,
            external: draft.external,
            result: None,
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
}
