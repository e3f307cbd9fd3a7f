//! The two countries that the service measures in.

use serde::{Deserialize, Serialize};

/// ISO 3166-1 alpha-2 code of a country that the service serves.
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
    /// The two-letter code as the service spells it.
    pub fn code(self) -> &'static str {
        match self {
            Self::Canada => "CA",
            Self::UnitedStates => "US",
        }
    }

    /// The country of an exact two-letter code.
    pub fn from_code(code: &str) -> Option<Self> {
        match code {
            "CA" => Some(Self::Canada),
            "US" => Some(Self::UnitedStates),
            _ => None,
        }
    }
}
