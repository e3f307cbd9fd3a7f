//! The messages of a dispatcher that can send nothing more.

use gutterbatch::api::StopReason;
use gutterbatch::dispatch::DispatchError;
use gutterbatch::import::ImportError;
use insta::assert_snapshot;
use jiff::Timestamp;

use crate::messages::shown;

#[test]
fn a_run_that_ends_early_says_how_to_resume() {
    let errors = [
        DispatchError::DeadlineReached,
        DispatchError::Unreachable {
            rows: 1,
            reason: "the service did not answer in time".to_owned(),
        },
        DispatchError::Unreachable {
            rows: 10,
            reason: "the service is busy (503)".to_owned(),
        },
        DispatchError::Interrupted,
        DispatchError::Closed,
    ];
    assert_snapshot!(shown(errors), @"
    4: error: the time set with --until has come
    hint: run the same command again to resume
    4: error: the service gave no usable answer: the service did not answer in time
    hint: check the network and the address; then run the same command again to resume
    4: error: 10 rows in succession got no usable answer, the last: the service is busy (503)
    hint: check the network; then run the same command again to resume
    130: error: interrupted
    hint: run the same command again to resume
    4: error: the run has ended
    hint: run the same command again to resume
    ");
}

#[test]
fn a_spent_quota_says_when_it_refills() {
    let until = Timestamp::MAX;
    let shown = shown([
        DispatchError::QuotaUsedUp { until },
        DispatchError::RateLimited { until },
    ]);
    // The moment stands in the zone of the machine.
    let year = until.strftime("%Y").to_string();
    assert_eq!(shown.matches(&year).count(), 2, "{shown}");
    assert!(
        shown.contains("4: error: the quota is used up until "),
        "{shown}"
    );
    let hint = "\nhint: run the same command again after that to resume";
    assert_eq!(shown.matches(hint).count(), 2, "{shown}");
    assert!(
        shown.contains("4: error: the service asked to send nothing before "),
        "{shown}"
    );
}

#[test]
fn an_answer_that_ends_the_run_says_what_does_not_fit() {
    let stops = [
        StopReason::Unauthorized,
        StopReason::Version {
            code: "unsupported_version".to_owned(),
            message: "versions: 2026-01-15".to_owned(),
        },
        StopReason::NotImplemented,
        StopReason::Redirected {
            location: Some("https://elsewhere.example.com/".to_owned()),
        },
        StopReason::Redirected { location: None },
        StopReason::Unexpected {
            status: 404,
            excerpt: "not_found: no such route".to_owned(),
        },
    ];
    assert_snapshot!(shown(stops), @"
    5: error: the service does not accept the token
    hint: connect again with `gutterbatch connect`, or replace the token in GUTTERBATCH_TOKEN if it is set; then run the same command again to resume
    9: error: the service does not serve this version (unsupported_version): versions: 2026-01-15
    hint: set a version that it serves with --service-version
    9: error: the service does not offer this call yet (501)
    hint: nothing is lost; try again when the service offers it
    9: error: the service redirects to https://elsewhere.example.com/; the token is not sent there
    hint: if that is the service's new address, give it with --base-url
    9: error: the service redirects without saying where
    hint: if that is the service's new address, give it with --base-url
    9: error: the response is not one that the service documents: 404 not_found: no such route
    hint: check the base address; nothing more was sent, and no row counts as refused
    ");
}

#[test]
fn an_import_that_ends_early_says_what_to_look_at() {
    let endings = [
        ImportError::Refused { rows: 10, more: 0 },
        ImportError::Refused { rows: 10, more: 6 },
        ImportError::Declined,
        ImportError::Canary { rows: 3 },
    ];
    assert_snapshot!(shown(endings), @"
    4: error: stopped when the service had refused 10 rows
    hint: correct the rows in the rejects file, or continue with --max-refused N or N%
    4: error: stopped when the service had refused 10 rows; it refused 6 more that were already sent
    hint: correct the rows in the rejects file, or continue with --max-refused N or N%
    4: error: stopped: you answered no
    hint: nothing was sent; correct the sheet and check it again, or run the same command again to submit it
    4: error: stopped after the canary of 3 rows
    hint: check the addresses above; to submit the rest, run the same command without --canary, or with --yes
    ");
}
