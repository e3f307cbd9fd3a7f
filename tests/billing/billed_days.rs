//! The day of a declaration about what another journal billed.

use serde_json::json;

use crate::billing::billed_elsewhere::{NEW, rebuilt, tomorrow};
use crate::support::canned::{self, Canned};
use crate::support::exports::{complete, export, imported};
use crate::support::imports::sheet;
use crate::support::{Run, Stage};

/// A service whose measurements are complete, and were completed at these times, one for each row.
fn completed_at(times: &[&str], answer: &'static str) -> Canned {
    let times: Vec<String> = times.iter().map(|&time| time.to_owned()).collect();
    Canned::answering(move |request| {
        if request.starts_with("GET") {
            return canned::healthy(request);
        }
        let mut measurement = canned::measurement(&canned::asked(request));
        let id = measurement["id"].as_str().unwrap();
        let row: usize = id.trim_start_matches("msr_A-").parse().unwrap();
        measurement["completed_at"] = times[row % times.len()].as_str().into();
        measurement["status"] = "complete".into();
        measurement["result"] = json!({
            "gutter_length_ft": 100, "gutter_size_in": 5, "corner_count": 4, "downspout_count": 0,
            "downspout_length_ft": 0, "downspouts": [], "installer_message": null,
            "asset_pack": [{"kind": "aerial", "url": "https://example.com/1.png", "content_type": "image/png"}],
        });
        canned::json(answer, &measurement)
    })
}

/// What another machine billed is asked about after an earlier answer too, although this machine's clock is behind.
#[test]
fn what_was_complete_when_the_journal_learned_of_it_is_asked_about_whatever_the_clock_says() {
    let service = completed_at(&[&format!("{}T12:00:00Z", tomorrow())], "200 OK");
    let stage = Stage::offline();
    let run =
        |args: &[&str], code| Run::of(stage.against(&service, args).output().unwrap()).expect(code);
    stage.file("leads.csv", sheet(0..1));
    stage.file("more.csv", sheet(1..2));
    run(&["import", "leads.csv"], 0);
    let bill = ["export", "bill.xlsx", "--new", "--offline"];
    run(&[&bill[..], &["--billed-until", "never"]].concat(), 0);
    run(&["import", "more.csv"], 0);
    let next = ["export", "next.xlsx", "--new", "--offline"];
    let said = run(&next, 3).stderr;
    assert!(said.contains("A-1") && !said.contains("A-0"), "{said}");
}

/// A declaration by a day is read in `--tz`, so that the days of the list must be too.
#[test]
fn the_list_of_what_may_be_billed_has_the_days_of_the_time_zone() {
    let service = completed_at(&["2026-10-01T02:00:00Z"], "200 OK");
    let stage = Stage::offline();
    stage.file("leads.csv", sheet(0..1));
    let run =
        |args: &[&str], code| Run::of(stage.against(&service, args).output().unwrap()).expect(code);
    run(&["import", "leads.csv"], 0);
    let bill = ["export", "bill.xlsx", "--new", "--offline", "--tz"];
    let said = run(&[&bill[..], &["America/Toronto"]].concat(), 3).stderr;
    assert!(said.contains("(days in America/Toronto)"), "{said}");
    assert!(said.contains("2026-09-30  A-0"), "{said}");
    let said = run(&[&bill[..], &["UTC"]].concat(), 3).stderr;
    assert!(said.contains("2026-10-01  A-0"), "{said}");
}

#[test]
fn a_bill_of_days_to_come_says_so() {
    let service = completed_at(&["2026-10-04T02:00:00Z"], "201 Created");
    let stage = Stage::offline();
    stage.file("leads.csv", sheet(0..1));
    let run =
        |args: &[&str], code| Run::of(stage.against(&service, args).output().unwrap()).expect(code);
    run(&["import", "leads.csv"], 0);
    let words = [
        "export",
        "bill.xlsx",
        "--new",
        "--offline",
        "--completed-to",
    ];
    let said = run(&[&words[..], &["2962-12-01"]].concat(), 0).stderr;
    let line = "warning: the period is not over, it ends before 2962-12-01: what is completed until then needs another bill";
    assert!(said.contains(line), "{said}");
    let month = [&words[..4], &["--month", "2962-12"]].concat();
    let said = run(&month, 0).stderr;
    let line = "warning: the period has not begun, it ends before 2963-01-01: ";
    assert!(said.contains(line), "{said}");
    let said = run(&[&words[..], &["2026-11-01"]].concat(), 0).stderr;
    assert!(!said.contains("the period is not over"), "{said}");
}

#[test]
fn a_bill_names_its_days_and_months_what_is_left_and_what_was_not_sent() {
    let times = [
        "2026-10-04T02:00:00Z",
        "2026-11-30T12:00:00Z",
        "2026-12-05T12:00:00Z",
    ];
    let service = completed_at(&times, "201 Created");
    let stage = Stage::offline();
    stage.file("leads.csv", sheet(0..5));
    let run =
        |args: &[&str], code| Run::of(stage.against(&service, args).output().unwrap()).expect(code);
    run(&["import", "leads.csv", "--limit", "4"], 4);
    let toronto = ["--tz", "America/Toronto", "--offline"];
    let overview = ["export", "overview.xlsx", "--month", "2026-10"];
    let overview = [&overview[..], &toronto].concat();
    let said = run(&overview, 0).stdout;
    let none = "not a bill: what was completed in the period, 0 of 2 billed already; --new makes the bill\n";
    assert!(said.contains(none), "{said}");
    let bill = [
        "export",
        "bill.xlsx",
        "--new",
        "--completed-to",
        "2026-12-01",
    ];
    let bill = run(&[&bill[..], &toronto].concat(), 0);
    for line in [
        "completed from 2026-10-03 to 2026-11-30 (America/Toronto): 2 in 2026-10, 1 in 2026-11\n",
        "\n1 complete measurement left for the next bill\n",
    ] {
        assert!(bill.stdout.contains(line), "{}", bill.stdout);
    }
    let rest = "warning: not billed: 1 row pending; `gutterbatch import ";
    assert!(bill.stderr.contains(rest), "{}", bill.stderr);
    let said = run(&overview, 0).stdout;
    let billed = ", 2 of 2 billed already\n";
    assert!(said.contains(billed), "{said}");
    let status = run(&["status"], 0).stdout;
    let left = "1 complete measurement not billed yet\n";
    assert!(status.contains(left), "{status}");
}

#[test]
fn a_time_after_a_date_is_refused_and_never_ignored() {
    let stage = rebuilt();
    for flag in ["--billed-until", "--completed-from", "--completed-to"] {
        let run = export(&stage, &[&NEW[..], &[flag, "2026-11-22T03:30"]].concat(), 2);
        assert!(run.stderr.contains("2026-11-22T03:30"), "{}", run.stderr);
    }
    assert!(!stage.path("bill.xlsx").exists());
}

#[test]
fn the_hint_has_the_day_that_covers_all_that_may_have_been_billed() {
    let stage = rebuilt();
    let run = export(&stage, &NEW, 3);
    let hint = run
        .stderr
        .lines()
        .find(|line| line.contains("all of these: "));
    let day = hint
        .unwrap()
        .split("--billed-until ")
        .nth(1)
        .unwrap()
        .trim();
    let run = export(&stage, &[&NEW[..], &["--billed-until", day]].concat(), 0);
    assert!(
        run.stdout.contains("2 measurements left out"),
        "{}",
        run.stdout
    );
}

#[test]
fn the_hint_has_no_day_that_is_refused() {
    let service = completed_at(&["9999-12-30T12:00:00Z"], "200 OK");
    let stage = Stage::offline();
    stage.file("leads.csv", sheet(0..1));
    let run =
        |args: &[&str], code| Run::of(stage.against(&service, args).output().unwrap()).expect(code);
    run(&["import", "leads.csv"], 0);
    let said = run(&["export", "bill.xlsx", "--new", "--offline"], 3).stderr;
    assert!(said.contains("--billed-until never"), "{said}");
    assert!(!said.contains("9999-12-31"), "{said}");
}

#[test]
fn a_day_that_covers_no_measurement_is_told() {
    let stage = rebuilt();
    let run = export(
        &stage,
        &[&NEW[..], &["--billed-until", "2000-01-01"]].concat(),
        0,
    );
    assert!(
        run.stdout
            .contains("no measurement left out: none that another journal may have billed was"),
        "{}",
        run.stdout
    );
}

#[test]
fn a_day_is_about_everything_that_was_completed_before_it_whatever_was_asked_before() {
    let times = ["2020-10-15T12:00:00Z", "2020-11-10T12:00:00Z"];
    let november = [
        "export",
        "bill.xlsx",
        "--new",
        "--offline",
        "--month",
        "2020-11",
    ];
    let declared = [&november[..], &["--billed-until", "2020-11-05"]].concat();
    for question in [&[][..], &november[..4], &november] {
        let service = completed_at(&times, "200 OK");
        let stage = Stage::offline();
        let run = |args: &[&str], code| {
            Run::of(stage.against(&service, args).output().unwrap()).expect(code)
        };
        stage.file("leads.csv", sheet(0..4));
        run(&["import", "leads.csv"], 0);
        if !question.is_empty() {
            run(question, 3);
        }
        let said = run(&declared, 0).stdout;
        for text in ["2 completed measurements", "2 measurements left out"] {
            assert!(said.contains(text), "{question:?}: {said}");
        }
        let said = run(&["export", "rest.xlsx", "--new", "--offline"], 0).stdout;
        assert!(said.contains("nothing new to bill"), "{said}");
    }
}

/// An answer settles who bills what was open then; a later answer is about other measurements.
#[test]
fn what_completes_between_two_answers_is_billed_without_another_question() {
    let stage = imported(2);
    complete(&stage, 1);
    let import = |file| {
        let words = ["import", file, "--journal", "new.db"];
        stage.run(&words).expect(0);
    };
    import("leads.csv");
    let answer = |day: &str| {
        let words = [&NEW[..], &["--billed-until", day, "--json"]].concat();
        export(&stage, &words, 0).json()
    };
    let first = answer(&tomorrow());
    assert_eq!(first["billed_elsewhere"], 1);
    stage.file("more.csv", sheet(2..3));
    stage.run(&["import", "more.csv"]).expect(0);
    complete(&stage, 3);
    import("more.csv");
    let said = export(&stage, &NEW, 3).stderr;
    assert!(said.contains("A-2") && !said.contains("A-1"), "{said}");
    let second = answer("never");
    assert_eq!(second["measurements"], 2);
}
