//! Fault injection: the rules of a faults file, repeatable by seed.

mod inject;
mod matching;
mod rule;

use std::path::Path;
use std::str::FromStr;
use std::sync::Mutex;

pub(super) use inject::{inject, no_response};
pub(super) use rule::Rule;

use crate::sandbox::error::Error;
use crate::sandbox::faults::matching::FaultCounts;

/// The rules of a faults file, and how often each has matched. A clone starts counting at zero.
#[derive(Debug, Default)]
pub struct Faults {
    rules: Vec<Rule>,
    counts: Mutex<FaultCounts>,
}

impl Clone for Faults {
    fn clone(&self) -> Self {
        Self::new(self.rules.clone())
    }
}

/// The text is not a list of rules; holds the place and the reason.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct FaultsError(pub String);

impl Faults {
    /// Reads a faults file; the help of `gutterbatch sandbox` describes its format.
    ///
    /// # Errors
    /// When the file cannot be read or is not a list of rules.
    pub fn read(path: &Path) -> Result<Self, Error> {
        let text = std::fs::read_to_string(path).map_err(|source| Error::FaultsFile {
            path: path.to_owned(),
            source,
        })?;
        text.parse()
            .map_err(|FaultsError(reason)| Error::FaultsRules {
                path: path.to_owned(),
                reason,
            })
    }

    fn new(rules: Vec<Rule>) -> Self {
        Self {
            rules,
            counts: Mutex::default(),
        }
    }
}

impl FromStr for Faults {
    type Err = FaultsError;

    fn from_str(text: &str) -> Result<Self, FaultsError> {
        rule::read(text).map(Self::new)
    }
}
