//! Responses and failures after which a call is sent again.

use std::time::Duration;

use gutterbatch::api::{ApiCall, HttpResponse, MAX_ATTEMPTS, TransportError, Verdict};
use gutterbatch::model::ResponseMeaning;

use super::{answer, created, decide, error, name, request};

#[test]
fn a_pause_lasts_as_long_as_the_service_asks() {
    let limited = |retry_after: Option<&str>| {
        let result = Ok(HttpResponse {
            retry_after: retry_after.map(str::to_owned),
            ..answer(429, "")
        });
        // However often the row was tried: a pause costs it no attempt.
        decide(ApiCall::Create(&request()), &result, MAX_ATTEMPTS + 1)
    };
    let retry_after = Some(Duration::from_secs(37));
    assert_eq!(
        limited(Some("37")),
        Verdict::Means(ResponseMeaning::RateLimited { retry_after })
    );
    assert_eq!(
        limited(Some("soon")),
        Verdict::Means(ResponseMeaning::RateLimited { retry_after: None })
    );
    assert_eq!(
        limited(None),
        Verdict::Means(ResponseMeaning::RateLimited { retry_after: None })
    );
}

#[test]
fn a_failed_call_is_repeated_with_the_words_of_the_service() {
    let Verdict::Retry { reason, .. } = created(503, &error("busy")) else {
        panic!("not again");
    };
    assert_eq!(reason, "the service answered 503 busy: so it is");
    let silent = r#"{"error":{"code":"busy","message":""}}"#;
    let Verdict::Retry { reason, .. } = created(503, silent) else {
        panic!("not again");
    };
    assert_eq!(reason, "the service answered 503 busy");
    let Verdict::Retry { reason, .. } = created(503, "503 Service Unavailable\n") else {
        panic!("not again");
    };
    assert_eq!(reason, "the service answered 503 Service Unavailable");
}

#[test]
fn a_delay_of_more_than_two_hours_is_a_pause_of_the_service_whatever_the_status() {
    for status in [429, 500, 503] {
        let result = Ok(HttpResponse {
            retry_after: Some("7201".to_owned()),
            ..answer(status, "")
        });
        let retry_after = Some(Duration::from_secs(7201));
        assert_eq!(
            decide(ApiCall::Me, &result, 1),
            Verdict::Means(ResponseMeaning::RateLimited { retry_after })
        );
    }
}

#[test]
fn a_failed_call_is_not_repeated_before_its_retry_after() {
    for status in [500, 502, 503, 504, 520] {
        let result = Ok(HttpResponse {
            retry_after: Some("90".to_owned()),
            ..answer(status, "")
        });
        let Verdict::Retry { after, .. } = decide(ApiCall::Me, &result, 1) else {
            panic!("{status}: not again");
        };
        assert!(after >= Duration::from_secs(90), "{status}: {after:?}");
    }
}

#[test]
fn a_call_that_fails_every_time_is_given_up_after_its_attempts() {
    for failure in [
        TransportError::Connect("refused".to_owned()),
        TransportError::Tls("expired".to_owned()),
        TransportError::TimedOut,
        TransportError::Incomplete("reset".to_owned()),
        TransportError::TooLarge { limit: 1 },
    ] {
        let result = Err(failure);
        let names: Vec<_> = (1..=MAX_ATTEMPTS)
            .map(|number| name(&decide(ApiCall::Me, &result, number)))
            .collect();
        let (last, before) = names.split_last().unwrap();
        assert!(*last == "exhausted" && before.iter().all(|name| *name == "again"));
    }
}
