//! Pairs of addresses of which one is a range of house numbers, with the expected result.

use gutterbatch::model::AddressMatch;

use super::cases::compared;

#[test]
fn the_first_and_the_last_number_of_a_range_are_in_its_building() {
    for (one, other, expected) in [
        (
            "712-714 Parsons Ave",
            "712 Parsons Avenue",
            AddressMatch::SameRange,
        ),
        (
            "712 & 714 Parsons Ave",
            "712 Parsons Ave",
            AddressMatch::SameRange,
        ),
        (
            "712-14 Parsons Ave",
            "712 Parsons Ave",
            AddressMatch::SameRange,
        ),
        (
            "712-714 Parsons Ave",
            "712 Oak Ave",
            AddressMatch::SameNumber,
        ),
        (
            "712-714 Parsons Ave",
            "712-716 Parsons Ave",
            AddressMatch::SameNumber,
        ),
        (
            "712-714 Parsons Ave",
            "712A Parsons Ave",
            AddressMatch::SameNumber,
        ),
        ("92-10 Elm St", "92 Elm St", AddressMatch::SameNumber),
        (
            "99-123 Kaonohi St",
            "99 Kaonohi St",
            AddressMatch::SameNumber,
        ),
        (
            "712-714 Parsons Ave",
            "714 Parsons Ave",
            AddressMatch::SameRange,
        ),
        (
            "712-14 Parsons Ave",
            "714 Parsons Avenue",
            AddressMatch::SameRange,
        ),
        (
            "712-714-716 Parsons Ave",
            "716 Parsons Ave",
            AddressMatch::SameRange,
        ),
        (
            "712-714 Parsons Ave",
            "714-716 Parsons Ave",
            AddressMatch::SameNumber,
        ),
        (
            "712-714 Parsons Ave",
            "713 Parsons Ave",
            AddressMatch::Different,
        ),
        ("92-10 Elm St", "10 Elm St", AddressMatch::Different),
        ("101-1/2 Main St", "112 Main St", AddressMatch::Different),
    ] {
        assert_eq!(compared(one, other, "43206"), expected, "{one} / {other}");
    }
}

#[test]
fn what_looks_like_a_unit_in_front_of_a_number_may_be_a_range_in_canada() {
    use AddressMatch::{Different, SameHouse, SameNumber, SameRange};
    for (one, other, expected) in [
        ("1234-1236 rue Fabre", "1234 rue Fabre", SameRange),
        ("1234 - 1236, rue Fabre", "1234 rue Fabre", SameRange),
        ("1234-36 rue Fabre", "1234 rue Fabre", SameRange),
        ("1234-36 rue Fabre", "1236 rue Fabre", SameRange),
        ("1234-36 rue Fabre", "1234-1236 rue Fabre", SameRange),
        ("1234 & 1236 rue Fabre", "1236 rue Fabre", SameRange),
        ("1234 & 1236 rue Fabre", "1234-1236 rue Fabre", SameHouse),
        ("1234-1236-1238 rue Fabre", "1234 rue Fabre", SameRange),
        ("1234-1236-1238 rue Fabre", "1238 rue Fabre", SameRange),
        ("12-14 Elm St", "12 Elm St", SameRange),
        ("1298-1302 rue Fabre", "1298 rue Fabre", SameRange),
        ("1234-1236 rue Fabre", "1236 rue Fabre", SameHouse),
        ("1234-1236 rue Fabre", "1236 rue Fabre | 1234", SameHouse),
        ("1234-1236 rue Fabre", "1234-1238 rue Fabre", SameNumber),
        ("1234-1236 rue Fabre", "1234 rue Garnier", SameNumber),
        // Units of another number.
        ("4-103 Garden St", "4 Garden St", Different),
        ("4-103 Garden St", "103 Garden St", SameHouse),
        ("101-12 Main St", "101 Main St", Different),
        ("101-12 Main St", "112 Main St", Different),
        ("45-12 Foo St", "45 Foo St", Different),
        ("104-250 Main St", "104 Main St", Different),
        (
            "1204-1236 Main St",
            "1205-1236 Main St",
            AddressMatch::OtherUnit,
        ),
        ("1234 rue Fabre | 1236", "1236 rue Fabre", Different),
        ("#12-14 Elm St", "12 Elm St", Different),
        ("10235 - 101 Street NW", "101 Street NW", Different),
    ] {
        assert_eq!(compared(one, other, "H2J 3W4"), expected, "{one} / {other}");
    }
}
