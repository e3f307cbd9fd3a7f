//! Messages for an import that ends early.

use crate::cli::{CliError, CommandError, ErrorKind};
use crate::import::{Error, ImportError};
use crate::model::{group_digits, pluralize};

impl From<Error> for CommandError {
    fn from(error: Error) -> Self {
        match error {
            Error::Table(error) => error.into(),
            Error::Journal(error) => error.into(),
            Error::Stopped(stop) => CliError::ImportStopped(stop).into(),
        }
    }
}

impl From<ImportError> for CommandError {
    fn from(ending: ImportError) -> Self {
        match ending {
            ImportError::Dispatch(error) => error.into(),
            ImportError::Refused { rows, more } => Self::new(ErrorKind::TooManyRefused, refused(rows, more))
                .hinted("correct the rows that it refused, or continue with --max-refused N or N%"),
            ImportError::Storage(error) => error.into(),
            ImportError::Declined => Self::new(ErrorKind::Declined, "stopped: you answered no")
                .hinted("nothing was sent; correct the sheet and check it again, or run the same command again to submit it"),
            ImportError::CanaryDeclined { rows } => Self::new(ErrorKind::Declined, "stopped: you answered no")
                .hinted(format!(
                    "the canary of {} was submitted before the others, and cannot be taken back; to submit the rest, run the same command without --canary",
                    pluralize(rows, "row")
                )),
            ImportError::CanaryUnconfirmed { rows } => Self::new(
                ErrorKind::Canary,
                format!("stopped after the canary of {}, submitted before the others", pluralize(rows, "row")),
            )
            .hinted("check the addresses above; to submit the rest, run the same command without --canary, or with --yes"),
        }
    }
}

/// How many rows were refused in all; some of them were in flight when the limit was reached.
fn refused(rows: u64, more: u64) -> String {
    let reached = format!(
        "stopped when the service had refused {}",
        pluralize(rows, "row")
    );
    match more {
        0 => reached,
        1 => format!("{reached}; it refused 1 more that was already sent"),
        more => format!(
            "{reached}; it refused {} more that were already sent",
            group_digits(more)
        ),
    }
}
