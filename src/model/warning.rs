//! What a person should look at in an answer, while there is still time to mend it in the service.

use crate::model::{Measurement, Request, placed_elsewhere};

/// One finding about the answer to a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// What kind of finding.
    pub kind: WarningKind,
    /// A lowercase fragment without a full stop.
    pub message: String,
}

impl Warning {
    /// The geocoded address lies elsewhere than the row's.
    pub fn elsewhere(request: &Request, measurement: &Measurement) -> Option<Self> {
        let placed = &measurement.address;
        let fields = placed_elsewhere(&request.address, placed);
        if fields.is_empty() {
            return None;
        }
        let fields = fields
            .into_iter()
            .map(|field| field.name().replace('_', " "));
        let fields: Vec<String> = fields.collect();
        let place = placed.formatted.clone().unwrap_or_else(|| {
            let parts = [
                &placed.line1,
                &placed.city,
                &placed.region,
                &placed.postal_code,
            ];
            parts.map(String::as_str).join(", ")
        });
        Some(Self {
            kind: WarningKind::PlacedElsewhere,
            message: format!(
                "the service placed the house elsewhere ({}): {place}",
                fields.join(", ")
            ),
        })
    }

    /// The service's original of an id has another customer than the row. The contractor may have corrected it.
    pub fn other_customer(request: &Request, measurement: &Measurement) -> Option<Self> {
        let (ours, theirs) = (&request.customer, &measurement.request);
        let name = theirs
            .name
            .as_deref()
            .filter(|name| folded(name) != folded(&ours.name));
        let email = differing(ours.email.as_deref(), theirs.email.as_deref(), folded);
        let phone = differing(ours.phone.as_deref(), theirs.phone.as_deref(), digits);
        let other = name.or(email).or(phone)?;
        Some(Self {
            kind: WarningKind::CustomerDiffers,
            message: format!("the service knows this id with another customer: {other}"),
        })
    }
}

fn differing<'a>(
    ours: Option<&str>,
    theirs: Option<&'a str>,
    fold: fn(&str) -> String,
) -> Option<&'a str> {
    let ours = ours?;
    theirs.filter(|theirs| fold(theirs) != fold(ours))
}

fn folded(text: &str) -> String {
    text.split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
        .to_lowercase()
}

fn digits(text: &str) -> String {
    text.chars().filter(char::is_ascii_digit).collect()
}

/// What a warning is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum WarningKind {
    /// The geocoded address lies in another city, region or postal code than the row's.
    PlacedElsewhere,
    /// The house was placed at the same point as another id's.
    SameRoof,
    /// The service's original has the same address and another customer.
    CustomerDiffers,
}

impl WarningKind {
    /// Every kind.
    pub const ALL: [Self; 3] = [Self::PlacedElsewhere, Self::SameRoof, Self::CustomerDiffers];

    /// The name in the journal and in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::PlacedElsewhere => "placed_elsewhere",
            Self::SameRoof => "same_roof",
            Self::CustomerDiffers => "customer_differs",
        }
    }

    /// The kind of a name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}
