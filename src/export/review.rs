//! Reasons for a person to review a measurement: placed elsewhere, same location as another, inconsistent totals.

use std::collections::{HashMap, HashSet};

use crate::export::result_record::total_mismatch;
use crate::export::{ExportContext, ResultRecord};
use crate::model::{
    Field, HouseHash, PlacedAddress, Status, StreetAddress, first_of, misplaced_fields, named_enum,
};

named_enum! {
    /// Why a person should review a measurement.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
    pub enum ReviewReason {
        /// The newest response has another house's address.
        AddressDiffers = "Address differs",
        /// The service placed the address in another city, region or postal code than the row's.
        PlacedElsewhere = "Placed elsewhere",
        /// The measurement of another external id has the same location, and they are not units of one building.
        SameLocation = "Same location",
        /// The totals differ from the sums of the downspouts.
        TotalMismatch = "Totals that do not match",
    }
}

/// A reason with an explanation for people.
pub type ReviewNote = (ReviewReason, String);

/// Returns every reason to review a measurement.
pub fn review_notes(
    record: &ResultRecord,
    context: &ExportContext,
    shared: &SharedLocations,
) -> Vec<ReviewNote> {
    if let Some(answered) = record.other_house() {
        let note = differing_note(record, answered);
        return vec![(ReviewReason::AddressDiffers, note)];
    }
    let mut notes = Vec::new();
    let fields = misplaced_fields(&record.request.address, &record.measurement.address);
    if !fields.is_empty() {
        let note = placed_elsewhere_note(record, context, &fields);
        notes.push((ReviewReason::PlacedElsewhere, note));
    }
    if let Some(ids) = shared.ids_at(record) {
        notes.push((ReviewReason::SameLocation, same_location_note(record, ids)));
    }
    let result = record.valid_result().map(|(result, _)| result);
    if let Some(mismatch) = result.and_then(total_mismatch) {
        let note = format!("Totals do not match: {mismatch}.");
        notes.push((ReviewReason::TotalMismatch, note));
    }
    notes
}

fn differing_note(record: &ResultRecord, answered: &PlacedAddress) -> String {
    format!(
        "Address differs: requested for {}; the service's last response has {}. Its numbers are left out and not billed until the two agree.",
        record.full_address(),
        answered.line_of_other_house()
    )
}

fn placed_elsewhere_note(
    record: &ResultRecord,
    context: &ExportContext,
    fields: &[Field],
) -> String {
    let names = fields.iter().map(|field| context.name_of(record, *field));
    let names: Vec<String> = names.collect();
    let row = &record.request.address;
    format!(
        "Placed elsewhere ({}): the row says {}, {}, {} {}; the service found {}.",
        names.join(", "),
        row.line1,
        row.city,
        row.region,
        row.postal_code,
        record.measurement.address.geocoded_line()
    )
}

/// Maximum number of other external ids in a note.
const MAX_NAMED: usize = 5;

fn same_location_note(record: &ResultRecord, ids: &[Box<str>]) -> String {
    let others = ids.iter().filter(|id| ***id != *record.external_id);
    format!(
        "Same location: at the same point as {}.",
        first_of(others, MAX_NAMED, ", ")
    )
}

/// The locations that several measurements have.
#[derive(Clone, Debug, Default)]
pub struct SharedLocations(HashMap<Location, Vec<Box<str>>>);

/// A point as [`PlacedAddress::point`] returns it.
type Location = (i32, i32);

/// Collects the locations of measurements.
#[derive(Debug, Default)]
pub(super) struct LocationCounter(Vec<LocatedHouse>);

/// A measured house at its location.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct LocatedHouse {
    location: Location,
    external_id: Box<str>,
    /// The digest of its building.
    building: u64,
    /// Its unit in the building.
    unit: Option<Box<str>>,
    house_hash: HouseHash,
}

impl LocationCounter {
    pub(super) fn add(&mut self, record: &ResultRecord) {
        if let Some(location) = location(record) {
            let address = StreetAddress::new(&record.request.address);
            self.0.push(LocatedHouse {
                location,
                external_id: record.external_id.as_str().into(),
                building: address.building_digest(),
                unit: address.units().map(Box::from),
                house_hash: address.house_hash(),
            });
        }
    }

    /// Returns the locations that several measurements have, apart from those that only the units of one building have,
    /// or one house that was requested again because the user decided so: all ids but one are in `sent_again`.
    pub(super) fn finish(mut self, sent_again: &HashSet<Box<str>>) -> SharedLocations {
        self.0.sort();
        let groups = self
            .0
            .chunk_by(|one, other| one.location == other.location)
            .filter(|group| group.len() > 1);
        let are_units = |group: &[LocatedHouse]| {
            let units: HashSet<_> = group.iter().filter_map(|one| one.unit.as_ref()).collect();
            units.len() == group.len() && group.iter().all(|one| one.building == group[0].building)
        };
        let are_known = |group: &[LocatedHouse]| {
            let sent = group
                .iter()
                .filter(|one| sent_again.contains(&one.external_id));
            sent.count() + 1 >= group.len()
                && group
                    .iter()
                    .all(|one| one.house_hash == group[0].house_hash)
        };
        let shared = groups.filter(|group| !are_units(group) && !are_known(group));
        let shared = shared.map(|group| {
            let ids = group.iter().map(|one| one.external_id.clone()).collect();
            (group[0].location, ids)
        });
        SharedLocations(shared.collect())
    }
}

impl SharedLocations {
    /// Returns the external ids at the location of a measurement, its own included; `None` if there are no others.
    fn ids_at(&self, record: &ResultRecord) -> Option<&[Box<str>]> {
        self.0.get(&location(record)?).map(Vec::as_slice)
    }
}

/// Returns the location of a measurement that is neither canceled nor missing.
fn location(record: &ResultRecord) -> Option<Location> {
    if record.not_found_since.is_some() || record.measurement.status == Status::Canceled {
        return None;
    }
    record.measurement.address.point()
}
