//! Recording the end of an attempt, or withdrawing the record of a request that was not sent.

use jiff::Timestamp;
use rand::RngExt as _;

use crate::api::{Attempt, FatalResponse, HttpResponse, TransportError, Verdict};
use crate::dispatch::outbound_request::{IntentState, OutboundRequest};
use crate::dispatch::{DispatchError, Dispatcher};
use crate::journal::{ResponseAnomalies, ResponseEffect, ResponseRecord};
use crate::model::QuotaSlot;

/// An attempt that has ended.
#[derive(Clone, Copy)]
pub(super) struct AttemptEnd<'a> {
    /// Its number, and when it ended.
    pub(super) attempt: Attempt,
    /// When it was sent.
    pub(super) sent_at: Timestamp,
    /// The response, or why there is none.
    pub(super) result: &'a Result<HttpResponse, TransportError>,
    /// What that means.
    pub(super) verdict: &'a Verdict,
}

impl AttemptEnd<'_> {
    /// Whether the service cannot have received the request, because there was no connection.
    pub(super) fn was_not_sent(self) -> bool {
        matches!(
            self.result,
            Err(TransportError::Connect(_) | TransportError::Tls(_))
        )
    }

    /// Returns what is wrong with the response, for the journal.
    pub(super) fn error(self) -> Option<String> {
        match (self.result, self.verdict) {
            (Err(failure), _) => Some(failure.to_string()),
            (Ok(_), Verdict::Retry { reason, .. } | Verdict::Exhausted { reason }) => {
                Some(reason.clone())
            }
            (Ok(_), Verdict::Fatal(FatalResponse::Redirected { location })) => Some(format!(
                "redirected to {}",
                location.as_deref().unwrap_or("nowhere")
            )),
            (Ok(_), _) => None,
        }
    }
}

impl Dispatcher {
    /// Records the end of an attempt durably: the response, or why there is none, and what that means; first the token,
    /// if the service refused it.
    ///
    /// # Errors
    /// Returns [`DispatchError::Journal`] if the journal cannot record it.
    pub(super) async fn record_response(
        &self,
        request: OutboundRequest<'_>,
        slot: QuotaSlot,
        end: AttemptEnd<'_>,
    ) -> Result<ResponseAnomalies, DispatchError> {
        if let Verdict::Fatal(FatalResponse::Unauthorized) = end.verdict {
            let salt = self.rng().random();
            let token = self.config.client.token().expose();
            let journal = &self.config.journal;
            journal.record_refused_token(token, salt).await?;
        }
        let response = end.result.as_ref().ok();
        self.record(ResponseRecord {
            slot,
            now: end.attempt.ended_at,
            share: self.config.limits.share,
            external_id: request.external_id().map(str::to_owned),
            status: response.map(|response| response.status),
            body: response.map(HttpResponse::text),
            error: end.error(),
            effect: match end.verdict {
                _ if end.was_not_sent() => ResponseEffect::Unsent,
                Verdict::Means(meaning) => ResponseEffect::Means(meaning.clone()),
                Verdict::Account(_)
                | Verdict::Retry { .. }
                | Verdict::Exhausted { .. }
                | Verdict::Fatal(_) => ResponseEffect::Unchanged,
            },
        })
        .await
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
        self.record(ResponseRecord {
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
        })
        .await
        .map(drop)
    }

    async fn record(&self, record: ResponseRecord) -> Result<ResponseAnomalies, DispatchError> {
        let anomalies = self.config.journal.record_response(record).await?;
        self.response_recorded.notify_waiters();
        Ok(anomalies)
    }
}
