//! The pauses for which the service asks a journal.

use std::collections::BTreeMap;
use std::time::Duration;

use jiff::Timestamp;

use super::loopback::ServiceRequest;
use super::service::ServiceAnswer;
use super::virtual_time::time;

/// When the service asked for a pause.
#[derive(Clone, Copy, Debug)]
enum Since {
    /// After this request had left, while the clock stood still.
    Request(u64),
    /// At this time. Requests may have left in the moment before.
    Time(Timestamp),
}

/// The pauses: for all requests, and for one call each.
#[derive(Clone, Debug, Default)]
pub(super) struct Pauses {
    of_all: Option<(Since, Timestamp)>,
    of_calls: BTreeMap<String, (Since, Timestamp)>,
}

impl Pauses {
    /// Notes the pause that an answer asks for, if it does: after 429 for all requests, else for one call. `newest` is
    /// the number of the newest request that has left.
    pub(super) fn answered(
        &mut self,
        request: &ServiceRequest<'_>,
        answer: &ServiceAnswer,
        newest: u64,
    ) {
        let Some(seconds) = answer.retry_after else {
            return;
        };
        let until = time() + Duration::from_secs(seconds);
        let since = if request.is_late {
            Since::Time(time())
        } else {
            Since::Request(newest)
        };
        if answer.status == 429 {
            self.of_all = Some((since, until));
        } else {
            self.of_calls.insert(request.name(), (since, until));
        }
    }

    /// Whether a request has left in a pause. What is in flight when the service asks for one arrives all the same.
    pub(super) fn forbid(&self, request: &ServiceRequest<'_>) -> bool {
        let of_call = self.of_calls.get(&request.name());
        let mut pauses = self.of_all.iter().chain(of_call);
        pauses.any(|(since, until)| {
            let is_later = match since {
                Since::Request(newest) => *newest < request.number,
                Since::Time(since) => *since < request.left_at,
            };
            is_later && request.left_at < *until
        })
    }

    /// A run ends. Only what a 429 asks for is remembered from run to run.
    pub(super) fn end_run(&mut self) {
        self.of_calls.clear();
    }
}
