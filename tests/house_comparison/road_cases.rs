//! Pairs of addresses in numbered roads and in streets whose name has a word of a type.

use gutterbatch::model::AddressMatch;

use super::cases::compared;

#[test]
fn roads_are_compared_however_their_words_are_abbreviated() {
    for (one, other) in [
        ("12 Main St Ext", "12 Main Street Extension"),
        ("12 SE 12th St Rd", "12 SE 12th Street Road"),
        ("12 CR12", "12 County Road 12"),
        ("12 Hwy7", "12 Highway 7"),
        ("123 State Route 50", "123 Rte 50"),
        ("123 NY-50", "123 Route 50"),
        ("12 Rural Route 2", "12 RR 2"),
        ("12 NC Hwy 55", "12 NC-55"),
        ("12 CSAH 12", "12 County Road 12"),
        ("12 STH 26", "12 State Highway 26"),
        ("12 PTH 59", "12 Hwy 59"),
        ("12 BC-97", "12 Hwy 97"),
        ("12 NW Blvd", "12 Northwest Blvd"),
        ("12 Oak Ci", "12 Oak Circle"),
        ("12 Deer Cross", "12 Deer Crossing"),
        ("12 Oak St | TH 5", "12 Oak St Townhouse 5"),
        ("12 Oak St | Condo 5", "12 Oak St Unit 5"),
    ] {
        assert_eq!(
            compared(one, other, "14604"),
            AddressMatch::SameHouse,
            "{one} / {other}"
        );
    }
    for (one, other) in [
        ("12 Main St Ext", "12 Main St"),
        ("12 NW Blvd", "12 NE Blvd"),
    ] {
        assert_ne!(
            compared(one, other, "14604"),
            AddressMatch::SameHouse,
            "{one} / {other}"
        );
    }
}

#[test]
fn an_ordinal_behind_a_number_is_the_name_of_a_road_and_no_number_of_a_house() {
    let canada = |one, other| compared(one, other, "L9T 2X5");
    for (one, other) in [
        ("1234 7th Line", "1234 Line 7"),
        ("1234 7th Line, RR 2", "1234 7 Line"),
        ("1234, 7th Line North", "1234 N 7 Line"),
        ("1234 10th Concession Rd", "1234 Concession Road 10"),
        ("1234 10th Concession", "1234 Conc 10"),
        ("1234 12e Concession", "1234 Concession Rd 12"),
        ("1234 8th Side Road", "1234 Sideroad 8"),
        ("1234 Twentieth Sideroad", "1234 20 Side Rd"),
        ("4-1234 7th Line", "1234 7th Line | Unit 4"),
        ("204 12E Elm St", "12E Elm St | 204"),
    ] {
        assert_eq!(
            canada(one, other),
            AddressMatch::SameHouse,
            "{one} / {other}"
        );
    }
    for (one, other) in [
        ("1234 7th Line", "1250 7th Line"),
        ("1234 10th Concession Rd", "1250 10th Concession Rd"),
        ("1234 100 Mile House Rd", "1250 100 Mile House Rd"),
        ("204 7th Line", "210 7th Line"),
    ] {
        assert_eq!(
            canada(one, other),
            AddressMatch::Different,
            "{one} / {other}"
        );
    }
    assert_eq!(
        canada("1234 7th Line", "1234 8th Line"),
        AddressMatch::SameNumber
    );
}
