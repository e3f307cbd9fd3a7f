//! `status FILE` is about the rows of the file, whatever it is called.

use std::fs;

use crate::export::complete;
use crate::support::Stage;

const HEADERS: &str = "Key,Name,Street,City,State,Zip,Email";

fn sheet(ids: &[u32]) -> String {
    let row = |id: &u32| format!("{id},Ada,{id} Elm Street,Boston,MA,02134,a@example.com\n");
    let rows: String = ids.iter().map(row).collect();
    format!("{HEADERS}\n{rows}")
}

#[test]
fn rows_that_are_not_sent_are_told_from_those_that_wait_at_the_contractor() {
    let stage = Stage::open();
    stage.file("leads.csv", sheet(&[1, 2, 3]));
    stage.file("other.csv", sheet(&[8]));
    let import = |words: &[&str]| stage.run(&[&["import"], words].concat());
    import(&["leads.csv", "--id-column", "Key", "--id-prefix", "a-"]).expect(0);
    import(&["other.csv"]).expect(0);
    complete(&stage, 1);
    stage.run(&["export", "now.csv"]).expect(0);
    let bad = "5,Ada,,Boston,MA,02134,a@example.com\n";
    stage.file("leads.csv", sheet(&[4, 3, 2, 1]) + bad);

    let status = stage.run(&["status", "leads.csv"]).expect(0);
    let line = "rows          5 rows in leads.csv: 1 not sent yet, 2 waiting at the contractor, 1 complete, 1 invalid";
    assert!(status.stdout.contains(line), "{}", status.stdout);
    assert!(
        status.stderr.contains("reading it as before"),
        "{}",
        status.stderr
    );

    // Under another name it is the same rows, once it is said how they were sent.
    fs::rename(stage.path("leads.csv"), stage.path("october.csv")).unwrap();
    let words = ["status", "october.csv", "--id-prefix", "a-", "--json"];
    let status = stage.run(&words).expect(0).json();
    let rows = &status["rows"];
    assert_eq!(rows["total"], 5);
    assert_eq!(rows["not_sent"], 1);
    assert_eq!(rows["waiting"], 2);
    assert_eq!(rows["complete"], 1);
    assert_eq!(status["requests"]["created"], 3);
    assert_eq!(status["last_runs"].as_array().unwrap().len(), 1);
    let whole = stage.run(&["status", "--json"]).expect(0).json();
    assert!(whole["rows"].is_null());
    assert_eq!(whole["requests"]["created"], 4);
}

#[test]
fn a_file_that_is_not_there_is_10_and_a_profile_that_is_not_there_2() {
    let stage = Stage::open();
    stage.run(&["status"]).expect(0);
    stage.run(&["status", "missing.csv"]).expect(10);
    stage.file("leads.csv", sheet(&[1]));
    for profile in ["crm", "north"] {
        let import = ["import", "leads.csv", "--id-column", "Key"];
        stage
            .run(&[&import[..], &["--profile", profile]].concat())
            .expect(0);
    }
    let run = stage.run(&["status", "--profile", "crn"]).expect(2);
    assert!(
        run.stderr.contains("there is no profile `crn`"),
        "{}",
        run.stderr
    );
    assert!(
        run.stderr
            .contains("did you mean `crm`? the profiles are crm, north"),
        "{}",
        run.stderr
    );
    stage.run(&["status", "--profile", "crm"]).expect(0);
}
