//! Results that changed after they were billed, in a journal that is restored: what was billed is known, or missed.

use std::fs;

use serde_json::Value;

use crate::billing::adjustments::{adjustments, completed};
use crate::export::restore::{restore, restored};
use crate::support::Stage;
use crate::support::exports::{complete, export, imported};

/// The lines of gutter length of the next sealed export of a restored journal: old, new and difference.
fn adjusted_after_a_restore(stage: &Stage, journal: &str) -> Vec<[String; 3]> {
    let words = [
        "next.xlsx",
        "--new",
        "--refresh",
        "all",
        "--journal",
        journal,
    ];
    // A later bill of the lost journal may have adjusted it.
    let asked = export(stage, &words, 3);
    assert!(
        asked
            .stderr
            .contains("1 adjustment may have been billed elsewhere"),
        "{}",
        asked.stderr
    );
    assert!(asked.stderr.contains("A-1"), "{}", asked.stderr);
    // A sealed export lacks the houses that it did not bill, which an import would request again.
    let hint = "restore a whole export (without --new) that it wrote after that bill";
    assert!(asked.stderr.contains(hint), "{}", asked.stderr);
    export(
        stage,
        &[&words[..], &["--billed-until", "never"]].concat(),
        0,
    );
    let lines = adjustments(stage, "next.xlsx").into_iter();
    lines
        .filter(|[figure, ..]| figure == "Gutter length (ft)")
        .map(|[_, old, new, difference]| [old, new, difference])
        .collect()
}

#[test]
fn a_result_that_changed_after_its_bill_is_restored_as_billed_and_then_adjusted() {
    let (service, stage) = completed();
    export(&stage, &["bill.xlsx", "--new"], 0);
    service.rewrite("A-1", |measurement| {
        measurement["result"]["gutter_length_ft"] = 100.5.into();
    });
    export(&stage, &["all.xlsx", "--refresh", "all"], 0);
    let document = restore(&stage, "all.xlsx", "new.db", 0);
    assert_eq!(document["billed"], 2, "{document}");
    assert_eq!(
        adjusted_after_a_restore(&stage, "new.db"),
        [["120.5", "100.5", "-20"]]
    );
    // The sealed export has adjusted it: a journal that is restored from a later workbook owes nothing more.
    export(
        &stage,
        &["later.xlsx", "--offline", "--journal", "new.db"],
        0,
    );
    restore(&stage, "later.xlsx", "last.db", 0);
    let words = [
        "last.xlsx",
        "--new",
        "--refresh",
        "all",
        "--json",
        "--journal",
        "last.db",
    ];
    assert_eq!(export(&stage, &words, 0).json()["adjustments"], 0);
}

#[test]
fn a_bill_whose_result_was_withdrawn_is_restored_and_then_adjusted_to_nothing() {
    let (service, stage) = completed();
    export(&stage, &["bill.xlsx", "--new"], 0);
    service.rewrite("A-1", |measurement| {
        measurement["status"] = "canceled".into();
        measurement["result"] = Value::Null;
    });
    export(&stage, &["all.xlsx", "--refresh", "all"], 0);
    let run = restored(&stage, "all.xlsx", "new.db").expect(0);
    assert_eq!(run.json()["billed"], 2);
    assert_eq!(
        adjusted_after_a_restore(&stage, "new.db"),
        [["120.5", "0", "-120.5"]]
    );
}

#[test]
fn a_bill_whose_result_was_withdrawn_and_adjusted_before_the_workbook_is_missed() {
    let (service, stage) = completed();
    export(&stage, &["bill.xlsx", "--new"], 0);
    service.rewrite("A-1", |measurement| {
        measurement["status"] = "canceled".into();
        measurement["result"] = Value::Null;
    });
    export(&stage, &["adjusted.xlsx", "--new", "--refresh", "all"], 0);
    export(&stage, &["all.xlsx", "--offline"], 0);
    let run = restored(&stage, "all.xlsx", "new.db").expect(3);
    let warning = "billed 1 measurement more than its sheets show as billed, because the service had withdrawn them";
    assert!(run.stderr.contains(warning), "{}", run.stderr);
    assert_eq!(run.json()["missing"], 0);
    let run = restored(&stage, "bill.xlsx", "other.db").expect(0);
    assert!(!run.stderr.contains("withdrawn"), "{}", run.stderr);
}

#[test]
fn what_the_record_of_seals_names_is_not_billed_again_after_the_newest_bill_is_restored() {
    let stage = imported(3);
    for (count, bill) in [(1, "first.xlsx"), (2, "second.xlsx")] {
        complete(&stage, count);
        let document = export(&stage, &[bill, "--new", "--json"], 0).json();
        assert_eq!(document["completed"], 1, "{document}");
    }
    // The journal is lost, the record beside it is not.
    let record = stage.journal().with_extension("db.seals");
    stage.file("new.db.seals", fs::read(record).unwrap());
    restore(&stage, "second.xlsx", "new.db", 3);
    let import = ["import", "leads.csv", "--journal", "new.db"];
    stage.run(&import).expect(0);
    complete(&stage, 3);
    let words = ["third.xlsx", "--new", "--journal", "new.db"];
    let asked = export(&stage, &words, 3).stderr;
    assert!(
        asked.contains("1 measurement may have been billed elsewhere"),
        "{asked}"
    );
    let never = [&words[..], &["--billed-until", "never", "--json"]].concat();
    let document = export(&stage, &never, 0).json();
    assert_eq!(document["completed"], 1, "{document}");
}
