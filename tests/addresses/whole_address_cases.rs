//! Addresses with their expected parts or errors.

use gutterbatch::model::WholeAddress;

fn parts(text: &str) -> String {
    match WholeAddress::parse(text) {
        Ok(address) => format!(
            "{} | {} | {} | {} | {}",
            address.line1,
            address.line2.unwrap_or_default(),
            address.city,
            address.region,
            address.postal_code
        ),
        Err(error) => format!("{error:?}"),
    }
}

#[test]
fn a_comma_or_a_line_break_sets_off_the_city() {
    for (text, expected) in [
        (
            "3334 Maple Ave, Toronto ON M5V 1A1",
            "3334 Maple Ave |  | Toronto | ON | M5V 1A1",
        ),
        // Words of units that name streets too.
        (
            "2491 County TH 10, Grand Marais, MN 55604",
            "2491 County TH 10 |  | Grand Marais | MN | 55604",
        ),
        (
            "45 Old Pier E, Boston, MA 02134",
            "45 Old Pier E |  | Boston | MA | 02134",
        ),
        (
            "12 Elm St\nBoston, MA 02134-1234\nUSA",
            "12 Elm St |  | Boston | MA | 02134-1234",
        ),
        (
            "Unit 4, 12 Elm St, Boston, MA, 02134, United States",
            "12 Elm St | Unit 4 | Boston | MA | 02134",
        ),
        (
            "12 Elm St Apt. 3B, Toronto, Ontario, Canada m5v1a1",
            "12 Elm St | Apt. 3B | Toronto | Ontario | m5v1a1",
        ),
        (
            "9, rue Saint-Jean, bureau 200, Québec (Québec)  G1R 1P1",
            "9, rue Saint-Jean | bureau 200 | Québec | Québec | G1R 1P1",
        ),
        (
            "92-10 Roosevelt Ave, Jackson Heights, NY 11372",
            "92-10 Roosevelt Ave |  | Jackson Heights | NY | 11372",
        ),
        (
            "350 E 200 S, Salt Lake City, UT 84111",
            "350 E 200 S |  | Salt Lake City | UT | 84111",
        ),
        (
            "50 Broadway, New York, NY 10004",
            "50 Broadway |  | New York | NY | 10004",
        ),
        ("50 Broadway, New York, NY 14901", "SecondRegion"),
        (
            "12 Saint-Jean, Québec, QC G1R 1P1",
            "12 Saint-Jean |  | Québec | QC | G1R 1P1",
        ),
        (
            "PO Box 512, Boston, MA 02134",
            "PO Box 512 |  | Boston | MA | 02134",
        ),
        (
            "1600 Pennsylvania Ave NW, Washington DC 20500",
            "1600 Pennsylvania Ave NW |  | Washington | DC | 20500",
        ),
        (
            "12 Elm St, St. John's, Newfoundland and Labrador A1A 1A1",
            "12 Elm St |  | St. John's | Newfoundland and Labrador | A1A 1A1",
        ),
        (
            "12 Elm St, Toronto ON M5V 1A1 CA",
            "12 Elm St |  | Toronto | ON | M5V 1A1",
        ),
    ] {
        assert_eq!(parts(text), expected, "{text}");
    }
}

#[test]
fn without_a_comma_exactly_one_street_type_does() {
    for (text, expected) in [
        (
            "12 Elm St Boston MA 02134",
            "12 Elm St |  | Boston | MA | 02134",
        ),
        (
            "12 Elm St Boston, MA 02134",
            "12 Elm St |  | Boston | MA | 02134",
        ),
        (
            "12 Elm St. Apt 4 Salt Lake City UT 84111",
            "12 Elm St. | Apt 4 | Salt Lake City | UT | 84111",
        ),
        (
            "12 Elm St NW Albany NY 12207",
            "12 Elm St NW |  | Albany | NY | 12207",
        ),
        ("12 Elm St St Louis MO 63101", "UncertainCity"),
        ("12 Broadway St Louis MO 63101", "UncertainCity"),
        ("12 Park Lane Lake Forest IL 60045", "UncertainCity"),
        ("12 Elm St South Boston MA 02127", "AmbiguousDirection"),
        ("12 Broadway New York NY 10001", "UncertainCity"),
        ("12 Avenue Road Toronto ON M5V 1A1", "UncertainCity"),
        ("12 Elm St MA 02134", "NoCity"),
    ] {
        assert_eq!(parts(text), expected, "{text}");
    }
}

#[test]
fn wide_spaces_between_all_parts_separate_as_commas_do() {
    for (text, expected) in [
        (
            "1908 Kenmore Ct  Grove City  OH  43123  US",
            "1908 Kenmore Ct |  | Grove City | OH | 43123",
        ),
        (
            "1928 Kenmore Ct  Apt 9  Lake Forest  Ohio  43026",
            "1928 Kenmore Ct | Apt 9 | Lake Forest | Ohio | 43026",
        ),
        ("12 Broadway  St Louis   MO  63101", "UncertainCity"),
        (
            "9 rue Saint-Jean  Québec  QC  G1R 1P1  Canada",
            "9 rue Saint-Jean |  | Québec | QC | G1R 1P1",
        ),
        // Some of them are slips.
        (
            "12 Elm  St Boston  MA  02134",
            "12 Elm St |  | Boston | MA | 02134",
        ),
        (
            "12  Elm St Boston  MA  02134",
            "12 Elm St |  | Boston | MA | 02134",
        ),
        ("12 Oak  Park Chicago IL 60601", "UncertainCity"),
        (
            "100 N  Western Ave  Chicago  IL  60601",
            "100 N Western Ave |  | Chicago | IL | 60601",
        ),
        (
            "12 Elm  St  Boston  MA  02134",
            "12 Elm St |  | Boston | MA | 02134",
        ),
    ] {
        assert_eq!(parts(text), expected, "{text}");
    }
}

#[test]
fn a_second_type_that_can_only_be_of_the_name_or_of_the_city_is_no_doubt() {
    for (text, expected) in [
        (
            "2454 Grove St Nutley NJ 07110",
            "2454 Grove St |  | Nutley | NJ | 07110",
        ),
        (
            "12 Circle Dr Apt 4 Plano TX 75074",
            "12 Circle Dr | Apt 4 | Plano | TX | 75074",
        ),
        (
            "1561 Bryden Rd Grove City, OH 43123",
            "1561 Bryden Rd |  | Grove City | OH | 43123",
        ),
        (
            "12 Court St Grove City OH 43123",
            "12 Court St |  | Grove City | OH | 43123",
        ),
        (
            "12 Elm St Park City UT 84060",
            "12 Elm St |  | Park City | UT | 84060",
        ),
        ("12 Grove St Louis MO 63101", "UncertainCity"),
        ("12 Lane Grove City OH 43123", "UncertainCity"),
        ("12 Walnut Grove City OH 43123", "UncertainCity"),
        ("12 Elm St Grove Hill AL 36451", "UncertainCity"),
        ("12 Elm St Forest Lake City FL 32055", "UncertainCity"),
        ("12 Avenue Dr Penfield Montréal QC H3A 1A1", "UncertainCity"),
    ] {
        assert_eq!(parts(text), expected, "{text}");
    }
}

#[test]
fn what_could_be_read_in_two_ways_is_refused() {
    for (text, expected) in [
        ("Rose Cottage, Elm Lane, Boston, MA 02134", "NoHouseNumber"),
        ("12 Elm St, Boston, MA", "NoPostalCode"),
        ("12 Elm St, Boston, 02134", "NoRegion"),
        ("12 Elm St, Boston, NY 02134", "RegionMismatch"),
        ("12 Elm St, Boston, MA 02134, Canada", "RegionMismatch"),
        ("12 Elm St, Portland, OR, ME 04101", "SecondRegion"),
        (
            "12 Elm St, 02134 Boston, MA 02134",
            "InvalidCity(\"02134 Boston\")",
        ),
        ("12 Elm St M5V 1A1, Toronto, ON M5V 1A1", "SecondPostalCode"),
        (
            "12 Elm St, Oakwood Estates, Boston, MA 02134",
            "UnknownPart(\"Oakwood Estates\")",
        ),
        (
            "12 Elm St Boston, Suffolk County, MA 02134",
            "UnknownPart(\"Boston\")",
        ),
        (
            "12 Elm St Dorchester, Boston, MA 02134",
            "UnknownPart(\"Dorchester\")",
        ),
        ("12 Elm St, Apt B, MA 02134", "NoCity"),
        ("", "NoPostalCode"),
    ] {
        assert_eq!(parts(text), expected, "{text}");
    }
}

#[test]
fn any_text_comes_apart_or_is_refused() {
    for text in [
        "(",
        "02134",
        "MA 02134",
        "#",
        ",,,",
        "- - -",
        "é 02134",
        "12 12 MA 02134",
        "# MA 02134",
        "( MA 02134",
    ] {
        assert!(WholeAddress::parse(text).is_err(), "{text}");
    }
}
