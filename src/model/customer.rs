//! The homeowner in a request.

use serde::{Deserialize, Serialize};

use crate::model::ReturnedCustomer;

/// The homeowner. At least one of `email` and `phone` is present.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Customer {
    /// The full name; at most 120 characters.
    pub name: String,
    /// The email address as the row states it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub email: Option<String>,
    /// The phone number as the row states it; never reformatted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub phone: Option<String>,
}

impl From<&ReturnedCustomer> for Customer {
    /// The name is empty if the service returns none.
    fn from(stored: &ReturnedCustomer) -> Self {
        Self {
            name: stored.name.clone().unwrap_or_default(),
            email: stored.email.clone(),
            phone: stored.phone.clone(),
        }
    }
}
