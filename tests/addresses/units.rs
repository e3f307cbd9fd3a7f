//! The columns of units: several kinds together, and those that may be something else.

use crate::support::{Run, Stage};

/// A sheet with those columns between street and city, one row for each text of cells. Each row has a house of its own.
fn sheet(units: &str, cells: &[&str]) -> String {
    let rows = (1..).zip(cells).map(|(number, cells)| {
        format!(
            "L-{number},Ada {number},ada@example.com,{number} Park Rd,{cells},Dublin,OH,43017\n"
        )
    });
    let rows: String = rows.collect();
    format!("Lead ID,Name,Email,Address,{units},City,State,Zip\n{rows}")
}

/// The units that are sent, by row.
pub(crate) fn sent(units: &str, cells: &[&str], flags: &[&str]) -> Vec<Option<String>> {
    let stage = Stage::open();
    stage.file("leads.csv", sheet(units, cells));
    let args = [&["import", "leads.csv", "--yes"], flags].concat();
    stage.run(&args).expect(0);
    let mut sent = stage.sandbox().measurements();
    sent.sort_by(|one, other| one.external_id.cmp(&other.external_id));
    sent.into_iter().map(|one| one.line2).collect()
}

fn checked(units: &str, cells: &[&str]) -> Run {
    let stage = Stage::offline();
    stage.file("leads.csv", sheet(units, cells));
    stage.run(&["check", "leads.csv"])
}

pub(crate) fn some(units: &[&str]) -> Vec<Option<String>> {
    units.iter().map(|unit| Some((*unit).to_owned())).collect()
}

#[test]
fn units_of_every_kind_are_sent_with_the_building_in_front() {
    let cells = ["4,,", ",7,", ",,210", "4,7,", ",Unit 7,#210", ",,"];
    let mut units = some(&["4", "7", "210", "Apt 4, Unit 7", "Suite 210, Unit 7"]);
    units.push(None);
    assert_eq!(sent("Apt,Unit,Suite", &cells, &[]), units);
    let cells = ["3,B,", "3,,2", "Unit 3,Bldg B,2", ",B,", "Rear,,"];
    let units = some(&["Bldg B, Unit 3", "3", "Bldg B, Unit 3", "Bldg B", "Rear"]);
    assert_eq!(sent("Unit,Bldg,Floor", &cells, &[]), units);
}

#[test]
fn a_unit_that_the_user_named_is_sent_alone() {
    let cells = ["4,7", ",8"];
    assert_eq!(
        sent("Apt,Unit", &cells, &["--map", "line2=Apt"]),
        [Some("4".to_owned()), None]
    );
}

#[test]
fn a_check_shows_every_column_of_units_and_how_they_are_joined() {
    let page = checked("Apt,Unit,Bldg", &["4,7,", "4,,B"]).expect(0).stdout;
    for line in [
        "  line2        Apt      4 · 4\n",
        "  line2        Unit     7 · (empty)\n",
        "  line2        Bldg     (empty) · B\n",
        "  row 2: 1 Park Rd | Apt 4, Unit 7 | Dublin",
        "  row 3: 2 Park Rd | Bldg B, Apt 4 | Dublin",
    ] {
        assert!(page.contains(line), "{page}");
    }
}

#[test]
fn two_columns_of_one_kind_of_unit_are_a_question() {
    for units in [
        "Apt,Apt #",
        "Unit,Apt/Unit",
        "Address 2,Unit",
        "Property Unit,Apt",
    ] {
        let stderr = checked(units, &["4,7"]).expect(10).stderr;
        assert!(stderr.contains("could both be line2"), "{units}: {stderr}");
    }
}

#[test]
fn lots_and_spaces_are_units_of_different_houses() {
    let stage = Stage::offline();
    for header in ["Lot", "Lot #", "Space", "Space #", "Trailer", "Building #"] {
        let sheet = sheet(header, &["4", "7"]).replace("2 Park Rd", "1 Park Rd");
        stage.file("leads.csv", sheet);
        let page = stage.run(&["check", "leads.csv"]).expect(0).stdout;
        let word = header.trim_end_matches(" #").replace("Building", "Bldg");
        for line in [
            format!("  row 2: 1 Park Rd | {word} 4 | Dublin"),
            format!("  row 3: 1 Park Rd | {word} 7 | Dublin"),
        ] {
            assert!(page.contains(&line), "{page}");
        }
        assert!(!page.contains("same house"), "{page}");
    }
}

#[test]
fn sizes_types_and_marks_are_no_units() {
    for (header, cells) in [
        ("Lot", ["0.25", "0.5"]),
        ("Lot", ["0.25 acres", "1 acre"]),
        ("Lot", ["\"8,500 sqft\"", "\"9,100 sqft\""]),
        ("Building", ["House", "Residential"]),
        ("Building", ["2 story", "1 story"]),
        ("Trailer", ["Y", "N"]),
        ("Floor", ["2", "1"]),
        ("Lot", ["7500", "9100"]),
        ("Lot", ["8500.0", "9100.0"]),
        ("Lot", ["50x100", "60x120"]),
        ("Building", ["SF", "MF"]),
        ("Rm", ["5 bedrooms", "4"]),
    ] {
        let page = checked(header, &cells).expect(0).stdout;
        let is_unused = page.contains(&format!("not used: {header}"));
        assert!(is_unused && !page.contains("line2"), "{page}");
    }
}

#[test]
fn units_of_measure_and_appointments_are_no_units() {
    for (header, cells) in [
        ("Unit", ["LF", "EA"]),
        ("Unit", ["ft", "each"]),
        ("Unit", ["sq ft", "Sq. Ft."]),
        ("Appt", ["10/2 9am", "10/9 1:30 PM"]),
        ("Appt", ["Tue 9am", "Wed morning"]),
        ("Appt", ["9-11am", "13:30"]),
        ("Appt", ["12/1", "12/3/26"]),
        ("Appt", ["2026-12-01 09:30:00", "Tue 9am"]),
    ] {
        let page = checked(header, &cells).expect(0).stdout;
        let is_unused = page.contains(&format!("not used: {header}"));
        assert!(is_unused && !page.contains("line2"), "{page}");
    }
    // One such cell is a unit that the user has to look at.
    let cells = ["4", "LF", "7"];
    assert_eq!(sent("Unit", &cells, &[]), some(&["4", "LF", "7"]));
}

#[test]
fn lots_of_a_tax_map_are_no_units() {
    for header in ["Block,Lot", "BBL,Lot"] {
        let page = checked(header, &["376,28", "377,31"]).expect(0).stdout;
        assert!(!page.contains("line2"), "{page}");
    }
}

#[test]
fn floors_without_their_word_are_storeys() {
    let page = checked("Apt,Floor", &[",2", ",1"]).expect(0).stdout;
    assert!(page.contains("not used: Floor\n"), "{page}");
    assert_eq!(
        sent("Floor", &["2nd floor", "3rd floor"], &[]),
        some(&["2nd floor", "3rd floor"])
    );
}

#[test]
fn a_single_cell_that_is_no_unit_is_sent_with_a_warning() {
    let mut cells = vec!["4"; 20];
    cells[3] = "North Tower";
    let page = checked("Bldg", &cells).expect(0).stdout;
    let is_told = page
        .lines()
        .any(|line| line.contains("North Tower` is not a unit; sent unchanged"));
    assert!(is_told, "{page}");
}

#[test]
fn a_street_behind_a_unit_is_a_question_of_order() {
    let stage = Stage::offline();
    let check = |one: &str, two: &str| {
        let headers = "Lead ID,Name,Email,Address 1,Address 2,City,State,Zip";
        let row = format!("L-1,Ada,a@example.com,{one},{two},Dublin,OH,43017\n");
        stage.file("leads.csv", format!("{headers}\n{row}"));
        stage.run(&["check", "leads.csv"])
    };
    for unit in ["Suite 5", "Apt. 3B", "Unit #5", "#4", "4", "# 4B"] {
        let page = check(unit, "16 Elm St").expect(3).stdout;
        let told = "line1 has only a unit, and line2 has the street; swap them";
        assert!(page.contains(told), "{page}");
    }
    for name in ["c/o Joe", "Acme Management"] {
        let page = check(name, "16 Elm St").expect(3).stdout;
        let told = "line1 has no house number, and line2 has the street; swap them";
        assert!(page.contains(told), "{page}");
        assert!(!page.contains("Address 1: no house number"), "{page}");
    }
    check("Rose Cottage", "Elm St").expect(0);
    check("16 Elm St", "Suite 5").expect(0);
    check("Lot 5", "Rear").expect(0);
}

#[test]
fn a_unit_without_a_street_makes_its_row_invalid() {
    let row =
        |at: usize, street: &str| format!("L-{at},Ada,a@example.com,{street},Dublin,OH,43017\n");
    let check = |streets: &[&str]| {
        let rows = streets.iter().zip(1..).map(|(street, at)| row(at, street));
        let rows: String = rows.collect();
        let stage = Stage::offline();
        stage.file(
            "leads.csv",
            format!("Lead ID,Name,Email,Street,City,State,Zip\n{rows}"),
        );
        stage.run(&["check", "leads.csv"])
    };
    let units = [
        "Apt 2B",
        "Unit 4",
        "Suite 300",
        "Apt. 12",
        "app. 3",
        "bureau 200",
    ];
    let page = check(&units).expect(3).stdout;
    assert!(
        page.contains("a unit without a street (in 6 cells)"),
        "{page}"
    );
    let page = check(&["12B", "16 Elm St"]).expect(3).stdout;
    assert!(page.contains("a house number without a street"), "{page}");
    check(&[
        "Lot 5",
        "Front St",
        "Main",
        "12 B St",
        "5th",
        "Unit 4 12 Elm St",
    ])
    .expect(0);
}

#[test]
fn another_unit_in_the_street_than_in_its_own_column_makes_the_row_invalid() {
    let check = |street: &str, unit: &str| {
        let stage = Stage::offline();
        let row = format!("L-1,Ada,a@example.com,{street},{unit},Dublin,OH,43017\n");
        stage.file(
            "leads.csv",
            format!("Lead ID,Name,Email,Street,Unit,City,State,Zip\n{row}"),
        );
        stage.run(&["check", "leads.csv"])
    };
    for unit in ["Apt 5", "5", "#5"] {
        let page = check("12 Elm St Apt 4", unit).expect(3).stdout;
        assert!(
            page.contains("the address says `Apt 4`, and this cell"),
            "{page}"
        );
    }
    for (street, unit) in [
        ("12 Elm St Apt 4", "Apt 4"),
        ("12 Elm St Apt 4", "Bldg 2"),
        ("12 Elm St", "5"),
    ] {
        check(street, unit).expect(0);
    }
}

#[test]
fn a_unit_that_is_given_twice_is_sent_once() {
    let cells = ["Lot 4,4", "4,", ",4", "Lot 4,Lot 4", "Lot 4,5", "c/o Joe,4"];
    let units = [
        "Lot 4",
        "4",
        "Lot 4",
        "Lot 4",
        "Lot 5, Lot 4",
        "Lot 4, c/o Joe",
    ];
    assert_eq!(sent("Address 2,Lot", &cells, &[]), some(&units));
    // The fourth apartment of the fourth building.
    assert_eq!(sent("Apt,Bldg", &["4,4"], &[]), some(&["Bldg 4, Apt 4"]));
}

#[test]
fn words_of_units_in_a_header_are_a_column_of_units() {
    for (header, unit) in [
        ("Ste", "4"),
        ("Ste #", "4"),
        ("Rm", "Room 4"),
        ("Room", "Room 4"),
        ("Room #", "Room 4"),
        ("Spc", "Space 4"),
        ("Pad", "Pad 4"),
        ("Slip No.", "Slip 4"),
        ("Villa", "Villa 4"),
        ("Door #", "Door 4"),
        ("Unit/Apt", "4"),
        ("Apt/Ste", "4"),
        ("Unit/Lot", "4"),
        ("Apt or Unit", "4"),
        ("Unit Nbr", "4"),
        ("Apt & Suite", "4"),
        ("Lot / Space", "Lot 4"),
        ("Property Ste", "4"),
        ("Unit Name", "4"),
        ("Unit Num", "4"),
    ] {
        assert_eq!(sent(header, &["4"], &[]), some(&[unit]), "{header}");
    }
    assert_eq!(sent("Fl", &["Fl 4"], &[]), some(&["Fl 4"]));
    let units = ["Suite 7, Apt 4", "4", "7"];
    assert_eq!(sent("Apt,Ste", &["4,7", "4,", ",7"], &[]), some(&units));
    for header in [
        "Units",
        "# Units",
        "No. of Units",
        "Rooms",
        "Number of Units",
        "Floors",
    ] {
        let page = checked(header, &["4", "2"]).expect(0).stdout;
        assert!(page.contains(&format!("not used: {header}\n")), "{page}");
    }
}

#[test]
fn a_column_without_a_header_is_listed() {
    let told = |cells: &[&str]| {
        let run = checked("", cells).expect(0);
        run.stdout + &run.stderr
    };
    let units = told(&["Apt 1", "Apt 2", ""]);
    assert!(
        units.contains("not used: column E, without a header (Apt 1)"),
        "{units}"
    );
    let notes = told(&["gate", "call first"]);
    assert!(
        notes.contains("not used: column E, without a header (gate)"),
        "{notes}"
    );
}

#[test]
fn french_and_rarer_headers_of_units_are_known() {
    for (header, unit) in [
        ("Numéro d'appartement", "4"),
        ("No d'unité", "4"),
        ("N° app.", "4"),
        ("Appt", "4"),
        ("Logement", "Logement 4"),
        ("Unité / Local", "4"),
        ("Tower", "Tower 4"),
        ("Line Two", "4"),
    ] {
        assert_eq!(
            sent(header, &["4", "5"], &[])[0].as_deref(),
            Some(unit),
            "{header}"
        );
    }
}

#[test]
fn a_column_in_which_most_answer_no_keeps_its_units() {
    let cells = ["No", "No", "No", "No", "No", "No", "No", "No", "4B"];
    let found = sent("Apt/Unit", &cells, &[]);
    assert_eq!(found.last(), Some(&Some("4B".to_owned())), "{found:?}");
}

#[test]
fn units_below_a_header_of_streets_are_the_second_line_of_the_street_beside_them() {
    let stage = Stage::offline();
    let check = |cells: [&str; 2]| {
        let row = |at: u32, unit: &str| {
            format!("L-{at},Ada {at},a@example.com,1{at} Elm St,{unit},Dublin,OH,43017\n")
        };
        let rows = [row(1, cells[0]), row(2, cells[1])].concat();
        let headers = "Lead ID,Name,Email,Address,Address Line 1,City,State,Zip";
        stage.file("leads.csv", format!("{headers}\n{rows}"));
        stage.run(&["check", "leads.csv"])
    };
    let page = check(["Apt 2B", "Unit 4"]).expect(0).stdout;
    assert!(
        page.contains("  line2        Address Line 1  Apt 2B · Unit 4"),
        "{page}"
    );
    assert!(
        page.contains("  line1        Address         11 Elm St"),
        "{page}"
    );
    check(["90 Oak Ave", "92 Oak Ave"]).expect(10);
}
