//! Sentences for an import that ends early.

use crate::cli::{Exit, Failure};
use crate::import::{Ending, Error};
use crate::model::counted;

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        match error {
            Error::Table(error) => error.into(),
            Error::Journal(error) => error.into(),
        }
    }
}

impl From<Ending> for Failure {
    fn from(ending: Ending) -> Self {
        match ending {
            Ending::Halt(halt) => halt.into(),
            Ending::Refused { rows } => Self::new(
                Exit::Pending,
                format!("stopped: the service refused {}", counted(rows, "row")),
            )
            .hinted("look at the rejects file; go on with --max-refused N or N%"),
            Ending::Table(error) => error.into(),
            Ending::Declined => Self::new(Exit::Pending, "stopped, as you said")
                .hinted("nothing is lost; run the same command again to resume"),
            Ending::Canary { rows } => Self::new(
                Exit::Pending,
                format!("stopped after the canary of {}", counted(rows, "row")),
            )
            .hinted("look at the addresses above; then the same command without --canary submits the rest, or give --yes"),
        }
    }
}
