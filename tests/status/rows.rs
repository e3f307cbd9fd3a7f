//! `status FILE` is about the rows of the file, whatever it is called.

use std::fs;

use serde_json::Value;

use crate::support::exports::{complete, ids};
use crate::support::{Contractor as _, Run, Stage};

pub(crate) const HEADERS: &str = "Key,Name,Street,City,State,Zip,Email";

pub(crate) fn sheet(ids: &[u32]) -> String {
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
    // With an address and a token of the environment too; a new name is that of a new profile.
    let other = ["import", "leads.csv", "--id-column", "Key", "--profile"];
    let run = stage.run(&[&other[..], &["crn"]].concat()).expect(2);
    assert!(
        run.stderr.contains("did you mean `crm`? "),
        "{}",
        run.stderr
    );
    stage.run(&[&other[..], &["tests"]].concat()).expect(0);
    let bare = |words: &[&str]| {
        let command = stage.bare_command(&[words, &["--profile", "crn"]].concat());
        Run::of({ command }.output().unwrap())
    };
    for words in [
        &["check", "leads.csv"][..],
        &["import", "leads.csv"],
        &["import", "leads.csv", "--dry-run"],
        &["export", "results.csv"],
        &["whoami"],
        &["backup", "copy.db"],
        &["disconnect"],
    ] {
        let stderr = bare(words).expect(2).stderr;
        assert!(
            stderr.contains("did you mean `crm`? "),
            "{words:?}: {stderr}"
        );
    }
    assert!(!bare(&["connect"]).stderr.contains("did you mean"));
}

/// The three answers, without their labels; the second has a line for each matter, without the rejects to correct.
pub(crate) fn answers(stage: &Stage, args: &[&str]) -> [String; 3] {
    let mut answers = full_answers(stage, args);
    let without_rejects = |line: &str| {
        let line = line.split(CORRECT).next().unwrap();
        line.split(": gutterbatch check ")
            .next()
            .unwrap()
            .to_owned()
    };
    let lines: Vec<String> = answers[1].lines().map(without_rejects).collect();
    answers[1] = lines.join("\n");
    answers
}

/// What follows the number of rejected rows.
const CORRECT: &str = "; correct the rejects and import them: gutterbatch import ";

fn full_answers(stage: &Stage, args: &[&str]) -> [String; 3] {
    let run = stage.run(&[&["status"], args].concat()).expect(0);
    let text = run.stdout.strip_prefix("done          ").unwrap();
    let (done, text) = text.split_once("\nends          ").unwrap();
    let (ends, text) = text.split_once("\nneeds you     ").unwrap();
    let (needs, _) = text.split_once("\nprofile ").unwrap();
    let needs = needs.replace("\n              ", "\n");
    [done, &needs, ends].map(str::to_owned)
}

/// The third answer while measurements are open, up to the time as of which that holds.
pub(crate) fn open(count: u32) -> String {
    format!("when the contractor is done: {count} of {count} measurements open, as of ")
}

#[test]
fn the_first_lines_answer_whether_it_is_done_what_needs_a_person_and_when_it_ends() {
    let stage = Stage::open();
    let nothing = [
        "nothing was imported yet",
        "nothing",
        "nothing was requested yet",
    ];
    assert_eq!(answers(&stage, &[]), nothing);

    stage.file(
        "leads.csv",
        sheet(&[1, 2, 3]) + "4,Ada,,Boston,MA,02134,a@example.com\n",
    );
    let ids = ["--id-column", "Key"];
    let import = |more: &[&str], code| {
        stage
            .run(&[&["import", "leads.csv"], &ids[..], more].concat())
            .expect(code);
    };
    import(&["--limit", "1"], 4);
    let [done, needs, ends] = answers(&stage, &[]);
    assert_eq!(done, "no: 2 rows of 4 pending in leads.csv");
    let file = stage.path("leads.csv");
    let resume = format!("2 rows pending: gutterbatch import {}", file.display());
    assert_eq!(needs, format!("1 invalid in leads.csv\n{resume}"));
    assert!(
        ends.contains(" if the import resumes now: 3 requests"),
        "{ends}"
    );
    let of_file = answers(&stage, &["leads.csv"]);
    assert_eq!(of_file[0], done);
    assert_eq!(
        of_file[1],
        "1 invalid in leads.csv\n2 rows pending: gutterbatch import leads.csv"
    );

    import(&[], 3);
    let [done, needs, ends] = full_answers(&stage, &[]);
    assert_eq!(
        done,
        "yes: 4 rows in leads.csv, none left to send, 1 rejected"
    );
    let rejects = stage.path("leads.rejects.csv");
    let needed = format!("1 invalid in leads.csv{CORRECT}{}", rejects.display());
    assert_eq!(needs, needed);
    assert_eq!(full_answers(&stage, &["leads.csv"])[1], needed);
    assert!(ends.starts_with(&open(3)), "{ends}");
    assert!(
        ends.ends_with("; `gutterbatch export results.xlsx` asks again"),
        "{ends}"
    );
    complete(&stage, 3);
    stage.run(&["export", "all.csv"]).expect(0);
    assert_eq!(
        answers(&stage, &[])[2],
        "nothing to wait for: none of 3 measurements is open"
    );
}

#[test]
fn canceled_measurements_are_named_where_the_end_is() {
    let stage = Stage::open();
    stage.file("leads.csv", sheet(&[1, 2, 3]));
    stage
        .run(&["import", "leads.csv", "--id-column", "Key"])
        .expect(0);
    for id in &ids(&stage)[1..] {
        stage.block_on(stage.sandbox().withdraw(id)).unwrap();
    }
    stage.run(&["export", "all.csv"]).expect(0);
    let ends = answers(&stage, &[])[2].clone();
    let canceled = "asks again; 2 canceled, listed on the sheet Open of an export";
    assert!(ends.ends_with(canceled), "{ends}");
    complete(&stage, 1);
    stage.run(&["export", "all.csv"]).expect(0);
    assert_eq!(
        answers(&stage, &[])[2],
        "nothing to wait for: none of 3 measurements is open; 2 canceled, listed on the sheet Open of an export"
    );
}

#[test]
fn open_measurements_are_listed_the_oldest_first() {
    let stage = Stage::open();
    stage.run(&["status", "--open"]).expect(8);
    stage.file("leads.csv", sheet(&[1, 2]));
    stage
        .run(&["import", "leads.csv", "--id-column", "Key"])
        .expect(0);
    let run = stage.run(&["status", "--open"]).expect(0);
    let lines: Vec<&str> = run.stdout.lines().collect();
    assert_eq!(lines[0], "2 open measurements");
    assert!(lines[1].contains(" seconds  pending"), "{}", run.stdout);
    let document = stage.run(&["status", "--open", "--json"]).expect(0).json();
    let open = document["open"].as_array().unwrap();
    assert_eq!(open.len(), 2);
    assert!(open[0]["created_at"].as_str() <= open[1]["created_at"].as_str());
    complete(&stage, 2);
    stage.run(&["export", "all.csv"]).expect(0);
    let run = stage.run(&["status", "--open"]).expect(0);
    assert_eq!(run.stdout, "no measurement is open\n");
}

#[test]
fn the_newest_answer_is_shown_once_with_its_measurement() {
    let stage = Stage::open();
    stage.file("leads.csv", sheet(&[1]));
    let id = ["--id-column", "Key"];
    stage
        .run(&[&["import", "leads.csv"], &id[..]].concat())
        .expect(0);
    let row = stage
        .run(&["status", "--id", "1", "--json"])
        .expect(0)
        .json();
    let [attempt] = row["attempts"].as_array().unwrap().as_slice() else {
        panic!("{row}");
    };
    assert_eq!(
        (&attempt["status"], &attempt["answer"]),
        (&201.into(), &Value::Null)
    );
    assert_eq!(row["measurement"]["answer"]["id"], row["measurement"]["id"]);
}

#[test]
fn the_document_says_whether_it_is_done_when_it_ends_and_what_needs_a_person() {
    let stage = Stage::open();
    let document = || stage.run(&["status", "--json"]).expect(0).json();
    let empty = document();
    assert_eq!(
        (&empty["done"], &empty["ends_at"]),
        (&false.into(), &Value::Null)
    );
    for name in 1..=7_u32 {
        let file = format!("leads-{name}.csv");
        stage.file(&file, sheet(&[name * 10, name * 10 + 1]));
        let import = ["import", &file, "--id-column", "Key", "--limit", "1"];
        stage.run(&import).expect(4);
    }
    let pending = document();
    assert_eq!(pending["done"], false);
    assert!(pending["ends_at"].is_string());
    let needs = pending["needs"].as_array().unwrap();
    assert_eq!(needs.len(), 7, "{needs:?}");
    let newest = stage.path("leads-7.csv");
    let import = format!("gutterbatch import {}", newest.display());
    let first =
        serde_json::json!({"kind": "pending_rows", "text": "1 row pending", "command": import});
    assert_eq!(needs[0], first);
    let lines = answers(&stage, &[])[1].clone();
    assert_eq!(
        lines.matches("1 row pending: gutterbatch import ").count(),
        5,
        "{lines}"
    );
    assert!(
        lines.ends_with("\nand 2 more; `gutterbatch status --json` lists all"),
        "{lines}"
    );

    for name in 1..=7 {
        stage
            .run(&["import", &format!("leads-{name}.csv")])
            .expect(0);
    }
    let done = document();
    assert_eq!(
        (&done["done"], &done["ends_at"]),
        (&true.into(), &Value::Null)
    );
    assert_eq!(done["needs"], serde_json::json!([]));
}

#[test]
fn a_row_whose_id_was_skipped_for_another_house_needs_a_person() {
    let stage = Stage::open();
    let row = |id: u32, street: &str| {
        format!("{id},Customer {id},c{id}@example.com,{street},Boston,MA,02134\n")
    };
    let header = "id,name,email,line1,city,region,postal_code\n";
    let sheet = |rows: [String; 2]| header.to_owned() + &rows.concat();
    stage.file(
        "january.csv",
        sheet([row(1, "12 Elm St"), row(2, "12 Elm Street")]),
    );
    let import = |file: &str, code| stage.run(&["import", file, "--yes"]).expect(code);
    import("january.csv", 3);
    let rejects = std::fs::read_to_string(stage.path("january.rejects.csv")).unwrap();
    stage.file(
        "january.rejects.csv",
        rejects.replace("02134,,", "02134,skip,"),
    );
    import("january.rejects.csv", 0);
    let needs = || stage.run(&["status", "--json"]).expect(0).json()["needs"].clone();
    assert_eq!(needs(), serde_json::json!([]));
    stage.file(
        "february.csv",
        sheet([row(7, "14 Oak Ave"), row(2, "14 Oak Avenue")]),
    );
    import("february.csv", 3);
    assert_eq!(needs()[0]["kind"], "rejected_rows");
}
