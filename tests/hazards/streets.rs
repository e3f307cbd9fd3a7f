//! Streets whose house number, direction and type have columns of their own.

use serde_json::Value;

use crate::hazards::{document, found, problems};
use crate::support::Stage;

const REST: &str = "City,State,Zip,Country,Email";

/// A table of customers whose streets are these, in columns with those headers.
fn table(headers: &str, streets: &[&str]) -> String {
    let rows = streets.iter().enumerate().map(|(index, street)| {
        format!("A-{index},Ada {index},{street},Madison,WI,53711,US,a{index}@example.com")
    });
    let rows: Vec<String> = rows.collect();
    format!("ID,Name,{headers},{REST}\n{}\n", rows.join("\n"))
}

/// The street of each row as it is sent.
fn sent(headers: &str, streets: &[&str]) -> Vec<String> {
    let stage = Stage::open();
    stage.file("leads.csv", table(headers, streets));
    stage.run(&["import", "leads.csv", "--yes"]).expect(0);
    lines(&stage)
}

fn lines(stage: &Stage) -> Vec<String> {
    stage.run(&["export", "out.json", "--offline"]).expect(0);
    let text = std::fs::read_to_string(stage.path("out.json")).unwrap();
    let document: Value = serde_json::from_str(&text).unwrap();
    let rows = document.as_array().unwrap().iter();
    rows.map(|row| row["line1"].as_str().unwrap().to_owned())
        .collect()
}

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
fn direction_and_type_are_joined_in_the_order_of_their_columns() {
    let found = sent(
        "StreetNumber,StreetDirection,StreetName,StreetType",
        &[
            "100,,MAIN,DR",
            "106,N,LAKE,DR",
            "7,N,N ELM ST,ST",
            "9,,ST CLAIR,ST",
        ],
    );
    let expected = [
        "100 MAIN DR",
        "106 N LAKE DR",
        "7 N ELM ST",
        "9 ST CLAIR ST",
    ];
    assert_eq!(found, expected);
    let found = sent("No civique,Type de rue,Nom de rue", &["12,rue,Roy"]);
    assert_eq!(found, ["12 rue Roy"]);
    let found = sent(
        "House Number,Street Name,Street Type,Post Dir",
        &["20,Centre,St,NW"],
    );
    assert_eq!(found, ["20 Centre St NW"]);
}

#[test]
fn directions_in_the_headers_of_estate_agents_are_joined() {
    let found = sent(
        "Street Number,Street Dir Prefix,Street Name,Street Suffix,Street Dir Suffix",
        &["12,N,Main,St,", "100,,5th,Ave,SW"],
    );
    assert_eq!(found, ["12 N Main St", "100 5th Ave SW"]);
}

#[test]
fn a_suffix_behind_a_street_is_its_type() {
    let chicago = "STREET_NUMBER,STREET DIRECTION,STREET_NAME,SUFFIX";
    let found = sent(chicago, &["4814,W,NORTH SHORE,AVE", "9,,PARK,"]);
    assert_eq!(found, ["4814 W NORTH SHORE AVE", "9 PARK"]);
    let persons = document(table("Suffix,House No,Street", &["Jr,12,Elm St"]), &[]);
    assert_eq!(persons["mapping"]["street_type"], Value::Null);
}

#[test]
fn a_street_with_its_number_takes_no_other() {
    let headers = "House No,Street,Street Type";
    let streets = ["1,100 Maple St,St", "2,102 Maple,Residential"];
    assert_eq!(
        problems(&document(table(headers, &streets), &[])),
        [
            "error C2: the street has a number of its own: `100 Maple St`; which of them is the house's?",
            "error C3: the street has a number of its own: `102 Maple`; which of them is the house's?",
            "warning E3: `Residential` is not a street type; not sent",
        ]
    );
    // What is wrong with a number that is not needed makes no row invalid.
    let unneeded = [
        "TBD,100 Maple St",
        "3-Apr,102 Maple St",
        "#N/A,104 Maple St",
    ];
    let document = document(table("House No,Street", &unneeded), &[]);
    assert_eq!(document["valid"], 3, "{document}");
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
fn rows_with_whole_streets_do_not_change_the_derived_ids_of_the_others() {
    let stage = Stage::open();
    let apart = ["113,Birch St", "126,Spruce St"];
    let more = [
        &apart[..],
        &[",139 Juniper St", ",152 Poplar St", ",1 Fir St"],
    ]
    .concat();
    for (streets, created) in [(&apart[..], 2), (&more, 3)] {
        let text = table("House No,Street", streets);
        let text: Vec<&str> = text
            .lines()
            .map(|line| line.split_once(',').unwrap().1)
            .collect();
        stage.file("leads.csv", text.join("\n"));
        let run = stage.run(&["import", "leads.csv", "--derive-id", "--yes", "--json"]);
        let document = run.expect(0).json();
        assert_eq!(document["outcomes"]["created"], created, "{document}");
    }
}

#[test]
fn a_cell_that_is_no_street_type_does_not_take_the_types_of_other_rows() {
    let streets = [
        "113,Birch,St",
        "126,Spruce,Ave",
        "152,Poplar,Residential",
        "165,Cypress,Commercial",
        "178,Rose,Hill",
    ];
    let headers = "House No,Street Name,Type";
    assert_eq!(
        sent(headers, &streets),
        [
            "113 Birch St",
            "126 Spruce Ave",
            "152 Poplar",
            "165 Cypress",
            "178 Rose Hill"
        ]
    );
    assert_eq!(
        problems(&document(table(headers, &streets), &[])),
        [
            "warning E4: `Residential` is not a street type; not sent",
            "warning E5: `Commercial` is not a street type; not sent",
        ]
    );
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
            "error C2: became a date (`3-Apr`); was it 3-4? Format the column as text and type it again",
            "error C3: the street has a number of its own: `100 Maple St`; which of them is the house's?",
            "warning D5: no house number",
        ]
    );
}

#[test]
fn a_street_gets_no_direction_or_type_that_it_has_in_another_spelling() {
    let streets = [
        "96,N,Oak Avenue,Ave",
        "96,N,Oak Ave.,Ave",
        "96,N,N. Oak,Ave",
        "96,,Oak Ave,Avenue",
        "96,North,Oak Street N,Street",
        "1000,W,Avenue K,Ave",
        "96,N,\"Oak, Apt 3\",Ave",
        "96,N,Oak Apt 3,Ave",
    ];
    let streets = streets.map(|street| sent("House No,Dir,Street,Street Type", &[street]));
    let expected = [
        "96 N Oak Avenue",
        "96 N Oak Ave.",
        "96 N. Oak Ave",
        "96 Oak Ave",
        "96 Oak Street N",
        "1000 W Avenue K",
        "96 N Oak Ave, Apt 3",
        "96 N Oak Ave Apt 3",
    ];
    assert_eq!(streets.concat(), expected);
    let found = sent(
        "House No,Dir,Street,Street Type",
        &["96,N,96 Oak,Ave", "97,,Elm,St", "98,,Fir,St"],
    );
    assert_eq!(found, ["96 N Oak Ave", "97 Elm St", "98 Fir St"]);
}

#[test]
fn a_french_type_is_sent_once_and_in_front() {
    let french = |headers: &str, street: &str| {
        let text = table(headers, &[street]).replace("Madison,WI,53711,US", "Laval,QC,H7A 1A1,CA");
        let stage = Stage::open();
        stage.file("leads.csv", text);
        stage.run(&["import", "leads.csv", "--yes"]).expect(0);
        lines(&stage).concat()
    };
    let before = "No civique,Type de rue,Nom de rue";
    assert_eq!(french(before, "1859,rue,rue Centre"), "1859 rue Centre");
    let boulevard = french(before, "1859,boulevard,boul. St-Laurent");
    assert_eq!(boulevard, "1859 boul. St-Laurent");
    let after = "No civique,Nom de rue,Type de rue";
    assert_eq!(french(after, "1859,Centre,rue"), "1859 rue Centre");
    assert_eq!(french(after, "1859,du Parc,av."), "1859 av. du Parc");
}

#[test]
fn a_house_number_column_that_holds_the_street_is_not_joined_with_it() {
    let found = sent(
        "House No,Street,Street Type",
        &[
            "96 Oak St,Oak,St",
            "98 Oak St,98 Oak St,St",
            "100 Oak St,Oak Street,",
        ],
    );
    assert_eq!(found, ["96 Oak St", "98 Oak St", "100 Oak St"]);
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
            "error C9: `96 Oak St` is not a house number; the street is `Elm St` in `Street`",
            "error C10: `TBD` is not a house number; the street is `Elm St` in `Street`",
        ]
    );
}

#[test]
fn another_type_than_that_of_the_street_is_told() {
    let streets = ["96,Oak Street,Ave", "98,Indian Trail,Rd"];
    let headers = "House No,Street,Street Type";
    assert_eq!(
        sent(headers, &streets),
        ["96 Oak Street", "98 Indian Trail Rd"]
    );
    assert_eq!(
        problems(&document(table(headers, &streets), &[])),
        [
            "warning E2: `Ave` is another type than that of `Oak Street` in `Street`; only the street is sent",
            "warning E3: `Rd` and `Indian Trail` in `Street` both have a type; both are sent",
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
            "error C5: the street has a number of its own: `12 Ash St`",
        ]
    );
}

#[test]
fn a_house_number_with_a_separator_or_of_vacant_land_is_read() {
    let found = sent("House No,Street", &["\"1,200\",Elm St", "0,Oak St"]);
    assert_eq!(found, ["1200 Elm St", "Oak St"]);
}

#[test]
fn numbers_directly_before_a_street_without_any_are_its_house_numbers() {
    for header in ["No", "No.", "Number", "#", "Numéro"] {
        let headers = format!("Service {header},Service Street");
        let found = sent(&headers, &["99,Oak St", "98A,Oak St"]);
        assert_eq!(found, ["99 Oak St", "98A Oak St"], "{header}");
    }
    // The rows are counted, the streets have numbers, those before them are none or those of customers.
    let unused = [
        ("Service No,Service Street", ["1,Oak St", "2,Elm St"]),
        (
            "Service No,Service Street",
            ["99,12 Oak St", "98,14 Oak St"],
        ),
        (
            "Service No,Service Street",
            ["99,W220N1234 Elm St", "98,\"Unit 4, 12 Elm St\""],
        ),
        (
            "Service No,Service Street",
            ["555-010-0100,Oak St", "555-010-0101,Elm St"],
        ),
        (
            "Service No,Notes,Service Street",
            ["99,,Oak St", "98,,Elm St"],
        ),
        ("No,Street", ["10234,Oak St", "10250,Elm St"]),
    ];
    for (headers, streets) in unused {
        let document = document(table(headers, &streets), &[]);
        assert_eq!(
            document["mapping"]["house_number"],
            Value::Null,
            "{streets:?}"
        );
    }
}

#[test]
fn streets_without_house_numbers_are_not_certainly_one_house() {
    let document = document(
        table("Street", &["Oak St", "Oak St", "Rose Cottage 1"]),
        &[],
    );
    let found = problems(&document);
    let same = "is the same house as row 2 of this file (`A-0`)";
    let expected = format!("{same}; neither address has a house number: is it one house?");
    let is_told = found.iter().any(|problem| problem.ends_with(&expected));
    assert!(is_told, "{found:?}");
}

#[test]
fn a_street_name_without_a_house_number_is_no_street() {
    let text = table("Street Name", &["100 Maple St"]);
    let run = crate::hazards::check("leads.csv", text, &[]).expect(10);
    assert!(
        run.stderr.contains("line1: did you mean Street Name?"),
        "{}",
        run.stderr
    );
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
fn a_street_with_two_houses_is_warned_of() {
    let warning = ["warning E2: two houses? One request measures one; give each a row of its own"];
    for street in [
        "123 & 125 Oak St",
        "140 Oak St / 150 Pine Ave",
        "149 Oak St; 921 Elm Dr",
    ] {
        assert_eq!(found(&[("Street", street)]), warning, "{street}");
    }
    for street in [
        "123/125 Oak St",
        "12 1/2 Oak St",
        "12 Oak St & 5th Ave",
        "12 B&B Lane",
    ] {
        assert_eq!(found(&[("Street", street)]), [""; 0], "{street}");
    }
}
