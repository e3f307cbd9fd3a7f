//! Texts of the service that are longer than a cell, a page footer or a message can be, or that would control a terminal.

use std::fs;

use serde_json::{Value, json};

use crate::support::canned::{self, Canned};
use crate::support::imports::sheet;
use crate::support::{Run, Stage};

/// More than a cell holds.
const LONG: usize = 40_000;

/// A service whose measurements are complete at once, and whose texts `rewrite` changes.
fn service(rewrite: fn(&mut Value), team: &'static str) -> Canned {
    Canned::answering(move |request| {
        if request.starts_with("GET /me") {
            let mut account = canned::account();
            account["team"]["name"] = team.into();
            return canned::json("200 OK", &account);
        }
        let mut measurement = canned::measurement(&canned::asked(request));
        measurement["status"] = "complete".into();
        measurement["completed_at"] = measurement["created_at"].clone();
        measurement["result"] = json!({
            "gutter_length_ft": 120.5, "gutter_size_in": 5, "corner_count": 6,
            "downspout_count": 1, "downspout_length_ft": 11,
            "downspouts": [{ "length_ft": 11, "floors": 1, "size_in": 3 }],
            "installer_message": null, "asset_pack": [],
        });
        rewrite(&mut measurement);
        canned::json("201 Created", &measurement)
    })
}

fn run(stage: &Stage, service: &Canned, args: &[&str], code: i32) -> Run {
    Run::of(stage.against(service, args).output().unwrap()).expect(code)
}

#[test]
fn a_long_text_of_the_service_ends_no_export_and_no_message_quotes_it_whole() {
    let rewrites: [fn(&mut Value); 3] = [
        |measurement| measurement["address"]["formatted"] = "x".repeat(LONG).into(),
        |measurement| {
            measurement["address"]["city"] = "x".repeat(LONG).into();
            measurement["address"]["formatted"] = Value::Null;
        },
        |measurement| measurement["result"]["installer_message"] = "x".repeat(LONG).into(),
    ];
    for rewrite in rewrites {
        let stage = Stage::offline();
        let service = service(rewrite, "Evergreen");
        stage.file("leads.csv", sheet(0..2));
        let imported = run(&stage, &service, &["import", "leads.csv"], 0);
        assert!(imported.stderr.len() < 2000, "{}", imported.stderr);
        for words in [
            &["export", "all.xlsx", "--refresh", "never"][..],
            &["export", "bill.xlsx", "--new", "--refresh", "never"],
            &[
                "export",
                "own.csv",
                "--for",
                "leads.csv",
                "--refresh",
                "never",
            ],
        ] {
            let exported = run(&stage, &service, words, 0);
            assert!(exported.stderr.len() < 2000, "{}", exported.stderr);
        }
        let bill = fs::read(stage.path("bill.xlsx")).unwrap();
        assert_eq!(crate::workbook::table(&bill, "Measurements").len(), 3);
        let status = run(&stage, &service, &["status"], 0);
        assert!(status.stdout.len() < 3000, "{}", status.stdout);
    }
}

#[test]
fn a_long_name_of_the_team_ends_no_export() {
    let name: &'static str = "North ".repeat(LONG / 6 + 1).leak();
    let stage = Stage::offline();
    let service = service(|_| {}, name);
    stage.file("leads.csv", sheet(0..1));
    run(&stage, &service, &["import", "leads.csv"], 0);
    let words = ["export", "bill.xlsx", "--new", "--refresh", "never"];
    let exported = run(&stage, &service, &words, 0);
    assert_eq!(exported.stderr, "");
}

#[cfg(target_os = "linux")]
#[test]
fn control_characters_of_the_service_reach_a_file_and_no_terminal() {
    use crate::connect::hidden::Sitting;
    use crate::support::Scripted;

    const CONTROLS: [char; 4] = ['\u{1b}', '\u{7}', '\u{9b}', '\u{202e}'];
    let service = Scripted::start();
    let stage = Stage::speaking_to(service.url());
    stage.file("leads.csv", sheet(0..1));
    stage.run(&["import", "leads.csv"]).expect(0);
    service.complete("A-0");
    let text: String = CONTROLS.iter().flat_map(|&c| [c, 'é']).collect();
    service.rewrite("A-0", |one| {
        one["result"]["installer_message"] = text.clone().into();
    });
    stage.run(&["export", "all.xlsx"]).expect(0);
    for format in ["csv", "json", "ndjson"] {
        let command = format!("gutterbatch export - --format {format} --offline 2> aside.txt");
        let shown = Sitting::at(&stage, &command).end();
        assert_eq!(shown.code, Some(0), "{}", shown.stdout);
        let words = ["export", "-", "--format", format, "--offline"];
        let piped = stage.run(&words).expect(0).stdout;
        assert!(
            piped.contains('\u{202e}') && piped.contains('\u{9b}'),
            "{piped:?}"
        );
        let lines = |text: &str| -> Vec<String> {
            text.lines()
                .map(|line| line.trim_end().to_owned())
                .collect()
        };
        let expected = lines(&piped.replace(CONTROLS, " "));
        assert_eq!(lines(&shown.stdout), expected, "{format}");
    }
}

#[test]
fn a_long_refusal_is_cut() {
    let service = Canned::answering(|request| {
        if request.starts_with("GET /me") {
            return canned::healthy(request);
        }
        let errors = json!([{ "field": "address.line1", "message": "x".repeat(LONG) }]);
        let error = json!({ "code": "validation_failed", "message": "no", "errors": errors });
        canned::json("422 Unprocessable Content", &json!({ "error": error }))
    });
    let stage = Stage::offline();
    stage.file("leads.csv", sheet(0..1));
    let imported = run(&stage, &service, &["import", "leads.csv"], 3);
    assert!(imported.stderr.len() < 3000, "{}", imported.stderr);
}
