//! Messages for an import that ends early.

use crate::cli::{CommandError, ErrorKind, ExitStatus};
use crate::import::{Error, ImportError};
use crate::model::counted;

impl From<Error> for CommandError {
    fn from(error: Error) -> Self {
        match error {
            Error::Table(error) => error.into(),
            Error::Journal(error) => error.into(),
        }
    }
}

impl From<ImportError> for CommandError {
    fn from(ending: ImportError) -> Self {
        match ending {
            ImportError::Dispatch(error) => error.into(),
            ImportError::Refused { rows } => Self::new(
                ExitStatus::Pending,
                format!("stopped: the service refused {}", counted(rows, "row")),
            )
            .hinted("correct the rows in the rejects file, or continue with --max-refused N or N%")
            .of_kind(ErrorKind::TooManyRefused),
            ImportError::Storage(error) => error.into(),
            ImportError::Declined => Self::new(ExitStatus::Pending, "stopped: you answered no")
                .hinted("nothing is lost; run the same command again to resume")
                .of_kind(ErrorKind::Declined),
            ImportError::Canary { rows } => Self::new(
                ExitStatus::Pending,
                format!("stopped after the canary of {}", counted(rows, "row")),
            )
            .hinted("check the addresses above; to submit the rest, run the same command without --canary, or with --yes")
            .of_kind(ErrorKind::Canary),
        }
    }
}
