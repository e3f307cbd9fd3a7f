//! What the service answers about one house, units in the names.

use jiff::Timestamp;

/// A measurement as the service stands by it.
///
/// # Source
/// S2.4.
#[derive(Clone, Debug, PartialEq)]
pub struct Measurement {
    /// `msr_…`, stable for life.
    pub id: String,
    /// Where it stands.
    pub status: Status,
    /// When the request created it.
    pub created_at: Timestamp,
    /// Changes on any change.
    pub updated_at: Timestamp,
    /// When the contractor completed it.
    pub completed_at: Option<Timestamp>,
    /// The property as the service normalised and placed it.
    pub address: PlacedAddress,
    /// The request record that the contractor sees.
    pub request: RequestRecord,
    /// There once complete; its absence is a state and no error.
    pub result: Option<MeasurementResult>,
}

/// The state of a measurement.
///
/// # Source
/// S3.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Status {
    /// Nobody has started.
    Pending,
    /// A contractor opened it.
    InProgress,
    /// Done; the result is there.
    Complete,
    /// Withdrawn by the contractor.
    Canceled,
}

impl Measurement {
    /// What to say of a row whose id has this measurement, of another house.
    pub fn with_another_house(&self) -> String {
        let address = &self.address;
        format!(
            "the service knows this id with another house: {}, {}, {} {} ({})",
            address.line1, address.city, address.region, address.postal_code, self.id
        )
    }
}

impl Status {
    /// Every state, in the order of a measurement's life.
    pub const ALL: [Self; 4] = [
        Self::Pending,
        Self::InProgress,
        Self::Complete,
        Self::Canceled,
    ];

    /// The service's spelling.
    pub fn name(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::InProgress => "in_progress",
            Self::Complete => "complete",
            Self::Canceled => "canceled",
        }
    }

    /// The state of the service's spelling.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.name() == name)
    }
}

/// The property as the service holds it.
#[derive(Clone, Debug, PartialEq)]
pub struct PlacedAddress {
    /// Street address, normalised.
    pub line1: String,
    /// Unit or suite.
    pub line2: Option<String>,
    /// City.
    pub city: String,
    /// Province or state code.
    pub region: String,
    /// Postal code or ZIP.
    pub postal_code: String,
    /// `CA` or `US`.
    pub country: String,
    /// The geocoder's one-line address.
    pub formatted: Option<String>,
    /// Degrees north.
    pub lat: Option<f64>,
    /// Degrees east.
    pub lng: Option<f64>,
}

impl PlacedAddress {
    /// All that is there, in one line, the country aside.
    pub fn one_line(&self) -> String {
        let unit = self.line2.as_deref().filter(|line2| !line2.is_empty());
        let unit = unit.map_or_else(String::new, |line2| format!(", {line2}"));
        format!(
            "{}{unit}, {}, {} {}",
            self.line1, self.city, self.region, self.postal_code
        )
    }
}

/// The request record that a creation made.
#[derive(Clone, Debug, PartialEq)]
pub struct RequestRecord {
    /// `req_…`, the id that the contractor sees.
    pub id: String,
    /// When it was created.
    pub created_at: Option<Timestamp>,
    /// The homeowner as stored; the contractor may correct it.
    pub name: Option<String>,
    /// As stored.
    pub email: Option<String>,
    /// As stored.
    pub phone: Option<String>,
    /// The notes as sent.
    pub notes: Option<String>,
    /// `external.id` as the service holds it.
    pub external_id: Option<String>,
    /// `external.url`.
    pub external_url: Option<String>,
    /// `external.label`.
    pub external_label: Option<String>,
    /// Opens the request in the service, for a signed-in member of the team.
    pub url: Option<String>,
}

/// The numbers of a complete measurement.
#[derive(Clone, Debug, PartialEq)]
pub struct MeasurementResult {
    /// Total gutter run, decimal feet.
    pub gutter_length_ft: f64,
    /// Inches, once picked.
    pub gutter_size_in: Option<f64>,
    /// Inside and outside corners.
    pub corner_count: u32,
    /// How many downspouts the service counts.
    pub downspout_count: u32,
    /// Total, elbows included, decimal feet.
    pub downspout_length_ft: f64,
    /// One entry a downspout.
    pub downspouts: Vec<Downspout>,
    /// The contractor's text to the homeowner.
    pub installer_message: Option<String>,
    /// Every visual of a documented kind, in presentation order.
    pub asset_pack: Vec<Asset>,
}

/// One downspout.
#[derive(Clone, Debug, PartialEq)]
pub struct Downspout {
    /// Decimal feet.
    pub length_ft: f64,
    /// Storeys it drops, 1 to 3.
    pub floors: u32,
    /// Inches, once assigned.
    pub size_in: Option<f64>,
}

/// One image of a result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asset {
    /// For instance `aerial`.
    pub kind: String,
    /// Public, stable, without expiry.
    pub url: String,
    /// An image media type.
    pub content_type: String,
}
