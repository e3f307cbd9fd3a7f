//! Pairs of addresses that differ in their units or in how ranges are written, with the expected result.

use gutterbatch::model::{AddressMatch, StreetAddress};

use super::cases::compared;

#[test]
fn a_unit_may_be_in_either_line() {
    for (one, other) in [
        ("Rose Cottage | Apt 3", "Rose Cottage, Apt 3"),
        ("Rose Cottage | Apt 3", "Rose Cottage Apt 3"),
        ("Calle 5 #12 | Apt 3", "Calle 5 #12 Apt 3"),
        ("County Road 12 | Unit B", "County Road 12 Unit B"),
        ("HC 61 Box 4 | Apt 3", "HC 61 Box 4 Apt 3"),
        (
            "Fire Number 1234 Cty Hwy Q | Apt 3",
            "Fire Number 1234 Cty Hwy Q Apt 3",
        ),
        ("KM 4.5 Carr 123 | Apt 3", "KM 4.5 Carr 123 Apt 3"),
        ("A12 Elm St | Apt 3", "A12 Elm St Apt 3"),
        ("12 rue Roy | Local 4", "12 Rue Roy, bureau 4"),
        ("12 rue Roy Local 4", "12 Rue Roy | 4"),
        ("Elm St 12 | Apt 3", "Elm St 12 Apt 3"),
        ("Hauptstraße 5", "HAUPTSTRASSE 5"),
        (
            "12 Elm St | Unit 3 (basement)",
            "12 Elm St Unit 3 (basement)",
        ),
        ("12 Elm St | Unit 3, rear", "12 Elm St, Unit 3, rear"),
    ] {
        assert_eq!(
            compared(one, other, "43201"),
            AddressMatch::SameHouse,
            "{one} / {other}"
        );
    }
    for (one, other, expected) in [
        (
            "Rose Cottage | Apt 3",
            "Rose Cottage Apt 4",
            AddressMatch::OtherUnit,
        ),
        ("Calle 5 #12", "Calle 5 #14", AddressMatch::Different),
        (
            "Fire Number 1234 Hwy Q",
            "Fire Number 1300 Hwy Q",
            AddressMatch::Different,
        ),
    ] {
        assert_eq!(compared(one, other, "43201"), expected, "{one} / {other}");
    }
}

#[test]
fn parts_of_a_complex_and_sides_of_a_house_are_units() {
    for (one, other) in [
        ("Townhouse 3", "Townhouse 4"),
        ("Cottage 1", "Cottage 2"),
        ("Duplex A", "Duplex B"),
        ("House A", "House B"),
        ("Upstairs", "Downstairs"),
        ("Gauche", "Droite"),
        ("Left", "Right"),
    ] {
        let [one, other] = [one, other].map(|unit| format!("12 Oakwood St | {unit}"));
        let found = compared(&one, &other, "43201");
        assert_eq!(found, AddressMatch::OtherUnit, "{one} / {other}");
    }
    for (one, other) in [("Upstairs", "Upper"), ("Left", "Gauche")] {
        let [one, other] = [one, other].map(|unit| format!("12 Oakwood St | {unit}"));
        assert_eq!(compared(&one, &other, "43201"), AddressMatch::SameHouse);
    }
}

#[test]
fn the_same_words_are_one_house_in_whichever_line_the_unit_is() {
    for unit in [
        "PH2",
        "TH4",
        "Townhouse 4",
        "S104",
        "Apt4",
        "Tower 2",
        "No 4",
        "Back house",
    ] {
        let (one, other) = (format!("12 Bay St {unit}"), format!("12 Bay St | {unit}"));
        assert_eq!(
            compared(&one, &other, "43201"),
            AddressMatch::SameHouse,
            "{unit}"
        );
    }
    assert_ne!(
        compared("12 Hwy 1 | 23", "12 Hwy 12 | 3", "43201"),
        AddressMatch::SameHouse
    );
}

#[test]
fn a_flat_with_a_letter_is_not_the_flat_whose_letter_is_a_direction() {
    for (one, other) in [
        ("8 Oak St A", "8 Oak St E"),
        ("8 Fir St B", "8 Fir St S"),
        ("260 A Franklin St", "260 E Franklin St"),
        ("260 D Franklin St", "260 E Franklin St"),
    ] {
        let found = compared(one, other, "43201");
        assert_ne!(found, AddressMatch::SameHouse, "{one} / {other}");
        assert_ne!(found, AddressMatch::Different, "{one} / {other}");
    }
}

#[test]
fn another_unit_is_another_home_and_a_near_street_is_not() {
    use AddressMatch::{Different, NearStreet, OtherStreetType, OtherUnit, SameHouse, SameNumber};
    let is_other = [
        SameHouse,
        OtherUnit,
        NearStreet,
        OtherStreetType,
        SameNumber,
        Different,
    ]
    .map(AddressMatch::is_other_house);
    assert_eq!(is_other, [false, true, false, true, true, true]);
}

#[test]
fn units_of_several_kinds_are_compared_one_by_one() {
    let home = |line1: &str, line2: &str| StreetAddress::parse(line1, Some(line2), "43206", None);
    let one = home("100 Elm St", "Bldg 2, Apt 4");
    for (line1, line2, is_same, has_units) in [
        ("100 Elm St", "Bldg 2 Unit 4", true, true),
        ("100 Elm St, Bldg 2", "4", true, true),
        ("100 Elm St", "Apt 4", false, true),
        ("100 Elm St", "Bldg 2", false, true),
        ("100 Elm St", "Apt 24", false, false),
        ("100 Elm St", "Bldg 3 Apt 4", false, false),
        ("100 Elm St", "", true, false),
    ] {
        let other = home(line1, line2);
        let is_same_house = one.compare(&other) == AddressMatch::SameHouse;
        assert_eq!(is_same_house, is_same, "{line1}, {line2}");
        assert_eq!(
            one.has_units_of(other.units()),
            has_units,
            "{line1}, {line2}"
        );
        assert_eq!(
            other.has_units_of(one.units()),
            has_units,
            "{line1}, {line2}"
        );
    }
    assert!(
        home("9 Elm St", "Apt # 4").compare(&home("9 Elm St", "#4")) == AddressMatch::SameHouse
    );
}

#[test]
fn units_of_several_kinds_may_have_any_order() {
    for (one, other) in [
        ("12 Elm St | Bldg 4 Apt 2", "12 Elm Street | Apt 2 Bldg 4"),
        ("12 Elm St Bldg 4 #2", "12 Elm Street, Apt 2, Building 4"),
        (
            "12 Elm St Bldg A | Unit 3",
            "12 Elm Street | Unit 3, Bldg A",
        ),
        ("12 Elm St | Floor 2 Apt 4", "12 Elm Street Apt 4 Floor 2"),
        (
            "12 Elm St | 2nd Fl Apt 4",
            "12 Elm Street, Apt 4, 2nd Floor",
        ),
        ("12 Elm St Bldg 2 Fl 3", "12 Elm Street | 3rd Floor, Bldg 2"),
        ("12 Elm St | Bldg 2", "12 Elm Street #2"),
        ("12 Elm St | Fl # 2", "12 Elm Street 2nd Floor"),
    ] {
        let found = compared(one, other, "43201");
        assert_eq!(found, AddressMatch::SameHouse, "{one} / {other}");
    }
    for (one, other) in [
        ("Bldg 4 Apt 2", "Apt 4 Bldg 2"),
        ("Bldg 4 Apt 2", "Bldg 2 Apt 4"),
        ("Floor 2 Apt 4", "Apt 2 Floor 4"),
        ("Apt 4 Floor 2", "Floor 42"),
        ("Bldg 2 Floor 3", "Floor 23"),
        ("Apt 4 # 2", "Apt 2 # 4"),
        ("Bldg A Apt B", "Bldg B Apt A"),
    ] {
        let lines = [one, other].map(|unit| format!("12 Elm St | {unit}"));
        let found = compared(&lines[0], &lines[1], "43201");
        assert_eq!(found, AddressMatch::OtherUnit, "{one} / {other}");
    }
}

#[test]
fn a_number_behind_a_hyphen_is_the_street_where_only_its_type_follows() {
    for (one, other, expected) in [
        (
            "10235 - 101 Street NW",
            "10235 101 St NW",
            AddressMatch::SameHouse,
        ),
        (
            "10235-101 Street",
            "10235 101st Street NW",
            AddressMatch::SameHouse,
        ),
        (
            "12408 - 64 Avenue",
            "12410 - 64 Avenue",
            AddressMatch::Different,
        ),
        (
            "10235 - 101 Street #4",
            "10235 101 St | 4",
            AddressMatch::SameHouse,
        ),
        ("4 - 12 Elm St", "12 Elm St | 4", AddressMatch::SameHouse),
        (
            "4 - 12 rue Principale",
            "12 rue Principale | 4",
            AddressMatch::SameHouse,
        ),
        (
            "204, 10235 Oak St NW",
            "204-10235 Oak St NW",
            AddressMatch::SameHouse,
        ),
        (
            "204 10235 Oak St NW",
            "10235 Oak St NW | Unit 204",
            AddressMatch::SameHouse,
        ),
        (
            "204, 10235 101 St",
            "10235 - 101 St | 204",
            AddressMatch::SameHouse,
        ),
        ("12, 101 St NW", "12 101 St NW", AddressMatch::SameHouse),
        (
            "12, rue Principale",
            "12 rue Principale",
            AddressMatch::SameHouse,
        ),
    ] {
        assert_eq!(compared(one, other, "T5J 3G1"), expected, "{one} / {other}");
    }
}

#[test]
fn a_range_of_numbers_is_one_house_with_and_without_spaces() {
    for (one, other, postal_code) in [
        ("12-14 Main St", "12 - 14 Main St", "14604"),
        ("12-14 Main St", "12 –14 Main St", "14604"),
        ("12+14 Main St", "12 & 14 Main St", "14604"),
        ("12/14 Main St", "12 and 14 Main St", "14604"),
        ("92-10 Roosevelt Ave", "92 - 10 Roosevelt Ave", "11368"),
        ("9210 Roosevelt Ave", "92–10 Roosevelt Ave", "11368"),
        ("4-1200 Elm St", "4 -1200 Elm St", "M5V 1A1"),
        ("4-1200, rue Roy", "4- 1200, rue Roy", "H3A 1A1"),
        ("10235 101 St, Apt 4", "10235 - 101 St, Apt 4", "T5J 3G1"),
        ("12 5th Ave N", "12 - 5th Ave N", "14604"),
    ] {
        let found = compared(one, other, postal_code);
        assert_eq!(found, AddressMatch::SameHouse, "{one} / {other}");
    }
    for (one, other, postal_code) in [
        ("12 - 14 Main St", "14 Main St", "14604"),
        ("12 - 14 Main St", "1214 Main St", "14604"),
        ("12 - 14 Main St", "12 - 16 Main St", "14604"),
        ("12 & 14 Elm St", "14 Elm St | 12", "M5V 1A1"),
    ] {
        let found = compared(one, other, postal_code);
        assert!(found.is_other_house(), "{one} / {other}");
    }
}

#[test]
fn spaces_and_hyphens_within_a_number_or_unit_make_no_other_house() {
    for (one, other) in [
        ("12 Elm St Apt4", "12 Elm St Apt 4"),
        ("12 Elm St Unit2A", "12 Elm St | Unit 2A"),
        ("12 Elm St Ste200", "12 Elm St Ste 200"),
        ("12 Elm St Office 1", "12 Elm St Ofc 1"),
        ("12 Elm St | Department 4", "12 Elm St Dept 4"),
        ("12 Elm St Lobby 2", "12 Elm St | Lbby 2"),
        ("12 Elm St AptA", "12 Elm St Apt A"),
        ("12 Elm St Apt No. 4", "12 Elm St Apt 4"),
        ("100 A Main St", "100A Main St"),
        ("123-1/2 Main St", "123 1/2 Main St"),
        ("450S 300E", "450 S 300 E"),
        ("Lt 12 Sunset Dr", "Lot 12 Sunset Dr"),
        ("Lot 12-A Sunset Dr", "Lot 12A Sunset Dr"),
        ("Lot No. 12 Sunset Dr", "Lot 12 Sunset Dr"),
    ] {
        assert_eq!(
            compared(one, other, "14604"),
            AddressMatch::SameHouse,
            "{one}, {other}"
        );
    }
    for (one, other) in [
        ("12 Elm St Apt1", "12 Elm St Apt 2"),
        ("Lot 12-A Sunset Dr", "Lot 12-B Sunset Dr"),
    ] {
        assert_ne!(
            compared(one, other, "14604"),
            AddressMatch::SameHouse,
            "{one}, {other}"
        );
    }
}

#[test]
fn a_number_of_the_grid_of_wisconsin_has_spaces_hyphens_or_none() {
    for (one, other) in [
        ("N 6 W 23001 Bluemound Rd", "N6W23001 Bluemound Rd"),
        ("N6-W23001 Bluemound Rd", "N6W23001 Bluemound Rd"),
        ("W 6123 County Road K", "W6123 County Road K"),
    ] {
        assert_eq!(
            compared(one, other, "53188"),
            AddressMatch::SameHouse,
            "{one}, {other}"
        );
    }
    let other = compared("N6W23001 Elm Rd", "N6W23003 Elm Rd", "53188");
    assert_ne!(other, AddressMatch::SameHouse);
}

#[test]
fn units_have_french_names_too() {
    for (one, other) in [
        ("logement 3", "logement 4"),
        ("haut", "bas"),
        ("sous-sol", "haut"),
        ("Unit 1 No 2", "Unit 12"),
        ("Tower 1", "Apt 1"),
    ] {
        let line = |unit: &str| format!("12 Elm St | {unit}");
        assert_eq!(
            compared(&line(one), &line(other), "G1R 2B3"),
            AddressMatch::OtherUnit,
            "{one}, {other}"
        );
    }
    for (one, other) in [
        ("12 Elm St | Logement du bas", "12 Elm St | Bas"),
        ("12 Tower's Rd", "12 Towers Road"),
        ("12 Suite's Rd", "12 Suites Road"),
    ] {
        assert_eq!(
            compared(one, other, "14604"),
            AddressMatch::SameHouse,
            "{one}, {other}"
        );
    }
}
