//! The requests of the rows to send, read from the file.

use std::collections::BTreeMap;

use crate::import::{ImportContext, UnansweredRequest};
use crate::journal::SourceId;
use crate::model::{Request, RowNumber};
use crate::sheet;

/// Reads the requests of the rows to send again from the file, in its order.
pub(super) fn row_requests<'a>(
    context: &'a ImportContext<'_>,
    source: SourceId,
    send: &'a [usize],
    unanswered: &'a BTreeMap<usize, UnansweredRequest>,
) -> Result<impl Iterator<Item = Result<PlannedRequest, sheet::Error>> + 'a, sheet::Error> {
    let wanted = |index: usize| send.binary_search(&index).is_ok();
    let row_request = move |(index, request)| match unanswered.get(&index) {
        Some(UnansweredRequest {
            source: Some((source, row)),
            request,
            ..
        }) => PlannedRequest {
            index,
            source: *source,
            row: *row,
            request: request.clone(),
        },
        version => PlannedRequest {
            index,
            source,
            row: context.checked.rows[index].number,
            request: version.map_or(request, |version| version.request.clone()),
        },
    };
    let requests = context.checked.requests(context.input, wanted)?;
    Ok(requests.map(move |read| read.map(row_request)))
}

/// A request that is sent for a row of the plan: that of the row, or an earlier one without an answer.
#[derive(Debug)]
pub(super) struct PlannedRequest {
    /// The index of the row of the plan.
    pub(super) index: usize,
    /// The table of the row that the request is of.
    pub(super) source: SourceId,
    /// The number of that row.
    pub(super) row: RowNumber,
    /// What is sent.
    pub(super) request: Request,
}
