//! Ids: the most precious column.

use crate::hazards::{HEADERS, check, document, found, found_with, problems, row, stopped};
use crate::support::Stage;

fn of_rows(rows: &[&[(&str, &str)]], flags: &[&str]) -> serde_json::Value {
    let rows: Vec<String> = rows.iter().map(|changes| row(changes)).collect();
    document(format!("{HEADERS}\n{}\n", rows.join("\n")), flags)
}

#[test]
fn numbers_of_parcels_are_proposed_for_the_ids() {
    let matricules = [
        "9840-00-0000-0-000-0000",
        "9840-01-0077-0-000-0000",
        "9840-02-0154-0-000-0000",
    ];
    let parcels = ["010-000077-00", "010-000388-00", "010-000699-00"];
    for (header, ids) in [("PARCEL_ID", parcels), ("Matricule", matricules)] {
        let rows = ids.iter().zip(1..).map(|(id, at)| {
            format!("{id},Ada Roy,a{at}@example.com,1{at} Elm St,Dublin,OH,43017\n")
        });
        let rows: String = rows.collect();
        let text = format!("{header},Name,Email,Street,City,State,Zip\n{rows}");
        let said = check("parcels.csv", text, &[]).expect(10).stderr;
        let question = format!("id: did you mean {header}?");
        assert!(said.contains(&question), "{said}");
    }
}

#[test]
fn a_table_without_an_id_column_stops() {
    let text = "Name,Email,Street,City,State,Zip\nAda,ada@example.com,12 Elm,Toronto,ON,M5V 1A1\n";
    assert_eq!(
        stopped("leads.csv", text, &[]),
        "error: leads.csv: no column for id\n\
         hint: gutterbatch check leads.csv --json --derive-id\n      \
         id: no column was found for the ids, and --derive-id makes them from address and customer; --id-column HEADER names one that has a value in each row, and none twice\n      \
         the headers found are Name, Email, Street, City, State, Zip\n"
    );
    assert_eq!(document(text, &["--derive-id"])["valid"], 1);
    assert_eq!(document(text, &["--id-column", "Email"])["valid"], 1);
}

#[test]
fn an_empty_column_of_ids_is_not_used_beside_a_full_one() {
    // JobNimbus's own layout.
    let header = "Display Name,Email,Address Line 1,City,State Text,Zip,External Id,jnid";
    let row = |id: &str| format!("Ada Lee,a@x.com,1{id} Elm St,Toronto,ON,M5V 1A1,,j{id}");
    let table = [header.to_owned(), row("1"), row("2")].join("\n");
    assert_eq!(document(table, &[])["valid"], 2);
    let empty = format!("{header}\nAda Lee,a@x.com,1 Elm St,Toronto,ON,M5V 1A1,,\n");
    assert_eq!(
        problems(&document(empty, &[]))[0],
        "error G2: no id; type one, or use --derive-id"
    );
}

#[test]
fn a_blank_id_is_invalid() {
    assert_eq!(
        found(&[("ID", " ")]),
        ["error A2: no id; type one, or use --derive-id"]
    );
}

#[test]
fn an_id_that_is_a_date_is_told() {
    assert_eq!(
        crate::hazards::found(&[("ID", "2026-03-04")]),
        ["warning A2: the id is a date; is this the column of ids?"]
    );
}

#[test]
fn a_column_of_ids_that_became_dates_is_one_line_with_the_flag_for_another() {
    let stage = crate::support::Stage::offline();
    let dates = ["2-Jan", "3-Jan", "5-Jun", "7-Aug"];
    let rows = dates.map(|id| crate::hazards::table(&[("ID", id)]));
    let (headers, _) = rows[0].split_once('\n').unwrap();
    let rows = rows.each_ref().map(|row| row.split_once('\n').unwrap().1);
    stage.file("leads.csv", format!("{headers}\n{}", rows.concat()));
    let page = stage.run(&["check", "leads.csv"]).expect(3).stdout;
    let errors: Vec<&str> = page
        .lines()
        .filter(|line| line.contains("became a date"))
        .collect();
    assert_eq!(errors.len(), 1, "{page}");
    assert!(
        errors[0].starts_with("  A2, A3, A4, A5  ID: became a date (`2-Jan`)"),
        "{page}"
    );
    assert!(
        errors[0].ends_with("(in 4 cells); if another column holds it: --map id=HEADER"),
        "{page}"
    );
}

#[test]
fn only_what_excel_shows_for_a_date_is_an_id_that_became_one() {
    for id in ["Nov-01", "1-Nov", "Jun-45", "2-Jan-26"] {
        let problems = found(&[("ID", id)]);
        assert!(
            problems.len() == 1 && problems[0].contains("became a date"),
            "{id}: {problems:?}"
        );
        assert!(problems[0].contains("--as-is"), "{problems:?}");
        let kept = document(crate::hazards::table(&[("ID", id)]), &["--as-is"]);
        assert_eq!(kept["valid"], 1, "{id}: {kept}");
    }
    for id in [
        "NOV-01",
        "Nov-0",
        "JAN-1001",
        "jan-01",
        "32-Jan",
        "Jan-002",
        "Jan-02-26",
    ] {
        assert_eq!(found(&[("ID", id)]).len(), 0, "{id}");
    }
}

#[test]
fn running_numbers_are_not_proposed_as_ids() {
    let table = |numbers: [&str; 3]| {
        let rows = numbers.map(|number| {
            format!("{number},Ada {number},ada@example.com,7{number} Elm,Toronto,ON,M5V 1A1\n")
        });
        format!("#,Name,Email,Street,City,State,Zip\n{}", rows.concat())
    };
    let counted = stopped("leads.csv", table(["1", "2", "3"]), &[]);
    assert!(
        counted.contains("hint: gutterbatch check leads.csv --json --derive-id\n")
            && counted.contains("`#` is not used for the ids: it is a row counter"),
        "{counted}"
    );
    let others = stopped("leads.csv", table(["11", "12", "13"]), &[]);
    assert!(others.contains("--map 'id=#'"), "{others}");
}

#[test]
fn the_same_row_twice_is_sent_once() {
    let document = of_rows(&[&[], &[]], &[]);
    assert_eq!(
        (document["valid"].as_u64(), document["duplicate"].as_u64()),
        (Some(1), Some(1))
    );
    assert_eq!(document["plan"]["requests"], 2);
}

#[test]
fn a_row_that_is_sent_once_with_another_is_named() {
    let stage = Stage::open();
    stage.file("leads.csv", format!("{HEADERS}\n{0}\n{0}\n", row(&[])));
    let same = "the same request as row 2, sent once";
    let page = stage.run(&["check", "leads.csv"]).expect(0).stdout;
    assert!(page.contains(&format!("  A3       ID: {same}\n")), "{page}");
    let import = stage.run(&["import", "leads.csv", "--yes"]).expect(0);
    let line = format!("warning: A3: ID: {same}\n");
    assert!(import.stderr.contains(&line), "{}", import.stderr);
    let again = stage.run(&["import", "leads.csv", "--json"]).expect(0);
    let problem = &again.json()["problems"][0];
    assert_eq!(
        (&problem["row"], &problem["outcome"], &problem["message"]),
        (&3.into(), &"duplicate".into(), &same.into())
    );
}

#[test]
fn a_derived_id_of_two_rows_is_explained_by_customer_and_address() {
    let text = "Name,Email,Street,City,State,Zip,Notes\n\
        Ada,ada@example.com,12 Elm,Toronto,ON,M5V 1A1,dog\n\
        Ada,ada@example.com,12 Elm,Toronto,ON,M5V 1A1,again?\n";
    let errors = |row| {
        format!(
            "error row {row}: row {} of this file has the same customer and address, but other contents (such as notes, phone or email); delete one of the rows, or give two houses an id each in a column of their own",
            5 - row
        )
    };
    let found = problems(&document(text, &["--derive-id"]));
    let found: Vec<&String> = found
        .iter()
        .filter(|one| one.starts_with("error"))
        .collect();
    assert_eq!(found, [&errors(2), &errors(3)]);
}

#[test]
fn one_id_with_two_contents_is_invalid_in_both_rows() {
    let document = of_rows(&[&[], &[("Street", "99 Oak Street")], &[]], &[]);
    let other = |row, advice: &str| {
        format!(
            "row {row} of this file has the same id and other values; the service would keep the first row and ignore the second: {advice}"
        )
    };
    let own = "if they are two houses, give one an id of its own, for example with -2 at its end";
    assert_eq!(
        problems(&document),
        [
            format!("error A2: {}", other(3, own)),
            format!("error A3: {}", other(2, own)),
            format!("error A4: {}", other(2, "keep one of the rows"))
        ]
    );
    assert_eq!(document["invalid"], 3);
}

#[test]
fn rows_of_one_rounded_id_are_not_called_one_house() {
    let rounded = ("ID", "6.02145E+10");
    let rows: [&[_]; 2] = [&[rounded], &[rounded, ("Street", "99 Oak Street")]];
    let found = problems(&of_rows(&rows, &[]));
    let same_id = found.iter().find(|one| one.contains("has the same id"));
    let said = same_id.expect("the ids are one");
    assert!(said.contains("if they are two houses"), "{said}");
}

/// Two customers, the first with two houses.
const TWO_HOUSES: &str = "\
Customer ID,Name,Email,Street,City,State,Zip
C-1,Ada,ada@example.com,12 Elm St,Boston,MA,02134
C-1,Ada,ada@example.com,99 Oak St,Boston,MA,02134
C-2,Bo,bo@example.com,14 Elm St,Boston,MA,02134
";

#[test]
fn two_houses_of_one_id_are_requested_under_derived_ids() {
    let stage = Stage::open();
    stage.file("leads.csv", TWO_HOUSES);
    stage.run(&["check", "leads.csv"]).expect(3);
    let derived = ["--derive-id", "--map", "label=A"];
    let import = [&["import", "leads.csv", "--yes"][..], &derived].concat();
    stage.run(&import).expect(0);
    assert_eq!(crate::same_house::houses::requested(&stage).len(), 3);
}

#[test]
fn houses_that_were_imported_under_their_ids_are_not_requested_under_derived_ones() {
    let stage = Stage::open();
    let before = TWO_HOUSES.replace("C-1,Ada,ada@example.com,99 Oak St,Boston,MA,02134\n", "");
    stage.file("leads.csv", before);
    stage.run(&["import", "leads.csv", "--yes"]).expect(0);
    stage.file("leads.csv", TWO_HOUSES);
    let args = [
        "import",
        "leads.csv",
        "--yes",
        "--derive-id",
        "--map",
        "label=A",
        "--json",
    ];
    let outcomes = stage.run(&args).expect(3).json()["outcomes"].clone();
    assert_eq!(
        (&outcomes["created"], &outcomes["same_house"]),
        (&1.into(), &2.into())
    );
}

#[test]
fn ids_that_differ_by_case_or_spaces_are_told() {
    let document = of_rows(
        &[
            &[("ID", "0016Ratd")],
            &[("ID", "0016RAtd"), ("Street", "99 Oak Street")],
        ],
        &[],
    );
    assert_eq!(
        problems(&document),
        [
            "warning A3: `0016RAtd` and `0016Ratd` in row 2 differ only in case or spaces; if they are Salesforce ids, export the form with 18 characters"
        ]
    );
}

#[test]
fn bare_numbers_from_one_are_told_unless_prefixed() {
    let rows: [&[(&str, &str)]; 3] = [
        &[("ID", "1")],
        &[("ID", "2"), ("Street", "20 Oak Street")],
        &[("ID", "3"), ("Street", "30 Oak Street")],
    ];
    assert_eq!(
        problems(&of_rows(&rows, &[])),
        [
            "warning A2: ids are plain numbers up to 3; ids must be unique in the whole app, so those of another file would collide; add --id-prefix"
        ]
    );
    assert_eq!(
        problems(&of_rows(&rows, &["--id-prefix", "oct-"])),
        Vec::<String>::new()
    );
}

#[test]
fn an_id_is_counted_with_its_prefix() {
    let id = "x".repeat(126);
    assert_eq!(found(&[("ID", &id)]), Vec::<String>::new());
    assert_eq!(
        found_with(&["--id-prefix", "oct-"], &[("ID", &id)]),
        ["error A2: 130 characters with its prefix; the limit is 128"]
    );
}

#[test]
fn two_ids_of_one_house_are_held() {
    let document = of_rows(
        &[
            &[],
            &[("ID", "A-2"), ("Street", "12 ELM St"), ("Unit", "4")],
        ],
        &[],
    );
    assert_eq!(
        problems(&document),
        ["error E3: is the same house as row 2 of this file (`A-1`)"]
    );
}

#[test]
fn derived_ids_survive_reordering_new_columns_and_reformatting() {
    let first = "Name,Email,Street,City,State,Zip\nAda Lovelace,a@example.com,12 Elm St.,Toronto,ON,M5V 1A1\n";
    let second = "Zip,State,Extra,City,Street,Email,Name\nm5v1a1,Ontario,x,TORONTO,12 ELM ST,new@example.com,\"Lovelace, Ada\"\n";
    let both = format!("{first}\"Lovelace, Ada\",a@example.com,12 elm st,Toronto,ON,M5V1A1\n");
    assert_eq!(document(&both, &["--derive-id"])["rows"], 2);
    // Two spellings of one customer at one house meet as one id with two contents.
    assert_eq!(document(&both, &["--derive-id"])["invalid"], 2);
    assert_eq!(document(second, &["--derive-id"])["valid"], 1);
    let neighbours = format!("{first}Jane Lovelace,j@example.com,12 Elm St.,Toronto,ON,M5V 1A1\n");
    assert_eq!(document(neighbours, &["--derive-id"])["valid"], 2);
}

#[test]
fn a_total_below_the_ids_does_not_hide_them() {
    let row =
        |number: u32| format!("D-{number},Ada,{number} Elm St,Columbus,OH,43206,a@example.com\n");
    let rows: String = (10..16).map(row).collect();
    let text = format!("No dossier,Name,Street,City,State,Zip,Email\n{rows}Total,6 clients\n");
    let stage = Stage::offline();
    stage.file("leads.csv", text);
    let stopped = stage.run(&["check", "leads.csv"]).expect(10).stderr;
    assert!(stopped.contains("--map 'id=No dossier'"), "{stopped}");
}
