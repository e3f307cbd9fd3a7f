//! Sentences for a client that cannot be set up.

use crate::api::SetupError;
use crate::cli::{Exit, Failure};

impl From<SetupError> for Failure {
    fn from(error: SetupError) -> Self {
        match error {
            SetupError::NotAnAddress(_) => {
                Self::new(Exit::Usage, error.to_string()).hinted("give the service's address, for instance --base-url https://api.example.com")
            }
            SetupError::Unsafe(_) => Self::new(Exit::Unsafe, error.to_string())
                .hinted("use an https address without user name, password or query; http is for this machine alone"),
            SetupError::Version(_) => {
                Self::new(Exit::Usage, error.to_string()).hinted("give a date, for instance --service-version 2026-01-31")
            }
            SetupError::Client(_) => Self::new(Exit::Files, error.to_string()),
        }
    }
}
