//! The sentences of a connection that is not made, or cannot be kept.

use std::io::ErrorKind;
use std::path::PathBuf;
use std::time::Duration;

use gutterbatch::api::{ClientSetupError, OauthError, TransportError};
use gutterbatch::connect::{ConnectionDetails, DiscardedToken, Error};
use insta::assert_snapshot;

use crate::messages::{refused, shown};

#[test]
fn settings_that_cannot_be_used_say_what_to_give() {
    let errors = [
        ClientSetupError::InvalidBaseUrl("gutters".to_owned()),
        ClientSetupError::UnsafeBaseUrl("http://api.example.com".to_owned()),
        ClientSetupError::InvalidVersion("soon".to_owned()),
        ClientSetupError::HttpLibrary("no certificate in ca.pem".to_owned()),
    ];
    assert_snapshot!(shown(errors), @"
    2: error: `gutters` is not a base address
    hint: give the service's address, for instance --base-url https://api.example.com
    6: error: http://api.example.com is not safe to send a token to
    hint: use an https address without user name, password or query; http is accepted for this machine only
    2: error: `soon` is not a service version
    hint: give a date, for instance --service-version 2026-01-31
    8: error: the HTTP client cannot be initialized: no certificate in ca.pem
    hint: install the system's root certificates (package ca-certificates), or name a file with certificates in SSL_CERT_FILE
    ");
}

#[test]
fn a_consent_that_fails_says_why_and_that_nothing_was_saved() {
    let errors = [
        Error::Denied,
        Error::TimedOut(Duration::from_secs(300)),
        Error::Interrupted,
        Error::Unauthorized {
            error: "invalid_request".to_owned(),
            description: Some("the redirect URI is not registered".to_owned()),
        },
        Error::Unauthorized {
            error: "server_error".to_owned(),
            description: None,
        },
        Error::Codeless,
        Error::Port {
            port: 8484,
            source: refused(ErrorKind::AddrInUse),
        },
        Error::Random("the system call is not there".to_owned()),
    ];
    assert_snapshot!(shown(errors), @"
    5: error: the consent was denied on the service's page
    hint: no token was saved; start again with `gutterbatch connect`
    5: error: nobody answered the consent page within 5m
    hint: start again with more time: gutterbatch connect --timeout 15m
    130: error: interrupted
    hint: no token was saved; start again with `gutterbatch connect`
    5: error: the consent page answered invalid_request: the redirect URI is not registered
    hint: no token was saved; compare client id and redirect URI with the service's developer dashboard
    5: error: the consent page answered server_error
    hint: no token was saved; compare client id and redirect URI with the service's developer dashboard
    5: error: the browser's answer contains no code
    hint: no token was saved; start again with `gutterbatch connect`
    2: error: cannot listen on port 8484 of this machine: another program uses it
    hint: give another port that is registered for the app with --port N, or leave it out for any free one
    8: error: the operating system returned no random bytes: the system call is not there
    ");
}

#[test]
fn a_code_that_gives_no_token_says_what_the_service_said() {
    let refused = |error: &str, description: Option<&str>| OauthError::Refused {
        error: error.to_owned(),
        description: description.map(str::to_owned),
    };
    let service = |status: u16, code: &str| OauthError::Service {
        status,
        code: code.to_owned(),
    };
    let foreign = |status: u16, reason: &str| OauthError::NotOauth {
        status,
        reason: reason.to_owned(),
    };
    let errors = [
        OauthError::Transport(TransportError::TimedOut),
        refused("invalid_grant", Some("the code was used before")),
        refused("invalid_client", None),
        refused("unsupported_grant_type", None),
        foreign(200, "it is no JSON"),
        foreign(404, "its body has no OAuth error"),
        foreign(502, "its body has no OAuth error"),
        service(400, "unsupported_version"),
        service(501, "not_implemented"),
        service(422, "validation_failed"),
        OauthError::Redirected {
            location: Some("https://elsewhere.example".to_owned()),
        },
    ];
    assert_snapshot!(shown(errors.map(Error::Exchange)), @"
    5: error: no response to the code arrived: the service did not answer in time
    hint: no token was saved, but the team's earlier token may have ended; start again with `gutterbatch connect`
    5: error: the service refused the code, which works once and for ten minutes: invalid_grant, the code was used before
    hint: no token was saved; start again with `gutterbatch connect`
    5: error: the service does not know this client id and secret: invalid_client
    hint: no token was saved; compare both with the service's developer dashboard, and start again
    5: error: the service gave no token for the code: unsupported_grant_type
    hint: no token was saved; start again with `gutterbatch connect`
    5: error: the response to the code is not the documented one: status 200, it is no JSON
    hint: no token was saved, but the team's earlier token may have ended; is this the service's address?
    5: error: the response to the code is not the documented one: status 404, its body has no OAuth error
    hint: no token was saved; is this the service's address?
    5: error: the service failed while exchanging the code: status 502, its body has no OAuth error
    hint: no token was saved, but the team's earlier token may have ended; start again with `gutterbatch connect`
    9: error: the service does not serve this version: 400 unsupported_version
    hint: no token was saved; set a version that it serves with --service-version
    9: error: the service does not offer the exchange of codes yet (501)
    hint: no token was saved; try again when the service offers it
    5: error: the response to the code is not the documented one: 422 validation_failed
    hint: no token was saved; is this the service's address?
    9: error: the service redirects to https://elsewhere.example; the code and the secret are not sent there
    hint: no token was saved; if that is the service's new address, give it with --base-url
    ");
}

#[test]
fn a_token_that_cannot_be_kept_says_what_became_of_it() {
    let file = || Error::File {
        doing: "write",
        path: PathBuf::from("default.json"),
        source: refused(ErrorKind::StorageFull),
    };
    let found = ConnectionDetails {
        base_url: "https://api.example.com".to_owned(),
        client_id: "app_1".to_owned(),
        app_name: None,
        team_id: "t2".to_owned(),
        team_name: "Gables".to_owned(),
        connected_at: "2026-11-20T15:00:00Z".to_owned(),
    };
    let errors = [
        Error::Unstored {
            source: Box::new(file()),
            token: DiscardedToken::Revoked,
        },
        Error::Unstored {
            source: Box::new(file()),
            token: DiscardedToken::Alive(OauthError::Transport(TransportError::TimedOut)),
        },
        Error::OtherTeam {
            expected: "Eaves (t1)".to_owned(),
            found: Box::new(found),
            token: DiscardedToken::Revoked,
        },
    ];
    assert_snapshot!(shown(errors), @"
    8: error: the new token cannot be stored: cannot write default.json: the disk is full
    hint: the new token was revoked; that team's earlier token had already ended with the consent
    8: error: the new token cannot be stored: cannot write default.json: the disk is full
    hint: the new token could not be revoked (the service did not answer in time): disconnect the app in that team's settings in the service
    6: error: this profile belongs to Eaves (t1), but Gables (t2) consented; nothing was saved
    hint: the new token was revoked; that team's earlier token had already ended with the consent
          connect each team under a profile of its own: gutterbatch connect --profile NAME
    ");
}

#[test]
fn a_saved_connection_that_cannot_be_used_says_how_to_mend_it() {
    let path = || PathBuf::from("default.json");
    let errors = [
        Error::File {
            doing: "read",
            path: path(),
            source: refused(ErrorKind::PermissionDenied),
        },
        Error::Exposed { path: path() },
        Error::Damaged {
            path: path(),
            reason: "line 3: a quote is missing".to_owned(),
        },
        Error::Keychain {
            reason: "it is locked".to_owned(),
        },
        Error::Vanished,
        Error::Config {
            path: PathBuf::from("config.toml"),
            reason: "line 2: not `key = value`".to_owned(),
        },
    ];
    assert_snapshot!(shown(errors), @"
    8: error: cannot read default.json: permission denied
    8: error: default.json can be read by others, so it is not used
    hint: chmod 600 default.json; if others may have seen it, `gutterbatch connect` makes a new token and ends this one
    8: error: default.json is damaged: line 3: a quote is missing
    hint: connect again with `gutterbatch connect`, which replaces it
    8: error: the keychain cannot be used: it is locked
    hint: unlock it and try again; or keep secrets in a private file: gutterbatch connect --secrets file
    5: error: the keychain no longer holds the token of this profile
    hint: connect again with `gutterbatch connect`
    2: error: config.toml: line 2: not `key = value`
    hint: correct the file, or move it aside
    ");
}
