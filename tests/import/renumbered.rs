//! Row numbers as ids: a row that is inserted in the middle moves all ids below it to other houses.

use crate::same_house::houses::HEADER;
use crate::support::Stage;

const HOUSES: [(&str, &str); 4] = [
    ("Al", "10 Maple Street"),
    ("Bo", "12 Cedar Street"),
    ("Cy", "14 Birch Street"),
    ("Di", "16 Oak Street"),
];

/// Rows of these houses with ids from 1 in their order.
fn numbered(houses: &[(&str, &str)]) -> String {
    let line = |(id, (name, line1)): (usize, &(&str, &str))| {
        format!("{id},{name},{name}@example.com,{line1},,Rochester,NY,14604\n")
    };
    HEADER.to_owned() + &(1..).zip(houses).map(line).collect::<String>()
}

/// A stage where the houses were imported and another one was inserted below the first since.
fn renumbered() -> Stage {
    let stage = Stage::open();
    stage.file("leads.csv", numbered(&HOUSES));
    stage.run(&["import", "leads.csv"]).expect(0);
    let mut houses = HOUSES.to_vec();
    houses.insert(1, ("New", "99 Spruce Street"));
    stage.file("leads.csv", numbered(&houses));
    stage
}

#[test]
fn a_house_that_the_file_requested_under_another_id_is_never_told_to_take_a_new_one() {
    let stage = renumbered();
    let said = stage.run(&["import", "leads.csv"]).expect(3).stderr;
    let told = "this id was submitted for another house: 14 Birch Street, Rochester, NY 14604; 12 Cedar Street was requested as `2`; if the rows were renumbered, put the ids back";
    assert!(said.contains(told), "{said}");
    assert_eq!(said.matches("if the rows were renumbered").count(), 2);
    // The inserted house was never requested.
    let new = "if 99 Spruce Street is right, give the row a new id, for example 2-2";
    assert!(said.contains(new), "{said}");
}

#[test]
fn a_row_that_was_requested_and_moved_is_named_by_its_row_at_that_time() {
    let stage = Stage::open();
    stage.file("leads.csv", numbered(&HOUSES[..2]));
    stage.run(&["import", "leads.csv"]).expect(0);
    let again = |id: &str| format!("{id},Al,al@example.com,10 Maple Street,,Rochester,NY,14604\n");
    let other = "9,New,new@example.com,99 Spruce Street,,Rochester,NY,14604\n";
    stage.file("leads.csv", [HEADER, other, &again("7")].concat());
    let said = stage.run(&["import", "leads.csv"]).expect(3).stderr;
    let told = "requested before as `1` (row 2 of leads.csv at that time, pending)";
    assert!(said.contains(told), "{said}");
    // The row is still there.
    stage.file("leads.csv", [HEADER, &again("1"), &again("7")].concat());
    let said = stage.run(&["import", "leads.csv"]).expect(3).stderr;
    assert!(said.contains("(row 2 of leads.csv, pending)"), "{said}");
}

#[test]
fn status_counts_a_corrected_row_once() {
    let stage = renumbered();
    stage.run(&["import", "leads.csv"]).expect(3);
    let rejects = std::fs::read_to_string(stage.path("leads.rejects.csv")).unwrap();
    stage.file("leads.rejects.csv", rejects.replace("\n2,New", "\n2-2,New"));
    stage.run(&["import", "leads.rejects.csv"]).expect(3);
    let rows = &stage
        .run(&["status", "leads.csv", "--json"])
        .expect(0)
        .json()["rows"];
    let counts = rows.as_object().unwrap().iter();
    let states = counts.filter(|(name, _)| !["file", "total"].contains(&name.as_str()));
    let sum: u64 = states.filter_map(|(_, rows)| rows.as_u64()).sum();
    assert_eq!(rows["total"], 5, "{rows}");
    assert_eq!(sum, 5, "{rows}");
}
