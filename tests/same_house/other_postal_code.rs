//! One house under two ids and two postal codes: sent, with a warning before anything is sent.

use crate::same_house::houses::HEADER;
use crate::support::Stage;

/// A row of an id, an email, a city and a postal code, at the same street address.
fn row(id: &str, email: &str, city: &str, postal_code: &str) -> String {
    format!("{id},Ann Abel,{email},1234 Elm St,,{city},CO,{postal_code}\n")
}

const WARNING: &str = "it has the street and customer of `S01` (row 2 of first.csv, pending), with postal code `80304`: check whether it is the same house";

#[test]
fn a_corrected_postal_code_under_a_new_id_is_a_warning_before_anything_is_sent() {
    let stage = Stage::open();
    let first = row("S01", "ann@example.com", "Boulder", "80304");
    stage.file("first.csv", format!("{HEADER}{first}"));
    stage.run(&["import", "first.csv"]).expect(0);
    let other = row("S02", "ann@example.com", "Boulder", "80305");
    stage.file("second.csv", format!("{HEADER}{other}"));
    let check = stage.run(&["check", "second.csv"]).expect(0).stdout;
    assert!(check.contains(WARNING), "{check}");
    // A phone that they share is enough.
    let with_phone = |name: &str, email: &str, row: &str| {
        let row = row
            .replace("Ann Abel", name)
            .replace("ann@example.com", email);
        row.replace('\n', ",303-555-0101\n")
    };
    let header = HEADER.replace('\n', ",Phone\n");
    let first = with_phone("Ann Abel", "ann@example.com", &first.replace("S01", "S03"));
    let other = with_phone("Bo Abel", "bo@example.com", &other.replace("S02", "S04"));
    let of_others = |row: String| row.replace("1234 Elm", "77 Oak");
    stage.file("third.csv", format!("{header}{}", of_others(first)));
    stage.run(&["import", "third.csv"]).expect(0);
    stage.file("fourth.csv", format!("{header}{}", of_others(other)));
    let check = stage.run(&["check", "fourth.csv"]).expect(0).stdout;
    assert!(
        check.contains("check whether it is the same house"),
        "{check}"
    );
    let import = stage.run(&["import", "second.csv", "--dry-run"]).expect(0);
    assert!(import.stderr.contains(WARNING), "{}", import.stderr);
}

#[test]
fn the_street_of_another_customer_is_another_house_and_that_in_another_city_is_a_warning() {
    let stage = Stage::open();
    let first = row("S01", "ann@example.com", "Boulder", "80304");
    stage.file("first.csv", format!("{HEADER}{first}"));
    stage.run(&["import", "first.csv"]).expect(0);
    let other = row("S03", "bo@example.com", "Boulder", "80305").replace("Ann Abel", "Bo Cole");
    stage.file("second.csv", format!("{HEADER}{other}"));
    let check = stage.run(&["check", "second.csv"]).expect(0).stdout;
    assert!(
        !check.contains("check whether it is the same house"),
        "{check}"
    );
    let elsewhere = row("S02", "ann@example.com", "Denver", "80202");
    stage.file("third.csv", format!("{HEADER}{elsewhere}"));
    let check = stage.run(&["check", "third.csv"]).expect(0).stdout;
    let warning = WARNING.replace("with postal code", "in Boulder with postal code");
    assert!(check.contains(&warning), "{check}");
    // Also in the other country, as where places were sorted without their streets.
    let abroad = row("S04", "ann@example.com", "Toronto", "M5V 2T6").replace(",CO,", ",ON,");
    stage.file("fourth.csv", format!("{HEADER}{abroad}"));
    let check = stage.run(&["check", "fourth.csv"]).expect(0).stdout;
    assert!(check.contains(&warning), "{check}");
}

#[test]
fn one_house_of_a_customer_that_is_twice_in_a_sheet_with_two_postal_codes_is_a_warning() {
    let stage = Stage::open();
    let first = row("S01", "ann@example.com", "Boulder", "80304");
    let other = row("S02", "ann@example.com", "Boulder", "80305");
    let elsewhere = row("S03", "ann@example.com", "Longmont", "80501");
    let of_another =
        row("S04", "bo@example.com", "Boulder", "80306").replace("Ann Abel", "Bo Cole");
    let rows = [first, other, elsewhere, of_another].concat();
    stage.file("leads.csv", format!("{HEADER}{rows}"));
    let checked = stage.run(&["check", "leads.csv", "-v"]).expect(0).stdout;
    for (row, place) in [
        ("2 of this file (`S01`)", "with postal code `80304`"),
        (
            "3 of this file (`S02`)",
            "in Boulder with postal code `80305`",
        ),
    ] {
        let warning = format!(
            "it has the street and customer of row {row}, {place}: check whether it is the same house"
        );
        assert!(checked.contains(&warning), "{checked}");
    }
    assert!(!checked.contains("S04"), "{checked}");
    let run = stage.run(&["import", "leads.csv", "--json"]).expect(0);
    assert_eq!(run.json()["outcomes"]["created"], 4);
}

#[test]
fn a_phone_of_hundreds_of_rows_shows_no_customer() {
    let stage = Stage::open();
    let header = HEADER.replace('\n', ",Phone\n");
    // A street of each pair is in two postal codes.
    let row = |number: usize| {
        let (house, code) = (number / 2, 80_100 + number);
        format!(
            "S{number},Customer {number},c{number}@example.com,{house} Elm St,,Boulder,CO,{code},303-555-0101\n"
        )
    };
    for (rows, is_warned) in [(250, true), (251, false)] {
        let rows: String = (2..rows + 2).map(row).collect();
        stage.file("leads.csv", format!("{header}{rows}"));
        let check = stage.run(&["check", "leads.csv", "-v"]).expect(0).stdout;
        let has_warning = check.contains("check whether it is the same house");
        assert_eq!(has_warning, is_warned, "{check}");
    }
}

#[test]
fn a_corrected_postal_code_under_an_id_of_its_own_is_held_for_a_derived_id_of_any_customer() {
    let stage = Stage::open();
    let row = |number: usize, code: &str| {
        format!("Acme Homes,{number} Elm St,Boulder,CO,{code},303-555-0101\n")
    };
    let derived: String = (0..255).map(|number| row(100 + number, "80301")).collect();
    let header = "Name,Street,City,State,Zip,Phone\n";
    stage.file("first.csv", format!("{header}{derived}"));
    let args = ["import", "first.csv", "--derive-id", "--rate", "10000/1s"];
    stage.run(&args).expect(0);
    let code = |number| if number == 7 { "80302" } else { "80301" };
    let rows = (0..255).map(|number| format!("P{number},{}", row(100 + number, code(number))));
    stage.file(
        "second.csv",
        format!("ID,{header}{}", rows.collect::<String>()),
    );
    let run = stage.run(&["import", "second.csv", "--json"]).expect(3);
    assert_eq!(run.json()["outcomes"]["same_house"], 255);
    assert_eq!(run.json()["requests"]["post"], 0);
}
