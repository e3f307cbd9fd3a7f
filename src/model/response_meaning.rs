//! What a response means for the row or the measurement of its call.

use std::sync::Arc;
use std::time::Duration;

use crate::model::{CreationStatus, FieldError, Measurement, Request, ResponseWarning};

/// What a response means for the row or the measurement of its call. The journal and the run share the measurement.
#[derive(Clone, Debug, PartialEq)]
pub enum ResponseMeaning {
    /// The row has this measurement, which agrees with it.
    Accepted {
        /// Whether this request created the measurement.
        creation: CreationStatus,
        /// The measurement.
        measurement: Arc<Measurement>,
        /// The version that the service stores, if it differs from the one sent.
        original: Option<Box<Request>>,
        /// That version with the service's address, unless this is only another spelling of the row's; or with the row's
        /// own, if the service may have changed its street.
        normalized: Option<Box<Request>>,
        /// Warnings that follow from the row and the response only.
        warnings: Vec<ResponseWarning>,
    },
    /// The external id belongs to another house: the service's original has another address than the row. The message
    /// says what differs.
    Conflict(Arc<Measurement>, FieldError),
    /// A measurement was read.
    Read(Arc<Measurement>),
    /// 404 on a read: the team has no measurement with this id.
    NotFound {
        /// The measurement id, `msr_…`.
        measurement_id: String,
    },
    /// 422: the service's messages.
    Refused(Vec<FieldError>),
    /// 429: all requests pause. It does not count as an attempt of the row.
    RateLimited {
        /// The `Retry-After` of the response; `None` if it has none.
        retry_after: Option<Duration>,
    },
}

impl ResponseMeaning {
    /// What an accepted request means.
    pub fn accepted(
        request: &Request,
        measurement: Arc<Measurement>,
        creation: CreationStatus,
    ) -> Self {
        let (original, other) = match creation {
            CreationStatus::Created => (None, None),
            CreationStatus::Existing => (
                request.as_stored(&measurement),
                ResponseWarning::customer_differs(request, &measurement),
            ),
        };
        let elsewhere = ResponseWarning::placed_elsewhere(request, &measurement);
        let submitted = original.as_ref().unwrap_or(request);
        let own_spelling = || {
            let may_be_own = request.may_be_normalized_to(original.as_ref()?);
            may_be_own.then(|| request.clone())
        };
        let normalized = submitted.as_normalized(&measurement).or_else(own_spelling);
        Self::Accepted {
            creation,
            normalized: normalized.map(Box::new),
            original: original.map(Box::new),
            warnings: elsewhere.into_iter().chain(other).collect(),
            measurement,
        }
    }
}
