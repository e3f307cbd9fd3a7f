//! What an export asks for, writes, refuses and says.

use std::fs;

use calamine::Data;

use crate::support::exports::{complete, export, imported};
use crate::support::imports::sheet;
use crate::support::{Contractor as _, Stage};

fn gets(stage: &Stage) -> usize {
    let calls = stage.sandbox().calls();
    calls
        .iter()
        .filter(|call| call.path.starts_with("/measurements/"))
        .count()
}

#[test]
fn only_what_is_not_final_is_asked_for_again() {
    let stage = imported(5);
    complete(&stage, 3);
    let first = export(&stage, &["a.xlsx", "--json"], 0).json();
    assert_eq!(first["by_status"]["complete"], 3);
    assert_eq!(first["by_status"]["pending"], 2);
    assert_eq!(gets(&stage), 5);
    let second = export(&stage, &["a.xlsx", "--json"], 0).json();
    assert_eq!(second["requests"]["total"], 2);
    let offline = export(&stage, &["a.xlsx", "--json", "--offline"], 0).json();
    assert_eq!(offline["requests"]["total"], 0);
    let all = export(&stage, &["a.xlsx", "--json", "--refresh", "all"], 0).json();
    assert_eq!(all["requests"]["total"], 5);
    assert_eq!(gets(&stage), 12);
}

#[test]
fn the_same_journal_gives_the_same_bytes() {
    let stage = imported(3);
    complete(&stage, 2);
    export(&stage, &["a.xlsx"], 0);
    for format in ["xlsx", "csv", "json", "ndjson"] {
        let names = [format!("b.{format}"), format!("c.{format}")];
        for name in &names {
            export(&stage, &[name, "--offline"], 0);
        }
        let read = |name| fs::read(stage.path(name)).unwrap();
        assert!(read(&names[0]) == read(&names[1]), "{format}");
    }
}

#[test]
fn a_spent_budget_leaves_a_whole_file_that_says_it_is_partial() {
    let stage = imported(3);
    complete(&stage, 3);
    // GET /me and three POST stand in the ledger: two of six are left.
    let args = ["a.xlsx", "--rate", "6/1h", "--json"];
    let run = export(&stage, &args, 4);
    let document = run.json();
    assert_eq!(document["requests"]["total"], 2);
    assert_eq!(document["partial"]["not_asked"], 1);
    assert!(document["partial"]["resume_at"].is_string(), "{document}");
    assert_eq!(document["by_status"]["complete"], 2);
    assert!(run.stderr.contains("partial"), "{}", run.stderr);
    let summary = crate::workbook::table(&fs::read(stage.path("a.xlsx")).unwrap(), "Summary");
    let shown = format!("{summary:?}");
    assert!(shown.contains(
        "Partial: 1 measurement could not be requested again (the quota is used up until "
    ));
    let hint = "hint: after that, this command exports the rest: gutterbatch export a.xlsx";
    assert!(run.stderr.contains(hint), "{}", run.stderr);
}

/// The window has room for two of three measurements.
#[test]
fn a_spent_budget_bills_what_is_known_and_the_next_file_the_rest() {
    let stage = imported(3);
    let rate = ["--new", "--rate", "6/1h"];
    let run = export(&stage, &[&["a.xlsx"], &rate[..]].concat(), 4);
    assert!(
        run.stdout.contains("nothing new to bill so far"),
        "{}",
        run.stdout
    );
    let one_bill = "this command exports the rest and waits for the quota, for a single bill: gutterbatch export a.xlsx --new --rate 6/1h --wait-complete\n";
    assert!(run.stderr.contains(one_bill), "{}", run.stderr);
    let stage = imported(3);
    complete(&stage, 3);
    let run = export(&stage, &[&["a.xlsx"], &rate[..]].concat(), 4);
    assert!(
        run.stdout
            .contains("sealed export 1, 2 completed measurements"),
        "{}",
        run.stdout
    );
    let free_name = one_bill.replace("a.xlsx", "a-2.xlsx");
    let free_name = free_name.replace(", for a single bill", "");
    assert!(run.stderr.contains(&free_name), "{}", run.stderr);
    assert!(
        run.stderr.contains("each measurement is billed once"),
        "{}",
        run.stderr
    );
    assert!(
        run.stderr.contains("export a-2.xlsx --new"),
        "{}",
        run.stderr
    );
    // The name is taken now, whether or not the quota is still used up.
    let run = export(&stage, &[&["a.xlsx"], &rate[..]].concat(), 4);
    let rest = "gutterbatch export a-2.xlsx --new --rate 6/1h --wait-complete\n";
    assert!(run.stderr.contains(rest), "{}", run.stderr);
    let run = export(&stage, &["a.xlsx", "--new", "--images", "link"], 8);
    let both = "hint: `gutterbatch export a-2.xlsx --new --images link` bills what is not billed yet; `gutterbatch export a-1.xlsx --again 1` writes sealed export 1 again";
    assert!(run.stderr.contains(both), "{}", run.stderr);
    let document = export(&stage, &["a-3.xlsx", "--new", "--json"], 0).json();
    assert_eq!(document["measurements"], 1);
}

#[test]
fn the_hint_of_a_long_pause_promises_no_waiting() {
    let pause = r#"{"rules": [{"do": "status", "status": 429, "method": "GET", "path": "/measurements/*", "retry_after": "9000", "times": 1}]}"#;
    let stage = imported(2);
    stage.sandbox().set_faults(pause.parse().ok());
    let run = export(&stage, &["a.xlsx", "--new"], 4);
    let hint = "hint: after that, this command exports the rest: gutterbatch export a.xlsx --new\n";
    assert!(run.stderr.contains(hint), "{}", run.stderr);
}

#[test]
fn a_measurement_that_is_gone_is_shown_and_asks_for_a_person() {
    let faults = r#"{"rules": [{"do": "status", "status": 404, "method": "GET", "path": "/measurements/*", "times": 1}]}"#;
    let stage = imported(2);
    stage.sandbox().set_faults(faults.parse().ok());
    let document = export(&stage, &["a.xlsx", "--json"], 3).json();
    assert_eq!(document["by_status"]["not_found"], 1);
    let open = crate::workbook::table(&fs::read(stage.path("a.xlsx")).unwrap(), "Open");
    assert!(
        open.iter()
            .any(|row| crate::workbook::cell(&open, row, "Status") == "not_found")
    );
}

#[test]
fn a_revoked_token_stops_with_5_and_leaves_the_old_file() {
    let stage = imported(2);
    stage.file("a.xlsx", "old");
    stage.block_on(stage.sandbox().disconnect()).unwrap();
    export(&stage, &["a.xlsx", "--force"], 5);
    assert_eq!(fs::read_to_string(stage.path("a.xlsx")).unwrap(), "old");
}

#[test]
fn places_that_cannot_be_written_are_8_and_unknown_names_are_2() {
    let stage = imported(1);
    fs::create_dir(stage.path("folder.xlsx")).unwrap();
    let seals = ["--new", "--offline"];
    for (name, code) in [
        ("folder.xlsx", 8),
        ("no/such/folder.xlsx", 8),
        ("results.pdf", 2),
        ("results", 2),
        ("-", 2),
    ] {
        export(&stage, &[&[name], &seals[..]].concat(), code);
    }
    let list = export(&stage, &["--sealed", "--json"], 0).json();
    assert_eq!(list["sealed"].as_array().unwrap().len(), 0);
}

#[test]
fn words_that_mean_nothing_are_2_and_say_what_to_write() {
    let stage = imported(1);
    for (flags, said) in [
        ("--tz Mars/Base", "hint: give an IANA name"),
        ("--tz Canada", "hint: give an IANA name"),
        ("--tz EST", "`EST`\nhint: did you mean `America/New_York`?"),
        ("--tz pdt", "hint: did you mean `America/Los_Angeles`?"),
        ("--tz Toronto", "hint: did you mean `America/Toronto`?"),
        (
            "--tz America/Torono",
            "hint: did you mean `America/Toronto`?",
        ),
        ("--month 2026-13", "hint: write for instance 2026-10"),
        (
            "--completed-from yesterday",
            "--completed-from: invalid date `yesterday`\nhint: write for instance 2026-10-01",
        ),
        (
            "--completed-from 2026-10-02 --completed-to 2026-10-01",
            "--completed-to is the first day that is not included",
        ),
        ("--again 1", "hint: nothing is sealed yet"),
    ] {
        let flags: Vec<&str> = flags.split(' ').collect();
        let run = export(&stage, &[&["a.xlsx", "--offline"], &flags[..]].concat(), 2);
        assert!(run.stderr.contains(said), "{}", run.stderr);
    }
}

#[test]
fn without_a_journal_there_is_nothing_to_export() {
    let stage = Stage::open();
    let run = export(&stage, &["a.xlsx"], 8);
    assert!(
        run.stderr.contains("hint: import a file first"),
        "{}",
        run.stderr
    );
}

#[test]
fn a_month_takes_what_was_completed_in_it() {
    let stage = imported(2);
    complete(&stage, 2);
    let whole = export(&stage, &["a.xlsx", "--json"], 0).json();
    assert_eq!(whole["measurements"], 2);
    let none = export(
        &stage,
        &["a.xlsx", "--json", "--offline", "--month", "1999-12"],
        0,
    )
    .json();
    assert_eq!(none["measurements"], 0);
    let from = ["--completed-from", "1999-12-31", "--tz", "America/Toronto"];
    let args = [&["a.xlsx", "--json", "--offline"], &from[..]].concat();
    assert_eq!(export(&stage, &args, 0).json()["measurements"], 2);
}

#[test]
fn pictures_come_on_request_and_never_with_the_token() {
    let stage = imported(1);
    complete(&stage, 1);
    let run = export(&stage, &["a.xlsx", "--images", "download"], 0);
    assert!(run.stdout.contains("images in"), "{}", run.stdout);
    let folder = fs::read_dir(stage.path("a_images")).unwrap();
    let names: Vec<String> = folder
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    let aerial = |name: &&String| name.starts_with("A-0_aerial_");
    assert!(names.iter().any(|name| aerial(&name)), "{names:?}");
    let words = ["b.xlsx", "--images", "embed", "--refresh", "never"];
    export(&stage, &words, 0);
    let book = fs::read(stage.path("b.xlsx")).unwrap();
    // All kinds show one picture, and a workbook stores it once.
    assert_eq!(crate::workbook::entries(&book, "xl/media/").len(), 1);
}

#[test]
fn the_users_own_sheet_comes_back_with_the_results() {
    let stage = imported(3);
    complete(&stage, 1);
    stage.file(
        "more.csv",
        sheet(0..4) + "A-9,,x@example.com,1 Elm Street,Ottawa,ON,K1A 0B1\n",
    );
    export(&stage, &["back.csv", "--for", "more.csv"], 0);
    let text = fs::read_to_string(stage.path("back.csv")).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 6);
    assert!(lines[1].contains(",complete,,"), "{}", lines[1]);
    assert!(
        lines[2].contains(",pending,the contractor has not started,"),
        "{}",
        lines[2]
    );
    assert!(lines[4].contains(",never imported,"), "{}", lines[4]);
    assert!(lines[5].contains(",invalid: "), "{}", lines[5]);
}

#[test]
fn rejected_rows_stand_with_whose_and_where_they_are() {
    let stage = Stage::open();
    let sheet = "id,name,email,address,city,region,postal code\n\
        1,Ann,ann@example.com,12 Elm St,Ottawa,ON,K1A 0B1\n\
        2,Bob,,14 Elm St,Ottawa,ON,K1A 0B1\n\
        3,,cleo@example.com,,Ottawa,ON,\n\
        4,Dan,dan@example.com,16 Elm St,Ottawa,ON,K1A 0B1\n\
        4,Eve,eve@example.com,18 Elm St,Ottawa,ON,K1A 0B1\n";
    stage.file("leads.csv", sheet);
    let rate = ["--rate", "1000000/1s"];
    stage
        .run(&["import", "leads.csv", rate[0], rate[1]])
        .expect(3);
    export(&stage, &["all.xlsx", "--offline"], 0);
    let book = fs::read(stage.path("all.xlsx")).unwrap();
    let sheet = crate::workbook::table(&book, "Rejected");
    let of = |row: &Vec<Data>| {
        ["External id", "Customer", "Address"]
            .map(|header| crate::workbook::cell(&sheet, row, header).to_string())
    };
    let rejected: Vec<[String; 3]> = sheet.iter().skip(1).map(of).collect();
    let expected = [
        ["2", "Bob", "14 Elm St, Ottawa, ON K1A 0B1"],
        ["3", "", "Ottawa, ON"],
        ["4", "Dan", "16 Elm St, Ottawa, ON K1A 0B1"],
        ["4", "Eve", "18 Elm St, Ottawa, ON K1A 0B1"],
    ];
    assert_eq!(rejected, expected);
}

#[test]
fn the_results_of_a_sheet_wait_for_its_own_rows_alone() {
    let stage = imported(3);
    complete(&stage, 3);
    export(&stage, &["all.xlsx"], 0);
    stage.file("others.csv", crate::support::imports::sheet(10..14));
    stage.run(&["import", "others.csv"]).expect(0);
    let own = ["out.csv", "--for", "leads.csv", "--rate", "1/1h", "--json"];
    let document = export(&stage, &own, 0).json();
    assert_eq!(document["requests"]["total"], 0);
    assert_eq!(document["completed"], 3);
    let others = ["out2.csv", "--for", "others.csv", "--rate", "1/1h"];
    export(&stage, &others, 4);
}
