//! The countries that the service serves.

use serde::{Deserialize, Serialize};

/// A country that the service serves.
///
/// # Source
/// S4.5, `address.country`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Country {
    /// Canada.
    #[serde(rename = "CA")]
    Canada,
    /// The United States.
    #[serde(rename = "US")]
    UnitedStates,
}

impl Country {
    /// Returns the ISO 3166-1 alpha-2 code.
    pub fn code(self) -> &'static str {
        match self {
            Self::Canada => "CA",
            Self::UnitedStates => "US",
        }
    }

    /// Returns the country with an ISO 3166-1 alpha-2 code in upper case.
    pub fn from_code(code: &str) -> Option<Self> {
        match code {
            "CA" => Some(Self::Canada),
            "US" => Some(Self::UnitedStates),
            _ => None,
        }
    }
}
