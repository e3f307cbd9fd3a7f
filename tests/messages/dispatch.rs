//! Runs that end before everything is sent.

use gutterbatch::api::{FatalResponse, ResponseSubject};
use gutterbatch::dispatch::DispatchError;
use gutterbatch::import::{Error, ImportError};
use gutterbatch::journal;
use jiff::Timestamp;
use jiff::tz::TimeZone;

pub(super) fn rows() -> Vec<String> {
    let full = || journal::Error::Full("the disk is full".to_owned());
    let until = Timestamp::MAX;
    let dispatch = sentences! {DispatchError, |error| error;
        DispatchError::QuotaUsedUp { .. } => [DispatchError::QuotaUsedUp { until }],
        DispatchError::DeadlineReached => [DispatchError::DeadlineReached],
        DispatchError::RateLimited { .. } => [DispatchError::RateLimited { until }],
        DispatchError::Unreachable { .. } => [
            DispatchError::Unreachable {
                rows: 1,
                reason: "the service did not answer in time".to_owned(),
            },
            DispatchError::Unreachable { rows: 10, reason: "the service is busy (503)".to_owned() },
        ],
        DispatchError::Service(_) => [DispatchError::Service(FatalResponse::NotImplemented)],
        DispatchError::Interrupted => [DispatchError::Interrupted],
        DispatchError::Journal(_) => [DispatchError::Journal(full())],
        DispatchError::Closed => [DispatchError::Closed],
    };
    // The moment stands in the zone of the machine.
    let zone = TimeZone::system()
        .to_offset_info(until)
        .abbreviation()
        .to_owned();
    let local = until.to_zoned(TimeZone::system());
    let local = format!("{} {zone}", local.strftime("%Y-%m-%d %H:%M"));
    let in_no_zone = |row: String| row.replace(&local, "TIME");
    let dispatch = dispatch.into_iter().map(in_no_zone).collect();
    let stops = sentences! {FatalResponse, |error| error;
        FatalResponse::Unauthorized => [FatalResponse::Unauthorized],
        FatalResponse::Version { .. } => [FatalResponse::Version {
            code: "unsupported_version".to_owned(),
            message: "versions: 2026-01-15".to_owned(),
        }],
        FatalResponse::NotImplemented => [FatalResponse::NotImplemented],
        FatalResponse::Redirected { .. } => [
            FatalResponse::Redirected { location: Some("https://elsewhere.example.com/".to_owned()) },
            FatalResponse::Redirected { location: None },
        ],
        FatalResponse::Unexpected { .. } => [
            FatalResponse::Unexpected {
                subject: None,
                status: 404,
                excerpt: "not_found: no such route".to_owned(),
            },
            FatalResponse::Unexpected {
                subject: Some(ResponseSubject::Row("A-7".to_owned())),
                status: 403,
                excerpt: "a web page".to_owned(),
            },
        ],
    };
    let imports = sentences! {ImportError, |error| error;
        ImportError::Dispatch(_) => [ImportError::Dispatch(DispatchError::Closed)],
        ImportError::Storage(_) => [ImportError::Storage(Error::Journal(full()))],
        ImportError::Refused { .. } => [
            ImportError::Refused { rows: 1, more: 0 },
            ImportError::Refused { rows: 10, more: 1 },
            ImportError::Refused { rows: 1_000, more: 1_006 },
        ],
        ImportError::Declined => [ImportError::Declined],
        ImportError::CanaryDeclined { .. } => [ImportError::CanaryDeclined { rows: 3 }],
        ImportError::CanaryUnconfirmed { .. } => [ImportError::CanaryUnconfirmed { rows: 1 }, ImportError::CanaryUnconfirmed { rows: 3 }],
    };
    [dispatch, stops, imports].concat()
}
