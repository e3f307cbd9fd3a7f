//! House numbers and street types in columns whose headers do not say so: the cells do, or the user is asked.

use crate::hazards::{check, document};
use crate::support::Stage;

const REST: &str = "City,State,Zip,Email";
const PLACE: &str = "Madison,WI,53711,a@example.com";

/// A table of customers whose streets are these, in columns with those headers.
fn table(headers: &str, streets: &[&str]) -> String {
    let rows = streets.iter().enumerate();
    let rows: Vec<String> = rows
        .map(|(index, street)| format!("A-{index},Ada {index},{street},{PLACE}"))
        .collect();
    format!("ID,Name,{headers},{REST}\n{}\n", rows.join("\n"))
}

const NUMBERED: [&str; 3] = ["3100,Beech St", "3110,Oak Ave", "3120B,Pine Rd"];

#[test]
fn a_column_of_house_numbers_in_front_of_streets_without_any_is_asked_for() {
    for header in [
        "No.", "No", "#", "Number", "House", "Hse No", "Hse #", "Civic", "Numéro", "N°", "Str No",
    ] {
        let text = table(&format!("{header},Street"), &NUMBERED);
        let stopped = check("leads.csv", &text, &[]).expect(10).stderr;
        let flag = format!("house_number={header}");
        assert!(
            stopped.contains("no column for house_number")
                && (stopped.contains(&format!("--map '{flag}'\n"))
                    || stopped.contains(&format!("--map {flag}\n"))),
            "{header}: {stopped}"
        );
        let mapped = document(&text, &["--map", &flag]);
        assert_eq!(
            (&mapped["valid"], &mapped["warnings"]),
            (&3.into(), &0.into()),
            "{mapped}"
        );
        // What are no house numbers can be given to the notes.
        check("leads.csv", &text, &["--map", &format!("notes={header}")]).expect(0);
    }
}

#[test]
fn house_numbers_in_front_of_directions_and_units_are_asked_for() {
    for (headers, between) in [
        ("Number,Dir,Street", "N"),
        ("Number,Unit,Street", "2"),
        ("Number,Way,Street", "SW"),
    ] {
        let rows = NUMBERED.map(|row| row.replace(',', &format!(",{between},")));
        let text = table(headers, &rows.each_ref().map(String::as_str));
        let stopped = check("leads.csv", &text, &[]).expect(10).stderr;
        assert!(
            stopped.contains("--map house_number=Number\n"),
            "{headers}: {stopped}"
        );
    }
    // Of the lowest and the highest number, only the user knows which is the house's.
    let streets = ["100,102,Oak St", "104,106,Oak St", "109,111,Oak St"];
    let text = table("Low House,High House,Street", &streets);
    let stopped = check("leads.csv", text, &[]).expect(10).stderr;
    assert!(stopped.contains("--map house_number=HEADER"), "{stopped}");
}

#[test]
fn house_numbers_in_front_of_numbered_streets_are_asked_for() {
    let streets = [
        "3100,5th Ave",
        "3110,County Road 12",
        "3120,W 42nd St",
        "3131,Highway 61",
    ];
    let stopped = check("leads.csv", table("Nr,Street", &streets), &[]).expect(10);
    let stopped = stopped.stderr;
    assert!(stopped.contains("--map house_number=Nr\n"), "{stopped}");
}

#[test]
fn other_columns_in_front_of_a_street_are_no_house_numbers() {
    for (headers, streets) in [
        // Rows are counted.
        ("#,Street", ["1,Beech St", "2,Oak Ave", "3,Pine Rd"]),
        // The streets have their numbers.
        (
            "No.,Street",
            ["3100,5 Beech St", "3110,6 Oak Ave", "3120,7 Pine Rd"],
        ),
        (
            "Age,Crew,Street",
            ["31,x,Beech St", "32,y,Oak Ave", "33,z,Pine Rd"],
        ),
        (
            "Crew,Street",
            ["Bo 1,Beech St", "Cy 2,Oak Ave", "Di 3,Pine Rd"],
        ),
        ("Number,Street", [",Beech St", ",Oak Ave", ",Pine Rd"]),
    ] {
        check("leads.csv", table(headers, &streets), &[]).expect(0);
    }
}

#[test]
fn a_column_of_street_types_behind_a_street_name_is_joined() {
    let streets = ["3100,Beech,St", "3110,Oak,Ave", "3120,Pine,"];
    for header in ["Type", "Sfx", "Suf", "Ave/St"] {
        let stage = Stage::offline();
        let headers = format!("St #,Street Name,{header}");
        stage.file("leads.csv", table(&headers, &streets));
        let page = stage.run(&["check", "leads.csv"]).expect(0).stdout;
        // The joined street is shown before it is sent.
        assert!(
            page.contains("\n  row 2: 3100 Beech St"),
            "{header}: {page}"
        );
    }
    let others = ["3100,Beech,Roof", "3110,Oak,Siding", "3120,Pine,Roof"];
    let document = document(table("St #,Street Name,Type", &others), &[]);
    assert_eq!(document["unused_columns"], serde_json::json!(["Type"]));
}
