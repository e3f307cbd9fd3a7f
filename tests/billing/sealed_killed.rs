//! A process that is killed between the steps of a sealed export.

use std::fs;
use std::process::Stdio;

use gutterbatch::export::{
    ExportFormat, OutputFile, PreparedSeal, SealPreparation, prepare_sealed_export,
};
use gutterbatch::journal::Journal;
use serde_json::Value;

use crate::billing::adjustments::completed;
use crate::billing::sealed::{again, everything, journal, list, measured, now, seal};
use crate::support::exports::ids;
use crate::support::{Run, Stage};

/// A sealed export as far as the file that is not yet sealed.
fn prepared(stage: &Stage, journal: &Journal, name: &str) -> PreparedSeal {
    let order = everything(ExportFormat::Xlsx);
    let place = OutputFile::new(&stage.path(name)).unwrap();
    match prepare_sealed_export(&journal.snapshot().unwrap(), &order, &place, now()).unwrap() {
        SealPreparation::File(prepared) => *prepared,
        SealPreparation::Nothing(_) => panic!("there is something to seal"),
    }
}

#[test]
fn killed_before_the_seal_nothing_is_billed() {
    let stage = measured(2);
    drop(prepared(&stage, &journal(&stage), "bill.xlsx"));
    assert!(!stage.path("bill.xlsx").exists());
    assert_eq!(list(&stage), Vec::<Value>::new());
    assert_eq!(seal(&stage, "bill.xlsx").json()["measurements"], 2);
}

#[test]
fn killed_after_the_seal_the_same_command_delivers_that_very_file() {
    let stage = measured(2);
    {
        let journal = journal(&stage);
        let sealed = prepared(&stage, &journal, "bill.xlsx")
            .seal(&journal)
            .unwrap();
        drop(sealed);
    }
    assert!(!stage.path("bill.xlsx").exists());
    let document = seal(&stage, "bill.xlsx").json();
    assert_eq!(
        (&document["sealed"], &document["measurements"]),
        (&1.into(), &2.into())
    );
    assert!(fs::read(stage.path("bill.xlsx")).unwrap() == again(&stage, "1"));
    assert_eq!(seal(&stage, "bill-2.xlsx").json()["sealed"], Value::Null);
}

/// A sealed export whose process was killed before it reported it.
fn unreported(stage: &Stage, name: &str) {
    let journal = journal(stage);
    let sealed = prepared(stage, &journal, name).seal(&journal).unwrap();
    sealed.deliver(&journal).unwrap();
}

#[test]
fn a_bill_that_its_run_did_not_report_is_reported_by_the_same_command() {
    let stage = measured(2);
    unreported(&stage, "bill.xlsx");
    let kept = fs::read(stage.path("bill.xlsx")).unwrap();
    let needs = &stage.run(&["status", "--json"]).expect(0).json()["needs"];
    assert_eq!(needs.as_array().unwrap().len(), 0, "{needs}");
    // An overview neither replaces nor reports it.
    stage.run(&["export", "bill.xlsx"]).expect(8);
    stage.run(&["export", "now.xlsx"]).expect(0);
    let document = seal(&stage, "bill.xlsx").json();
    assert_eq!(document["sealed"], 1);
    assert_eq!(document["measurements"], 2);
    assert!(document["written"].as_str().unwrap().ends_with("bill.xlsx"));
    assert_eq!(document["delivered"].as_array().unwrap().len(), 0);
    assert!(!list(&stage)[0]["delivered_at"].is_null());
    assert!(fs::read(stage.path("bill.xlsx")).unwrap() == kept);
    assert!(seal(&stage, "bill.xlsx").json()["written"].is_null());
}

#[test]
fn a_bill_that_its_run_did_not_report_is_named_by_the_next_bill() {
    let stage = measured(2);
    unreported(&stage, "bill.xlsx");
    let document = seal(&stage, "other.xlsx").json();
    assert!(document["written"].is_null());
    let delivered = &document["delivered"][0];
    assert_eq!(delivered["number"], 1);
    assert!(delivered["file"].as_str().unwrap().ends_with("bill.xlsx"));
    let document = seal(&stage, "other.xlsx").json();
    assert_eq!(document["delivered"].as_array().unwrap().len(), 0);
}

#[cfg(target_os = "linux")]
#[test]
fn a_bill_whose_report_could_not_be_printed_is_reported_again() {
    let full = fs::OpenOptions::new().write(true).open("/dev/full");
    let (reader, without_reader) = std::io::pipe().unwrap();
    drop(reader);
    for output in [Stdio::from(full.unwrap()), Stdio::from(without_reader)] {
        let stage = measured(2);
        let mut command = stage.command(&["export", "bill.xlsx", "--new", "--json"]);
        let run = Run::of(command.stdout(output).output().unwrap()).expect(8);
        let done =
            "error: export 1 is sealed and written to bill.xlsx, but this could not be reported: ";
        assert!(run.stderr.starts_with(done), "{}", run.stderr);
        assert_eq!(seal(&stage, "bill.xlsx").json()["sealed"], 1);
    }
}

#[test]
fn another_file_in_the_place_is_left_alone_and_the_sealed_one_is_named() {
    let stage = measured(1);
    {
        let journal = journal(&stage);
        drop(
            prepared(&stage, &journal, "bill.xlsx")
                .seal(&journal)
                .unwrap(),
        );
    }
    stage.file("bill.xlsx", "mine");
    let run = stage.run(&["export", "other.xlsx"]).expect(0);
    assert!(
        run.stderr
            .contains("the file of sealed export 1 was never written"),
        "{}",
        run.stderr
    );
    assert!(run.stderr.contains("--again 1"), "{}", run.stderr);
    assert_eq!(fs::read_to_string(stage.path("bill.xlsx")).unwrap(), "mine");
    // Nor does the next billing with another name, which has nothing new: a bill is missing, also for `-q` and `--json`.
    let next = ["export", "next.xlsx", "--new"];
    let run = stage.run(&[&next[..], &["-q"]].concat()).expect(3);
    assert!(run.stderr.contains("--again 1"), "{}", run.stderr);
    let document = stage.run(&[&next[..], &["--json"]].concat()).expect(3);
    let missing = &document.json()["undelivered"][0];
    assert_eq!(missing["number"], 1);
    assert_eq!(fs::read_to_string(stage.path("bill.xlsx")).unwrap(), "mine");
    let needs = &stage.run(&["status", "--json"]).expect(0).json()["needs"];
    assert_eq!(needs[0]["kind"], "undelivered_bill", "{needs}");
}

#[test]
fn a_bill_that_was_never_written_is_delivered_by_writing_it_again_elsewhere() {
    let stage = measured(1);
    {
        let journal = journal(&stage);
        drop(prepared(&stage, &journal, "bill.xlsx").seal(&journal));
    }
    stage.file("bill.xlsx", "mine");
    let again = ["export", "bill-1.xlsx", "--again", "1"];
    let said = stage.run(&again).expect(0).stdout;
    assert!(said.contains("this is it now"), "{said}");
    let sealed = &list(&stage)[0];
    assert!(!sealed["delivered_at"].is_null());
    assert!(
        sealed["file"].as_str().unwrap().ends_with("bill-1.xlsx"),
        "{sealed}"
    );
    let said = stage.run(&again).expect(0).stdout;
    assert!(!said.contains("this is it now"), "{said}");
    let record = fs::read_to_string(journal(&stage).seal_record_path()).unwrap();
    assert_eq!(record.lines().count(), 1);
    fs::remove_file(stage.path("bill.xlsx")).unwrap();
    let run = stage.run(&["export", "next.xlsx", "--new"]).expect(0);
    assert!(!run.stderr.contains("sealed export 1"), "{}", run.stderr);
    assert!(!stage.path("bill.xlsx").exists());
}

#[test]
fn a_killed_bill_replaces_no_other_bill_in_its_place() {
    let stage = measured(2);
    stage.run(&["export", "first.csv", "--new"]).expect(0);
    // An overview has the bytes of the first bill.
    stage.run(&["export", "all.csv"]).expect(0);
    stage
        .run(&[
            "import",
            "leads.csv",
            "--id-prefix",
            "b-",
            "--allow-same-house",
        ])
        .expect(0);
    for id in ids(&stage).iter().skip(2) {
        stage.sandbox().complete(id).unwrap();
    }
    stage.run(&["export", "now.csv"]).expect(0);
    {
        let journal = journal(&stage);
        drop(prepared(&stage, &journal, "bill.xlsx").seal(&journal));
    }
    let first = fs::read(stage.path("first.csv")).unwrap();
    stage.file("bill.xlsx", &first);
    for forced in [&[][..], &["--force"]] {
        let words = [&["export", "bill.xlsx", "--new"], forced].concat();
        stage.run(&words);
        assert_eq!(fs::read(stage.path("bill.xlsx")).unwrap(), first);
    }
}

#[test]
fn a_bill_that_is_delivered_later_is_summed_up_as_it_is_in_its_file() {
    let (service, stage) = completed();
    stage
        .run(&["export", "now.csv", "--refresh", "all"])
        .expect(0);
    {
        let journal = journal(&stage);
        drop(prepared(&stage, &journal, "bill.xlsx").seal(&journal));
    }
    fs::create_dir(stage.path("bill.xlsx")).unwrap();
    service.rewrite("A-0", |measurement| {
        measurement["result"]["gutter_length_ft"] = 300.5.into();
    });
    stage
        .run(&["export", "now.csv", "--refresh", "all"])
        .expect(0);
    fs::remove_dir(stage.path("bill.xlsx")).unwrap();
    let document = seal(&stage, "bill.xlsx").json();
    let sealed = &list(&stage)[0];
    assert_eq!(document["totals"], sealed["totals"]);
    assert_eq!(document["by_status"]["complete"], 2, "{document}");
    assert_eq!(document["measurements"], sealed["measurements"]);
    assert_eq!(document["totals"]["gutter_length_ft"], 241.0);
}

#[test]
fn where_the_file_cannot_be_put_the_seal_is_taken_back() {
    let stage = measured(1);
    let journal = journal(&stage);
    let sealed = prepared(&stage, &journal, "bill.xlsx")
        .seal(&journal)
        .unwrap();
    // A folder takes the place between the look and the rename.
    fs::create_dir(stage.path("bill.xlsx")).unwrap();
    sealed.deliver(&journal).unwrap_err();
    drop(journal);
    assert_eq!(list(&stage), Vec::<Value>::new());
    assert_eq!(seal(&stage, "elsewhere.xlsx").json()["sealed"], 1);
}

#[test]
fn two_seals_of_one_measurement_never_both_hold() {
    let stage = measured(1);
    let journal = journal(&stage);
    let first = prepared(&stage, &journal, "one.xlsx");
    let second = prepared(&stage, &journal, "two.xlsx");
    drop(first.seal(&journal).unwrap());
    second.seal(&journal).unwrap_err();
    drop(journal);
    assert_eq!(list(&stage).len(), 1);
}

#[test]
fn a_file_that_the_user_put_where_a_killed_bill_belongs_is_not_replaced() {
    let stage = measured(2);
    {
        let journal = journal(&stage);
        let sealed = prepared(&stage, &journal, "bill.xlsx").seal(&journal);
        drop(sealed.unwrap());
    }
    stage.file("bill.xlsx", "the user's own");
    let run = stage.run(&["export", "bill.xlsx", "--new"]).expect(3);
    assert_eq!(
        fs::read(stage.path("bill.xlsx")).unwrap(),
        b"the user's own"
    );
    assert!(run.stderr.contains("--again 1"), "{}", run.stderr);
    // `--force` replaces it, as it would have without the kill.
    stage
        .run(&["export", "bill.xlsx", "--new", "--force"])
        .expect(0);
    assert!(fs::read(stage.path("bill.xlsx")).unwrap() == again(&stage, "1"));
}
