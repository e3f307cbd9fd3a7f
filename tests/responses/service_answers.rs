//! What commands make of answers of the service.

use serde_json::json;

use crate::responses::wire::{account, read, whoami};
use crate::support::canned::{self, Canned};
use crate::support::imports::sheet;
use crate::support::{Run, Stage};

fn failed(status: &str, code: &str) -> Vec<u8> {
    canned::json(
        status,
        &json!({"error": {"code": code, "message": "so it is"}}),
    )
}

#[test]
fn a_401_ends_with_5_and_the_way_back() {
    let run = whoami(failed("401 Unauthorized", "unauthorized")).expect(5);
    assert!(run.stderr.contains("gutterbatch connect"), "{}", run.stderr);
    whoami(canned::answer("401 Unauthorized", "", "<html>")).expect(5);
}

#[test]
fn what_is_not_the_service_ends_with_9() {
    for answer in [
        failed("400 Bad Request", "missing_version"),
        failed("400 Bad Request", "unsupported_version"),
        failed("404 Not Found", "not_found"),
        canned::answer("404 Not Found", "", "<html>"),
        canned::answer("405 Method Not Allowed", "", ""),
        canned::answer("403 Forbidden", "", ""),
        canned::answer("422 Unprocessable Content", "", ""),
        canned::answer("302 Found", "Location: https://elsewhere.example/\r\n", ""),
        failed("501 Not Implemented", "not_implemented"),
    ] {
        let shown = String::from_utf8_lossy(&answer).into_owned();
        let run = whoami(answer);
        assert_eq!(run.code, Some(9), "{shown}\n{}", run.stderr);
        assert!(!run.stderr.contains("s3cret"), "{}", run.stderr);
    }
}

#[test]
fn a_service_that_asks_for_more_than_a_minute_ends_with_4() {
    for retry_after in ["61", "99999", "Fri, 31 Dec 2027 23:59:59 GMT"] {
        let run = whoami(canned::answer(
            "429 Too Many Requests",
            &format!("Retry-After: {retry_after}\r\n"),
            "",
        ));
        assert_eq!(run.code, Some(4), "{retry_after}\n{}", run.stderr);
    }
}

#[test]
fn every_command_waits_out_a_pause_of_a_minute_or_less() {
    let stage = Stage::offline();
    stage.file("leads.csv", sheet(0..2));
    // Each call is refused once.
    let refused = std::sync::Mutex::new(std::collections::BTreeSet::new());
    let service = Canned::answering(move |request| {
        let call = request.lines().next().unwrap().to_owned();
        if refused.lock().unwrap().insert(call.clone()) {
            return canned::answer("429 Too Many Requests", "Retry-After: 1\r\n", "");
        }
        if let Some(id) = call.strip_prefix("GET /measurements/msr_") {
            let id = id.split(' ').next().unwrap();
            return canned::json("200 OK", &read(id));
        }
        canned::healthy(request)
    });
    for args in [
        &["whoami"][..],
        &["import", "leads.csv", "--no-wait"],
        &["export", "results.csv"],
    ] {
        let run = Run::of(stage.against(&service, args).output().unwrap()).expect(0);
        assert!(!run.stderr.contains("error:"), "{}", run.stderr);
    }
    let limited = |call: &str| {
        let heard = service.heard();
        heard.iter().filter(|one| one.starts_with(call)).count()
    };
    assert!(
        limited("GET /measurements/msr_A-1 ") == 2,
        "{:?}",
        service.heard()
    );
}

#[test]
fn ids_marks_and_numbers_may_be_written_in_another_way() {
    let stage = Stage::offline();
    let id = "Rene\u{301}e-1";
    stage.file("leads.csv", sheet(1..2).replace("A-1,", &format!("{id},")));
    let complete = json!({
        "gutter_length_ft": 120, "gutter_size_in": 5, "corner_count": 4.0, "downspout_count": 1.0,
        "downspout_length_ft": 11, "downspouts": [{ "length_ft": 11, "floors": 2.0, "size_in": 3 }],
        "installer_message": null, "asset_pack": [],
    });
    let service = Canned::answering(move |request| {
        if request.starts_with("GET /me ") {
            return marked("200 OK", &canned::account());
        }
        let mut measurement = read("1");
        measurement["address"]["line1"] = "11 Elm Street".into();
        measurement["request"]["external"]["id"] = "Ren\u{e9}e-1".into();
        if request.starts_with("POST") {
            return marked("201 Created", &measurement);
        }
        measurement["status"] = "complete".into();
        measurement["completed_at"] = "2026-11-21T09:00:00Z".into();
        measurement["result"] = complete.clone();
        marked("200 OK", &measurement)
    });
    let run = |args: &[&str]| Run::of(stage.against(&service, args).output().unwrap()).expect(0);
    let imported = run(&["import", "leads.csv", "--json"]).json();
    assert_eq!(imported["outcomes"]["created"], 1);
    run(&["export", "results.json"]);
    let results = std::fs::read_to_string(stage.path("results.json")).unwrap();
    let results: serde_json::Value = serde_json::from_str(&results).unwrap();
    let one = &results[0];
    assert_eq!(
        (&one["external_id"], &one["corner_count"]),
        (&id.into(), &4.into()),
        "{results}"
    );
    assert_eq!(one["downspouts"][0]["floors"], 2);
    assert_eq!(
        run(&["import", "leads.csv", "--json"]).json()["requests"]["total"],
        0
    );
}

/// JSON behind a byte order mark.
fn marked(status: &str, body: &serde_json::Value) -> Vec<u8> {
    canned::answer(
        status,
        "Content-Type: application/json\r\n",
        &format!("\u{feff}{body}"),
    )
}

#[test]
fn a_name_from_the_service_cannot_drive_the_terminal() {
    let run = whoami(account()).expect(0);
    assert!(run.stdout.contains("Eaves [31m"), "{}", run.stdout);
    assert!(!run.stdout.contains('\u{1b}'));
}

#[test]
fn the_hint_of_an_answer_to_an_export_is_about_no_row() {
    let service = Canned::answering(|request| {
        if request.starts_with("GET /measurements/") {
            return canned::answer("403 Forbidden", "", "");
        }
        canned::healthy(request)
    });
    let stage = Stage::speaking_to(service.url());
    stage.file("leads.csv", sheet(0..1));
    stage.run(&["import", "leads.csv"]).expect(0);
    let run = stage.run(&["export", "out.json"]);
    let named = run.stderr.contains("the response to the measurement of `");
    assert!(named && !run.stderr.contains("a note"), "{}", run.stderr);
}
