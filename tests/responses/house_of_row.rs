//! Every answer is held against its row: another house is a conflict, another place or the same location a warning.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

use crate::support::canned::{self, Canned};
use crate::support::imports::{outcomes, sheet};
use crate::support::{Run, Stage};

/// A service that creates whatever it is asked for, after `placed` had its way with the measurement.
fn service(placed: fn(&str, &mut Value)) -> Canned {
    Canned::answering(move |request| {
        if request.starts_with("GET") {
            return canned::healthy(request);
        }
        let asked = canned::asked(request);
        let mut measurement = canned::measurement(&asked);
        placed(asked["external"]["id"].as_str().unwrap(), &mut measurement);
        canned::json("201 Created", &measurement)
    })
}

fn run(stage: &Stage, service: &Canned, args: &[&str]) -> Run {
    Run::of(stage.against(service, args).output().unwrap())
}

fn import(service: &Canned, code: i32) -> (Stage, Value) {
    let stage = Stage::offline();
    stage.file("leads.csv", sheet(0..3));
    let run = run(&stage, service, &["import", "leads.csv", "--json"]);
    let document = run.expect(code).json();
    (stage, document)
}

/// The kinds of warnings that `status` lists, by id.
fn warnings(stage: &Stage) -> Vec<(String, String)> {
    let status = stage.run(&["status", "--json"]).expect(0).json();
    let listed = status["warnings"].as_array().unwrap().iter();
    let text = |warning: &Value, key: &str| warning[key].as_str().unwrap().to_owned();
    listed
        .map(|warning| (text(warning, "external_id"), text(warning, "kind")))
        .collect()
}

#[test]
fn an_answer_that_agrees_is_no_reason_to_look() {
    let (stage, document) = import(&service(|_, _| {}), 0);
    assert_eq!(outcomes(&document), BTreeMap::from([("created", 3)]));
    assert_eq!(document["warnings"], 0);
    assert_eq!(warnings(&stage), []);
}

#[test]
fn a_house_that_was_placed_elsewhere_is_a_warning_in_the_run_and_in_status() {
    let moved = service(|id, measurement| {
        if id == "A-1" {
            let elsewhere = "11 Elm Street, Gatineau, QC J8X 1A1, Canada";
            measurement["address"]["formatted"] = json!(elsewhere);
        }
    });
    let (stage, document) = import(&moved, 0);
    assert_eq!(outcomes(&document), BTreeMap::from([("created", 3)]));
    assert_eq!(document["warnings"], 1);
    let expected = [("A-1".to_owned(), "placed_elsewhere".to_owned())];
    assert_eq!(warnings(&stage), expected);
    let story = stage.run(&["status", "--id", "A-1"]).expect(0).stdout;
    let differs =
        "elsewhere: 11 Elm Street, Gatineau, QC J8X 1A1, Canada (differs in city, postal_code)";
    assert!(story.contains(differs), "{story}");
}

#[test]
fn a_warning_and_a_refusal_call_fields_by_the_sheet_s_own_headers() {
    let answers = Canned::answering(|request| {
        if request.starts_with("GET") {
            return canned::healthy(request);
        }
        let asked = canned::asked(request);
        if asked["external"]["id"] == "A-2" {
            let errors = json!([{"field": "address.postal_code", "message": "is not served"}]);
            let error = json!({"code": "validation_failed", "message": "no", "errors": errors});
            let errors = json!({ "error": error });
            return canned::json("422 Unprocessable Entity", &errors);
        }
        let mut measurement = canned::measurement(&asked);
        measurement["address"]["formatted"] = json!("1 Elm St, Gatineau, QC J8X 1A1, Canada");
        canned::json("201 Created", &measurement)
    });
    let stage = Stage::offline();
    let rows = "A-1,Ada,a@example.com,1 Elm St,Ottawa,ON,K1A 0B1\nA-2,Bo,b@example.com,2 Elm St,Ottawa,ON,K1A 0B1\n";
    stage.file(
        "leads.csv",
        format!("Kennung,Wer,Mail,Wo,Ort,Prov,PLZ\n{rows}"),
    );
    let maps = [
        "id=Kennung",
        "name=Wer",
        "email=Mail",
        "line1=Wo",
        "city=Ort",
        "region=Prov",
        "postal_code=PLZ",
    ];
    let mut args = vec!["import", "leads.csv", "--yes"];
    args.extend(maps.iter().flat_map(|map| ["--map", map]));
    let run = run(&stage, &answers, &args).expect(3);
    assert!(
        run.stderr.contains("(differs in Ort, PLZ)"),
        "{}",
        run.stderr
    );
    let refused = "warning: G3: refused: PLZ: is not served\n";
    assert!(run.stderr.contains(refused), "{}", run.stderr);
    let rejects = std::fs::read_to_string(stage.path("leads.rejects.csv")).unwrap();
    assert!(rejects.contains("PLZ: is not served"), "{rejects}");
    let story = |id| stage.run(&["status", "--id", id]).expect(0).stdout;
    assert!(
        story("A-1").contains("(differs in Ort, PLZ)"),
        "{}",
        story("A-1")
    );
    assert!(
        story("A-2").contains("refused: PLZ: is not served"),
        "{}",
        story("A-2")
    );
    stage
        .run(&["export", "results.xlsx", "--offline"])
        .expect(0);
    let book = std::fs::read(stage.path("results.xlsx")).unwrap();
    let notes = crate::workbook::entries(&book, "xl/comments").concat();
    assert!(notes.contains("Placed elsewhere (Ort, PLZ)"), "{notes}");
}

#[test]
fn two_ids_under_one_roof_are_a_warning() {
    let same = service(|_, measurement| measurement["address"]["lat"] = json!(45.5));
    // Nothing said before that they could be one house, so a person must look.
    let (stage, document) = import(&same, 3);
    assert_eq!(document["warnings"], 2);
    let kinds: Vec<String> = warnings(&stage).into_iter().map(|(_, kind)| kind).collect();
    assert_eq!(kinds, ["same_location", "same_location"]);
}

#[test]
fn an_answer_about_another_house_is_a_conflict_even_with_201() {
    let other = service(|id, measurement| {
        if id == "A-1" {
            measurement["address"]["line1"] = json!("99 Oak Street");
        }
    });
    let (_, document) = import(&other, 3);
    let expected = BTreeMap::from([("created", 2), ("conflict", 1)]);
    assert_eq!(outcomes(&document), expected);
}

#[test]
fn one_measurement_for_two_ids_is_a_conflict_of_the_second() {
    let one = service(|_, measurement| measurement["id"] = json!("msr_1"));
    let (_, document) = import(&one, 3);
    let expected = BTreeMap::from([("created", 1), ("conflict", 2)]);
    assert_eq!(outcomes(&document), expected);
}

#[test]
fn a_house_that_was_created_with_another_address_is_not_requested_under_a_new_id() {
    let normalized = service(|_, measurement| {
        let line1 = measurement["address"]["line1"].as_str().unwrap();
        measurement["address"]["line1"] = json!(line1.replace("12-34", "1234"));
    });
    let stage = Stage::offline();
    let leads = |id: &str, street: &str| {
        stage.file(
            "leads.csv",
            format!(
                "id,name,email,line1,city,region,postal_code\n{id},Ann,a@example.com,{street},Ottawa,ON,K1A 0B1\n"
            ),
        );
    };
    let import = |code: i32| {
        let document = run(&stage, &normalized, &["import", "leads.csv", "--json"]);
        document.expect(code).json()
    };
    leads("A-1", "12-34 56th Ave");
    let told =
        "requested, but the service shows another address: 1234 56th Ave, Ottawa, ON K1A 0B1 (";
    // The second run tells the same without a request.
    for requests in [2, 0] {
        let document = import(3);
        assert_eq!(outcomes(&document), BTreeMap::from([("conflict", 1)]));
        assert_eq!(document["requests"]["total"], requests);
        let problems = document["problems"].as_array().unwrap();
        assert_eq!(problems.len(), 1, "{document}");
        assert_eq!(problems[0]["field"], "line1");
        let message = problems[0]["message"].as_str().unwrap();
        assert!(message.starts_with(told), "{message}");
        assert!(!message.contains("give it a new id"), "{message}");
    }
    for street in ["12-34 56th Ave", "1234 56th Ave"] {
        leads("A-9", street);
        let document = import(3);
        assert_eq!(
            outcomes(&document),
            BTreeMap::from([("same_house", 1)]),
            "{street}"
        );
        assert_eq!(document["requests"]["total"], 0);
    }
    // The address of the service is the row's: the service knows the id with it.
    leads("A-1", "1234 56th Ave");
    assert_eq!(outcomes(&import(0)), BTreeMap::from([("created", 1)]));
}

#[test]
#[expect(
    clippy::disallowed_methods,
    reason = "the program compares the time of the service with its own clock"
)]
fn a_known_id_whose_request_may_be_the_rows_own_gets_no_new_id() {
    for (asked_for, placed, is_lost, told) in [
        (
            "Lot 12 Sunset Dr",
            "1412 Sunset Dr",
            false,
            "the service knows this id, with this customer, at another address: 1412 Sunset Dr,",
        ),
        (
            "12 Elm St",
            "99 Oak Rd",
            true,
            "requested, but the service shows another address: 99 Oak Rd,",
        ),
        (
            "12 Elm St",
            "99 Oak Rd",
            false,
            "the service knows this id with another house: 99 Oak Rd,",
        ),
    ] {
        let posts = Mutex::new(0);
        let known = Canned::answering(move |request| {
            if request.starts_with("GET") {
                return canned::healthy(request);
            }
            let mut posts = posts.lock().unwrap();
            *posts += 1;
            if is_lost && *posts == 1 {
                return canned::answer("503 Service Unavailable", "Retry-After: 0\r\n", "");
            }
            let mut measurement = canned::measurement(&canned::asked(request));
            measurement["address"]["line1"] = json!(placed);
            measurement["created_at"] = json!(jiff::Timestamp::now());
            canned::json("200 OK", &measurement)
        });
        let stage = Stage::offline();
        stage.file(
            "leads.csv",
            format!("id,name,email,line1,city,region,postal_code\nA-1,Ann,a@example.com,{asked_for},Ottawa,ON,K1A 0B1\n"),
        );
        for _ in 0..2 {
            let document = run(&stage, &known, &["import", "leads.csv", "--json"]);
            let document = document.expect(3).json();
            let mut problems = document["problems"].as_array().unwrap().iter();
            let conflict = problems.find(|problem| problem["severity"] == "error");
            let message = conflict.unwrap()["message"].as_str().unwrap();
            assert!(message.starts_with(told), "{message}");
            let has_advice = message.contains("for example");
            assert_eq!(has_advice, told.contains("with another house"), "{message}");
        }
    }
}

#[test]
fn a_measurement_that_was_created_with_another_address_is_listed_and_billed_once_the_two_agree() {
    let known = Arc::new(Mutex::new(Value::Null));
    let service = Canned::answering({
        let known = Arc::clone(&known);
        move |request| {
            if request.starts_with("GET /me ") {
                return canned::healthy(request);
            }
            if request.starts_with("GET") {
                return canned::json("200 OK", &known.lock().unwrap());
            }
            let mut measurement = canned::measurement(&canned::asked(request));
            measurement["address"]["postal_code"] = json!("K1A 0B2");
            *known.lock().unwrap() = measurement.clone();
            canned::json("201 Created", &measurement)
        }
    });
    let stage = Stage::offline();
    stage.file("leads.csv", sheet(1..2));
    let conflicts = |code| {
        let document = run(&stage, &service, &["import", "leads.csv", "--json"]);
        let document = document.expect(code).json();
        outcomes(&document)
            .get("conflict")
            .copied()
            .unwrap_or_default()
    };
    let bill = |name: &str, code: i32| {
        let words = ["export", name, "--new", "--json"];
        run(&stage, &service, &words).expect(code)
    };
    assert_eq!(conflicts(3), 1);
    let mut measurement = known.lock().unwrap().clone();
    measurement["status"] = json!("complete");
    measurement["completed_at"] = json!("2026-11-22T08:00:00Z");
    measurement["result"] = json!({
        "gutter_length_ft": 120.5, "gutter_size_in": 5, "corner_count": 6, "downspout_count": 0,
        "downspout_length_ft": 0, "downspouts": [], "installer_message": null, "asset_pack": [],
    });
    *known.lock().unwrap() = measurement.clone();
    let exported = bill("early.xlsx", 3);
    assert_eq!(exported.json()["other_addresses"][0]["external_id"], "A-1");
    assert!(exported.stderr.contains("K1A 0B2"), "{}", exported.stderr);
    assert_eq!(conflicts(3), 1);
    measurement["address"]["postal_code"] = json!("K1A 0B1");
    *known.lock().unwrap() = measurement;
    assert_eq!(bill("bill.xlsx", 0).json()["sealed"], 1);
    assert_eq!(conflicts(0), 0);
    assert_eq!(warnings(&stage), []);
    let heard = service.heard();
    let sent = heard.iter().filter(|request| request.starts_with("POST"));
    assert_eq!(sent.count(), 1);
}

#[test]
fn a_conflict_about_the_country_names_it() {
    let answers: [fn(&str, &mut Value); 2] = [
        |_, placed| placed["address"]["country"] = json!("US"),
        |_, placed| placed["address"]["country"] = json!("MX"),
    ];
    for (answer, shown) in answers.into_iter().zip(["US", "MX"]) {
        let (_, document) = import(&service(answer), 3);
        let problem = &document["problems"][0];
        assert_eq!(problem["field"], "country", "{problem}");
        let message = problem["message"].as_str().unwrap();
        let house = format!("Ottawa, ON K1A 0B1, {shown} (");
        assert!(message.contains(&house), "{message}");
    }
}
