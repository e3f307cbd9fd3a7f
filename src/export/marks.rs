//! What a person should look at in a line: placed elsewhere, same roof, totals that do not match their lines.

use std::collections::HashMap;

use crate::export::line::mismatch;
use crate::export::{ExportContext, ResultLine};
use crate::model::{Field, PlacedAddress, Status, misplaced_fields};

/// Why a line is marked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ResultMark {
    /// The geocoded address lies in another city, region or postal code than the row's.
    PlacedElsewhere,
    /// At the same point as another id's.
    SameRoof,
    /// The totals are not those of the downspout lines.
    Mismatch,
    /// Complete, and its result is not there yet.
    NoResult,
    /// Complete, and its images are not there yet.
    NoImages,
    /// Withdrawn after it was complete; the result that was there is kept.
    Withdrawn,
    /// The service answers 404.
    NotFound,
    /// The newest answer has another house's address.
    AddressDiffers,
}

impl ResultMark {
    /// The marks that ask for a person, with what `Summary` calls them.
    pub(super) const COUNTED: [(Self, &'static str); 4] = [
        (Self::AddressDiffers, "Address differs"),
        (Self::PlacedElsewhere, "Placed elsewhere"),
        (Self::SameRoof, "Same roof"),
        (Self::Mismatch, "Totals that do not match"),
    ];
}

/// A mark with its sentence.
pub type Note = (ResultMark, String);

/// Every mark of a line, with the note that explains it.
pub fn notes(line: &ResultLine, about: &ExportContext, roofs: &SharedLocations) -> Vec<Note> {
    if let Some(answered) = line.differing_address() {
        return vec![(ResultMark::AddressDiffers, differing_note(line, answered))];
    }
    let mut notes = Vec::new();
    let elsewhere = misplaced_fields(&line.request.address, &line.measurement.address);
    if !elsewhere.is_empty() {
        notes.push((
            ResultMark::PlacedElsewhere,
            elsewhere_note(line, about, &elsewhere),
        ));
    }
    if let Some(ids) = roofs.shared_with(line) {
        notes.push((ResultMark::SameRoof, same_location_note(line, ids)));
    }
    if let Some(reason) = line.completed().and_then(|(result, _)| mismatch(result)) {
        notes.push((
            ResultMark::Mismatch,
            format!("Totals do not match: {reason}."),
        ));
    }
    notes.extend(state_note(line));
    notes
}

fn differing_note(line: &ResultLine, answered: &PlacedAddress) -> String {
    format!(
        "Address differs: requested for {}; the service's last answer has {}. Its numbers are left out and not billed until the two agree.",
        line.full_address(),
        answered.one_line()
    )
}

fn elsewhere_note(line: &ResultLine, about: &ExportContext, elsewhere: &[Field]) -> String {
    let names = elsewhere.iter().map(|field| about.name_of(line, *field));
    let names: Vec<String> = names.collect();
    let row = &line.request.address;
    let placed = &line.measurement.address;
    let found = placed
        .formatted
        .clone()
        .unwrap_or_else(|| line.full_address());
    format!(
        "Placed elsewhere ({}): the row says {}, {}, {} {}; the service found {found}.",
        names.join(", "),
        row.line1,
        row.city,
        row.region,
        row.postal_code
    )
}

/// How many other ids a note names.
const NAMED: usize = 5;

fn same_location_note(line: &ResultLine, ids: &[Box<str>]) -> String {
    let others = ids.iter().filter(|id| ***id != *line.external_id);
    let named: Vec<&str> = others.take(NAMED).map(AsRef::as_ref).collect();
    let named = named.join(", ");
    match ids.len().saturating_sub(NAMED + 1) {
        0 => format!("Same roof: at the same point as {named}."),
        more => format!("Same roof: at the same point as {named} and {more} more."),
    }
}

fn state_note(line: &ResultLine) -> Option<Note> {
    let result = line.measurement.result.as_ref();
    if line.gone_at.is_some() {
        let text = "Not found: the service no longer knows this measurement for this team.";
        return Some((ResultMark::NotFound, text.to_owned()));
    }
    match line.measurement.status {
        Status::Complete if result.is_none() => {
            let text = "Complete; its result was not there yet.";
            Some((ResultMark::NoResult, text.to_owned()))
        }
        Status::Complete if result.is_some_and(|result| result.asset_pack.is_empty()) => {
            let text = "Complete; its images were not there yet.";
            Some((ResultMark::NoImages, text.to_owned()))
        }
        Status::Canceled => result.map(|result| {
            let text = format!(
                "Withdrawn after it was complete. The result was {} ft of gutter and {} ft of downspouts.",
                result.gutter_length_ft, result.downspout_length_ft
            );
            (ResultMark::Withdrawn, text)
        }),
        _ => None,
    }
}

/// Which measurements lie at one point.
#[derive(Clone, Debug, Default)]
pub struct SharedLocations {
    shared: HashMap<Point, Vec<Box<str>>>,
}

/// Latitude and longitude in millionths of a degree, a tenth of a metre.
type Point = (i32, i32);

/// Gathers points while lines pass by.
#[derive(Debug, Default)]
pub(super) struct LocationCounter(Vec<(Point, Box<str>)>);

impl LocationCounter {
    pub(super) fn add(&mut self, line: &ResultLine) {
        if let Some(point) = point(line) {
            self.0.push((point, line.external_id.as_str().into()));
        }
    }

    /// Keeps the points that more than one id has.
    pub(super) fn finish(mut self) -> SharedLocations {
        self.0.sort();
        let groups = self.0.chunk_by(|one, other| one.0 == other.0);
        let shared = groups.filter(|group| group.len() > 1).map(|group| {
            let ids = group.iter().map(|(_, id)| id.clone()).collect();
            (group[0].0, ids)
        });
        SharedLocations {
            shared: shared.collect(),
        }
    }
}

impl SharedLocations {
    /// The ids at a line's point, its own among them, if there are others.
    fn shared_with(&self, line: &ResultLine) -> Option<&[Box<str>]> {
        self.shared.get(&point(line)?).map(Vec::as_slice)
    }
}

/// Where a line stands; one that was withdrawn stands in nobody's way.
#[expect(
    clippy::cast_possible_truncation,
    reason = "degrees in millionths fit; what is no place on earth saturates"
)]
fn point(line: &ResultLine) -> Option<Point> {
    let there = line.gone_at.is_none() && line.measurement.status != Status::Canceled;
    let address = &line.measurement.address;
    let (lat, lng) = (address.lat?, address.lng?);
    let millionths = |degrees: f64| (degrees * 1e6).round() as i32;
    there.then(|| (millionths(lat), millionths(lng)))
}
