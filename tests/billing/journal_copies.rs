//! Lost journals, copies and backups: the record beside the journal keeps each measurement from being billed twice.

use std::fs;

use gutterbatch::journal::{Journal, JournalAccess};
use serde_json::Value;

use crate::billing::adjustments::completed;
use crate::billing::billed_elsewhere::{seals, tomorrow};
use crate::support::exports::{complete, export, imported};
use crate::support::imports::sheet;
use crate::support::{Scripted, Stage};

#[test]
fn a_missing_journal_whose_record_is_there_is_called_lost() {
    let stage = imported(1);
    complete(&stage, 1);
    export(&stage, &["october.xlsx", "--new"], 0);
    for suffix in ["", "-wal", "-shm"] {
        let mut name = stage.journal().into_os_string();
        name.push(suffix);
        let _ = fs::remove_file(name);
    }
    let lost = "the journal is missing, although ";
    let status = stage.run(&["status"]).expect(0).stdout;
    assert!(
        status.contains(&format!("needs you     {lost}")),
        "{status}"
    );
    let run = export(&stage, &["--sealed"], 8);
    assert!(
        run.stderr.contains(&format!("hint: {lost}")),
        "{}",
        run.stderr
    );
}

/// A journal that was put back from a copy made before the first seal.
fn put_back() -> Stage {
    let stage = imported(3);
    complete(&stage, 2);
    stage.run(&["backup", "backup.db"]).expect(0);
    export(&stage, &["october.xlsx", "--new"], 0);
    for suffix in ["-wal", "-shm"] {
        let mut name = stage.journal().into_os_string();
        name.push(suffix);
        let _ = fs::remove_file(name);
    }
    fs::copy(stage.path("backup.db"), stage.journal()).unwrap();
    stage
}

#[test]
fn a_journal_older_than_the_seals_beside_it_stops_with_6() {
    let stage = put_back();
    let words = ["november.xlsx", "--new", "--month", "2026-10"];
    let run = export(&stage, &words, 6);
    assert!(run.stderr.contains("is outdated"), "{}", run.stderr);
    assert!(
        run.stderr.contains("add --billed-until never"),
        "{}",
        run.stderr
    );
    assert!(!stage.path("november.xlsx").exists());
}

#[test]
fn a_record_with_another_bill_of_a_number_of_the_journal_is_moved_away() {
    let stage = imported(2);
    complete(&stage, 1);
    export(&stage, &["october.xlsx", "--new"], 0);
    stage.run(&["backup", "backup.db"]).expect(0);
    complete(&stage, 2);
    let record = stage.journal().with_extension("db.seals");
    put_back_plain(&stage, &[]);
    fs::remove_file(stage.journal()).unwrap();
    fs::remove_file(&record).unwrap();
    stage.run(&["import", "leads.csv"]).expect(0);
    let until = ["november.xlsx", "--new", "--billed-until", "never"];
    export(&stage, &until[..2], 3);
    export(&stage, &until, 0);
    put_back_plain(&stage, &fs::read(stage.path("backup.db")).unwrap());
    let words = ["december.xlsx", "--new", "--billed-until", "never"];
    let said = export(&stage, &words, 6).stderr;
    assert!(said.contains("lists another sealed export 1"), "{said}");
    assert!(said.contains("if it is lost, move "), "{said}");
    assert!(!said.contains("--billed-until"), "{said}");
    fs::remove_file(record).unwrap();
    export(&stage, &words[..2], 3);
}

#[test]
fn the_hints_of_a_question_replace_the_declaration_that_was_typed() {
    let stage = put_back();
    complete(&stage, 3);
    let words = ["november.xlsx", "--new", "--billed-until", "never"];
    let said = export(&stage, &words, 3).stderr;
    let command = "gutterbatch export november.xlsx --new --billed-until ";
    for (what, value) in [
        ("all of these", tomorrow().as_str()),
        ("which itself is not included", "YYYY-MM-DD"),
        ("nothing", "never"),
    ] {
        let hint = format!("{what}: {command}{value}\n");
        assert!(said.contains(&hint), "{said}");
    }
    export(&stage, &words, 0);
}

#[test]
fn a_journal_that_was_put_back_goes_on_with_the_next_number_once_it_is_told() {
    let stage = put_back();
    let until = [
        "november.xlsx",
        "--new",
        "--billed-until",
        &tomorrow(),
        "--json",
    ];
    let document = export(&stage, &until, 0).json();
    assert_eq!(document["sealed"], Value::Null);
    // What is completed after that was said was billed nowhere.
    complete(&stage, 3);
    let document = export(&stage, &["november.xlsx", "--new", "--json"], 0).json();
    assert_eq!(
        (&document["sealed"], &document["measurements"]),
        (&2.into(), &1.into())
    );
    let run = export(&stage, &["again.xlsx", "--again", "1"], 8);
    assert!(run.stderr.contains("sealed export 1"), "{}", run.stderr);
}

/// Two machines from one copy, which README tells users not to bill from: only the mark of a backup shows it.
#[test]
fn of_two_copies_only_one_that_backup_made_asks_before_it_bills() {
    let stage = imported(1);
    stage.run(&["backup", "marked.db"]).expect(0);
    fs::copy(stage.journal(), stage.path("plain.db")).unwrap();
    complete(&stage, 1);
    export(&stage, &["first.xlsx", "--new"], 0);
    export(&stage, &["b.xlsx", "--new", "--journal", "marked.db"], 3);
    // A known limit: nothing in the file or beside it says that it is a copy.
    export(&stage, &["c.xlsx", "--new", "--journal", "plain.db"], 0);
    assert_eq!(seals(&stage, "plain.db").len(), 1);
}

/// A journal of which sealed export 1 bills two measurements, then a copy is taken, and export 2 adjusts one of them.
fn adjusted_after_a_copy(copy: impl FnOnce(&Stage)) -> Stage {
    let (service, stage) = completed();
    export(&stage, &["first.xlsx", "--new"], 0);
    copy(&stage);
    service.rewrite("A-1", |measurement| {
        measurement["result"]["gutter_length_ft"] = 100.5.into();
    });
    let words = ["second.xlsx", "--new", "--refresh", "all", "--json"];
    assert_eq!(export(&stage, &words, 0).json()["adjustments"], 1);
    stage
}

#[test]
fn a_copy_asks_before_it_adjusts_bills_of_its_journal() {
    let stage = adjusted_after_a_copy(|stage| {
        stage.run(&["backup", "marked.db"]).expect(0);
    });
    let words = ["third.xlsx", "--new", "--refresh", "all", "--json"];
    let words = [&words[..], &["--journal", "marked.db"]].concat();
    let asked = export(&stage, &words, 3).json();
    assert_eq!(asked["undeclared"], 0, "{asked}");
    assert_eq!(asked["adjusted"][0]["external_id"], "A-1", "{asked}");
    // In a text file, no adjustments are billed.
    let text = words.iter().map(|word| word.replace("xlsx", "csv"));
    let text: Vec<String> = text.collect();
    let text: Vec<&str> = text.iter().map(String::as_str).collect();
    assert_eq!(export(&stage, &text, 0).json()["adjustments_waiting"], 1);
    let words = [&words[..], &["--billed-until", "never"]].concat();
    assert_eq!(export(&stage, &words, 0).json()["adjustments"], 1);
}

#[test]
fn a_change_that_a_copy_learns_of_after_its_declaration_is_asked_about() {
    let (service, stage) = completed();
    export(&stage, &["first.xlsx", "--new"], 0);
    stage.run(&["backup", "marked.db"]).expect(0);
    let change = |feet: f64, updated_at: &str| {
        service.rewrite("A-1", |measurement| {
            measurement["result"]["gutter_length_ft"] = feet.into();
            measurement["updated_at"] = updated_at.into();
        });
    };
    change(100.5, "2026-11-05T12:00:00Z");
    let copy = ["--new", "--journal", "marked.db", "--json"];
    let never = ["--billed-until", "never"];
    // A copy asks about what is not final, and reads nothing else.
    export(&stage, &[&["second.xlsx"][..], &copy, &never].concat(), 0);
    let words = [&["third.xlsx", "--refresh", "all"][..], &copy].concat();
    let asked = export(&stage, &words, 3).json();
    assert_eq!(asked["adjusted"][0]["external_id"], "A-1", "{asked}");
    let answer = [&words[..], &never].concat();
    assert_eq!(export(&stage, &answer, 0).json()["adjustments"], 1);
    // The newest bill of the measurement is this journal's.
    change(90.5, "2026-11-06T12:00:00Z");
    let words = [&["fourth.xlsx", "--refresh", "all"][..], &copy].concat();
    assert_eq!(export(&stage, &words, 0).json()["adjustments"], 1);
}

/// Changes the length of a measurement.
fn lengthen(service: &Scripted) {
    service.rewrite("A-1", |measurement| {
        measurement["result"]["gutter_length_ft"] = 100.5.into();
        measurement["updated_at"] = "2026-11-05T12:00:00Z".into();
    });
}

/// A bill of a copy.
const COPY: [&str; 4] = ["--new", "--journal", "marked.db", "--json"];

/// A journal that bills two measurements, and a copy of it, `marked.db`, for which nothing was billed elsewhere.
fn declared_copy() -> (Scripted, Stage) {
    let (service, stage) = completed();
    export(&stage, &["first.xlsx", "--new"], 0);
    stage.run(&["backup", "marked.db"]).expect(0);
    let never = ["--billed-until", "never"];
    export(&stage, &[&["second.xlsx"][..], &COPY, &never].concat(), 0);
    (service, stage)
}

#[test]
fn a_change_that_may_be_older_than_a_copys_declaration_is_asked_about_however_new_the_last_one_is()
{
    let (service, stage) = declared_copy();
    // The journal of the copy may have billed the length in November; the message is from a time long after.
    service.rewrite("A-1", |measurement| {
        measurement["result"]["gutter_length_ft"] = 100.5.into();
        measurement["result"]["installer_message"] = "Trim the maple.".into();
        measurement["updated_at"] = "2100-01-01T00:00:00Z".into();
    });
    let words = [&["third.xlsx", "--refresh", "all"][..], &COPY].concat();
    let asked = export(&stage, &words, 3).json();
    assert_eq!(asked["adjusted"][0]["external_id"], "A-1", "{asked}");
}

#[test]
fn a_change_that_may_be_older_than_a_copys_declaration_is_asked_about_after_a_later_one() {
    let (service, stage) = declared_copy();
    lengthen(&service);
    let seen = ["seen.xlsx", "--refresh", "all", "--journal", "marked.db"];
    export(&stage, &seen, 0);
    // The journal of the copy has read the changed length, but it may be in a bill of the other one.
    service.rewrite("A-1", |measurement| {
        measurement["result"]["installer_message"] = "Trim the maple.".into();
        measurement["updated_at"] = "2026-11-06T12:00:00Z".into();
    });
    let words = [&["third.xlsx", "--refresh", "all"][..], &COPY].concat();
    let asked = export(&stage, &words, 3).json();
    assert_eq!(asked["adjusted"][0]["external_id"], "A-1", "{asked}");
}

#[test]
fn a_change_after_the_declaration_of_a_copy_is_adjusted_by_it() {
    let (service, stage) = declared_copy();
    let seen = ["seen.xlsx", "--refresh", "all", "--journal", "marked.db"];
    export(&stage, &seen, 0);
    lengthen(&service);
    let words = [&["third.xlsx", "--refresh", "all"][..], &COPY].concat();
    assert_eq!(export(&stage, &words, 0).json()["adjustments"], 1);
}

#[test]
fn what_the_record_names_as_adjusted_is_not_adjusted_again() {
    let mut plain = Vec::new();
    let stage = adjusted_after_a_copy(|stage| plain = fs::read(stage.journal()).unwrap());
    put_back_plain(&stage, &plain);
    let words = ["third.xlsx", "--new", "--refresh", "all", "--json"];
    export(&stage, &words, 6);
    let words = [&words[..], &["--billed-until", "never"]].concat();
    let document = export(&stage, &words, 0).json();
    assert_eq!(document["sealed"], Value::Null, "{document}");
    let seals = export(&stage, &["--sealed", "--json"], 0).json();
    assert_eq!(seals["sealed"][1]["adjustments"], 1, "{seals}");
    assert_eq!(seals["sealed"][1]["adjustment_totals"], Value::Null);
}

#[test]
fn a_copy_of_the_file_alone_is_whole_after_each_seal() {
    let stage = imported(1);
    complete(&stage, 1);
    // Another reader keeps the log from being removed.
    let _reader = Journal::open(&stage.journal(), &JournalAccess::Shared).unwrap();
    export(&stage, &["bill.xlsx", "--new"], 0);
    fs::copy(stage.journal(), stage.path("copy.db")).unwrap();
    assert_eq!(seals(&stage, "copy.db").len(), 1);
}

#[test]
fn a_backup_is_made_beside_a_run_and_is_private() {
    let stage = imported(2);
    let holder = "import leads.csv".to_owned();
    let _run = Journal::open(&stage.journal(), &JournalAccess::Exclusive { holder }).unwrap();
    for _ in 0..2 {
        let document = stage.run(&["backup", "copy.db", "--json"]).expect(0).json();
        assert_eq!(document["command"], "backup");
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = fs::metadata(stage.path("copy.db"))
            .unwrap()
            .permissions()
            .mode();
        assert_eq!(mode & 0o777, 0o600);
    }
    let words = ["-", "--format", "json", "--offline", "--journal", "copy.db"];
    assert_eq!(
        export(&stage, &words, 0).json().as_array().unwrap().len(),
        2
    );
}

#[test]
fn a_backup_replaces_no_other_file() {
    let stage = imported(1);
    stage.file("letter.txt", "dear customer");
    let run = stage.run(&["backup", "letter.txt"]).expect(8);
    assert!(run.stderr.contains("move that file away"), "{}", run.stderr);
    let run = stage.run(&["backup", "."]).expect(8);
    assert!(!run.stderr.contains("move that"), "{}", run.stderr);
    assert_eq!(
        fs::read_to_string(stage.path("letter.txt")).unwrap(),
        "dear customer"
    );
    let journal = stage.journal().display().to_string();
    let before = fs::read(stage.journal()).unwrap();
    stage.run(&["backup", &journal]).expect(8);
    assert!(fs::read(stage.journal()).unwrap() == before);
    stage
        .run(&["backup", "copy.db", "--journal", "none.db"])
        .expect(8);
}

/// Replaces the journal by a copy, which no mark tells from it.
fn put_back_plain(stage: &Stage, copy: &[u8]) {
    for suffix in ["-wal", "-shm"] {
        let mut name = stage.journal().into_os_string();
        name.push(suffix);
        let _ = fs::remove_file(name);
    }
    fs::write(stage.journal(), copy).unwrap();
}

/// A journal that was replaced by a copy from before `more.csv` was imported and billed with the rest.
fn put_back_after_a_bill() -> Stage {
    let stage = imported(1);
    let copy = fs::read(stage.journal()).unwrap();
    stage.file("more.csv", sheet(1..2));
    stage.run(&["import", "more.csv"]).expect(0);
    complete(&stage, 2);
    export(&stage, &["october.xlsx", "--new"], 0);
    put_back_plain(&stage, &copy);
    stage
}

#[test]
fn what_the_record_names_is_billed_once_whatever_is_declared_and_nothing_else_is_left_out() {
    let stage = imported(3);
    complete(&stage, 2);
    let copy = fs::read(stage.journal()).unwrap();
    export(&stage, &["october.xlsx", "--new"], 0);
    let bill = |words: &[&str]| {
        let words = [&["november.xlsx", "--new", "--json"], words].concat();
        let document = export(&stage, &words, 0).json();
        (document["sealed"].clone(), document["measurements"].clone())
    };
    for until in ["never", "2000-01-01", &tomorrow()] {
        put_back_plain(&stage, &copy);
        assert_eq!(bill(&["--billed-until", until]).0, Value::Null, "{until}");
        let again = ["--billed-until", "never", "--redeclare"];
        assert_eq!(bill(&again).0, Value::Null, "{until}");
    }
    put_back_plain(&stage, &copy);
    complete(&stage, 3);
    assert_eq!(bill(&["--billed-until", "never"]), (2.into(), 1.into()));
}

#[test]
fn what_the_record_names_is_not_billed_again_where_the_journal_learns_of_it_later() {
    let stage = put_back_after_a_bill();
    let bill = |words: &[&str]| {
        let words = [&["november.xlsx", "--new", "--json"], words].concat();
        export(&stage, &words, 0).json()["sealed"].clone()
    };
    assert_eq!(bill(&["--billed-until", "never"]), Value::Null);
    stage.run(&["import", "more.csv"]).expect(0);
    assert_eq!(bill(&[]), Value::Null);
}

#[test]
fn the_question_after_a_whole_home_was_put_back_names_what_is_billed_all_the_same() {
    let stage = put_back_after_a_bill();
    fs::remove_file(stage.journal().with_extension("db.seals")).unwrap();
    stage.run(&["import", "more.csv"]).expect(0);
    let asked = export(&stage, &["november.xlsx", "--new"], 3).stderr;
    let said =
        "1 other measurement that this journal requested will be billed whatever you declare";
    assert!(asked.contains(said), "{asked}");
}

#[test]
fn an_import_into_a_new_journal_tells_of_the_record_of_a_lost_one() {
    let stage = imported(2);
    complete(&stage, 2);
    export(&stage, &["october.xlsx", "--new"], 0);
    for suffix in ["", "-wal", "-shm"] {
        let mut name = stage.journal().into_os_string();
        name.push(suffix);
        let _ = fs::remove_file(name);
    }
    let run = stage.run(&["import", "leads.csv"]).expect(0);
    assert!(run.stderr.contains("the journal is new"), "{}", run.stderr);
    let run = stage.run(&["import", "leads.csv"]).expect(0);
    assert!(!run.stderr.contains("the journal is new"), "{}", run.stderr);
}
