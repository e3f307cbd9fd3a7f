//! Creates measurements, one for each external id.

use jiff::Timestamp;

use crate::sandbox::geocode;
use crate::sandbox::random::seeded_id;
use crate::sandbox::store::measurement::{Address, Customer, ExternalLink, Measurement, Status};
use crate::sandbox::store::{Event, Store};

/// The valid body of a creation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::sandbox) struct NewRequest {
    pub(in crate::sandbox) address: Address,
    pub(in crate::sandbox) customer: Customer,
    pub(in crate::sandbox) notes: Option<String>,
    pub(in crate::sandbox) external: Option<ExternalLink>,
}

impl NewRequest {
    fn external_id(&self) -> Option<&str> {
        self.external.as_ref()?.id.as_deref()
    }
}

/// The outcome of a creation; measurements are identified by their index.
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

    /// The measurement with this external id, as seen by a team. A withdrawn one keeps its id.
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
        request: NewRequest,
        team: usize,
        now: Timestamp,
    ) -> CreateOutcome {
        let external_id = request.external_id();
        if let Some(known) = external_id.and_then(|id| self.known(id, team)) {
            return known;
        }
        let measurement = self.new_measurement(request, team, now);
        self.put(measurement.clone());
        self.unlogged
            .push(Event::Measurement(Box::new(measurement)));
        CreateOutcome::New(self.measurements.len() - 1)
    }

    fn new_measurement(&self, request: NewRequest, team: usize, now: Timestamp) -> Measurement {
        let number = self.measurements.len().to_string();
        // Ids depend on the seed, so that two rehearsals of one sheet can be compared.
        let subject = match request.external_id() {
            Some(id) => ["external", id],
            None => ["number", &number],
        };
        let id = |prefix| seeded_id(prefix, self.options.seed, &[prefix, subject[0], subject[1]]);
        Measurement {
            id: id("msr_"),
            request_id: id("req_"),
            team,
            status: Status::Pending,
            created_at: now,
            updated_at: now,
            opened_at: None,
            completed_at: None,
            place: geocode::geocode(&request.address),
            address: request.address,
            customer: request.customer,
            notes: request.notes,
            external: request.external,
            result: None,
        }
    }
}
