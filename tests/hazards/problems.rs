//! How `check` prints problems, and in which order.

use gutterbatch::sandbox::Options;

use crate::hazards::{HEADERS, document, problems, row, stopped, table};
use crate::support::Stage;

#[test]
fn a_control_character_in_a_cell_is_removed() {
    let text = table(&[("Name", "Ada\0 Lovelace"), ("Street", "12 Elm\u{7} Street")]);
    assert_eq!(
        problems(&document(text, &[])),
        [
            "tidied B2: `Ada\0 Lovelace` → `Ada Lovelace` (an invisible character was removed)",
            "tidied E2: `12 Elm\u{7} Street` → `12 Elm Street` (an invisible character was removed)",
        ]
    );
}

#[test]
fn a_line_without_an_end_stops_with_a_short_message() {
    let stderr = stopped("leads.csv", "Name,Street ".repeat(500_000), &[]);
    assert_eq!(
        stderr,
        "error: leads.csv: no line ends in the first 4 MiB, so it is probably not a table\n\
         hint: give the sheet itself, or export its rows as CSV or XLSX; if Excel opens it, save it there as .xlsx\n"
    );
    let stderr = stopped("leads.csv", "1234 Elm Street ".repeat(10_000), &[]);
    assert!(stderr.lines().next().unwrap().len() < 200, "{stderr}");
}

#[test]
fn what_a_message_quotes_is_cut_to_a_readable_length() {
    let long = "n".repeat(500);
    for changes in [
        &[("Country", long.as_str())][..],
        &[("State", long.as_str())],
        &[("Notes", &format!("{long}\u{200b}"))],
    ] {
        for problem in problems(&document(table(changes), &[])) {
            assert!(problem.chars().count() < 240, "{problem}");
        }
    }
    let text = format!("{HEADERS},{long}\n").replace("Street", &long) + "1\n";
    let stderr = stopped("leads.csv", text, &[]);
    assert!(!stderr.contains(&"n".repeat(61)), "{stderr}");
}

#[test]
fn files_that_stand_for_a_sheet_are_told_as_what_they_are() {
    let shortcut = "{\"url\": \"https://docs.google.com/open?id=1aB\", \"doc_id\": \"1aB\"}";
    for (name, content, what) in [
        (
            "~$leads.xlsx",
            "\u{8}Jane Doe   \0 \0J\0a\0n\0e",
            "the lock file of a sheet that is open",
        ),
        (
            ".~lock.leads.xlsx#",
            ",jane,laptop,21.11.2026 15:15,file:///home/jane;",
            "the lock file of a sheet that is open",
        ),
        ("leads.gsheet", shortcut, "a shortcut to a Google sheet"),
    ] {
        let hint = if what.starts_with("the lock file") {
            "close it in Excel or LibreOffice, and give the sheet itself"
        } else {
            "give the sheet itself, or export its rows as CSV or XLSX; if Excel opens it, save it there as .xlsx"
        };
        assert_eq!(
            stopped(name, content, &[]),
            format!("error: {name}: it is {what}, not a table\nhint: {hint}\n")
        );
    }
}

#[test]
fn a_workbook_of_export_is_no_sheet_of_homeowners() {
    let stage = Stage::with(Options::default());
    stage.file("leads.csv", table(&[]));
    stage.run(&["import", "leads.csv", "--yes"]).expect(0);
    stage.run(&["export", "results.xlsx"]).expect(0);
    let stderr = stage.run(&["check", "results.xlsx"]).expect(10).stderr;
    assert!(
        stderr.starts_with("error: results.xlsx: it is a workbook of `gutterbatch export`, not a sheet of homeowners\n"),
        "{stderr}"
    );
    let hint = "give the sheet that was imported; to fill an empty journal from this workbook: gutterbatch import --restore results.xlsx\n";
    assert!(stderr.contains(hint), "{stderr}");
    let empty = ["check", "results.xlsx", "--journal", "empty.db"];
    let stderr = stage.run(&empty).expect(10).stderr;
    assert!(stderr.contains("--restore"), "{stderr}");
}

#[test]
fn check_puts_the_verdict_first_and_the_plan_last() {
    let stage = Stage::offline();
    let bad = row(&[("ID", "A-2"), ("Zip", "")]);
    stage.file(
        "leads.csv",
        format!(
            "{}{bad}\n",
            table(&[("Country", "Canada"), ("Phone", "555-0100")])
        ),
    );
    let page = stage.run(&["check", "leads.csv"]).expect(3).stdout;
    let starts = [
        "2 rows: 1 valid, 1 invalid",
        "errors: ",
        "warnings: ",
        "tidied: ",
        "mapping: ",
        "plan: ",
    ];
    let places: Vec<usize> = starts
        .iter()
        .map(|start| page.find(start).unwrap())
        .collect();
    assert_eq!(places[0], 0, "{page}");
    assert!(places.is_sorted(), "{page}");
}

#[test]
fn a_problem_of_many_cells_takes_one_line_and_v_lists_them_all() {
    let of = |id: &str, zip: &str| {
        let street = format!("{} Elm Street", id.trim_start_matches("A-"));
        row(&[
            ("ID", id),
            ("Street", &street),
            ("Phone", "555-0100"),
            ("Zip", zip),
        ])
    };
    let rows = [
        of("A-1", "M5V 1A1"),
        of("A-2", "M5V 1A1"),
        of("A-3", ""),
        of("A-4", ""),
    ];
    let stage = Stage::offline();
    stage.file("leads.csv", format!("{HEADERS}\n{}\n", rows.join("\n")));
    let page = stage.run(&["check", "leads.csv"]).expect(3).stdout;
    let lines: Vec<&str> = page
        .lines()
        .filter(|line| line.contains(": no area code"))
        .collect();
    assert_eq!(
        lines,
        ["  D2, D3, D4, D5  Phone: no area code; sent unchanged (in 4 cells)"]
    );
    let empty = "  I4, I5   Zip: the postal code is empty (in 2 cells)\n";
    assert!(page.contains(empty), "{page}");
    let page = stage.run(&["check", "leads.csv", "-v"]).expect(3).stdout;
    assert_eq!(page.matches(": no area code").count(), 4, "{page}");
    assert_eq!(page.matches("the postal code is empty").count(), 2);
}

#[test]
fn each_cause_of_an_odd_phone_number_is_listed() {
    let causes = [
        ("555-0100", "no area code"),
        ("555-01", "too few digits for a phone number"),
        ("614-555-01", "8 digits; a phone number has 10"),
        ("614-555-010", "9 digits; a phone number has 10"),
        ("614-555-01011", "11 digits; a phone number has 10"),
        ("014-555-0100", "no area code begins with 0 or 1"),
        ("6.14556E+09", "a spreadsheet rounded the number"),
    ];
    let rows = causes.iter().zip(1..).map(|((phone, _), number)| {
        let (id, street) = (format!("A-{number}"), format!("{number} Elm Street"));
        row(&[("ID", &id), ("Street", &street), ("Phone", phone)])
    });
    let rows: Vec<String> = rows.collect();
    let stage = Stage::offline();
    stage.file("leads.csv", format!("{HEADERS}\n{}\n", rows.join("\n")));
    let page = stage.run(&["check", "leads.csv"]).expect(0).stdout;
    for (_, cause) in causes {
        assert!(page.contains(cause), "{cause}: {page}");
    }
}

#[test]
fn an_error_of_most_rows_names_the_way_out_and_stays_in_json_and_rejects_row_by_row() {
    let rows = (1..=45).map(|number| {
        let id = format!("A-{number}");
        let street = format!("{number} Elm Street");
        row(&[("ID", id.as_str()), ("Street", &street), ("Zip", "")])
    });
    let stage = Stage::with(Options::default());
    let rows: Vec<String> = rows.collect();
    stage.file("leads.csv", format!("{HEADERS}\n{}\n", rows.join("\n")));
    let page = stage.run(&["check", "leads.csv"]).expect(3).stdout;
    let line = "  I2, I3, I4, I5, I6, …  Zip: the postal code is empty (in 45 cells); if another column holds it: --map postal_code=HEADER\n";
    assert!(page.contains(line), "{page}");
    let document = stage
        .run(&["check", "leads.csv", "--json"])
        .expect(3)
        .json();
    assert_eq!(document["problems"].as_array().unwrap().len(), 45);
    stage.run(&["import", "leads.csv", "--yes"]).expect(3);
    let rejects = std::fs::read_to_string(stage.path("leads.rejects.csv")).unwrap();
    assert_eq!(rejects.matches("Zip: the postal code is empty").count(), 45);
}

#[test]
fn a_problem_names_the_users_own_header() {
    let stage = Stage::with(Options::default());
    let headers = HEADERS.replace("Zip", "Postal / ZIP");
    let bad = row(&[("ID", "A-2"), ("Zip", "")]);
    stage.file("leads.csv", format!("{headers}\n{bad}\n"));
    let page = stage.run(&["check", "leads.csv"]).expect(3).stdout;
    let sentence = "Postal / ZIP: the postal code is empty";
    assert!(page.contains(sentence), "{page}");
    stage.run(&["import", "leads.csv", "--yes"]).expect(3);
    let rejects = std::fs::read_to_string(stage.path("leads.rejects.csv")).unwrap();
    assert!(rejects.contains(sentence), "{rejects}");
    let edited = row(&[("ID", "A-3")]);
    stage.file("more.csv", format!("{headers}\n{edited}\n"));
    stage.run(&["import", "more.csv", "--yes"]).expect(0);
    stage.file(
        "more.csv",
        format!("{headers}\n{edited}\n").replace("Ada Lovelace", "Ada King"),
    );
    let run = stage.run(&["import", "more.csv", "--yes"]);
    assert!(run.stderr.contains("(Name)"), "{}", run.stderr);
}
