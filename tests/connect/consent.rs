//! The consent page's answer: denied, late, twice or without a code, each has a sentence and nothing is saved; a forged
//! one is ignored.

use std::net::TcpListener;

use serde_json::json;

use crate::connect::aftermath::{error, nothing_saved};
use crate::connect::asking::Asking;
use crate::support::canned::{self, Canned};
use crate::support::{Run, Stage};

/// Comes back with a query, and expects exit 5 with nothing saved.
fn refused(query: &str) -> Run {
    let stage = Stage::open();
    let asking = Asking::start(&stage, &[]);
    asking.come_back(query);
    let run = asking.end().expect(5);
    nothing_saved(&stage);
    run
}

#[test]
fn a_denial_says_so() {
    let stage = Stage::open();
    let asking = Asking::start(&stage, &[]);
    stage.deny(&asking.link);
    let run = asking.end().expect(5);
    assert_eq!(
        error(&run),
        "error: the consent was denied on the service's page"
    );
    nothing_saved(&stage);
}

#[test]
fn an_answer_without_the_state_that_was_sent_gets_a_page_and_the_wait_goes_on() {
    let stage = Stage::open();
    let asking = Asking::start(&stage, &[]);
    for query in [
        "code=x&state=forged",
        "code=x",
        "",
        "error=access_denied",
        "error=access_denied&state=forged",
        "code=x&state=STATE&state=STATE",
    ] {
        let page = asking.come_back(query);
        assert!(page.starts_with("HTTP/1.1 400"), "{query}: {page}");
        assert!(page.contains("gutterbatch still waits"), "{query}: {page}");
    }
    stage.allow(&asking.link);
    asking.end().expect(0);
}

#[test]
fn an_answer_without_a_code_says_so() {
    let run = refused("state=STATE");
    assert!(error(&run).contains("contains no code"), "{}", run.stderr);
    let run = refused("error=server_error&error_description=down+today&state=STATE");
    assert_eq!(
        error(&run),
        "error: the consent page answered server_error: down today"
    );
}

#[test]
fn an_answer_with_another_state_alone_is_named_when_the_time_is_over() {
    let stage = Stage::open();
    let asking = Asking::start(&stage, &["--timeout", "3s"]);
    asking.come_back("code=x&state=forged");
    let run = asking.end().expect(5);
    assert_eq!(
        error(&run),
        "error: the browser's answer does not have the state that was sent, so it was not used"
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
    stage.allow(&asking.link);
    asking.end().expect(0);
}

#[cfg(unix)]
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

#[test]
fn only_the_first_answer_counts() {
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
        for (query, status) in [
            ("code=one&state=STATE", "409"),
            ("code=x&state=forged", "400"),
            ("code=two&state=STATE", "409"),
        ] {
            let page = asking.come_back(query);
            assert!(page.starts_with(&format!("HTTP/1.1 {status}")), "{page}");
        }
        go.send(()).unwrap();
        assert!(
            first
                .join()
                .unwrap()
                .contains("The connection of gutterbatch is saved")
        );
    });
    asking.end();
    let heard = service.heard();
    let exchanges: Vec<_> = heard
        .iter()
        .filter(|request| request.starts_with("POST /oauth/token"))
        .collect();
    assert_eq!(exchanges.len(), 1);
    assert!(exchanges[0].contains("one"), "{exchanges:?}");
    assert!(stage.path("home/secrets/default.json").exists());
}
