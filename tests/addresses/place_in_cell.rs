//! A city, region or postal code in the cell of the street or the city: those of the row are left out, others are told.

use crate::support::Stage;

/// The problems of cells with these streets and places, apart from the inferred country; each row has a house of its own.
fn problems(rows: &[&str], flags: &[&str]) -> Vec<String> {
    let rows = (1..).zip(rows);
    let rows =
        rows.map(|(number, row)| format!("L-{number},Ada {number},a{number}@example.com,{row}\n"));
    let rows: String = rows.collect();
    let stage = Stage::offline();
    stage.file(
        "leads.csv",
        format!("Lead ID,Name,Email,Address,City,State,Zip\n{rows}"),
    );
    let args = [&["check", "leads.csv", "--json"], flags].concat();
    let document: serde_json::Value = serde_json::from_str(&stage.run(&args).stdout).unwrap();
    let problems = document["problems"].as_array().unwrap().iter();
    let problems = problems.filter(|one| one["field"] != "country");
    let text = |problem: &serde_json::Value, key: &str| problem[key].as_str().unwrap().to_owned();
    problems
        .map(|one| ["cell", "severity", "message"].map(|key| text(one, key)))
        .map(|parts| parts.join(" "))
        .collect()
}

#[test]
fn a_street_or_city_with_another_postal_code_is_invalid() {
    let rows = [
        "\"22 Tulip St, Dublin OH 43017\",Columbus,OH,43201",
        "23 Tulip St Dublin OH 43017,Columbus,OH,43201",
        "24 Tulip St,\"Columbus, OH 43017\",OH,43201",
        "25 Tulip St,Columbus 43017,OH,43201",
        "\"26 Tulip St, Dublin 43017\",Columbus,OH,43201",
        "\"27 Tulip St, Hudson NY 12534\",Hudson,OH,44236",
        "\"28 Elm St, Toronto m5v1a1\",Toronto,ON,M5V 1A2",
    ];
    let other = "has the postal code 43017, and the row 43201; correct the one that is wrong";
    assert_eq!(
        problems(&rows, &[]),
        [
            format!("D2 error `22 Tulip St, Dublin OH 43017` {other}"),
            format!("D3 error `23 Tulip St Dublin OH 43017` {other}"),
            format!("E4 error `Columbus, OH 43017` {other}"),
            format!("E5 error `Columbus 43017` {other}"),
            format!("D6 error `26 Tulip St, Dublin 43017` {other}"),
            "D7 error `27 Tulip St, Hudson NY 12534` has the postal code 12534, and the row 44236; correct the one that is wrong".to_owned(),
            "D8 error `28 Elm St, Toronto m5v1a1` has the postal code m5v1a1, and the row M5V 1A2; correct the one that is wrong".to_owned(),
        ]
    );
}

#[test]
fn a_street_with_another_city_is_a_warning() {
    let rows = [
        "\"26 Elm St, Dublin, OH\",Columbus,OH,43201",
        "28 Elm St Dublin OH,Columbus,OH,43201",
        "\"30 Elm St, Dublin OH 43201\",Columbus,OH,43201",
        "\"32 Elm St, Saint Louis MO\",St. Louis,MO,63101",
        "\"34 Elm St, Columbus Township OH\",Columbus,OH,43201",
    ];
    let other = "has the city Dublin, and the row Columbus; both are sent";
    assert_eq!(
        problems(&rows, &[]),
        [
            format!("D2 warning `26 Elm St, Dublin, OH` {other}"),
            format!("D3 warning `28 Elm St Dublin OH` {other}"),
            format!("D4 warning `30 Elm St, Dublin OH 43201` {other}"),
        ]
    );
}

#[test]
fn a_street_that_ends_with_the_name_of_another_town_is_a_warning() {
    let streets = |streets: &[&str]| {
        let rows: Vec<String> = streets
            .iter()
            .map(|street| format!("\"{street}\",Columbus,OH,43201"))
            .collect();
        let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
        problems(&rows, &[])
    };
    assert_eq!(
        streets(&["12 Elm St, Dublin", "14 Elm St, Grove City"]),
        [
            "D2 warning the street ends with `Dublin`, and the city is `Columbus`; both are sent",
            "D3 warning the street ends with `Grove City`, and the city is `Columbus`; both are sent",
        ]
    );
    let others = [
        "12 Elm St, Rear",
        "14 Elm St, Upper Level",
        "16 Elm St, North",
        "18 Elm St, Apt B",
        "1859, rue Centre",
        "20, Broadway",
        "22 Elm St, Ohio",
        "24 Elm St, Canada",
        "26 Elm St, NE",
        "28 Elm, Court",
        "30 Elm St, gate code in notes",
    ];
    let told = streets(&others);
    assert!(
        !told.iter().any(|one| one.contains("ends with")),
        "{told:?}"
    );
}

#[test]
fn the_code_of_the_rows_region_is_left_out_of_the_city() {
    let rows = [
        "20 Elm St,Columbus OH,OH,43201",
        "22 Elm St,COLUMBUS OH 43201,Ohio,43201",
        "24 Elm St,Columbus OH,KY,41011",
        "26 Elm St,Columbus,OH,43201",
        "28 Elm St,Laval Qc,Québec,H7A 1A1",
        "30 Elm St,Ville de Québec,QC,G1A 1A1",
    ];
    assert_eq!(
        problems(&rows, &[]),
        [
            "E2 tidied `Columbus OH` → `Columbus`",
            "E3 tidied `COLUMBUS OH 43201` → `COLUMBUS`",
            "F3 tidied `Ohio` → `OH`",
            "E6 tidied `Laval Qc` → `Laval`",
            "F6 tidied `Québec` → `QC`",
        ]
    );
    assert_eq!(problems(&rows[..1], &["--as-is"]), [""; 0]);
}

#[test]
fn the_place_of_the_row_is_left_out_of_street_and_city() {
    let rows = [
        "\"20 Elm St, Columbus\",Columbus,OH,43201",
        "\"22 Elm St, Suite 4, Columbus, Ohio 43201\",\"Columbus, OH\",OH,43201",
        "\"14, rue Laval, Laval\",Laval,QC,H7A 1A1",
        "10 Ash St,\"New York, New York\",NY,10001",
    ];
    assert_eq!(
        problems(&rows, &[]),
        [
            "D2 tidied `20 Elm St, Columbus` → `20 Elm St`",
            "D3 tidied `22 Elm St, Suite 4, Columbus, Ohio 43201` → `22 Elm St, Suite 4`",
            "E3 tidied `Columbus, OH` → `Columbus`",
            "D4 tidied `14, rue Laval, Laval` → `14, rue Laval`",
            "E5 tidied `New York, New York` → `New York`",
        ]
    );
    assert_eq!(problems(&rows[..1], &["--as-is"]), [""; 0]);
}

#[test]
fn the_place_of_the_row_with_a_country_or_behind_a_space_is_left_out() {
    let rows = [
        "\"20 Elm St Apt 4, Columbus, OH 43201, USA\",Columbus,OH,43201",
        "\"22 Elm St\nColumbus, OH 43201\",Columbus,OH,43201",
        "24 Elm St. St Paul MN 55101,St Paul,MN,55101",
        "\"26 Ash Rd Laval, QC H7A 1A1, Canada\",Laval,QC,H7A 1A1",
    ];
    let found = problems(&rows, &[]).join("\n");
    for street in ["20 Elm St Apt 4", "22 Elm St", "24 Elm St.", "26 Ash Rd"] {
        assert!(found.contains(&format!("→ `{street}`")), "{found}");
    }
}

#[test]
fn streets_units_and_cities_that_only_look_like_a_place_are_sent_unchanged() {
    let rows = [
        "\"5 Elm St, Rear\",Columbus,OH,43201",
        "\"123 Main St, Suite 4\",St. Louis,MO,63101",
        "\"12, rue des Pins\",Laval,QC,H7A 1A1",
        "\"14, Laval\",Laval,QC,H7A 1A1",
        "12 Columbus,Columbus,OH,43201",
        "\"12 E, Columbus\",Columbus,OH,43215",
        "18 Elm St,Hamilton Township,OH,43137",
        "22 Elm St NE,Omaha,NE,68102",
        "\"24 Elm St, NE\",Omaha,NE,68102",
        "32 Elm St Apt 10204,New York,NY,10001",
        "12345 County Road 210,Ontario,CA,91764",
        "43201 Columbus Rd,Dublin,OH,43017",
        "20 Columbus OH 43201,Columbus,OH,43201",
    ];
    assert_eq!(problems(&rows, &[]), [""; 0]);
}

#[test]
fn a_postal_code_that_is_a_state_makes_its_row_invalid() {
    let sheet = "Id,Name,Email,Street,City,State,Zip,Notes\n\
        z1,Ann,a@example.com,123 Main St,Apt 4,New York,NY,10001\n";
    let document = crate::hazards::document(sheet, &[]);
    assert_eq!(document["invalid"], 1, "{document}");
}
