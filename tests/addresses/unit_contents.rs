//! Cells in a column of units that are no units.

use crate::addresses::units::{sent, some};
use crate::support::Stage;

/// The warnings about the cells in a column of units beside these streets, `00` standing for a house number.
fn warnings(header: &str, rows: &[(&str, &str)]) -> Vec<String> {
    let stage = Stage::offline();
    let rows = (10..).zip(rows).map(|(number, (street, unit))| {
        let street = street.replace("00", &number.to_string());
        format!("L-{number},Ada {number},a{number}@example.com,\"{street}\",\"{unit}\",Dublin,OH,43017\n")
    });
    let rows: String = rows.collect();
    stage.file(
        "leads.csv",
        format!("Lead ID,Name,Email,Address,{header},City,State,Zip\n{rows}"),
    );
    let document = stage
        .run(&["check", "leads.csv", "--json"])
        .expect(0)
        .json();
    let problems = document["problems"].as_array().unwrap().iter();
    let warnings = problems.filter(|one| one["severity"] == "warning");
    let text = |one: &serde_json::Value| one["message"].as_str().unwrap().to_owned();
    warnings.map(text).collect()
}

#[test]
fn another_street_or_a_place_in_a_column_of_units_is_not_sent() {
    let cells = [
        "99 Birch Rd",
        "\"Dublin, OH 43201\"",
        "\"Dublin, OH 43017\"",
        "4",
    ];
    for header in ["Unit #", "Address 2"] {
        let sent = sent(header, &cells, &[]);
        assert_eq!(sent, [None, None, None, Some("4".to_owned())]);
        let rows = cells.map(|cell| ("00 Park Rd", cell.trim_matches('"')));
        assert_eq!(
            warnings(header, &rows),
            [
                "`99 Birch Rd` is not a unit; not sent",
                "`Dublin, OH 43201` is not a unit; not sent",
            ]
        );
    }
    let unchanged = sent("Unit #", &cells[..1], &["--as-is"]);
    assert_eq!(unchanged, some(&["99 Birch Rd"]));
}

#[test]
fn units_as_people_write_them_have_no_warning() {
    let rows = [
        ("00 Tulip St Apt 2", "2"),
        ("00 Tulip St Apt 2", "Apt 2"),
        ("00 Tulip St, Bldg 4", "2"),
        ("00 Tulip St, Rear", "2"),
        ("00 County Road 12", "4"),
        ("00 Highway 7", "4"),
        ("00 5th St", "4"),
        ("00 W 4th Ave", "5"),
        ("00 State Route 161", "B"),
        ("00 1/2 Elm St", "1/2"),
        ("00 Elm St", "Garden Level"),
        ("00 Elm St", "2nd Floor Rear"),
        ("00 Elm St", "North Tower"),
        ("00 Elm St", "c/o Joe, 99 Birch Rd"),
        ("00 Elm St", "PO Box 12"),
        ("00 Elm St", "A-204"),
        ("00 Elm St", "101/102"),
        ("00 Elm St", "4 Rear"),
    ];
    assert_eq!(warnings("Address 2", &rows), [""; 0]);
}
