//! Rows that the service places at one location.

use serde_json::json;

use crate::same_house::houses::{decide, sheet};
use crate::support::canned::{self, Canned};
use crate::support::{Run, Stage};

/// A service that places every house at one point, and says elsewhere once it was opened.
fn one_point() -> Canned {
    Canned::answering(|request| {
        if request.starts_with("GET /me ") {
            return canned::healthy(request);
        }
        let is_opened = request.starts_with("GET");
        let asked = if is_opened {
            json!({
                "external": {"id": "A-0"},
                "address": {"line1": "12 Elm Street", "city": "Ottawa", "region": "ON", "postal_code": "K1A 0B1"},
                "customer": {"name": "Jo", "email": "jo@example.com"},
            })
        } else {
            canned::asked(request)
        };
        let mut measurement = canned::measurement(&asked);
        measurement["address"]["lat"] = json!(if is_opened { 45.9 } else { 45.5 });
        if is_opened {
            measurement["status"] = json!("in_progress");
            return canned::json("200 OK", &measurement);
        }
        canned::json("201 Created", &measurement)
    })
}

/// Rows of an id and a street each in Ottawa.
fn ottawa(rows: &[(&str, &str)]) -> String {
    let sheet = sheet(rows);
    sheet.replace("Rochester,NY,14604", "Ottawa,ON,K1A 0B1")
}

#[test]
fn two_rows_at_one_location_end_with_3_once() {
    for other in ["12 Old Mill Lane", "12 Elm Avenue", "12 Eml Street"] {
        let (stage, service) = (Stage::offline(), one_point());
        let rows = ottawa(&[("A-0", "12 Elm Street"), ("A-1", other)]);
        // One customer, so that there is a warning also before anything is sent.
        stage.file("leads.csv", rows.replace("cA-1@", "cA-0@"));
        let run = |code| {
            let mut command = stage.against(&service, &["import", "leads.csv"]);
            Run::of(command.output().unwrap()).expect(code)
        };
        let said = run(3).stderr;
        assert!(
            said.contains("the service placed the house at the same point as id A-"),
            "{other}: {said}"
        );
        run(0);
    }
}

#[test]
fn a_location_that_was_refined_is_still_known() {
    let (stage, service) = (Stage::offline(), one_point());
    let run =
        |args: &[&str], code| Run::of(stage.against(&service, args).output().unwrap()).expect(code);
    stage.file("october.csv", ottawa(&[("A-0", "12 Elm Street")]));
    run(&["import", "october.csv"], 0);
    run(&["export", "all.csv", "--refresh", "all"], 0);
    stage.file("november.csv", ottawa(&[("A-1", "12 Old Mill Lane")]));
    let said = run(&["import", "november.csv"], 3).stderr;
    assert!(said.contains("the same point as id A-0"), "{said}");
}

#[test]
fn two_rows_of_one_house_that_a_person_sent_leave_no_warning() {
    let (stage, service) = (Stage::offline(), one_point());
    let run =
        |args: &[&str], code| Run::of(stage.against(&service, args).output().unwrap()).expect(code);
    let rows = [("A-0", "12 Elm Street"), ("A-1", "12 Elm St")];
    stage.file("leads.csv", ottawa(&rows));
    run(&["import", "leads.csv"], 3);
    decide(&stage, "leads.rejects.csv", "send");
    let warnings = || stage.run(&["status", "--json"]).expect(0).json()["warnings"].clone();
    run(&["import", "leads.rejects.csv"], 0);
    assert_eq!(warnings(), json!([]));
    assert_eq!(counted(&stage), "0");
    // What the person did not decide about is still told.
    stage.file("more.csv", ottawa(&[("A-2", "14 Oak Street")]));
    run(&["import", "more.csv"], 3);
    assert_eq!(warnings().as_array().unwrap().len(), 1);
    assert_eq!(counted(&stage), "3");
}

/// The number of measurements at a shared location, in `Summary` of a new workbook.
fn counted(stage: &Stage) -> String {
    stage.run(&["export", "all.xlsx", "--offline", "--force"]);
    let mut workbook: calamine::Xlsx<_> = calamine::open_workbook(stage.path("all.xlsx")).unwrap();
    let summary = calamine::Reader::worksheet_range(&mut workbook, "Summary").unwrap();
    let cells = summary.used_cells().map(|(.., cell)| cell.to_string());
    let mut count = cells.skip_while(|cell| cell != "Same location").skip(1);
    count.next().unwrap()
}

#[test]
fn units_of_one_building_at_one_location_leave_no_warning() {
    let (stage, service) = (Stage::offline(), one_point());
    let run =
        |args: &[&str], code| Run::of(stage.against(&service, args).output().unwrap()).expect(code);
    let warned = || {
        let warnings = stage.run(&["status", "--json"]).expect(0).json()["warnings"].clone();
        (warnings.as_array().unwrap().len(), counted(&stage))
    };
    let units = ["1-12 Elm Street", "12 Elm St Apt 2", "12 Elm Street #3"];
    let rows: Vec<(&str, &str)> = ["A-0", "A-1", "A-2"].into_iter().zip(units).collect();
    stage.file("leads.csv", ottawa(&rows));
    run(&["import", "leads.csv"], 0);
    assert_eq!(warned(), (0, "0".to_owned()));
    // Another house there is still told.
    stage.file("more.csv", ottawa(&[("A-3", "14 Oak Street")]));
    run(&["import", "more.csv"], 3);
    assert_eq!(warned(), (1, "4".to_owned()));
}
