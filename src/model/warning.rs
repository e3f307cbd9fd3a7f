//! What a person should look at in an answer, while there is still time to mend it in the service.

/// One finding about the answer to a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// What kind of finding.
    pub kind: WarningKind,
    /// A lowercase fragment without a full stop.
    pub message: String,
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
