//! What `status` says about the files and rows of imports: which are done, and which need a person.

use std::fs;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::Value;

use crate::status::rows::{HEADERS, answers, open, sheet};
use crate::support::{Canned, Run, Scripted, Stage, canned};

#[test]
fn an_interrupted_import_names_the_command_that_resumes_it() {
    let service = Canned::answering(|request| {
        if request.starts_with("GET /me ") {
            return canned::healthy(request);
        }
        std::thread::park();
        Vec::new()
    });
    let stage = Stage::speaking_to(service.url());
    stage.file("leads.csv", sheet(&[1, 2]));
    let import = ["import", "leads.csv", "--id-column", "Key"];
    let mut child = stage.command(&import).spawn().unwrap();
    service.wait_for(|heard| heard.len() >= 2);
    child.kill().unwrap();
    child.wait().unwrap();
    let needs = &answers(&stage, &[])[1];
    let file = stage.path("leads.csv");
    let resume = format!("gutterbatch import {}", file.display());
    assert_eq!(*needs, format!("the import was interrupted: {resume}"));
    let ends = &answers(&stage, &[])[2];
    let expected = " if the import resumes now: 3 requests";
    assert!(ends.ends_with(expected), "{ends}");
    let mut status = stage.command(&["status"]);
    let status = status.env_remove("GUTTERBATCH_TOKEN").output().unwrap();
    let said = Run::of(status).expect(0).stdout;
    let expected = " if you connect and the import resumes now: 3 requests\n";
    assert!(said.contains(expected), "{said}");
}

#[test]
fn the_end_of_an_import_is_told_by_the_limits_of_its_own_flags() {
    let service = Canned::answering(|request| {
        if request.starts_with("GET /me ") {
            return canned::healthy(request);
        }
        std::thread::park();
        Vec::new()
    });
    for (limits, minutes) in [
        (["--rate", "2/1h"], 59),
        (["--reserve", "598"], 59),
        (["--max-rps", "0.001"], 16),
    ] {
        let stage = Stage::speaking_to(service.url());
        stage.file("leads.csv", sheet(&[1, 2, 3]));
        let words = ["import", "leads.csv", "--id-column", "Key"];
        let mut child = stage.command(&[&words[..], &limits].concat()).spawn();
        let status = |flags: &[&str]| {
            let words = [&["status", "--json"], flags].concat();
            stage.run(&words).expect(0).json()
        };
        let is_running = |status: &Value| status["last_runs"][0]["unfinished"]["running"] == true;
        while !is_running(&status(&[])) {
            std::thread::yield_now();
        }
        let minutes_left = |status: &Value| {
            let time = |of: &Value| of.as_str().unwrap().parse::<jiff::Timestamp>().unwrap();
            let began = time(&status["last_runs"][0]["started_at"]);
            time(&status["ends_at"]).duration_since(began).as_mins()
        };
        assert!(minutes_left(&status(&[])) >= minutes, "{limits:?}");
        let child = child.as_mut().unwrap();
        child.kill().unwrap();
        child.wait().unwrap();
        let interrupted = status(&[]);
        assert!(!is_running(&interrupted));
        assert!(minutes_left(&interrupted) >= minutes, "{limits:?}");
        let asked = status(&["--rate", "600/1h"]);
        assert!(minutes_left(&asked) < minutes, "{limits:?}");
    }
}

#[test]
fn a_killed_import_whose_file_was_renamed_is_done_once_its_rows_are_sent() {
    let is_up = Arc::new(AtomicBool::new(false));
    let service = Canned::answering({
        let is_up = Arc::clone(&is_up);
        move |request| {
            if request.starts_with("GET /me ") || is_up.load(Ordering::SeqCst) {
                return canned::healthy(request);
            }
            std::thread::park();
            Vec::new()
        }
    });
    let stage = Stage::speaking_to(service.url());
    let canadian = sheet(&[1, 2]).replace("Boston,MA,02134", "Ottawa,ON,K1A 0B1");
    stage.file("leads.csv", canadian);
    let import = |file| ["import", file, "--id-column", "Key"];
    let mut child = stage.command(&import("leads.csv")).spawn().unwrap();
    service.wait_for(|heard| heard.len() >= 2);
    child.kill().unwrap();
    child.wait().unwrap();
    fs::rename(stage.path("leads.csv"), stage.path("november.csv")).unwrap();
    is_up.store(true, Ordering::SeqCst);
    let limited = [&import("november.csv")[..], &["--limit", "1"]].concat();
    stage.run(&limited).expect(4);
    assert!(answers(&stage, &[])[1].contains("was interrupted"));
    stage.run(&import("november.csv")).expect(0);
    assert_eq!(answers(&stage, &[])[1], "nothing");
}

#[test]
fn rejected_rows_count_once_and_no_longer_when_they_are_corrected() {
    let stage = Stage::open();
    let without_street = |rows: &[(u32, &str)]| -> String {
        let line = |(id, street): &(u32, &str)| {
            format!("{id},Ada,{street},Boston,MA,02134,a@example.com\n")
        };
        rows.iter().map(line).collect()
    };
    let faulty = without_street(&[(4, ""), (5, ""), (6, "")]);
    stage.file("leads.csv", sheet(&[1, 2]) + &faulty);
    let ids = ["--id-column", "Key"];
    stage
        .run(&[&["import", "leads.csv"], &ids[..]].concat())
        .expect(3);
    let [done, needs, _] = answers(&stage, &[]);
    assert_eq!(
        done,
        "yes: 5 rows in leads.csv, none left to send, 3 rejected"
    );
    assert_eq!(needs, "3 invalid in leads.csv");

    let rejects = fs::read_to_string(stage.path("leads.rejects.csv")).unwrap();
    let streets = ["40 Fir Road", "50 Ash Lane"];
    let corrected = streets.iter().fold(rejects, |text, street| {
        text.replacen(",Ada,,", &format!(",Ada,{street},"), 1)
    });
    stage.file("leads.rejects.csv", corrected);
    stage
        .run(&[&["import", "leads.rejects.csv"], &ids[..]].concat())
        .expect(3);
    let [done, needs, ends] = answers(&stage, &[]);
    assert_eq!(
        done,
        "yes: 5 rows in leads.csv, none left to send, 1 rejected"
    );
    assert_eq!(needs, "1 invalid in leads.csv");
    assert!(ends.starts_with(&open(4)), "{ends}");
    let run = stage.run(&["status"]).expect(0).stdout;
    assert!(
        run.contains("leads.csv: 2 created, 3 invalid, 2 corrected since\n"),
        "{run}"
    );
    let runs = &stage.run(&["status", "--json"]).expect(0).json()["last_runs"];
    assert_eq!(runs[1]["corrected"], 2);
    assert!(
        runs[0]["rejects_of"]
            .as_str()
            .unwrap()
            .ends_with("leads.csv")
    );

    stage.file(
        "other.csv",
        without_street(&[]) + &sheet(&[7]) + "8,Ada,,Boston,MA,02134,a@example.com\n",
    );
    stage
        .run(&[&["import", "other.csv"], &ids[..]].concat())
        .expect(3);
    let [done, needs, _] = answers(&stage, &[]);
    assert_eq!(
        done,
        "yes: 7 rows in 2 files, none left to send, 2 rejected"
    );
    assert_eq!(needs, "1 invalid in other.csv\n1 invalid in leads.csv");
}

#[test]
fn rows_of_standard_input_and_of_files_of_one_name_are_told_apart() {
    let stage = Stage::open();
    let piped = |words: &[&str], text: &str| {
        let mut command = stage.command(words);
        let file = stage.file("piped.csv", text);
        command.stdin(fs::File::open(file).unwrap());
        Run::of(command.output().unwrap()).expect(0);
    };
    piped(&["import", "-", "--id-column", "Key"], &sheet(&[1]));
    let done = answers(&stage, &[])[0].clone();
    assert_eq!(done, "yes: 1 row in standard input, none left to send");
    let invalid = |id: u32| sheet(&[id]) + "9,Ada,,Boston,MA,02134,a@example.com\n";
    for (folder, id) in [("may", 2), ("june", 3)] {
        let path = format!("{folder}/leads.csv");
        stage.file(&path, invalid(id));
        stage
            .run(&["import", &path, "--id-column", "Key"])
            .expect(3);
    }
    let needs = answers(&stage, &[])[1].clone();
    let shown = |folder: &str| stage.path(folder).join("leads.csv").display().to_string();
    let expected = format!(
        "1 invalid in {}\n1 invalid in {}",
        shown("june"),
        shown("may")
    );
    assert_eq!(needs, expected);
}

#[test]
fn a_file_whose_rows_were_all_skipped_is_done() {
    let stage = Stage::open();
    let row = "Jo Doe,jo@example.com,12 Roosevelt Street,Boston,MA,02134";
    let headers = "name,email,line1,city,region,postal_code";
    stage.file("a.csv", format!("id,{headers}\nA-1,{row}\n"));
    stage.file(
        "b.csv",
        format!("id,{headers},same_house\nB-1,{row},skip\n"),
    );
    stage.run(&["import", "a.csv"]).expect(0);
    stage.run(&["import", "b.csv"]).expect(0);
    let run = stage.run(&["status", "b.csv"]).expect(0);
    let line = "yes: 1 row in b.csv, none left to send";
    assert!(run.stdout.contains(line), "{}", run.stdout);
}

#[test]
fn a_row_that_is_skipped_in_the_rejects_no_longer_needs_a_person() {
    let stage = Stage::open();
    let row = "Jo Doe,jo@example.com,12 Roosevelt Street,Boston,MA,02134";
    let headers = "name,email,line1,city,region,postal_code";
    stage.file("a.csv", format!("id,{headers}\nA-1,{row}\n"));
    stage.file("b.csv", format!("id,{headers}\nB-1,{row}\n"));
    stage.run(&["import", "a.csv"]).expect(0);
    stage.run(&["import", "b.csv"]).expect(3);
    assert_eq!(
        answers(&stage, &[])[1],
        "1 with the house of another request in b.csv"
    );
    stage.file(
        "b.rejects.csv",
        format!("id,{headers},same_house\nB-1,{row},skip\n"),
    );
    stage.run(&["import", "b.rejects.csv"]).expect(0);
    assert_eq!(answers(&stage, &[])[1], "nothing");
}

#[test]
fn a_rejected_row_that_another_file_requested_since_needs_nobody() {
    let stage = Stage::open();
    let ids = ["--id-column", "Key"];
    let import = |file: &str, code| {
        stage
            .run(&[&["import", file], &ids[..]].concat())
            .expect(code);
    };
    let two = "4,Ada,,Boston,MA,02134,a@example.com\n5,Ada,,Boston,MA,02134,a@example.com\n";
    stage.file("leads.csv", sheet(&[1]) + two);
    import("leads.csv", 3);
    assert_eq!(answers(&stage, &[])[1], "2 invalid in leads.csv");
    fs::remove_file(stage.path("leads.csv")).unwrap();
    stage.file("more.csv", sheet(&[4]));
    import("more.csv", 0);
    assert_eq!(answers(&stage, &[])[1], "1 invalid in leads.csv");
    stage.file("rest.csv", sheet(&[5]));
    import("rest.csv", 0);
    assert_eq!(answers(&stage, &[])[1], "nothing");
    // What was requested before the row was rejected does not settle it.
    stage.file("rest.csv", HEADERS.to_owned() + "\n" + two);
    import("rest.csv", 3);
    assert_eq!(answers(&stage, &[])[1], "2 invalid in rest.csv");
}

#[test]
fn rows_whose_ids_another_file_took_for_other_houses_still_need_a_person() {
    let stage = Stage::open();
    let row = |id: u32, name: &str, street: &str, state: &str| {
        format!("{id},{name},{street},Boston,{state},02134,{name}@example.com\n")
    };
    let headers = HEADERS.to_owned() + "\n";
    let october = [
        row(1, "acme", "1 Elm St", ""),
        row(3, "al", "3 Elm St", "MA"),
        row(2, "bo", "2 Elm St", "MA"),
    ];
    stage.file("october.csv", headers.clone() + &october.concat());
    let november = [
        row(1, "acme", "71 Oak St", "MA"),
        row(2, "dee", "72 Oak St", "MA"),
    ];
    stage.file("november.csv", headers + &november.concat());
    let words = [
        "import",
        "october.csv",
        "--id-column",
        "Key",
        "--limit",
        "1",
    ];
    stage.run(&words).expect(4);
    stage.run(&["import", "november.csv"]).expect(0);
    let [done, needs, _] = answers(&stage, &[]);
    assert!(done.starts_with("no: 1 row of 5 pending"), "{done}");
    assert!(needs.contains("1 invalid in october.csv"), "{needs}");
}

#[test]
fn a_rejected_row_without_an_id_is_not_settled_by_another_of_its_customer() {
    let stage = Stage::open();
    let ids = ["--id-column", "Key"];
    let import = |file: &str, code| {
        stage
            .run(&[&["import", file], &ids[..]].concat())
            .expect(code);
    };
    stage.file("more.csv", sheet(&[4]));
    let without_id = sheet(&[4]).lines().nth(1).unwrap()[1..].to_owned();
    stage.file("leads.csv", format!("{}{without_id}\n", sheet(&[1])));
    import("leads.csv", 3);
    assert_eq!(answers(&stage, &[])[1], "1 invalid in leads.csv");
    import("more.csv", 0);
    assert_eq!(answers(&stage, &[])[1], "1 invalid in leads.csv");
}

#[test]
fn the_warnings_about_the_rows_of_a_file_need_a_person_there_too() {
    let service = Scripted::start();
    let stage = Stage::speaking_to(service.url());
    let import = |file: &str| stage.run(&["import", file]).expect(0);
    stage.file("leads.csv", crate::support::imports::sheet(0..2));
    stage.file("more.csv", crate::support::imports::sheet(2..3));
    import("leads.csv");
    // The service names no city in the geocoded lines.
    service.rewrite("A-1", |measurement| {
        measurement["address"]["formatted"] = Value::Null;
    });
    stage.run(&["export", "all.xlsx"]).expect(0);
    import("more.csv");
    assert_eq!(answers(&stage, &[])[1], "2 warnings");
    assert_eq!(answers(&stage, &["leads.csv"])[1], "1 warning");
    assert_eq!(answers(&stage, &["more.csv"])[1], "1 warning");
    let history = stage.run(&["status", "--id", "A-0"]).expect(0).stdout;
    for start in ["measurement  msr_", "warning      the "] {
        assert!(history.contains(&format!("\n  {start}")), "{history}");
    }
}

#[test]
fn the_newest_imports_are_listed_and_the_others_counted() {
    let stage = Stage::open();
    for n in 1..8 {
        let file = format!("leads{n}.csv");
        stage.file(&file, crate::support::imports::sheet(n..n + 1));
        stage.run(&["import", &file]).expect(0);
    }
    let status = stage.run(&["status"]).expect(0).stdout;
    assert_eq!(status.matches("last import ").count(), 5, "{status}");
    assert!(
        status.contains("and 2 more; `gutterbatch status --json` lists all"),
        "{status}"
    );
    assert!(status.contains("leads7.csv: 1 created"), "{status}");
}

#[test]
fn the_status_of_a_file_shows_its_own_import_although_another_requested_its_rows() {
    let stage = Stage::open();
    let import = |file: &str, code| {
        let import = ["import", file, "--id-column", "Key"];
        stage.run(&import).expect(code);
    };
    stage.file("leads.csv", sheet(&[1, 2]));
    import("leads.csv", 0);
    let bad = "3,Ada,,Boston,MA,02134,a@example.com\n";
    stage.file("bad.csv", sheet(&[1, 2]) + bad);
    import("bad.csv", 3);
    let status = stage.run(&["status", "bad.csv"]).expect(0).stdout;
    assert!(status.contains("bad.csv: 2 known, 1 invalid"), "{status}");
    assert!(!status.contains("leads.csv"), "{status}");
}

#[test]
fn the_command_for_rejected_rows_has_the_flags_of_an_import_that_sent_nothing() {
    let stage = Stage::open();
    stage.file("leads.csv", sheet(&[1, 2]));
    stage
        .run(&["import", "leads.csv", "--id-column", "Key"])
        .expect(0);
    let invalid = "9,,,,,\n";
    let other_ids = sheet(&[1, 2]).replace(",Ada,", "0,Ada,");
    stage.file("copy.csv", other_ids + invalid);
    let flags = ["--id-column", "Key", "--id-prefix", "z-"];
    let import = [&["import", "copy.csv", "--rejects", "-"], &flags[..]].concat();
    let run = stage.run(&import).expect(3);
    let hint = "hint: 2 rows not sent: the house was requested before; save the printed rejects as a file; in its column \
                same_house, type skip";
    assert!(run.stderr.contains(hint), "{}", run.stderr);
    let status = stage.run(&["status"]).expect(0).stdout;
    let file = stage.path("copy.csv");
    let check = format!(
        "1 invalid, 2 with the house of another request in copy.csv: gutterbatch check {} --id-column Key --id-prefix z-\n",
        file.display()
    );
    assert!(status.contains(&check), "{status}");
    // With remembered flags the command needs none.
    stage.file("other.csv", sheet(&[3, 4]));
    let import = ["import", "other.csv", "--limit", "1"];
    let import = [&import, &flags[..]].concat();
    stage.run(&import).expect(4);
    let status = stage.run(&["status"]).expect(0).stdout;
    let resume = format!("gutterbatch import {}\n", stage.path("other.csv").display());
    assert!(status.contains(&resume), "{status}");
}
