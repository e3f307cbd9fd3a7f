//! A measurement and its parts, as the service stores them.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::sandbox::options::Country;
use crate::sandbox::roof::{Feet, Roof};

/// # Source
/// S3.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(in crate::sandbox) enum Status {
    Pending,
    InProgress,
    Complete,
    Canceled,
}

impl Status {
    /// The word in JSON.
    pub(in crate::sandbox) fn word(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::InProgress => "in_progress",
            Self::Complete => "complete",
            Self::Canceled => "canceled",
        }
    }
}

/// One measurement of one team.
///
/// # Source
/// S2.4.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(in crate::sandbox) struct Measurement {
    pub(in crate::sandbox) id: String,
    pub(in crate::sandbox) request_id: String,
    pub(in crate::sandbox) team: usize,
    pub(in crate::sandbox) status: Status,
    pub(in crate::sandbox) created_at: Timestamp,
    pub(in crate::sandbox) updated_at: Timestamp,
    pub(in crate::sandbox) opened_at: Option<Timestamp>,
    pub(in crate::sandbox) completed_at: Option<Timestamp>,
    pub(in crate::sandbox) address: Address,
    pub(in crate::sandbox) place: Location,
    pub(in crate::sandbox) customer: Customer,
    pub(in crate::sandbox) notes: Option<String>,
    pub(in crate::sandbox) external: Option<ExternalLink>,
    pub(in crate::sandbox) result: Option<MeasuredResult>,
}

impl Measurement {
    /// The external id, if the app sent one.
    pub(in crate::sandbox) fn external_id(&self) -> Option<&str> {
        self.external.as_ref()?.id.as_deref()
    }
}

/// The address as sent, normalized; never changes after creation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::sandbox) struct Address {
    pub(in crate::sandbox) line1: String,
    pub(in crate::sandbox) line2: Option<String>,
    pub(in crate::sandbox) city: String,
    pub(in crate::sandbox) region: String,
    pub(in crate::sandbox) postal_code: String,
    pub(in crate::sandbox) country: Country,
}

/// The location of an address, in degrees.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(in crate::sandbox) struct Location {
    pub(in crate::sandbox) formatted: String,
    pub(in crate::sandbox) lat: f64,
    pub(in crate::sandbox) lng: f64,
}

/// The homeowner, as stored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::sandbox) struct Customer {
    pub(in crate::sandbox) name: String,
    pub(in crate::sandbox) email: Option<String>,
    pub(in crate::sandbox) phone: Option<String>,
}

impl Customer {
    /// Maximum number of characters of a name.
    pub(in crate::sandbox) const MAX_NAME: usize = 120;

    /// Whether a name that is not too long and a contact are there.
    ///
    /// # Source
    /// S4.5, customer; S8.
    pub(in crate::sandbox) fn is_valid(&self) -> bool {
        (1..=Self::MAX_NAME).contains(&self.name.chars().count())
            && (self.email.is_some() || self.phone.is_some())
    }
}

/// The app's side of the link.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::sandbox) struct ExternalLink {
    pub(in crate::sandbox) id: Option<String>,
    pub(in crate::sandbox) url: Option<String>,
    /// `None` stands for the app's name.
    pub(in crate::sandbox) label: Option<String>,
}

/// The result of a measurement, and what its pictures show.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(in crate::sandbox) struct MeasuredResult {
    pub(in crate::sandbox) figures: Figures,
    /// The roof in the picture; typed figures have a rectangle.
    pub(in crate::sandbox) roof: Roof,
    /// The kinds of images, in presentation order.
    pub(in crate::sandbox) kinds: Vec<String>,
    /// Whether the images exist yet.
    pub(in crate::sandbox) images: ImageState,
}

/// What the contractor measured, under the names and in the units of the service's JSON.
///
/// # Source
/// S2.4, measurement.result.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(in crate::sandbox) struct Figures {
    pub(in crate::sandbox) gutter_length_ft: Feet,
    pub(in crate::sandbox) gutter_size_in: Option<u8>,
    pub(in crate::sandbox) corner_count: u32,
    pub(in crate::sandbox) downspouts: Vec<Downspout>,
    pub(in crate::sandbox) installer_message: Option<String>,
}

/// Whether the images of a result exist yet; some follow later than the numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(in crate::sandbox) enum ImageState {
    Pending,
    Ready,
}

/// One downspout.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::sandbox) struct Downspout {
    pub(in crate::sandbox) length_ft: Feet,
    /// Storeys it drops, 1 to 3.
    pub(in crate::sandbox) floors: u8,
    pub(in crate::sandbox) size_in: Option<u8>,
}

impl Figures {
    /// The total length of the downspouts.
    pub(in crate::sandbox) fn downspout_length(&self) -> Feet {
        self.downspouts.iter().map(|spout| spout.length_ft).sum()
    }
}

impl From<Figures> for MeasuredResult {
    /// Figures that a person typed. Their picture shows a rectangle with gutters of this length, and the downspouts at
    /// its corners.
    fn from(figures: Figures) -> Self {
        Self {
            roof: Roof::from_figures(
                figures.gutter_length_ft,
                figures.corner_count,
                figures.downspouts.len(),
            ),
            kinds: ["aerial", "measurements"].map(str::to_owned).to_vec(),
            images: ImageState::Ready,
            figures,
        }
    }
}
