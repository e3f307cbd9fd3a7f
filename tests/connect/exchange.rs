//! The exchange of the code for a token: what is sent, and every answer that gives none.

use serde_json::json;

use crate::connect::aftermath::{error, nothing_saved};
use crate::connect::asking::Asking;
use crate::support::canned::{self, Canned};
use crate::support::{Run, Stage};

#[test]
fn a_code_that_is_refused_says_so() {
    let stage = Stage::open();
    let asking = Asking::start(&stage, &[]);
    let page = asking.come_back("code=never-given&state=STATE");
    let run = asking.end().expect(5);
    nothing_saved(&stage);
    assert!(
        error(&run).contains("the service refused the code"),
        "{}",
        run.stderr
    );
    assert!(!page.contains("never-given"), "{page}");
    assert!(!run.stderr.contains("never-given"), "{}", run.stderr);
}

#[test]
fn a_wrong_secret_says_so() {
    let stage = Stage::open();
    let mut command = stage.command(&["connect", "--no-browser"]);
    command
        .env_remove("GUTTERBATCH_TOKEN")
        .env("GUTTERBATCH_CLIENT_SECRET", "wrong");
    let asking = Asking::of(command);
    stage.allow(&asking.link);
    let run = asking.end().expect(5);
    assert!(
        error(&run).contains("does not know this client id and secret"),
        "{}",
        run.stderr
    );
    nothing_saved(&stage);
}

/// `connect` against a token endpoint that answers these bytes; the consent page is played by the test.
fn exchanging(answer: Vec<u8>) -> (Stage, Canned, Run, String) {
    let stage = Stage::offline();
    let service = Canned::answering(move |_| answer.clone());
    let mut command =
        stage.bare_command(&["connect", "--no-browser", "--base-url", &service.url()]);
    command.args([
        "--service-version",
        "2026-01-15",
        "--client-id",
        "app",
        "--call-timeout",
        "5m",
    ]);
    command.env("GUTTERBATCH_CLIENT_SECRET", "s3cret-app");
    let asking = Asking::of(command);
    let page = asking.come_back("code=c0de&state=STATE");
    let run = asking.end();
    (stage, service, run, page)
}

#[test]
fn the_exchange_carries_its_six_fields_in_a_form() {
    let (_, service, _, _) = exchanging(canned::answer("500 Oops", "", ""));
    let heard = service.heard();
    let (top, form) = heard[0].split_once("\r\n\r\n").unwrap();
    assert!(top.starts_with("POST /oauth/token HTTP/1.1"), "{top}");
    assert!(
        top.contains("content-type: application/x-www-form-urlencoded"),
        "{top}"
    );
    let fields = url::form_urlencoded::parse(form.as_bytes());
    let names: Vec<_> = fields.map(|(name, _)| name.into_owned()).collect();
    assert_eq!(
        names,
        [
            "grant_type",
            "code",
            "redirect_uri",
            "client_id",
            "client_secret",
            "code_verifier"
        ]
    );
    assert_eq!(heard.len(), 1, "a code is sent once");
}

#[test]
fn an_answer_to_the_code_that_is_not_oauth_says_so_without_quoting_it() {
    let whole = json!({"access_token": "s3cret-token", "token_type": "bearer"}).to_string();
    for answer in [
        canned::answer("200 OK", "", "<html>s3cret-token</html>"),
        canned::answer("200 OK", "", &whole),
        canned::answer("200 OK", "", ""),
        canned::answer("404 Not Found", "", "s3cret-token"),
        canned::json(
            "400 Bad Request",
            &json!({"error": {"code": "x", "message": "s3cret-token"}}),
        ),
    ] {
        let (stage, service, run, page) = exchanging(answer);
        // With a 200 a token may have come to life, whatever the body is.
        let granted = service.heard().len() == 1 && run.stderr.contains("status 200");
        let run = run.expect(if granted { 4 } else { 9 });
        assert!(
            error(&run).contains("not the documented one"),
            "{}",
            run.stderr
        );
        assert_eq!(run.stderr.contains("may have ended"), granted);
        for secret in ["s3cret", "c0de"] {
            assert!(
                !run.stderr.contains(secret) && !page.contains(secret),
                "{}{page}",
                run.stderr
            );
        }
        nothing_saved(&stage);
    }
}

#[test]
fn a_service_that_does_not_fit_ends_the_exchange_with_9() {
    let version = json!({"error": {"code": "unsupported_version", "message": "2027-01-01"}});
    let later = json!({"error": {"code": "not_implemented", "message": ""}});
    for (answer, words) in [
        (
            canned::answer(
                "302 Found",
                "Location: https://elsewhere.example/\r\n",
                "{}",
            ),
            "the code and the secret are not sent to another address: the service redirects to https://elsewhere.example/",
        ),
        (
            canned::answer("308 Moved", "", ""),
            "the service redirects without saying where",
        ),
        (
            canned::json("400 Bad Request", &version),
            "does not serve this version: 400 unsupported_version",
        ),
        (
            canned::json("501 Not Implemented", &later),
            "does not offer the exchange of codes yet",
        ),
    ] {
        let (stage, service, run, _) = exchanging(answer);
        let run = run.expect(9);
        assert!(error(&run).contains(words), "{}", run.stderr);
        assert_eq!(service.heard().len(), 1, "{words}");
        nothing_saved(&stage);
    }
}

#[test]
fn a_service_that_fails_over_the_code_says_that_the_earlier_token_may_have_ended() {
    let (stage, _, run, _) = exchanging(canned::answer("500 Oops", "", "s3cret-token"));
    let run = run.expect(4);
    assert!(
        error(&run).contains("failed while exchanging the code"),
        "{}",
        run.stderr
    );
    assert!(run.stderr.contains("may have ended"), "{}", run.stderr);
    assert!(!run.stderr.contains("s3cret"), "{}", run.stderr);
    nothing_saved(&stage);
}

#[test]
fn an_answer_to_the_code_that_is_cut_off_says_that_the_earlier_token_may_have_ended() {
    let cut = b"HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\n{\"access_token\"".to_vec();
    let (stage, _, run, _) = exchanging(cut);
    let run = run.expect(4);
    assert!(
        error(&run).contains("no response to the exchange of the code"),
        "{}",
        run.stderr
    );
    assert!(
        run.stderr
            .contains("the team's earlier token may have ended"),
        "{}",
        run.stderr
    );
    nothing_saved(&stage);
}
