//! Streets whose house number, direction and type have columns of their own.

use serde_json::Value;

use crate::hazards::{check, document, found, problems};
use crate::support::Stage;

const REST: &str = "City,State,Zip,Country,Email";

/// A table of customers whose streets are these, in columns with those headers.
pub(crate) fn table(headers: &str, streets: &[&str]) -> String {
    let rows = streets.iter().enumerate().map(|(index, street)| {
        format!("A-{index},Ada {index},{street},Madison,WI,53711,US,a{index}@example.com")
    });
    let rows: Vec<String> = rows.collect();
    format!("ID,Name,{headers},{REST}\n{}\n", rows.join("\n"))
}

/// The street of each row as it is sent.
pub(crate) fn sent(headers: &str, streets: &[&str]) -> Vec<String> {
    let stage = Stage::open();
    stage.file("leads.csv", table(headers, streets));
    stage.run(&["import", "leads.csv", "--yes"]).expect(0);
    lines(&stage)
}

pub(crate) fn lines(stage: &Stage) -> Vec<String> {
    stage.run(&["export", "out.json", "--offline"]).expect(0);
    let text = std::fs::read_to_string(stage.path("out.json")).unwrap();
    let document: Value = serde_json::from_str(&text).unwrap();
    let rows = document.as_array().unwrap().iter();
    rows.map(|row| row["line1"].as_str().unwrap().to_owned())
        .collect()
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
fn a_type_is_joined_with_streets_that_have_their_numbers() {
    let streets = ["12 Elm,St", "14 Oak,Ave", "16 Pine Rd,Rd", "18 Ash,"];
    let expected = ["12 Elm St", "14 Oak Ave", "16 Pine Rd", "18 Ash"];
    for header in ["Street Type", "St Type", "Suffix"] {
        let headers = format!("Address,{header}");
        assert_eq!(sent(&headers, &streets), expected, "{header}");
    }
    assert_eq!(
        problems(&document(table("Address,Kind", &streets[..2]), &[])),
        [
            "warning D2: 2 rows (2, 3) have a value here that looks like street_type and is not sent; to send it, use --map street_type=D"
        ]
    );
    // A type of house, and types that the streets have.
    for streets in [
        ["12 Elm,Condo", "14 Oak,Ranch"],
        ["12 Elm St,St", "14 Oak Ave,Ave"],
    ] {
        let found = document(table("Address,Street Type", &streets), &[]);
        assert_eq!(found["mapping"]["street_type"], Value::Null);
        assert!(problems(&found).is_empty(), "{found}");
    }
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
fn of_two_types_that_of_the_street_is_sent() {
    let streets = ["96,Oak Street,Ave", "98,Indian Trail,Rd"];
    let headers = "House No,Street,Street Type";
    assert_eq!(
        sent(headers, &streets),
        ["96 Oak Street", "98 Indian Trail Rd"]
    );
}

#[test]
fn streets_without_house_numbers_are_not_certainly_one_house() {
    let document = document(
        table("Street", &["Oak St", "Oak St", "Rose Cottage 1"]),
        &[],
    );
    let found = problems(&document);
    let same = "is the same house as row 2 of this file (`A-0`)";
    let expected = format!(
        "{same}; neither address has a house number, so check whether it is the same house"
    );
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
fn a_street_with_two_houses_is_warned_of() {
    let warning = [
        "warning E2: the street may name two houses; a request measures one, so give each its own row",
    ];
    for street in [
        "123 & 125 Oak St",
        "140 Oak St / 150 Pine Ave",
        "149 Oak St; 921 Elm Dr",
        "32 and 34 Oak St",
        "44 Elm St, 46 Oak Ave",
        "10 Elm St and 99 Other Ave",
        "10 Elm St OR 12 Elm St",
        "10 rue Roy et 99 rue Dante",
        "10, 12 and 14 Elm St",
        "10, 12, 14 Elm St",
        "10 Elm St + 99 Other Ave",
    ] {
        assert_eq!(found(&[("Street", street)]), warning, "{street}");
    }
    for street in [
        "123/125 Oak St",
        "12 1/2 Oak St",
        "12 Oak St & 5th Ave",
        "12 B&B Lane",
        "4, 12 Oak St",
        "12 Oak and Vine St",
        "12 Oak St, 4",
        "12 Oak St, 2 Floor",
        "12 Oak St, Apt 4",
    ] {
        assert_eq!(found(&[("Street", street)]), [""; 0], "{street}");
    }
}

#[test]
fn a_remark_in_a_street_is_warned_of() {
    for (street, remark) in [
        ("30 Oak St / cancelled", "cancelled"),
        ("30 Oak St (call first)", "call first"),
        ("30 Oak St - side door", "side door"),
        ("30 Oak St please ring", "please ring"),
        ("30 Oak St old address 9 Elm St", "old address 9 Elm St"),
    ] {
        let warning = format!("warning E2: `{remark}` looks like a remark; move it to the notes");
        assert_eq!(found(&[("Street", street)]), [warning], "{street}");
    }
    for street in ["30 Oak St (Apt 4)", "30 Oak St - North"] {
        assert_eq!(found(&[("Street", street)]), [""; 0], "{street}");
    }
}

#[test]
fn a_mark_in_the_place_of_the_house_number_makes_the_row_invalid() {
    for street in [
        "? Oak St",
        "TBD Pine St",
        "XX Oak St",
        "# Willow St",
        "N/A Cedar St",
        "- Oak St",
    ] {
        let error = format!("error E2: the house number is missing: `{street}`");
        assert_eq!(found(&[("Street", street)]), [error]);
    }
    for street in ["X Street", "None Such Rd", "Na Pali Rd", "S. Oak St"] {
        let warning = "warning E2: no house number";
        assert_eq!(found(&[("Street", street)]), [warning], "{street}");
    }
}

#[test]
fn the_place_of_another_house_and_a_contact_in_the_place_of_the_unit_are_told() {
    for street in [
        "Across from 21 Serve St",
        "next to 23 Serve St",
        "Between 14 and 16 Serve St",
        "derrière 12 rue Roy",
    ] {
        let warning = "warning E2: the place of another house; use the property's address";
        assert_eq!(found(&[("Street", street)]), [warning], "{street}");
    }
    for unit in ["614-555-0101", "ed@example.com"] {
        let warning = format!("warning F2: `{unit}` is not a unit; sent unchanged");
        assert_eq!(found(&[("Unit", unit)]), [warning], "{unit}");
    }
}

#[test]
fn a_phone_number_in_the_place_of_the_street_makes_the_row_invalid() {
    for phone in ["614-555-0100", "(614) 555-0100", "6145550100"] {
        assert_eq!(
            found(&[("Street", phone)]),
            ["error E2: looks like a phone number; the street is missing"]
        );
    }
}

#[test]
fn land_without_a_house_and_a_street_in_the_city_are_told() {
    let told = crate::hazards::found(&[("Street", "0 N Main St")]);
    assert_eq!(told, ["warning E2: no house number"]);
    let told = crate::hazards::found(&[("City", "12 Elm Street Toronto")]);
    assert_eq!(
        told,
        ["warning G2: `12 Elm Street Toronto` has a street in it"]
    );
}

#[test]
fn french_types_and_the_words_behind_them_stand_in_front_of_the_name() {
    let streets = [
        (
            "202,Boulevard,de,l'Outaouais",
            "202 Boulevard de l'Outaouais",
        ),
        ("12,Avenue,des,Tilleuls", "12 Avenue des Tilleuls"),
        ("5,Impasse,de la,Falaise", "5 Impasse de la Falaise"),
        ("8,Rue,de l',Église", "8 Rue de l'Église"),
        ("6,Rue,de la,rue de la Paix", "6 rue de la Paix"),
        ("7,Boul.,,Gréber", "7 Boul. Gréber"),
        ("9,Place,,Dupuis", "9 Place Dupuis"),
        ("11,Street,,Bank", "11 Bank Street"),
    ];
    let headers = "No civique,Générique,Lien,Nom de la voie";
    assert_eq!(
        sent(headers, &streets.map(|(cells, _)| cells)),
        streets.map(|(_, street)| street)
    );
}

#[test]
fn a_street_that_repeats_another_one_with_its_unit_asks_nothing() {
    let headers = "Shipping Street,Shipping Address1,Shipping Address2,Shipping City,Shipping Zip,Shipping Province";
    let text = |second: &str| {
        format!(
            "Id,Name,Email,{headers}\n\
             1,Ada,a@example.com,12 Elm St,12 Elm St,,Dayton,45402,OH\n\
             2,Bo,b@example.com,\"{second}\",14 Oak Ave,Apt 2,Dayton,45402,OH\n"
        )
    };
    let read = document(text("14 Oak Ave, Apt 2"), &[]);
    assert_eq!(read["mapping"]["line1"], "Shipping Address1");
    assert_eq!(read["mapping"]["line2"], "Shipping Address2");
    // Streets that differ are a question.
    check("leads.csv", text("16 Oak Ave, Apt 2"), &[]).expect(10);
}

#[test]
fn a_row_in_which_a_repeated_street_is_another_one_is_warned_of() {
    let row = |at: usize, street: &str| {
        format!("{at},Ada {at},a{at}@example.com,{street},{at} Elm St,,Dayton,45402,OH\n")
    };
    let rows = (1..=150).map(|at| row(at, &format!("{at} Elm St")));
    let headers = "Id,Name,Email,Street,Address1,Address2,City,Zip,State\n";
    let text = format!(
        "{headers}{}{}",
        rows.collect::<String>(),
        row(151, "900 Oak Ave")
    );
    let read = document(text, &[]);
    assert_eq!(read["mapping"]["line1"], "Address1");
    let warning = "1 row has another address here than in `Address1`";
    let mut problems = read["problems"].as_array().unwrap().iter();
    let is_warned = problems.any(|one| one["message"].as_str().unwrap().starts_with(warning));
    assert!(is_warned, "{read}");
}

#[test]
fn a_province_and_its_code_without_cells_are_one() {
    let headers = "First Name,Last Name,Email,Address1,Address2,City,Province,Province Code,Country,Country Code,Zip";
    let subscribers = (0..70).map(|at| format!("Ada,Roy,a{at}@example.com,,,,,,,,"));
    let subscribers = subscribers.collect::<Vec<_>>().join("\n");
    let customer = "Bo,Lee,b@example.com,12 Elm St,,Dayton,Ohio,OH,United States,US,45402\n";
    let text = format!("{headers}\n{subscribers}\n{customer}");
    let read = document(text, &["--derive-id"]);
    assert_eq!(
        (&read["valid"], &read["mapping"]["region"]),
        (&1.into(), &"Province".into())
    );
}
