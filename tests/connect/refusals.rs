//! Every way in which no connection comes to be: its own sentence, its exit code, and nothing saved.

use std::net::TcpListener;

use serde_json::json;

use crate::connect::asking::Asking;
use crate::connect::saved;
use crate::support::canned::{self, Canned};
use crate::support::{Run, Stage};

fn nothing_saved(stage: &Stage) {
    assert!(!stage.path("home/config.toml").exists());
    assert!(!stage.path("home/secrets/default.json").exists());
}

/// The first line that names the error.
fn error(run: &Run) -> &str {
    let mut lines = run.stderr.lines();
    lines
        .find(|line| line.starts_with("error: "))
        .unwrap_or(&run.stderr)
}

/// Comes back with a query, and expects exit 5 with nothing saved.
fn refused(query: &str) -> (String, Run) {
    let stage = Stage::open();
    let asking = Asking::start(&stage, &[]);
    let page = asking.come_back(query);
    let run = asking.end().expect(5);
    nothing_saved(&stage);
    (page, run)
}

#[test]
fn a_denial_says_so() {
    let stage = Stage::open();
    let asking = Asking::start(&stage, &[]);
    stage.block_on(stage.sandbox().deny(&asking.link)).unwrap();
    let run = asking.end().expect(5);
    assert_eq!(
        error(&run),
        "error: the consent was denied on the service's page"
    );
    nothing_saved(&stage);
}

#[test]
fn a_forged_or_missing_state_ends_the_wait() {
    let (page, run) = refused("code=x&state=forged");
    assert!(
        error(&run).contains("another state than was sent"),
        "{}",
        run.stderr
    );
    assert!(page.starts_with("HTTP/1.1 400") && page.contains("does not belong to the question"));
    let (_, run) = refused("code=x");
    assert!(error(&run).contains("carries no state"), "{}", run.stderr);
}

#[test]
fn an_answer_without_a_code_says_so() {
    let (_, run) = refused("state=STATE");
    assert!(error(&run).contains("carries no code"), "{}", run.stderr);
    let (_, run) = refused("error=server_error&error_description=down+today&state=STATE");
    assert_eq!(
        error(&run),
        "error: the consent page answered server_error: down today"
    );
}

#[test]
fn a_code_that_is_refused_says_so() {
    let (page, run) = refused("code=never-given&state=STATE");
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
    stage.block_on(stage.sandbox().allow(&asking.link)).unwrap();
    let run = asking.end().expect(5);
    assert!(
        error(&run).contains("does not know this client id and secret"),
        "{}",
        run.stderr
    );
    nothing_saved(&stage);
}

#[test]
fn nobody_at_the_consent_page_says_so() {
    let stage = Stage::open();
    let run = Asking::start(&stage, &["--timeout", "300ms"])
        .end()
        .expect(5);
    assert_eq!(
        error(&run),
        "error: nobody answered the consent page within 300ms"
    );
    nothing_saved(&stage);
}

#[test]
fn a_port_in_use_is_said_before_the_browser_opens() {
    let stage = Stage::open();
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let mut command = stage.command(&["connect", "--no-browser", "--port", &port]);
    let run = Run::of(command.env_remove("GUTTERBATCH_TOKEN").output().unwrap()).expect(2);
    assert!(
        error(&run).ends_with("another program uses it"),
        "{}",
        run.stderr
    );
    assert!(!run.stderr.contains("oauth/authorize"), "{}", run.stderr);
    nothing_saved(&stage);
}

#[test]
fn icons_and_idle_connections_do_not_end_the_wait() {
    let stage = Stage::open();
    let asking = Asking::start(&stage, &[]);
    let uri = url::Url::parse(&asking.parameter("redirect_uri")).unwrap();
    let _idle = std::net::TcpStream::connect(("127.0.0.1", uri.port().unwrap())).unwrap();
    assert!(asking.get("/favicon.ico").starts_with("HTTP/1.1 404"));
    assert!(asking.get("/").starts_with("HTTP/1.1 404"));
    stage.block_on(stage.sandbox().allow(&asking.link)).unwrap();
    asking.end().expect(0);
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
        "2s",
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
        let run = run.expect(5);
        assert!(
            error(&run).contains("not the documented one"),
            "{}",
            run.stderr
        );
        // With a 200 a token may have come to life, whatever the body is.
        let granted = service.heard().len() == 1 && run.stderr.contains("status 200");
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
            "the service redirects to https://elsewhere.example/, and neither a code nor a secret follows",
        ),
        (
            canned::answer("308 Moved", "", ""),
            "the service redirects to nowhere",
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
    let run = run.expect(5);
    assert!(
        error(&run).contains("failed over the code"),
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
    let run = run.expect(5);
    assert!(error(&run).contains("did not arrive"), "{}", run.stderr);
    assert!(
        run.stderr
            .contains("the team's earlier token may have ended"),
        "{}",
        run.stderr
    );
    nothing_saved(&stage);
}

#[test]
fn a_second_answer_counts_for_nothing_and_another_code_undoes_the_first() {
    let stage = Stage::offline();
    let (arrived, wait) = std::sync::mpsc::channel::<()>();
    let (go, gate) = std::sync::mpsc::channel::<()>();
    let (arrived, gate) = (std::sync::Mutex::new(arrived), std::sync::Mutex::new(gate));
    let grant = json!({"access_token": "tok", "token_type": "Bearer", "team": {"id": "t1", "name": "T"},
        "connected_at": "2026-01-01T00:00:00Z"});
    let service = Canned::answering(move |request| {
        if request.starts_with("POST /oauth/token") {
            arrived.lock().unwrap().send(()).unwrap();
            gate.lock().unwrap().recv().unwrap();
            return canned::json("200 OK", &grant);
        }
        canned::answer("200 OK", "", "")
    });
    let mut command =
        stage.bare_command(&["connect", "--no-browser", "--base-url", &service.url()]);
    command.args(["--service-version", "2026-01-15", "--client-id", "app"]);
    command.env("GUTTERBATCH_CLIENT_SECRET", "s3cret-app");
    let asking = Asking::of(command);
    std::thread::scope(|scope| {
        let first = scope.spawn(|| asking.come_back("code=one&state=STATE"));
        wait.recv().unwrap();
        for query in [
            "code=one&state=STATE",
            "code=x&state=forged",
            "code=two&state=STATE",
        ] {
            let page = asking.come_back(query);
            assert!(page.starts_with("HTTP/1.1 409"), "{page}");
        }
        go.send(()).unwrap();
        assert!(first.join().unwrap().contains("Two different answers"));
    });
    let run = asking.end().expect(5);
    assert!(
        error(&run).contains("came twice with different codes"),
        "{}",
        run.stderr
    );
    assert!(
        service
            .heard()
            .last()
            .unwrap()
            .starts_with("POST /oauth/revoke")
    );
    nothing_saved(&stage);
}

#[test]
fn the_token_s_place_is_proved_before_anyone_is_asked() {
    let stage = Stage::open();
    // A file stands where the folder for secrets belongs.
    stage.file("home/secrets", "");
    let mut command = stage.command(&["connect", "--no-browser"]);
    let run = Run::of(command.env_remove("GUTTERBATCH_TOKEN").output().unwrap()).expect(8);
    assert!(!run.stderr.contains("oauth/authorize"), "{}", run.stderr);
}

#[test]
fn settings_that_cannot_be_written_are_noticed_before_anyone_is_asked() {
    let stage = Stage::open();
    stage.file("home/config.toml/in-the-way", "");
    let mut command = stage.command(&["connect", "--no-browser"]);
    let run = Run::of(command.env_remove("GUTTERBATCH_TOKEN").output().unwrap()).expect(8);
    assert!(!run.stderr.contains("oauth/authorize"), "{}", run.stderr);
}

#[test]
fn a_fresh_token_that_cannot_be_stored_after_all_is_revoked() {
    let stage = Stage::open();
    let asking = Asking::start(&stage, &[]);
    stage.file("home/secrets/default.json/in-the-way", "");
    stage.block_on(stage.sandbox().allow(&asking.link)).unwrap();
    let run = asking.end().expect(8);
    assert!(
        error(&run).contains("the fresh token cannot be stored"),
        "{}",
        run.stderr
    );
    assert!(
        run.stderr.contains("the fresh token was revoked"),
        "{}",
        run.stderr
    );
    let calls = stage.sandbox().calls();
    let last = calls.last().unwrap();
    assert_eq!(
        (last.path.as_str(), last.status),
        ("/oauth/revoke", Some(200))
    );
}

#[test]
fn another_service_or_app_under_the_same_profile_is_refused_before_anyone_is_asked() {
    let stage = Stage::open();
    let asking = Asking::start(&stage, &[]);
    stage.block_on(stage.sandbox().allow(&asking.link)).unwrap();
    asking.end().expect(0);
    for different in [
        ["--base-url", "http://127.0.0.1:1"],
        ["--client-id", "another"],
    ] {
        let mut command = stage.command(&["connect", "--no-browser"]);
        command.args(different).env_remove("GUTTERBATCH_TOKEN");
        let run = Run::of(command.output().unwrap()).expect(6);
        assert!(!run.stderr.contains("oauth/authorize"), "{}", run.stderr);
    }
    saved(&stage, &["whoami"]).expect(0);
}

#[test]
fn what_is_missing_is_named_where_nobody_can_be_asked() {
    let stage = Stage::offline();
    let run = saved(&stage, &["connect"]).expect(2);
    assert!(
        run.stderr
            .contains("--base-url URL or GUTTERBATCH_BASE_URL"),
        "{}",
        run.stderr
    );
    let run = saved(
        &stage,
        &[
            "connect",
            "--base-url",
            "http://127.0.0.1:1",
            "--service-version",
            "2026-01-15",
            "--client-id",
            "a",
        ],
    );
    let run = run.expect(2);
    assert!(
        run.stderr.contains("--client-secret-file PATH"),
        "{}",
        run.stderr
    );
    saved(
        &stage,
        &[
            "connect",
            "--base-url",
            "http://example.com",
            "--service-version",
            "2026-01-15",
        ],
    )
    .expect(6);
}

#[test]
fn an_interrupt_while_waiting_ends_with_130_and_nothing_saved() {
    let stage = Stage::open();
    let asking = Asking::start(&stage, &[]);
    let killed = std::process::Command::new("kill")
        .args(["-INT", &asking.id().to_string()])
        .status();
    assert!(killed.unwrap().success());
    asking.end().expect(130);
    nothing_saved(&stage);
}

/// `disconnect` with a token of the environment, against a service of these answers for revocation and GET /me.
fn disconnecting(revoke: Vec<u8>, me: Vec<u8>) -> Run {
    let stage = Stage::offline();
    let service = Canned::answering(move |request| {
        if request.starts_with("POST /oauth/revoke") {
            revoke.clone()
        } else {
            me.clone()
        }
    });
    let mut command = stage.bare_command(&["disconnect", "--base-url", &service.url()]);
    command.args(["--service-version", "2026-01-15", "--client-id", "app"]);
    command
        .env("GUTTERBATCH_CLIENT_SECRET", "s3cret-app")
        .env("GUTTERBATCH_TOKEN", "s3cret-token");
    Run::of(command.output().unwrap())
}

fn account() -> Vec<u8> {
    let me = json!({"team": {"id": "t1", "name": "T"}, "app": {"client_id": "app", "name": "A"},
        "connected_at": "2026-01-01T00:00:00Z"});
    canned::json("200 OK", &me)
}

#[test]
fn a_token_that_still_works_after_its_revocation_is_said() {
    let run = disconnecting(canned::answer("200 OK", "", ""), account()).expect(9);
    assert!(error(&run).contains("still accepts it"), "{}", run.stderr);
}

#[test]
fn a_proof_that_is_no_401_is_said_and_ends_with_9() {
    let failed = canned::answer("404 Not Found", "", "");
    let redirect = canned::answer("302 Found", "Location: https://elsewhere.example/\r\n", "");
    for (proof, words) in [
        (failed, "404"),
        (redirect, "redirects to https://elsewhere.example/"),
    ] {
        let run = disconnecting(canned::answer("200 OK", "", ""), proof).expect(9);
        let said = error(&run);
        assert!(said.contains("the proof is no 401"), "{said}");
        assert!(said.contains(words), "{said}");
        assert!(run.stderr.contains("the token is kept"), "{}", run.stderr);
    }
}

#[test]
fn a_revocation_without_an_answer_is_to_be_asked_for_again() {
    let run = disconnecting(Vec::new(), account()).expect(9);
    assert!(error(&run).contains("did not revoke"), "{}", run.stderr);
    assert!(
        run.stderr.contains("run `gutterbatch disconnect` again"),
        "{}",
        run.stderr
    );
}

#[test]
fn a_spent_quota_leaves_the_revocation_to_be_proved_later() {
    for wait in ["5", "86400"] {
        let headers = format!("Retry-After: {wait}\r\n");
        let limited = canned::answer("429 Too Many Requests", &headers, "");
        let run = disconnecting(canned::answer("200 OK", "", ""), limited).expect(4);
        assert!(error(&run).contains("not proved yet"), "{}", run.stderr);
        assert!(run.stderr.contains("the token is kept"), "{}", run.stderr);
    }
}

#[test]
fn a_revocation_that_is_refused_says_what_to_do_in_the_service() {
    let refused = canned::json("401 Unauthorized", &json!({"error": "invalid_client"}));
    let run = disconnecting(refused.clone(), account()).expect(9);
    assert!(
        error(&run).contains("did not revoke the token: invalid_client"),
        "{}",
        run.stderr
    );
    assert!(
        run.stderr.contains("settings in the service"),
        "{}",
        run.stderr
    );
    let gone = json!({"error": {"code": "unauthorized", "message": ""}});
    disconnecting(refused, canned::json("401 Unauthorized", &gone)).expect(0);
}
