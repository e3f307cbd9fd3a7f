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
        let way_out = format!("notes={header}");
        assert!(
            stopped.contains("if they are other numbers, use --map"),
            "{stopped}"
        );
        check("leads.csv", &text, &["--map", &way_out]).expect(0);
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
fn house_numbers_behind_a_street_and_apart_from_it_are_asked_for() {
    let streets = ["3100,x,Beech St", "3110,y,Oak Ave", "3120B,z,Pine Rd"];
    let apart = ["3100,,Beech St", "3110,,Oak Ave", "3120B,,Pine Rd"];
    let turned = ["Beech St,3100", "Oak Ave,3110", "Pine Rd,3120B"];
    let french = ["rue Roy,3100", "rue Boyer,3110", "rue Berri,3120"];
    for (headers, streets, number) in [
        ("Street,No", turned, "No"),
        ("Calle,Número", turned, "Número"),
        ("Rue,Numéro", french, "Numéro"),
        ("Address,House", turned, "House"),
        ("HSE_NBR,Block,Street", streets, "HSE_NBR"),
        ("CIV_NUM,Block,Street", streets, "CIV_NUM"),
        ("HSENUM,Block,Street", streets, "HSENUM"),
        ("Premise,Fraction,Street", apart, "Premise"),
    ] {
        let text = table(headers, &streets);
        let stopped = check("leads.csv", &text, &[]).expect(10).stderr;
        let flag = format!("house_number={number}");
        assert!(
            stopped.contains(&format!("--map {flag}\n"))
                || stopped.contains(&format!("--map '{flag}'\n")),
            "{headers}: {stopped}"
        );
        check("leads.csv", &text, &["--map", &flag]).expect(0);
    }
}

#[test]
fn house_numbers_beside_streets_whose_names_are_numbers_are_asked_for() {
    let edmonton = ["10012,100 St NW", "10018,101 Ave NW", "11600,104 Ave"];
    let utah = ["350,E 100 S", "412,E 200 S", "77,N 300 W"];
    for (streets, joined) in [(edmonton, "10012 100 St NW"), (utah, "350 E 100 S")] {
        let text = table("HSE_NBR,Street", &streets);
        let stopped = check("leads.csv", &text, &[]).expect(10).stderr;
        let hint = "--map house_number=HSE_NBR\n";
        assert!(stopped.contains(hint), "{stopped}");
        let stage = Stage::offline();
        stage.file("leads.csv", text);
        let mapped = ["check", "leads.csv", "--map", "house_number=HSE_NBR"];
        let page = stage.run(&mapped).expect(0).stdout;
        assert!(page.contains(&format!("row 2: {joined}")), "{page}");
    }
}

#[test]
fn bare_house_numbers_beside_the_names_of_their_streets_are_asked_for() {
    let streets = ["12,Elm St", "14,Oak Ave", "19B,Pine Rd"];
    let turned = ["Elm St,12", "Oak Ave,14", "Pine Rd,19B"];
    for (headers, streets) in [("Address,Road", streets), ("Road,Address", turned)] {
        let text = table(headers, &streets);
        let stopped = check("leads.csv", &text, &[]).expect(10).stderr;
        assert!(
            stopped.contains("no columns for house_number and line1"),
            "{stopped}"
        );
        let flags = ["--map", "house_number=Address", "--map", "line1=Road"];
        assert!(stopped.contains(&flags.join(" ")), "{stopped}");
        check("leads.csv", &text, &flags).expect(0);
    }
}

#[test]
fn other_columns_beside_a_street_are_no_house_numbers() {
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
        // A grid has its numbers in front of a letter, and a unit may stand in front.
        (
            "Number,Street",
            ["31,W156N8480 Elm St", "35,N6W12 Oak St", "40,W1N2 Ash St"],
        ),
        (
            "Number,Street",
            ["31,Apt 4 12 Elm St", "35,Apt 5 14 Oak St", "40,#6 9 Ash St"],
        ),
        (
            "Street,No",
            ["350 E 200 S,31", "10012 100 St NW,35", "5 Elm St,40"],
        ),
        // Only a header of a house number says so far from the street.
        (
            "Street,Crew,Age",
            ["Beech St,x,31", "Oak Ave,y,35", "Pine Rd,z,40"],
        ),
    ] {
        check("leads.csv", table(headers, &streets), &[]).expect(0);
    }
}

#[test]
fn a_number_of_anything_apart_from_the_street_is_a_warning() {
    let streets = [
        "3100,x,Lakeshore Rd",
        "3110,y,Old Mill Rd",
        "4120,z,Pine Rd",
    ];
    for header in ["Number", "No.", "#"] {
        let text = table(&format!("{header},Crew,Street"), &streets);
        let told = check("leads.csv", text, &[]).expect(0).stdout;
        assert!(
            told.contains("looks like house_number and is not sent")
                && told.contains("--map house_number=C"),
            "{header}: {told}"
        );
    }
    // As the only column of numbers it is offered for the ids.
    let text = "Name,Street,City,State,Zip,Email,Number\nAda Poe,Lakeshore Rd,Madison,WI,53711,a@example.com,1007\nBo Ray,Old Mill Rd,Madison,WI,53711,b@example.com,1012\n";
    let stopped = check("leads.csv", text, &[]).expect(10).stderr;
    assert!(stopped.contains("--map id=Number\n"), "{stopped}");
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
    let unknown = [
        "3100,Beech,NULL,St",
        "3110,Oak,NULL,Ave",
        "3120,Pine,NULL,Rd",
    ];
    let text = table("Add_Number,StreetName,StN_PosDir,StN_PosTyp", &unknown);
    let told = check("leads.csv", text, &[]).expect(0).stdout;
    assert!(
        told.contains("looks like street_type and is not sent"),
        "{told}"
    );
    let others = ["3100,Beech,Roof", "3110,Oak,Siding", "3120,Pine,Roof"];
    let document = document(table("St #,Street Name,Type", &others), &[]);
    assert_eq!(document["unused_columns"], serde_json::json!(["Type"]));
}

#[test]
fn links_below_the_same_header_are_links() {
    let headers = "ID,Name,Rue,Lien,City,State,Zip,Email";
    let row = format!("A-1,Ada,12 rue Fabre,https://crm.example.com/1,{PLACE}");
    let document = document(format!("{headers}\n{row}\n"), &[]);
    assert_eq!(document["mapping"]["url"], "Lien", "{document}");
}

#[test]
fn numbers_that_are_sent_as_notes_follow_the_notes_of_the_sheet() {
    let streets = ["Gate 44,3100,Beech St", ",3110,Oak Ave"];
    let text = table("Remarks,Number,Street", &streets);
    let stopped = check("leads.csv", &text, &[]).expect(10).stderr;
    let flags = ["--map", "notes=Remarks", "--map", "notes=Number"];
    let way_out = format!("if they are other numbers, use {} instead", flags.join(" "));
    assert!(stopped.contains(&way_out), "{stopped}");
    let stage = Stage::open();
    stage.file("leads.csv", text);
    let import = [&["import", "leads.csv", "--yes"], &flags[..]].concat();
    stage.run(&import).expect(0);
    stage.run(&["export", "out.json", "--offline"]).expect(0);
    let rows = std::fs::read_to_string(stage.path("out.json")).unwrap();
    let rows: serde_json::Value = serde_json::from_str(&rows).unwrap();
    assert_eq!(rows[0]["notes"], "Gate 44\n3100");
    assert_eq!(rows[1]["notes"], "3110");
}
