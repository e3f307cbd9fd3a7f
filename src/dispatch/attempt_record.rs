//! Recording the end of an attempt, or withdrawing the record of a request that was not sent.

use jiff::Timestamp;

use crate::api::{HttpResponse, TransportError, Verdict};
use crate::dispatch::outbound_request::{IntentState, OutboundRequest};
use crate::dispatch::response_effect::{response_effect, response_error};
use crate::dispatch::{DispatchError, Dispatcher};
use crate::journal::{ResponseAnomalies, ResponseEffect, ResponseRecord};
use crate::model::QuotaSlot;

/// The end of an attempt: its slot, when it ended, the response and what that means.
#[derive(Clone, Copy)]
pub(super) struct EndedAttempt<'a> {
    /// The slot.
    pub(super) slot: QuotaSlot,
    /// When it ended.
    pub(super) now: Timestamp,
    /// The response, or why there is none.
    pub(super) outcome: &'a Result<HttpResponse, TransportError>,
    /// What the response means.
    pub(super) verdict: &'a Verdict,
}

impl Dispatcher {
    /// Records the end of an attempt durably.
    ///
    /// # Errors
    /// Returns [`DispatchError::Journal`] if the journal cannot record it.
    pub(super) async fn record_response(
        &self,
        request: OutboundRequest<'_>,
        attempt: EndedAttempt<'_>,
    ) -> Result<ResponseAnomalies, DispatchError> {
        let EndedAttempt {
            slot,
            now,
            outcome,
            verdict,
        } = attempt;
        let response_record = ResponseRecord {
            slot,
            now,
            share: self.config.limits.share,
            external_id: request.external_id().map(str::to_owned),
            status: outcome.as_ref().ok().map(|answer| answer.status),
            body: outcome.as_ref().ok().map(HttpResponse::text),
            error: response_error(outcome, verdict),
            effect: response_effect(request.call, outcome, verdict),
        };
        let anomalies = self.config.journal.record_response(response_record).await?;
        self.response_recorded.notify_waiters();
        Ok(anomalies)
    }

    /// Removes the record of a request that was not sent.
    ///
    /// # Errors
    /// Returns [`DispatchError::Journal`] if the journal cannot be written.
    pub(super) async fn withdraw(
        &self,
        request: OutboundRequest<'_>,
        state: IntentState,
        slot: QuotaSlot,
    ) -> Result<(), DispatchError> {
        let response_record = ResponseRecord {
            slot,
            now: self.config.clock.now(),
            share: self.config.limits.share,
            external_id: request.external_id().map(str::to_owned),
            status: None,
            body: None,
            error: None,
            effect: match state {
                IntentState::New => ResponseEffect::Withdrawn,
                IntentState::Recorded => ResponseEffect::Unsent,
            },
        };
        self.config.journal.record_response(response_record).await?;
        self.response_recorded.notify_waiters();
        Ok(())
    }
}
