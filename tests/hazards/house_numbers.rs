//! House numbers in a column of their own.

use crate::hazards::streets::{lines, sent, table};
use crate::hazards::{document, problems};
use crate::support::Stage;

#[test]
fn a_house_number_in_its_own_column_is_sent_in_front_of_the_street() {
    for headers in [
        "House No,Street",
        "House #,Street Address",
        "Street Number,Street Name",
        "No civique,Rue",
        "Hausnr.,Straße",
        "ST_NUM,ST_NAME",
    ] {
        let streets = ["100,Maple St", "5,5th Ave", "10015,104 Ave NW"];
        let found = sent(headers, &streets);
        assert_eq!(
            found,
            ["100 Maple St", "5 5th Ave", "10015 104 Ave NW"],
            "{headers}"
        );
    }
    assert_eq!(sent("Street,House No", &["Maple St,12A"]), ["12A Maple St"]);
}

#[test]
fn a_street_with_its_number_takes_no_other() {
    let headers = "House No,Street,Street Type";
    let streets = ["1,100 Maple St,St", "2,102 Maple,Residential"];
    assert_eq!(
        problems(&document(table(headers, &streets), &[])),
        [
            "error C2: the street already has a house number: `100 Maple St`; keep one of the two",
            "error C3: the street already has a house number: `102 Maple`; keep one of the two",
        ]
    );
    // Only some of the streets have it.
    let some = ["100,100 Maple St", "102,Maple St", "104,Maple St"];
    let expected = ["100 Maple St", "102 Maple St", "104 Maple St"];
    assert_eq!(sent("House No,Street", &some), expected);
    assert_eq!(
        sent("Street,Street Type", &["100 Maple St,St"]),
        ["100 Maple St"]
    );
}

#[test]
fn other_rows_do_not_decide_whether_a_street_gets_its_number() {
    let apart = ["113,Birch St", "126,Spruce St"];
    let whole = [",139 Juniper St", ",152 Poplar St", ",165 Cypress St"];
    let sent_apart = ["113 Birch St", "126 Spruce St"];
    let sent_whole = ["139 Juniper St", "152 Poplar St", "165 Cypress St"];
    let streets = [&apart[..], &whole].concat();
    let expected = [&sent_apart[..], &sent_whole].concat();
    assert_eq!(sent("House No,Street", &streets), expected);
    // Beyond the rows that are searched for headers.
    let whole: Vec<String> = (0..70).map(|at| format!(",{} Elm St", at + 500)).collect();
    let mut streets: Vec<&str> = whole.iter().map(String::as_str).collect();
    streets.extend(apart);
    assert_eq!(sent("House No,Street", &streets)[70..], sent_apart);
}

#[test]
fn a_number_in_the_name_of_a_street_follows_the_house_number() {
    let found = sent("House No,Street", &["350,200 S", "1810,7 Mile Rd"]);
    assert_eq!(found, ["350 200 S", "1810 7 Mile Rd"]);
}

#[test]
fn a_doubtful_house_number_is_told() {
    let streets = ["3-Apr,Elm St", "5,100 Maple St", "7,Oak St", ",Oak St"];
    let document = document(table("House No,Street", &streets), &[]);
    assert_eq!(
        problems(&document),
        [
            "error C2: became a date (`3-Apr`); was it 4-3 or 3-4? Format the column as text and type it again",
            "error C3: the street already has a house number: `100 Maple St`; keep one of the two",
            "warning D5: no house number",
        ]
    );
}

#[test]
fn a_house_number_column_that_holds_the_street_is_not_joined_with_it() {
    let numbers = [
        "12 bis",
        "Lot 5",
        "Unit 3 - 12",
        "W220N1234",
        "12 1/2",
        "4-12",
        "12A",
    ];
    let streets = numbers.map(|number| format!("{number},Elm St"));
    let document = document(
        table(
            "House No,Street",
            &[
                &streets.each_ref().map(String::as_str)[..],
                &["96 Oak St,Elm St", "TBD,Elm St"],
            ]
            .concat(),
        ),
        &[],
    );
    let errors = problems(&document);
    let errors: Vec<&String> = errors
        .iter()
        .filter(|problem| problem.starts_with("error"))
        .collect();
    assert_eq!(
        errors,
        [
            "error C9: not a house number",
            "error C10: not a house number",
        ]
    );
}

#[test]
fn two_house_numbers_of_one_row_must_be_the_same() {
    let streets = [
        "12,13,Elm St",
        ",15,Oak St",
        "17,17.0,Fir St",
        "12A,,12 Ash St",
    ];
    assert_eq!(
        problems(&document(
            table("House No,Street Number,Street", &streets),
            &[]
        )),
        [
            "error D2: two house numbers: `13`, and `12` in `House No`",
            "tidied D4: `17.0` → `17`",
            "error C5: the street already has a house number: `12 Ash St`; keep one of the two",
        ]
    );
}

#[test]
fn a_house_number_of_vacant_land_is_read() {
    assert_eq!(sent("House No,Street", &["0,Oak St"]), ["Oak St"]);
}

#[test]
fn rejects_with_a_house_number_are_corrected_and_known() {
    let stage = Stage::open();
    let streets = ["100,Maple St", "102,Maple St", "104,Maple St"];
    let text = table("House No,Street", &streets).replacen("Maple St,Madison", "Maple St,", 2);
    stage.file("leads.csv", text);
    stage.run(&["import", "leads.csv", "--yes"]).expect(3);
    let rejects = std::fs::read_to_string(stage.path("leads.rejects.csv")).unwrap();
    let corrected = rejects.replace("Maple St,,", "Maple St,Madison,");
    assert_ne!(rejects, corrected);
    stage.file("leads.rejects.csv", corrected);
    stage
        .run(&["import", "leads.rejects.csv", "--yes"])
        .expect(0);
    let again = stage
        .run(&["import", "leads.csv", "--yes", "--json"])
        .expect(0)
        .json();
    assert_eq!(again["outcomes"]["known"], 3);
    assert_eq!(lines(&stage).len(), 3);
    stage
        .run(&["export", "own.csv", "--for", "leads.csv"])
        .expect(0);
    let own = std::fs::read_to_string(stage.path("own.csv")).unwrap();
    assert!(
        own.lines().skip(1).all(|line| line.contains("pending")),
        "{own}"
    );
}

#[test]
fn a_number_with_a_separator_or_a_time_is_none_and_another_type_or_direction_is_told() {
    let document = document(
        table(
            "House No,Street",
            &["\"1,200\",Elm St", "4:00 AM,Elm St", "12,12"],
        ),
        &[],
    );
    assert_eq!(document["invalid"], 3, "{document}");
    for (headers, street) in [
        ("House No,Street Direction,Street", "120,W,E Main St"),
        ("House No,Street,Street Type", "121,Oak Street,Ave"),
    ] {
        let document = crate::hazards::document(table(headers, &[street]), &[]);
        let problems = problems(&document);
        let is_told = |problem: &String| problem.contains("has another direction or type");
        assert!(problems.iter().any(is_told), "{problems:?}");
    }
}

#[test]
fn an_english_street_type_stands_behind_the_name_wherever_its_column_is() {
    let headers = "House No,Street Type,Street Name";
    let streets = [
        "12,St,Elm",
        "13,Ave,Oak",
        "14,rue,Principale",
        "15,Hwy,12",
        "16,County Road,12",
        "17,Ave,of the Americas",
    ];
    assert_eq!(
        sent(headers, &streets),
        [
            "12 Elm St",
            "13 Oak Ave",
            "14 rue Principale",
            "15 Hwy 12",
            "16 County Road 12",
            "17 Ave of the Americas"
        ]
    );
}

#[test]
fn letters_and_fractions_behind_a_house_number_belong_to_it() {
    for header in [
        "House Number Suffix",
        "AddNum_Suf",
        "Suffixe",
        "Suffix",
        "Half",
    ] {
        let streets = [
            "100,A,Main St",
            "100,B,Main St",
            "212,1/2,Oak Ave",
            "9,,Elm St",
        ];
        let found = sent(&format!("House Number,{header},Street"), &streets);
        let expected = [
            "100A Main St",
            "100B Main St",
            "212 1/2 Oak Ave",
            "9 Elm St",
        ];
        assert_eq!(found, expected, "{header}");
    }
    // Further from the number it is only told.
    let headers = "House Number,High,House suffix,Street";
    let told = document(table(headers, &["100,,A,Main St", "212,,B,Oak Ave"]), &[]);
    let told = told["problems"].to_string();
    assert!(
        told.contains("--map house_number=C --map house_number=E"),
        "{told}"
    );
    // Elsewhere it is a person's.
    let found = document(table("Suffix,House Number,Street", &["J,9,Elm St"]), &[]);
    assert_eq!(found["unused_columns"], serde_json::json!(["Suffix"]));
}

#[test]
fn directions_and_types_of_national_lists_and_of_quebec_are_joined() {
    let found = sent(
        "Add_Number,St_PreDir,St_PreTyp,St_Name,St_PosTyp,St_PosDir",
        &["1200,N,County Road,12,,", "7,,Avenue,A,,", "8,,,Oak,St,NW"],
    );
    let expected = ["1200 N County Road 12", "7 Avenue A", "8 Oak St NW"];
    assert_eq!(found, expected);
    let found = sent(
        "No civique,Rue,Orientation",
        &["100,rue Roy,Est", "100,rue Roy,O"],
    );
    assert_eq!(found, ["100 rue Roy Est", "100 rue Roy O"]);
}

#[test]
fn the_orientation_of_a_roof_and_letters_that_are_directions_or_answers_are_not_joined() {
    let roof = "No civique,Rue,Type de toit,Orientation";
    let found = document(table(roof, &["100,rue Roy,plat,Est"]), &[]);
    assert_eq!(
        found["mapping"]["street_direction"],
        serde_json::Value::Null
    );
    for cells in [
        ["12,N,Elm St", "14,S,Elm St"],
        ["12,Y,Elm St", "14,N,Elm St"],
    ] {
        let found = document(table("House Number,Suffix,Street", &cells), &[]);
        assert_eq!(
            found["mapping"]["house_number"], "House Number",
            "{cells:?}"
        );
    }
}
