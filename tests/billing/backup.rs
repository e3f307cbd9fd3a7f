//! Copies of a journal: what they replace, and what a journal that began as one may bill.

use std::fs;
use std::path::PathBuf;

use serde_json::Value;

use crate::support::Stage;
use crate::support::exports::{complete, export, imported};
use crate::support::imports::sheet;

const SUFFIXES: [&str; 5] = ["", "-wal", "-shm", ".seals", ".lock"];

fn beside(stage: &Stage, suffix: &str) -> PathBuf {
    let mut name = stage.journal().into_os_string();
    name.push(suffix);
    name.into()
}

/// The disk is lost with everything that stood beside the journal, and a backup put into its place.
fn lose_and_put_back(stage: &Stage, backup: &str) {
    for suffix in SUFFIXES {
        let _ = fs::remove_file(beside(stage, suffix));
    }
    fs::copy(stage.path(backup), stage.journal()).unwrap();
}

/// Three requested and two measured, a backup, and a seal that the backup does not know.
fn billed_since() -> Stage {
    let stage = imported(3);
    complete(&stage, 2);
    export(&stage, &["now.xlsx"], 0);
    stage.run(&["backup", "bk.db"]).expect(0);
    export(&stage, &["october.xlsx", "--new"], 0);
    stage
}

/// The measurements that the question lists.
#[track_caller]
fn asked(stage: &Stage, words: &[&str]) -> Vec<Value> {
    let document = export(stage, &[words, &["--json"]].concat(), 3).json();
    assert_eq!(document["sealed"], Value::Null);
    let earlier = document["earlier"].as_array().unwrap().iter();
    earlier.map(|line| line["external_id"].clone()).collect()
}

/// How many are sealed, and under which number.
#[track_caller]
fn sealed(stage: &Stage, words: &[&str]) -> (Value, Value) {
    let document = export(stage, &[words, &["--json"]].concat(), 0).json();
    (document["sealed"].clone(), document["measurements"].clone())
}

#[test]
fn a_backup_put_back_asks_what_was_billed_since_and_bills_nothing_twice() {
    let stage = billed_since();
    lose_and_put_back(&stage, "bk.db");
    let words = ["november.xlsx", "--new"];
    for _ in 0..2 {
        let run = export(&stage, &words, 3);
        for text in ["may have been billed", "--billed-until", "A-0", "A-1"] {
            assert!(run.stderr.contains(text), "{text}: {}", run.stderr);
        }
        assert!(!stage.path("november.xlsx").exists());
    }
    // Another copy may go on, and bill what was requested before and is measured after.
    complete(&stage, 3);
    assert_eq!(asked(&stage, &words), ["A-0", "A-1", "A-2"]);
    let now = jiff::Zoned::now().with_time_zone(jiff::tz::TimeZone::UTC);
    let tomorrow = now.date().tomorrow().unwrap().to_string();
    let until = ["november.xlsx", "--new", "--billed-until", &tomorrow];
    assert_eq!(sealed(&stage, &until).0, Value::Null);
    // What this journal creates later is its own.
    stage.file("more.csv", sheet(3..4));
    stage.run(&["import", "more.csv"]).expect(0);
    complete(&stage, 4);
    assert_eq!(sealed(&stage, &words), (1.into(), 1.into()));
}

#[test]
fn a_backup_used_beside_its_journal_asks_whatever_was_declared_before() {
    let stage = imported(2);
    complete(&stage, 1);
    let never = ["october.xlsx", "--new", "--billed-until", "never"];
    assert_eq!(sealed(&stage, &never), (1.into(), 1.into()));
    stage.run(&["backup", "bk.db"]).expect(0);
    complete(&stage, 2);
    assert_eq!(
        sealed(&stage, &["november.xlsx", "--new"]),
        (2.into(), 1.into())
    );
    // The sealed one stays billed, and is not asked about.
    let words = ["copy.xlsx", "--new", "--journal", "bk.db"];
    assert_eq!(asked(&stage, &words), ["A-1"]);
}

#[test]
fn a_request_that_was_unanswered_when_it_was_copied_may_be_the_other_journals() {
    let stage = Stage::open();
    stage.file("leads.csv", sheet(0..1));
    // The first answer is lost, and the second never comes: it is the first request that the second rule sees.
    let faults = r#"{"rules": [
        {"do": "drop", "handled": true, "method": "POST", "path": "/measurements", "nth": [1]},
        {"do": "delay", "for": "1h", "method": "POST", "path": "/measurements", "nth": [1]}
    ]}"#;
    stage.sandbox().set_faults(Some(faults.parse().unwrap()));
    let mut child = stage.command(&["import", "leads.csv"]).spawn().unwrap();
    while stage.sandbox().measurements().is_empty() {
        std::thread::yield_now();
    }
    child.kill().unwrap();
    child.wait().unwrap();
    stage.sandbox().set_faults(None);
    stage.run(&["backup", "bk.db"]).expect(0);
    let import = ["import", "leads.csv", "--json"];
    let document = stage.run(&import).expect(0).json();
    assert_eq!(document["outcomes"]["existing"], 1);
    complete(&stage, 1);
    assert_eq!(
        sealed(&stage, &["bill.xlsx", "--new"]),
        (1.into(), 1.into())
    );
    let import = [&import[..], &["--journal", "bk.db"]].concat();
    let document = stage.run(&import).expect(0).json();
    assert_eq!(document["outcomes"]["existing"], 1);
    let words = ["copy.xlsx", "--new", "--journal", "bk.db"];
    assert_eq!(asked(&stage, &words), ["A-0"]);
}

#[test]
fn a_backup_replaces_an_unused_copy_and_never_a_journal_in_use() {
    let stage = imported(1);
    let refused = |name: &str, text: &str| {
        let before = fs::read(stage.path(name)).ok();
        let run = stage.run(&["backup", name]).expect(8);
        assert!(run.stderr.contains(text), "{}", run.stderr);
        assert!(run.stderr.contains("hint: "), "{}", run.stderr);
        assert!(fs::read(stage.path(name)).ok() == before);
    };
    // An import leaves its lock beside the journal.
    stage.file("leads.csv", sheet(0..1));
    stage
        .run(&["import", "leads.csv", "--journal", "acme.db"])
        .expect(0);
    refused("acme.db", "acme.db.lock belongs to a journal");
    fs::remove_file(stage.path("acme.db.lock")).unwrap();
    refused("acme.db", "it is a journal, and not");
    // To look at a copy changes nothing; to open it for writing makes a journal of it.
    for _ in 0..2 {
        stage.run(&["backup", "copy.db"]).expect(0);
        stage.run(&["status", "--journal", "copy.db"]).expect(0);
        let open = ["status", "--open", "--journal", "copy.db"];
        stage.run(&open).expect(0);
    }
    let words = ["-", "--format", "json", "--offline", "--journal", "copy.db"];
    export(&stage, &words, 0);
    refused("copy.db", "it is a journal, and not");
    // SQLite would apply a log that was left to the copy.
    for suffix in ["-wal", "-journal", ".seals"] {
        let name = format!("lost.db{suffix}");
        stage.file(&name, "left");
        refused("lost.db", &format!("{name} belongs to a journal"));
        fs::remove_file(stage.path(&name)).unwrap();
    }
    stage.file("lost.db-wal", "");
    stage.run(&["backup", "lost.db"]).expect(0);
}

#[test]
fn no_output_replaces_a_file_beside_another_journal_or_the_record_of_a_lost_one() {
    let stage = imported(1);
    complete(&stage, 1);
    for journal in ["acme.db", "lost.db"] {
        let import = ["import", "leads.csv", "--journal", journal];
        stage.run(&import).expect(0);
        let bill = [
            "bill.xlsx",
            "--new",
            "--billed-until",
            "never",
            "--journal",
            journal,
        ];
        export(&stage, &[&bill[..], &["--force"]].concat(), 0);
        fs::remove_file(stage.path("bill.xlsx")).unwrap();
    }
    fs::remove_file(stage.path("lost.db")).unwrap();
    for name in [
        "acme.db.seals",
        "acme.db-wal",
        "acme.db.lock",
        "lost.db.seals",
    ] {
        let before = fs::read(stage.path(name)).ok();
        for words in [&["backup", name][..], &["status", "--log", name]] {
            let run = stage.run(words).expect(8);
            let said = "is the path of a file beside a journal";
            assert!(run.stderr.contains(said), "{name}: {}", run.stderr);
        }
        assert_eq!(fs::read(stage.path(name)).ok(), before, "{name}");
    }
}

#[test]
fn a_backup_over_the_log_of_another_journal_is_left_as_it_is_and_the_log_named() {
    let stage = imported(2);
    stage.run(&["backup", "bk.db"]).expect(0);
    stage.file("more.csv", sheet(2..3));
    stage.run(&["import", "more.csv"]).expect(0);
    fs::copy(stage.path("bk.db"), stage.journal()).unwrap();
    let log = beside(&stage, "-wal");
    fs::write(&log, "what a killed run left").unwrap();
    for words in [&["import", "leads.csv"][..], &["status"]] {
        let run = stage.run(words).expect(8);
        for text in ["default.db-wal", "default.db-shm", "remove"] {
            assert!(run.stderr.contains(text), "{text}: {}", run.stderr);
        }
        assert!(!run.stderr.contains("damaged"), "{}", run.stderr);
    }
    let copy = fs::read(stage.path("bk.db")).unwrap();
    assert!(fs::read(stage.journal()).unwrap() == copy);
    fs::remove_file(&log).unwrap();
    let _ = fs::remove_file(beside(&stage, "-shm"));
    stage.run(&["import", "leads.csv"]).expect(0);
}

#[test]
fn a_backup_does_not_replace_that_of_another_journal() {
    let stage = imported(1);
    let other = ["--profile", "two"];
    stage.file("more.csv", sheet(1..2));
    stage
        .run(&[&["import", "more.csv"], &other[..]].concat())
        .expect(0);
    stage.run(&["backup", "bk.db"]).expect(0);
    let before = fs::read(stage.path("bk.db")).unwrap();
    let words = [&["backup", "bk.db"], &other[..]].concat();
    let run = stage.run(&words).expect(8);
    let said = "error: bk.db is not replaced: it is a copy of another journal\n";
    assert!(run.stderr.contains(said), "{}", run.stderr);
    assert_eq!(fs::read(stage.path("bk.db")).unwrap(), before);
    stage.run(&["backup", "bk.db"]).expect(0);
}

#[test]
fn a_backup_is_not_written_to_standard_output() {
    let stage = imported(1);
    let run = stage.run(&["backup", "-"]).expect(2);
    let said = "error: standard output cannot carry a journal\nhint: name a file\n";
    assert_eq!(run.stderr, said);
    assert!(!stage.path("-").exists());
}
