//! Copies of rejects are read with the flags of their sheet; rejects that no import of the journal wrote are not sent.

use crate::remembered::flags::ids;
use crate::support::{Run, Stage};

const HEADERS: &str = "id,name,email,line1,city,region,postal_code";

/// Imports a sheet of these rows under a prefix; returns its rejects with the city filled in.
fn corrected_rejects(stage: &Stage, name: &str, rows: &[String]) -> String {
    stage.file(
        &format!("{name}.csv"),
        format!("{HEADERS}\n{}", rows.concat()),
    );
    let (file, prefix) = (format!("{name}.csv"), format!("{name}-"));
    stage
        .run(&["import", &file, "--id-prefix", &prefix])
        .expect(3);
    let rejects = std::fs::read_to_string(stage.path(&format!("{name}.rejects.csv"))).unwrap();
    rejects.replace(" St,,", " St,Boston,")
}

fn row(id: u32, street: &str, city: &str) -> String {
    format!("{id},Ada,ada@example.com,{street},{city},MA,02134\n")
}

#[test]
fn a_copy_that_may_be_of_two_sheets_is_not_sent() {
    let stage = Stage::open();
    let [october, _] = ["oct", "nov"].map(|name| {
        let first = if name == "oct" { 10 } else { 20 };
        let rows = [
            row(first, &format!("{first} Elm St"), "Boston"),
            row(7, "7 Oak St", ""),
        ];
        corrected_rejects(&stage, name, &rows)
    });
    stage.file("fix.csv", &october);
    let stopped = stage.run(&["import", "fix.csv"]).expect(10).stderr;
    assert!(
        stopped.contains("has rejects that the journal does not know"),
        "{stopped}"
    );
    std::fs::create_dir(stage.path("mail")).unwrap();
    for copy in [
        "mail/oct.rejects.csv",
        "Copy of oct.rejects.csv",
        "oct.rejects - Copy.csv",
    ] {
        stage.file(copy, &october);
        let checked = stage.run(&["check", copy]).expect(0).stderr;
        assert!(
            checked.contains("before: --id-prefix oct-"),
            "{copy}: {checked}"
        );
    }
    stage.run(&["import", "mail/oct.rejects.csv"]).expect(0);
    assert_eq!(ids(&stage), ["nov-20", "oct-10", "oct-7"]);
}

#[test]
fn rejects_of_another_journal_are_not_recognized_by_their_name() {
    let stage = Stage::open();
    let rows = [row(1, "1 Elm St", "Boston"), row(2, "2 Oak St", "")];
    corrected_rejects(&stage, "oct", &rows);
    let other = "id,name,email,line1,city,region,postal_code,error,source_row\n\
        43,Bob,bob@example.com,43 Pine St,Salem,MA,01970,no city,3\n";
    for name in [
        "oct.rejects (1).csv",
        "Copy of oct.rejects.csv",
        "oct.rejects bob.csv",
        // In place of the own ones, whose flags are stored for this path; both sheets have a row with this id.
        "oct.rejects.csv",
    ] {
        for id in ["43", "2"] {
            stage.file(name, other.replace("43,Bob", &format!("{id},Bob")));
            stage.run(&["import", name]).expect(10);
        }
    }
    assert_eq!(ids(&stage), ["oct-1"]);
}

#[test]
fn rejects_of_two_sheets_in_one_file_are_not_sent() {
    let stage = Stage::open();
    let mut rejects = ["oct", "nov"]
        .into_iter()
        .zip([1_u32, 5])
        .map(|(name, id)| {
            let rows = [
                row(id, &format!("{id} Elm St"), "Boston").replace("Ada", name),
                row(id + 1, &format!("{} Oak St", id + 1), "").replace("ada@", name),
            ];
            corrected_rejects(&stage, name, &rows)
        });
    let both = [rejects.next().unwrap(), rejects.next().unwrap()];
    let second = both[1].split_once('\n').unwrap().1;
    // Also pasted into the rejects of one of them.
    for name in ["both.csv", "oct.rejects.csv"] {
        stage.file(name, format!("{}{second}", both[0]));
        stage.run(&["import", name]).expect(10);
    }
    assert_eq!(ids(&stage), ["nov-5", "oct-1"]);
}

#[test]
fn rejects_below_titles_and_on_standard_input_are_recognized() {
    let stage = Stage::open();
    let rows = [row(1, "1 Elm St", "Boston"), row(2, "2 Elm St", "")];
    let rejects = corrected_rejects(&stage, "oct", &rows);
    stage.file("titled.csv", format!("Corrections\nby Ann\n{rejects}"));
    let checked = stage.run(&["check", "titled.csv"]).expect(0).stderr;
    assert!(checked.contains("before: --id-prefix oct-"), "{checked}");
    stage.file("piped", &rejects);
    let mut piped = stage.command(&["import", "-"]);
    piped.stdin(std::fs::File::open(stage.path("piped")).unwrap());
    Run::of(piped.output().unwrap()).expect(0);
    assert_eq!(ids(&stage), ["oct-1", "oct-2"]);
}

#[test]
fn rejects_of_a_row_whose_number_was_corrected_before_are_recognized() {
    let stage = Stage::open();
    for (month, id) in [("first", 1_u32), ("second", 5)] {
        let rows = [
            row(id, &format!("{id} {month} St"), "Boston").replace("Ada", month),
            row(id + 1, &format!("{} {month} St", id + 1), "").replace("Ada", month),
        ];
        let rejects = corrected_rejects(&stage, "leads", &rows);
        let copy = format!("{month}.csv");
        stage.file(&copy, rejects);
        stage.run(&["import", &copy]).expect(0);
        stage.run(&["import", "leads.csv"]).expect(0);
    }
    assert_eq!(ids(&stage), ["leads-1", "leads-2", "leads-5", "leads-6"]);
}

#[test]
fn unknown_rejects_get_no_hint_about_their_columns() {
    let [first, second] = [Stage::open(), Stage::open()];
    let header = "No,Name,Email,Street,City,State,Zip\n";
    first.file(
        "leads.csv",
        format!("{header}1,Ada,ada@example.com,1 Elm St,,MA,02134\n"),
    );
    first.run(&["import", "leads.csv", "--derive-id"]).expect(3);
    let rejects = std::fs::read_to_string(first.path("leads.rejects.csv")).unwrap();
    second.file("leads.rejects.csv", rejects.replace("St,,", "St,Boston,"));
    let stopped = second
        .run(&["import", "leads.rejects.csv"])
        .expect(10)
        .stderr;
    assert!(
        stopped.contains("has rejects that the journal does not know"),
        "{stopped}"
    );
    assert!(!stopped.contains("--map"), "{stopped}");
}

#[test]
fn unknown_rejects_are_not_sent_under_other_ids() {
    let [first, second] = [Stage::open(), Stage::open()];
    let row =
        |id: &str, city: &str| format!("{id},Ada,ada@example.com,12 Elm St,{city},MA,02134\n");
    let header = "id,name,email,line1,city,region,postal_code\n";
    first.file(
        "leads.csv",
        format!("{header}{}{}", row("1", "Boston"), row("2", "")),
    );
    first
        .run(&["import", "leads.csv", "--id-prefix", "oct-"])
        .expect(3);
    let rejects = std::fs::read_to_string(first.path("leads.rejects.csv")).unwrap();
    let told = "has rejects that the journal does not know";
    let own = first.run(&["check", "leads.rejects.csv"]).expect(3).stderr;
    assert!(!own.contains(told), "{own}");
    second.file("leads.rejects.csv", rejects);
    let corrected = std::fs::read_to_string(second.path("leads.rejects.csv")).unwrap();
    second.file("leads.rejects.csv", corrected.replace("St,,", "St,Boston,"));
    let other = second.run(&["check", "leads.rejects.csv"]).expect(0).stderr;
    assert!(other.contains(told), "{other}");
    for flag in [["--id-prefix", "oct-"], ["--map", "id=id"]] {
        let check = [&["check", "leads.rejects.csv"][..], &flag].concat();
        let other = second.run(&check).expect(0).stderr;
        assert!(!other.contains(told), "{other}");
    }
    let sent = ["import", "leads.rejects.csv"];
    let stopped = second.run(&sent).expect(10).stderr;
    assert!(stopped.contains(told), "{stopped}");
    assert_eq!(ids(&second), [""; 0]);
    second
        .run(&[&sent[..], &["--forget-reading"]].concat())
        .expect(0);
    assert_eq!(ids(&second), ["2"]);
}

#[test]
fn rejects_under_any_name_are_recognized_by_their_rows() {
    for (flags, prefix) in [(vec![], ""), (vec!["--id-prefix", "oct-"], "oct-")] {
        let stage = Stage::open();
        let header = "id,name,email,line1,city,region,postal_code\n";
        let row =
            |id: u32, city: &str| format!("{id},Ada,a@example.com,{id} Elm St,{city},MA,02134\n");
        let rows: String = (1..5)
            .map(|id| row(id, ["", "Boston"][id as usize % 2]))
            .collect();
        stage.file("leads.csv", format!("{header}{rows}"));
        let import = [&["import", "leads.csv"][..], &flags].concat();
        stage.run(&import).expect(3);
        let rejects = std::fs::read_to_string(stage.path("leads.rejects.csv")).unwrap();
        std::fs::remove_file(stage.path("leads.rejects.csv")).unwrap();
        std::fs::create_dir(stage.path("mail")).unwrap();
        // A table with the same headers and numbers of rows is none of its copies.
        let other = rejects.replace("Ada", "Bob").replace("a@", "b@");
        let other = other.replace("Elm", "Oak").replace("02134", "02135");
        stage.file(
            "other.csv",
            other.replace("\n2,", "\n8,").replace("\n4,", "\n9,"),
        );
        let other = stage.run(&["check", "other.csv"]).expect(3).stderr;
        assert!(!other.contains("reading it as before"), "{other}");
        stage.file("mail/corrected.csv", rejects.replace("St,,", "St,Boston,"));
        stage.run(&["import", "mail/corrected.csv"]).expect(0);
        assert_eq!(ids(&stage), [1, 2, 3, 4].map(|id| format!("{prefix}{id}")));
        stage.run(&["import", "leads.csv"]).expect(0);
    }
}

#[test]
fn a_copy_without_one_of_the_columns_is_read_with_the_prefix_of_its_sheet() {
    for (name, column) in [
        ("mail/oct.rejects.csv", 0),
        ("mail/fix.csv", 0),
        ("oct.rejects (1).csv", 1),
        ("mail/fix.csv", 1),
    ] {
        let stage = Stage::open();
        let rows = [
            row(1, "1 Elm St", "Boston"),
            row(2, "2 Elm St", ""),
            row(3, "3 Elm St", ""),
        ];
        let rejects = corrected_rejects(&stage, "oct", &rows);
        let kept = |line: &str| {
            let (own, added) = line.split_at(line.match_indices(',').nth(6).unwrap().0);
            let (error, source_row) = added[1..].rsplit_once(',').unwrap();
            format!("{own},{}\n", [source_row, error][column])
        };
        std::fs::create_dir(stage.path("mail")).unwrap();
        stage.file(name, rejects.lines().map(kept).collect::<String>());
        // A list of other houses may have such a column.
        stage.file(
            "list.csv",
            format!("{HEADERS},error\n9,Bob,b@example.com,9 Oak St,Salem,MA,01970,no\n"),
        );
        for file in [name, "oct.csv", "list.csv"] {
            stage.run(&["import", file]).expect(0);
        }
        assert_eq!(ids(&stage), ["9", "oct-1", "oct-2", "oct-3"], "{name}");
    }
}

#[test]
fn rejects_are_read_with_their_hidden_rows() {
    let stage = Stage::open();
    let save = |name: &str, cells: &[String], hidden: Option<u32>| {
        let mut workbook = rust_xlsxwriter::Workbook::new();
        let sheet = workbook.add_worksheet();
        for (number, line) in (0..).zip(cells) {
            sheet.write_row(number, 0, line.trim().split(',')).unwrap();
        }
        if let Some(row) = hidden {
            sheet.set_row_hidden(row).unwrap();
        }
        workbook.save(stage.path(name)).unwrap();
    };
    let rows = [
        format!("{HEADERS}\n"),
        row(1, "1 Elm St", "Boston"),
        row(2, "2 Elm St", ""),
        row(3, "3 Elm St", ""),
    ];
    save("leads.xlsx", &rows, Some(1));
    stage
        .run(&["import", "leads.xlsx", "--visible-only"])
        .expect(3);
    let corrected = [
        format!("{HEADERS},error,source_row"),
        row(2, "2 Elm St", "Boston").trim().to_owned() + ",no city,3",
        row(3, "3 Elm St", "Boston").trim().to_owned() + ",no city,4",
    ];
    save("leads.rejects.xlsx", &corrected, Some(2));
    stage.run(&["import", "leads.rejects.xlsx"]).expect(0);
    assert_eq!(ids(&stage), ["2", "3"]);
}

#[test]
fn printed_rejects_that_were_saved_as_a_file_are_recognized_by_their_rows() {
    let rows = [row(1, "1 Elm St", "Boston"), row(2, "2 Elm St", "")];
    for flags in [&[][..], &["--id-prefix", "oct-"], &["--derive-id"]] {
        let stage = Stage::open();
        let list = format!("{HEADERS}\n{}", rows.concat());
        let has_ids = flags != ["--derive-id"];
        let line = |line: &str| match line.split_once(',').filter(|_| !has_ids) {
            Some((_, rest)) => format!("{rest}\n"),
            None => format!("{line}\n"),
        };
        stage.file("oct.csv", list.lines().map(line).collect::<String>());
        let import = [&["import", "oct.csv", "--rejects", "-"], flags].concat();
        stage.run(&import).expect(3);
        let printed = stage.run(&import).expect(3).stdout;
        stage.file("rejects.csv", printed.replace(" St,,", " St,Boston,"));
        stage.run(&["import", "rejects.csv"]).expect(0);
        stage.run(&["import", "oct.csv"]).expect(0);
        assert_eq!(ids(&stage).len(), 2);
    }
}

#[test]
fn the_prefix_of_accepted_rejects_is_that_of_a_sheet_of_which_nothing_was_sent_before() {
    let stage = Stage::open();
    let rows = [row(1, "1 Elm St", ""), row(2, "2 Elm St", "")];
    let rejects = corrected_rejects(&stage, "oct", &rows);
    let first = rejects.replacen("2,Ada", ",Ada", 1);
    stage.file("oct.rejects.csv", first);
    stage.run(&["import", "oct.rejects.csv"]).expect(3);
    let list = format!("{HEADERS}\n{}", rows.concat());
    stage.file("oct.csv", list.replace("2 Elm St,,", "2 Elm St,Boston,"));
    stage.run(&["import", "oct.csv"]).expect(0);
    assert_eq!(ids(&stage), ["oct-1", "oct-2"]);
}

/// The outcomes of an import that ends with this code.
fn import_with_derived_ids(stage: &Stage, file: &str, code: i32) -> serde_json::Value {
    let run = stage.run(&["import", file, "--derive-id", "--json"]);
    run.expect(code).json()["outcomes"].clone()
}

#[test]
fn a_house_that_was_requested_before_is_no_unit_of_rejects_that_an_older_copy_replaced() {
    let headers = "Street,City,State,Zip,Name,Phone\n";
    let unit = "12 Elm St Apt 2,,NY,14604,Acme,5855551213\n";
    let house = "12 Elm Street,,NY,14604,Acme,5855551213\n";
    let in_town = |row: &str| row.replace(",,", ",Rochester,");
    // The unit is put above the house before the house is completed, or afterwards.
    for first in [
        format!("{headers}{unit}{}", in_town(house)),
        format!("{headers}{}", in_town(house)),
    ] {
        let stage = Stage::open();
        let import = |file, code| import_with_derived_ids(&stage, file, code);
        stage.file("leads.csv", format!("{headers}{house}"));
        import("leads.csv", 3);
        let copy = std::fs::read_to_string(stage.path("leads.rejects.csv")).unwrap();
        stage.file("leads.csv", &first);
        import("leads.csv", if first.contains(unit) { 3 } else { 0 });
        stage.file("leads.csv", format!("{headers}{unit}{}", in_town(house)));
        import("leads.csv", 3);
        stage.file("leads.rejects.csv", in_town(&copy));
        assert_eq!(import("leads.rejects.csv", 0)["known"], 1);
        let outcomes = import("leads.csv", 3);
        assert_eq!(
            (&outcomes["known"], &outcomes["invalid"]),
            (&1.into(), &1.into())
        );
    }
}

#[test]
fn a_requested_row_that_was_damaged_and_moved_is_completed_in_its_rejects() {
    let stage = Stage::open();
    let import = |file, code| import_with_derived_ids(&stage, file, code);
    let headers = "Street,City,State,Zip,Name,Phone\n";
    let [oak, elm] = ["14 Oak St", "12 Elm St"]
        .map(|street| format!("{street},Rochester,NY,14604,Ann Bell,5855551212\n"));
    stage.file("leads.csv", format!("{headers}{elm}"));
    assert_eq!(import("leads.csv", 0)["created"], 1);
    let damaged = elm.replace("Rochester", "");
    stage.file("leads.csv", format!("{headers}{oak}{damaged}"));
    import("leads.csv", 3);
    let rejects = std::fs::read_to_string(stage.path("leads.rejects.csv")).unwrap();
    stage.file("leads.rejects.csv", rejects.replace(",,", ",Rochester,"));
    assert_eq!(import("leads.rejects.csv", 0)["known"], 1);
    assert_eq!(import("leads.csv", 0)["known"], 2);
}
