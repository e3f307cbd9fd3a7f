//! What an import needs once rows are to be submitted: the connection to the service, and a user to ask.

use crate::dispatch::Dispatcher;
use crate::import::RowOutcomes;
use crate::model::{Account, Measurement, Outcome, Request, RowNumber};

/// The connection to the service, with the callbacks that are used while rows are submitted.
#[expect(missing_debug_implementations, reason = "closures have no Debug")]
pub struct ImportConnection<'a> {
    /// Sends the requests, and records them in the journal of the import.
    pub dispatcher: Dispatcher,
    /// Asks the user before the first row is submitted, and after the canary.
    pub confirm: Box<dyn FnMut(ImportQuestion<'_>) -> Confirmation + 'a>,
    /// Receives each row whose result is recorded.
    pub on_row_result: Box<dyn FnMut(RowResult<'_>) + 'a>,
}

/// A row whose result is recorded, for the display of progress.
#[derive(Debug)]
pub struct RowResult<'a> {
    /// Its number.
    pub row: RowNumber,
    /// Its outcome.
    pub outcome: Outcome,
    /// The service's measurement, if the response contains one.
    pub measurement: Option<&'a Measurement>,
    /// The outcomes of all rows so far.
    pub rows: &'a RowOutcomes,
}

/// A question to the user.
#[derive(Clone, Copy, Debug)]
pub enum ImportQuestion<'a> {
    /// Whether to start submitting.
    Begin {
        /// The account under which the requests are created.
        team: &'a Account,
        /// The first requests that will be sent.
        first: &'a [Request],
    },
    /// Whether to submit the remaining rows after the canary.
    Continue {
        /// Number of rows in the canary.
        rows: u64,
    },
}

/// The user's answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Confirmation {
    /// The import continues.
    Yes,
    /// The import stops.
    No,
    /// No user can be asked: input or output is not a terminal.
    CannotAsk,
}
