//! What a check tells besides problems: every one of them, and by which evidence the file was read.

use gutterbatch::import::{CheckRules, ImportInput};
use gutterbatch::sheet::{InputFile, SheetError};
use gutterbatch::table::{self, TableOptions};
use rust_xlsxwriter::{Formula, Workbook};

use crate::hazards::workbook::fill;
use crate::hazards::{HEADERS, check, document, problems, row, table};
use crate::support::Stage;

#[test]
fn json_lists_every_problem_however_many_there_are() {
    let rows = 30_000;
    let mut text = format!("{HEADERS}\n");
    for number in 0..rows {
        let (id, street) = (format!("A-{number}"), format!("9{number} Elm Street"));
        let changes = [
            ("ID", id.as_str()),
            ("Street", &street),
            ("Country", "Canada"),
            ("Phone", "555-0100"),
        ];
        text.push_str(&row(&changes));
        text.push('\n');
    }
    let document = check("leads.csv", &text, &[]).expect(0).json();
    let of = |severity: &str| {
        let problems = document["problems"].as_array().unwrap();
        problems
            .iter()
            .filter(|problem| problem["severity"] == severity)
            .count()
    };
    assert_eq!((of("warning"), of("tidied")), (rows, rows));
    let last = document["problems"].as_array().unwrap().last().unwrap();
    assert_eq!(last["cell"], format!("J{}", rows + 1));
}

#[test]
fn rows_that_their_own_system_marks_as_closed_are_sent_with_one_warning() {
    let warned = |header: &str, marks: [&str; 3]| {
        let rows = (1..).zip(marks).map(|(number, mark)| {
            let (id, street) = (format!("A-{number}"), format!("9{number} Elm Street"));
            format!("{},{mark}\n", row(&[("ID", &id), ("Street", &street)]))
        });
        let headers = HEADERS.replace("Notes", "Crew");
        let text = format!("{headers},{header}\n{}", rows.collect::<String>());
        let document = check("leads.csv", text, &[]).expect(0).json();
        assert_eq!(document["valid"], 3, "{document}");
        let problems = document["problems"].as_array().unwrap().clone();
        let mut closed = problems
            .into_iter()
            .filter(|problem| problem["message"].as_str().unwrap().contains("marked"));
        let first = closed.next().map(|problem| {
            let [cell, message] = ["cell", "message"].map(|key| problem[key].as_str().unwrap());
            let advice = ": sent like all others; delete what should not be requested";
            format!("{cell} {}", message.strip_suffix(advice).unwrap())
        });
        assert!(closed.next().is_none());
        first.unwrap_or_default()
    };
    for (header, marks, warning) in [
        (
            "Lead Status",
            ["Open", "Cancelled", "Closed - Lost"],
            "L3 2 rows (3, 4) are marked as closed here (`cancelled`, `closed lost`)",
        ),
        (
            "Current Milestone",
            ["BAD_TIMING", "BAD_TIMING", "BAD_TIMING"],
            "L2 3 rows (2, 3, 4) are marked as closed here (`bad timing`)",
        ),
        (
            "Status",
            ["On hold", "Paid & Closed", "Closed - Not Converted"],
            "L2 3 rows (2, 3, 4) are marked as closed here (`closed not converted`, `on hold`, `paid & closed`)",
        ),
        (
            "Do Not Contact",
            ["", "FALSE", "TRUE"],
            "L4 1 row is marked as closed here (`do not contact`)",
        ),
        (
            "Archived",
            ["", "yes", "no"],
            "L3 1 row is marked as closed here (`archived`)",
        ),
        (
            "Notes",
            ["DONE 9/12", "Not done", "DO NOT MEASURE - sold"],
            "L2 2 rows (2, 4) are marked as closed here (`do not measure`, `done`)",
        ),
        ("Notes", ["Done in May", "was canceled", ""], ""),
        ("Status", ["Open", "Closed - Won", "Won"], ""),
        ("Gutters", ["no", "Lost Creek profile", "yes"], ""),
    ] {
        assert_eq!(warned(header, marks), warning);
    }
}

#[test]
fn what_was_mended_alike_in_many_cells_takes_one_line() {
    let rows =
        ["A-1", "A-2", "A-3"].map(|id| row(&[("ID", id), ("Street", id), ("Country", "Canada")]));
    let stage = Stage::offline();
    stage.file("leads.csv", format!("{HEADERS}\n{}\n", rows.join("\n")));
    let page = stage.run(&["check", "leads.csv"]).expect(0).stdout;
    let tidied: Vec<&str> = page.lines().filter(|line| line.contains('→')).collect();
    assert_eq!(
        tidied,
        ["  J2, J3, J4  Country: `Canada` → `CA` (in 3 cells)"]
    );
}

#[test]
fn verbose_tells_by_which_evidence_a_text_was_read() {
    let text = format!("Leads of October\n{}", table(&[]).replace(',', ";"));
    let stage = Stage::offline();
    stage.file("leads.csv", text);
    let run = stage.run(&["check", "leads.csv", "-v"]).expect(0);
    let next = "next: connect with `gutterbatch connect`, then submit 1 row: gutterbatch import leads.csv\n";
    assert_eq!(
        run.stderr,
        format!(
            "encoding: UTF-8, which every byte of the file is\n\
             delimiter: semicolons, with which 11 headers are known\n\
             headers: row 2, 11 known headers; 1 row above them skipped\n{next}"
        )
    );
    assert_eq!(stage.run(&["check", "leads.csv"]).expect(0).stderr, next);
}

#[test]
fn verbose_tells_of_sheets_passed_over_and_of_saved_formulas() {
    let mut workbook = Workbook::new();
    let sheet = workbook.add_worksheet().set_name("Leads").unwrap();
    fill(sheet);
    let city = Formula::new("=UPPER(\"boston\")").set_result("BOSTON");
    sheet.write_formula(1, 6, city).unwrap();
    let totals = workbook.add_worksheet().set_name("Totals").unwrap();
    totals.write_string(0, 0, "Total").unwrap();
    workbook
        .add_worksheet()
        .set_name("Old")
        .unwrap()
        .set_hidden(true);
    let stage = Stage::offline();
    stage.file("leads.xlsx", workbook.save_to_buffer().unwrap());
    let run = stage.run(&["check", "leads.xlsx", "-v"]).expect(0);
    assert_eq!(
        run.stderr,
        "headers: row 1, 11 known headers\n\
         sheet `Totals` skipped: its headers do not fit\n\
         sheet `Old` skipped: it is hidden\n\
         1 formula: the values saved in the file are used\n\
         next: connect with `gutterbatch connect`, then submit 1 row: gutterbatch import leads.xlsx\n"
    );
}

#[test]
fn a_file_that_changes_while_it_is_read_stops() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("leads.csv");
    std::fs::write(&path, table(&[])).unwrap();
    let input = ImportInput::new(&path, TableOptions::default(), CheckRules::default()).unwrap();
    let mut table = table::open(&InputFile::at(&path), &input.options).unwrap();
    assert!(table.next_row().unwrap().is_some());
    std::fs::write(&path, crate::hazards::table(&[("City", "Trois-Rivières")])).unwrap();
    let error = table.next_row().unwrap_err();
    assert!(matches!(error.cause, SheetError::Changed), "{error}");
    assert_eq!(
        error.to_string(),
        "leads.csv: the file changed since it was opened"
    );
}

/// A table of numbered customers; `more` has the cells behind those of a row.
fn customers(header: &str, more: impl Fn(u32) -> &'static str) -> String {
    let row = |number: u32| {
        let cells = more(number);
        format!(
            "q{number},Ann {number},a{number}@example.com,{number} Main St,Rochester,NY,14604,{cells}\n"
        )
    };
    let rows: String = (1..=71).map(row).collect();
    format!("Id,Name,Email,Address,City,State,Zip,{header}\n{rows}")
}

#[test]
fn another_whole_address_that_begins_below_the_first_rows_is_warned_of() {
    let sheet = customers("Job site", |number| match number {
        71 => "\"55 Oak Ave, Buffalo, NY 14201\"",
        _ => "",
    });
    let problems = problems(&document(sheet, &[]));
    let is_told =
        |problem: &String| problem.contains("1 row has another address here than in `Address`");
    let told = problems.iter().any(is_told);
    assert!(told, "{problems:?}");
}

#[test]
fn units_that_begin_below_the_first_rows_are_sent() {
    let sheet = customers("Lot", |number| if number > 68 { "11" } else { "" });
    assert_eq!(document(sheet, &[])["mapping"]["line2"], "Lot");
}

/// The warnings about the sheet with these columns between street and city.
fn unused(headers: &str, cells: &[&str]) -> Vec<String> {
    let rows = cells.iter().zip(1..).map(|(cells, at)| {
        format!("A-{at},Ada Roy,a{at}@example.com,1{at} Elm St,{cells},Dublin,OH,43017\n")
    });
    let rows: String = rows.collect();
    let text = format!("ID,Name,Email,Street,{headers},City,State,Zip\n{rows}");
    let run = check("leads.csv", &text, &[]);
    problems(&run.expect(0).json())
        .into_iter()
        .filter(|one| one.starts_with("warning"))
        .collect()
}

#[test]
fn columns_between_street_and_city_that_look_like_parts_of_the_address_are_told() {
    for (headers, cells, flags) in [
        ("Porte", ["4", "B"], "--map line2=E"),
        ("Unit ID", ["4", "7"], "--map line2=E"),
        (
            "Address 2,Remark",
            ["x,Apt 4", "y,Apt 7"],
            "--map line2=E --map line2=F",
        ),
        ("Heading", ["N", "SW"], "--map street_direction=E"),
    ] {
        let (_, field) = flags.split_once(' ').unwrap();
        let field = field.split('=').next().unwrap();
        let expected = format!(
            "2 rows (2, 3) have a value here that looks like {field} and is not sent; to send it, use {flags}"
        );
        let told = unused(headers, &cells);
        assert!(
            told.iter().any(|one| one.ends_with(&expected)),
            "{headers}: {told:?}"
        );
    }
    for (headers, cells) in [
        ("Units", ["4", "2"]),
        ("Unit Type", ["1", "2"]),
        ("Floor", ["2", "1"]),
        ("Unit Bill To,City Bill To", ["Apt 4,x", "Apt 7,y"]),
        ("Verified", ["Y", "N"]),
        ("County", ["Clark", "Dane"]),
        ("Cross Street", ["Oak Ave", "Park Ave"]),
        // The street has it already.
        ("Kind", ["St", "St"]),
    ] {
        assert_eq!(unused(headers, &cells), Vec::<String>::new(), "{headers}");
    }
}

#[test]
fn a_column_of_units_apart_from_the_street_is_told() {
    let told = |headers: &str, row: &str| {
        let rows = [row, &row.replace(" 4", " 7").replace("12 Elm", "14 Oak")];
        let rows = rows.into_iter().zip(1..);
        let rows = rows.map(|(row, at)| format!("A-{at},Ada Roy,a@example.com,{row}\n"));
        let rows: String = rows.collect();
        let text = format!("ID,Name,Email,{headers}\n{rows}");
        problems(&check("leads.csv", &text, &[]).expect(0).json())
    };
    for (headers, row, column) in [
        (
            "Dwelling,Address,City,State,Zip",
            "Apt 4,12 Elm St,Dublin,OH,43017",
            "D",
        ),
        (
            "Address,City,State,Zip,Sec",
            "12 Elm St,Dublin,OH,43017,Unit 4",
            "H",
        ),
        (
            "Address,,City,State,Zip",
            "12 Elm St,Apt 4,Dublin,OH,43017",
            "E",
        ),
        (
            "Address,More,City,State,Zip",
            "12 Elm St,# 4,Dublin,OH,43017",
            "E",
        ),
    ] {
        let expected = format!(
            "2 rows (2, 3) have a value here that looks like line2 and is not sent; to send it, use --map line2={column}"
        );
        let told = told(headers, row);
        assert!(told[0].ends_with(&expected), "{headers}: {told:?}");
    }
    // Bare numbers may be anything there, and another street may have the unit.
    for (headers, row) in [
        ("Address,City,State,Zip,Sec", "12 Elm St,Dublin,OH,43017,4"),
        (
            "Address,City,State,Zip,Where mail goes,Dwelling",
            "12 Elm St,Dublin,OH,43017,9 Pay Rd,Apt 4",
        ),
    ] {
        let told = told(headers, row);
        let is_unit = |one: &String| one.contains("line2");
        assert!(!told.iter().any(is_unit), "{headers}: {told:?}");
    }
}

#[test]
fn a_column_of_phones_that_is_not_used_is_told_by_check_and_import() {
    let stage = Stage::open();
    let sheet = |header: &str, phones: [&str; 3]| {
        let rows = phones.iter().zip(1..).map(|(phone, at)| {
            format!("A-{at},Ada Roy,a{at}@example.com,1{at} Elm St,Dublin,OH,43017,{phone}\n")
        });
        let rows: String = rows.collect();
        format!("ID,Name,Email,Street,City,State,Zip,{header}\n{rows}")
    };
    let phones = ["614-555-0101", "(614) 555-0102", "+1 614 555 0103"];
    let told = "a value here that looks like a phone number and is not sent; to send it, use --map phone=H";
    stage.file("leads.csv", sheet("Best number to reach you", phones));
    let checked = stage.run(&["check", "leads.csv"]).expect(0);
    assert!(checked.stdout.contains(told), "{}", checked.stdout);
    let imported = stage.run(&["import", "leads.csv", "--yes"]).expect(0);
    assert!(imported.stderr.contains(told), "{}", imported.stderr);
    for (header, phones) in [
        ("Fax", phones),
        ("Agent Phone", phones),
        ("Crew", [phones[0]; 3]),
        ("Parcel", ["12-345-678", "12-345-679", "12-345-680"]),
        ("Account", ["6145550101", "6145550102", "6145550103"]),
    ] {
        stage.file("others.csv", sheet(header, phones));
        let page = stage.run(&["check", "others.csv"]).expect(0).stdout;
        assert!(!page.contains("looks like a phone"), "{header}: {page}");
    }
}

#[test]
fn a_row_without_an_email_is_told_of_the_phone_in_a_column_that_is_not_sent() {
    let stage = Stage::open();
    let row = |at: u32| {
        let email = format!("a{at}@example.com");
        let email = if at == 3 { "" } else { &email };
        format!("A-{at},Ada Roy,{email},1{at} Elm St,Dublin,OH,43017,(614) 555-010{at}\n")
    };
    let rows: String = (1..7).map(row).collect();
    let header = "ID,Name,Email,Street,City,State,Zip,Best number to reach you";
    stage.file("leads.csv", format!("{header}\n{rows}"));
    let run = stage.run(&["check", "leads.csv"]).expect(3);
    let told = "one of them is required; H4 (`Best number to reach you`) has `(614) 555-0103` and is not sent: --map phone=H\n";
    assert!(run.stdout.contains(told), "{}", run.stdout);
    let command = "check leads.csv --map phone=H";
    assert_eq!(run.stderr, format!("hint: gutterbatch {command}\n"));
    let words: Vec<&str> = command.split(' ').collect();
    stage.run(&words).expect(0);
    let words = ["import", "leads.csv", "--dry-run"];
    let stderr = stage.run(&words).expect(3).stderr;
    let hint = "hint: gutterbatch import leads.csv --dry-run --map phone=H\n";
    assert!(stderr.ends_with(hint), "{stderr}");
}

#[test]
fn the_samples_of_the_mapping_are_cells_of_the_same_rows() {
    let stage = Stage::offline();
    let rows = "Ref,Name,Phone,Street,Unit,City,State,Zip,Notes\n\
        ,Ann,,1 Elm St,,Burlington,VT,05401,\n\
        ,Bob,614-555-0102,2 Elm St,,Burlington,VT,05401,\n\
        ,Cleo,614-555-0103,3 Elm St,,Erie,PA,16501,\n\
        ,Dan,614-555-0104,4 Elm St,Apt 4,Erie,PA,16501,\n";
    stage.file("leads.csv", rows);
    let page = stage.run(&["check", "leads.csv", "--derive-id"]).expect(3);
    let (_, mapping) = page.stdout.split_once("\nmapping: ").unwrap();
    for line in [
        "which column feeds which field; cells of rows 2, 3, 4\n",
        "\n  line1        Street  1 Elm St · 2 Elm St · 3 Elm St\n",
        "\n  line2        Unit    row 5: Apt 4\n",
        "\n  city         City    Burlington · Burlington · Erie\n",
        "\n  phone        Phone   (empty) · 614-555-0102 · 614-555-0103\n",
        "\n  notes        Notes   (empty)\n",
    ] {
        assert!(mapping.contains(line), "{line}: {mapping}");
    }
    let id = mapping.lines().nth(1).unwrap();
    assert!(id.starts_with("  id           Ref     gb-"), "{id}");
    assert!(id.ends_with(", made by --derive-id"), "{id}");
}

#[test]
fn a_street_that_only_some_customers_have_beside_their_own_is_told() {
    for header in [
        "Property address (if different)",
        "Lieu des travaux (si différent)",
    ] {
        let only = customers(
            header,
            |number| if number == 3 { "33 Front St" } else { "" },
        );
        let told = problems(&document(only, &["--map", "line1=Address"]));
        let is_told = |problem: &String| problem.starts_with("warning H4: 1 row has another");
        assert!(told.iter().any(is_told), "{header}: {told:?}");
        for others in [[3, 4], [70, 71]] {
            let sheet = customers(header, |number| match number {
                number if number == others[0] => "33 Front St",
                number if number == others[1] => "\"55 Oak Ave, Buffalo, NY 14201\"",
                _ => "",
            });
            let found = check("leads.csv", sheet, &["--map", "line1=Address"]).json();
            let problems = problems(&found);
            for (row, map) in [(others[0] + 1, "line1=H"), (others[1] + 1, "address=H")] {
                let is_told = |problem: &String| {
                    problem.starts_with(&format!("warning H{row}: 1 row has another address here"))
                        && problem.ends_with(&format!("use --map {map}"))
                };
                assert!(problems.iter().any(is_told), "{header}: {problems:?}");
            }
        }
    }
}

#[test]
fn the_sides_of_gutters_and_the_lots_of_parcels_are_no_units() {
    for (header, cells) in [
        ("Gutter Side", ["front", "rear"]),
        ("Legal Description", ["LOT 19", "LOT 7"]),
    ] {
        let rows = cells.iter().zip(1..).map(|(cell, at)| {
            format!("A-{at},Ada Roy,a@example.com,{at}2 Elm St,Dublin,OH,43017,{cell}\n")
        });
        let rows: String = rows.collect();
        let text = format!("ID,Name,Email,Address,City,State,Zip,{header}\n{rows}");
        let problems = problems(&check("leads.csv", text, &[]).expect(0).json());
        let is_unit = |one: &String| one.contains("line2");
        assert!(!problems.iter().any(is_unit), "{header}: {problems:?}");
    }
}

#[test]
fn a_number_alone_does_not_hide_the_units_of_a_column_that_is_not_sent() {
    let row = |number: usize, unit: &str| {
        format!("{number},Ada,{number} Elm St,{unit},Columbus,OH,43206,a@example.com\n")
    };
    let rows: String = [(2, "Apt 3"), (3, "12"), (4, "Unit 200"), (5, "")]
        .map(|(number, unit)| row(number, unit))
        .concat();
    let text = format!("ID,Name,Street,Street (home) 2,City,State,Zip,Email\n{rows}");
    let told = problems(&document(text, &["--map", "line1=Street"]));
    let is_told = |problem: &String| problem.contains("looks like line2 and is not sent");
    assert!(told.iter().any(is_told), "{told:?}");
}
