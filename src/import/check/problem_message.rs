//! A problem of a row, what it says, and of which kind it is.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::model::{Field, Severity};

/// A problem about a row; [`crate::model::Problem`] adds the cell and the header.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct RowProblem {
    pub(super) severity: Severity,
    pub(super) field: Option<Field>,
    pub(super) column: Option<usize>,
    pub(super) message: ProblemMessage,
}

/// The message of a problem.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct ProblemMessage {
    /// What problems with the same cause have in common: usually the text without the values in it.
    pub(super) kind: Cow<'static, str>,
    /// A lowercase fragment without a full stop.
    pub(super) text: String,
}

/// Formats the message of a problem, as `format!` does; its kind is the text without the values.
macro_rules! message {
    ($kind:literal $($values:tt)*) => {
        $crate::import::check::problem_message::ProblemMessage {
            kind: std::borrow::Cow::Borrowed($kind),
            text: format!($kind $($values)*),
        }
    };
}
