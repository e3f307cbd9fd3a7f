//! `disconnect`: the token is ended, deleted here whatever the service did, and proved to be not valid any more.

use serde_json::json;

use crate::connect::aftermath::error;
use crate::support::canned::{self, Canned};
use crate::support::{Run, Stage};

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
        assert!(said.contains("was not refused with 401"), "{said}");
        assert!(said.contains(words), "{said}");
        assert!(
            run.stderr.contains("settings in the service"),
            "{}",
            run.stderr
        );
    }
}

#[test]
fn a_revocation_without_an_answer_whose_token_still_works_ends_with_9() {
    let run = disconnecting(Vec::new(), account()).expect(9);
    assert!(error(&run).contains("is not revoked"), "{}", run.stderr);
    assert!(
        run.stderr
            .contains("disconnect the app in the team's settings in the service"),
        "{}",
        run.stderr
    );
    // A token of the environment is the user's to remove.
    assert!(
        run.stderr
            .contains("remove the token from GUTTERBATCH_TOKEN"),
        "{}",
        run.stderr
    );
}

#[test]
fn a_spent_quota_leaves_the_revocation_without_its_proof() {
    for wait in ["61", "86400"] {
        let headers = format!("Retry-After: {wait}\r\n");
        let limited = canned::answer("429 Too Many Requests", &headers, "");
        let run = disconnecting(canned::answer("200 OK", "", ""), limited).expect(4);
        assert!(
            error(&run).contains("the revocation is not confirmed"),
            "{}",
            run.stderr
        );
    }
}

#[test]
fn a_revocation_that_is_refused_says_what_to_do_in_the_service() {
    let refused = canned::json("401 Unauthorized", &json!({"error": "invalid_client"}));
    let run = disconnecting(refused.clone(), account()).expect(9);
    assert!(
        error(&run).contains("the token is not revoked: the service still accepts it; the revocation was answered with invalid_client"),
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

#[test]
fn a_saved_secret_is_sent_only_to_the_service_of_its_connection() {
    let stage = Stage::offline();
    let saved_at = Canned::answering(canned::healthy);
    let mut connect = stage.against(&saved_at, &["connect", "--token-stdin"]);
    stage.file("token.txt", "saved-t0ken");
    connect
        .env_remove("GUTTERBATCH_TOKEN")
        .env("GUTTERBATCH_CLIENT_SECRET", "s3cret-app")
        .stdin(std::fs::File::open(stage.path("token.txt")).unwrap());
    Run::of(connect.output().unwrap()).expect(0);

    let other = Canned::answering(|request| {
        if request.starts_with("POST /oauth/revoke") {
            return canned::answer("200 OK", "", "");
        }
        if request.starts_with("GET /me") && request.contains("ended-t0ken") {
            let gone = json!({"error": {"code": "unauthorized", "message": ""}});
            return canned::json("401 Unauthorized", &gone);
        }
        canned::healthy(request)
    });
    let mut disconnect = stage.against(&other, &["disconnect"]);
    disconnect.env("GUTTERBATCH_TOKEN", "ended-t0ken");
    let run = Run::of(disconnect.output().unwrap()).expect(0);
    assert!(
        run.stdout
            .contains("no longer accepts the token of GUTTERBATCH_TOKEN"),
        "{}",
        run.stdout
    );
    assert!(stage.path("home/secrets/default.json").exists());

    // A journal of the other service, so that `connect` accepts its address.
    stage.file("leads.csv", crate::support::imports::sheet(0..1));
    let journal = ["--journal", "other.db"];
    let import = [&["import", "leads.csv"], &journal[..]].concat();
    Run::of(stage.against(&other, &import).output().unwrap()).expect(0);
    let connect = ["connect", "--no-browser", "--timeout", "1s"];
    let connect = [&connect, &journal[..]].concat();
    let run = Run::of(stage.against(&other, &connect).output().unwrap()).expect(2);
    assert!(
        error(&run).contains("the client secret is not given"),
        "{}",
        run.stderr
    );

    let heard = other.heard().concat();
    assert!(heard.contains("POST /oauth/revoke"), "{heard}");
    assert!(!heard.contains("s3cret-app"), "{heard}");
}
