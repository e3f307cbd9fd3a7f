//! Sentences for rows that cannot be written back.

use crate::cli::failure::io_reason;
use crate::cli::{Exit, Failure};
use crate::table::echo::WriteError;

impl From<WriteError> for Failure {
    fn from(error: WriteError) -> Self {
        let sentence = error.to_string();
        match error {
            WriteError::Unreadable(error) => error.into(),
            WriteError::Unwritable { source, .. } => {
                Self::new(Exit::Files, format!("{sentence}: {}", io_reason(&source)))
                    .hinted("make room or choose another place, then run the same command again")
            }
            WriteError::NotOurs { path } => Self::new(Exit::Files, sentence).hinted(format!(
                "move {} aside, or choose another place with --rejects PATH",
                path.display()
            )),
            WriteError::IsInput { .. } => Self::new(Exit::Usage, sentence)
                .hinted("choose another place with --rejects PATH"),
            WriteError::Extension { extension, .. } => {
                Self::new(Exit::Usage, sentence).hinted(format!(
                    "rejects have the form of the input: give a name that ends in .{extension}"
                ))
            }
        }
    }
}
