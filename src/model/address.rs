//! The property's address in a request.

use serde::{Deserialize, Serialize};

use crate::model::{Country, PlacedAddress};

/// The property's address as the row states it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Address {
    /// Street address; at most 200 characters.
    pub line1: String,
    /// Unit or suite.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line2: Option<String>,
    /// City.
    pub city: String,
    /// Province or state code.
    pub region: String,
    /// Postal code or ZIP.
    pub postal_code: String,
    /// `None` if the row states no country; the service then uses the team's country.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub country: Option<Country>,
}

impl Address {
    /// Formats the address in one line, without the country.
    pub fn one_line(&self) -> String {
        let place = format!("{} {}", self.region, self.postal_code);
        let line2 = self.line2.as_deref().unwrap_or_default();
        let parts = [self.line1.as_str(), line2, self.city.as_str(), place.trim()];
        let filled: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        filled.join(", ")
    }
}

impl From<&PlacedAddress> for Address {
    fn from(placed: &PlacedAddress) -> Self {
        Self {
            line1: placed.line1.clone(),
            line2: placed.line2.clone(),
            city: placed.city.clone(),
            region: placed.region.clone(),
            postal_code: placed.postal_code.clone(),
            country: Country::from_code(&placed.country.to_ascii_uppercase()),
        }
    }
}
