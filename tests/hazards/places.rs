//! Addresses of both countries.

use crate::hazards::{found, found_with};
use crate::support::Stage;

const CLEAN: [&str; 0] = [];

fn in_states(changes: &[(&str, &str)]) -> Vec<String> {
    let mut all = vec![
        ("City", "Boston"),
        ("State", "MA"),
        ("Zip", "02134"),
        ("Country", "US"),
    ];
    all.retain(|(header, _)| !changes.iter().any(|(changed, _)| changed == header));
    all.extend_from_slice(changes);
    found(&all)
}

#[test]
fn required_parts_are_required_and_the_street_is_limited() {
    for (header, cell, what) in [
        ("Street", "E2", "the street address"),
        ("City", "G2", "the city"),
        ("State", "H2", "the province or state"),
        ("Zip", "I2", "the postal code"),
    ] {
        assert_eq!(
            found(&[(header, "")]),
            [format!("error {cell}: {what} is empty")]
        );
    }
    let long = format!("1 {}", "s".repeat(199));
    assert_eq!(
        found(&[("Street", &long)]),
        ["error E2: 201 characters; the limit is 200"]
    );
}

#[test]
fn units_may_stand_in_the_street_line() {
    for street in [
        "#4-12 Elm Street",
        "4-12 Elm Street",
        "12 Elm Street Apt 4",
        "12 Elm Street (Unit 4)",
        "12 Elm Street - apt 4",
    ] {
        assert_eq!(found(&[("Street", street)]), CLEAN, "{street}");
    }
}

#[test]
fn an_address_without_a_roof_is_told() {
    for (street, message) in [
        (
            "PO Box 512",
            "a PO box has no roof; use the property's address",
        ),
        (
            "P.O. Box 9",
            "a PO box has no roof; use the property's address",
        ),
        (
            "RR 2",
            "a rural route has no roof; use the property's address",
        ),
        (
            "Lot 7 Concession 3",
            "a lot number instead of a house number; is the house built?",
        ),
        ("Rose Cottage", "no house number"),
        ("5th Ave", "no house number"),
        ("5e Avenue", "no house number"),
        ("E 71st St", "no house number"),
        (
            "corner of Main and 5th",
            "a corner has no roof; use the property's address",
        ),
    ] {
        assert_eq!(
            found(&[("Street", street)]),
            [format!("warning E2: {message}")]
        );
    }
}

#[test]
fn regions_have_many_spellings() {
    for (written, zip) in [
        ("Que.", "H2T 1S6"),
        ("Québec", "H2T 1S6"),
        ("quebec", "H2T 1S6"),
        ("PQ", "H2T 1S6"),
    ] {
        assert_eq!(
            found(&[("State", written), ("Zip", zip)]),
            [format!("tidied H2: `{written}` → `QC`")]
        );
    }
    assert_eq!(
        in_states(&[("State", "N.Y."), ("Zip", "11215")]),
        ["tidied H2: `N.Y.` → `NY`"]
    );
}

#[test]
fn a_region_of_the_other_country_is_told() {
    assert_eq!(
        found(&[("State", "CA"), ("Zip", "90210")]),
        [
            "warning H2: CA is California, which is not in the row's country CA; is the country US?",
            "warning I2: 90210 is a ZIP code of California; the row says CA; is the country US?",
        ]
    );
    assert_eq!(
        found(&[("State", "XX")]),
        ["warning H2: `XX` is not a known province or state"]
    );
}

#[test]
fn a_postal_code_in_place_of_the_region_makes_the_row_invalid() {
    for code in ["43081", "K1A 0B1"] {
        let line = format!(
            "error H2: `{code}` is not a province or state: are cells of this row in the wrong columns?"
        );
        let lines = found(&[("State", code), ("Zip", "4302")]);
        assert!(lines.contains(&line), "{lines:?}");
    }
}

#[test]
fn military_mail_and_territories_are_told() {
    assert_eq!(
        in_states(&[("State", "AE"), ("Zip", "09498")]),
        ["warning H2: AE is a military mail region; use the property's address"]
    );
    assert_eq!(
        in_states(&[("State", "PR"), ("Zip", "00602")]),
        ["warning H2: PR is a territory (Puerto Rico), which the service may not serve"]
    );
}

#[test]
fn a_zip_gets_its_zero_back_only_where_the_state_proves_it() {
    assert_eq!(
        in_states(&[("Zip", "2134")]),
        ["tidied I2: `2134` → `02134`"]
    );
    assert_eq!(
        in_states(&[("Zip", "021341234")]),
        ["tidied I2: `021341234` → `02134-1234`"]
    );
    assert_eq!(
        in_states(&[("State", "TX"), ("Zip", "2134")]),
        ["warning I2: 4 digits; a ZIP code has 5"]
    );
    // Hobart, Tasmania.
    let hobart = [("State", "TAS"), ("Zip", "7000"), ("Country", "")];
    assert_eq!(
        in_states(&hobart)[..2],
        [
            "warning H2: `TAS` is not a known province or state",
            "warning I2: neither a Canadian postal code nor a ZIP code",
        ]
    );
}

#[test]
fn canadian_codes_get_their_usual_form() {
    for code in ["m5v1a1", "M5V1A1", "m5v 1a1", "M5V-1A1"] {
        assert_eq!(
            found(&[("Zip", code)]),
            [format!("tidied I2: `{code}` → `M5V 1A1`")]
        );
    }
    assert_eq!(
        found(&[("Zip", "M5V 1AI")]),
        ["warning I2: not a Canadian postal code; probably M5V 1A1"]
    );
    assert_eq!(
        found(&[("Zip", "D5V 1A1")]),
        [
            "warning I2: not a Canadian postal code: it has a letter that no code has, or a digit where a letter belongs"
        ]
    );
}

#[test]
fn a_code_of_another_region_is_told() {
    assert_eq!(
        found(&[("State", "BC")]),
        ["warning I2: M5V belongs to Ontario; the row says BC"]
    );
    assert_eq!(
        found(&[("Zip", "90210")]),
        ["warning I2: 90210 is a ZIP code of California; the row says ON; correct one of them"]
    );
    assert_eq!(
        in_states(&[("Zip", "M5V 1A1")]),
        ["warning I2: M5V 1A1 is a Canadian code; the row says MA"]
    );
}

#[test]
fn countries_have_many_names() {
    for name in ["Canada", "can", "CANADA"] {
        assert_eq!(
            found(&[("Country", name)]),
            [format!("tidied J2: `{name}` → `CA`")]
        );
    }
    for name in ["USA", "United States of America", "U.S."] {
        assert_eq!(
            in_states(&[("Country", name)]),
            [format!("tidied J2: `{name}` → `US`")]
        );
    }
}

#[test]
fn a_blank_country_is_filled_in_where_region_and_postal_code_prove_it() {
    assert_eq!(found(&[("Country", "")]), ["tidied J2: ON M5V 1A1 → CA"]);
    assert_eq!(
        in_states(&[("State", "Mass."), ("Zip", "2134"), ("Country", "")]),
        [
            "tidied H2: `Mass.` → `MA`",
            "tidied I2: `2134` → `02134`",
            "tidied J2: MA 02134 → US",
        ]
    );
    // What the row proves wins over a default for rows that are silent.
    assert_eq!(
        found_with(&["--default-country", "US"], &[("Country", "")]),
        ["tidied J2: ON M5V 1A1 → CA"]
    );
    assert_eq!(
        found_with(&["--as-is", "--default-country", "CA"], &[("Country", "")]),
        CLEAN
    );
}

#[test]
fn a_country_that_nothing_proves_is_left_out_with_a_warning() {
    let warning = "1 row has no country, and it does not follow from region and postal code: correct them, or give --default-country CA or US; otherwise the service uses the team's country";
    assert_eq!(
        found(&[("Country", ""), ("State", "CA")]),
        [
            "warning I2: M5V 1A1 is a Canadian code; the row says CA".to_owned(),
            format!("warning J2: {warning}"),
        ]
    );
    assert_eq!(
        found_with(&["--as-is"], &[("Country", "")]),
        [format!("warning J2: {warning}")]
    );
}

#[test]
fn another_country_is_invalid() {
    assert_eq!(
        found(&[("Country", "MX")]),
        ["error J2: only CA and US are served; the row says MX"]
    );
}

#[test]
fn a_postal_code_that_a_spreadsheet_rounded_is_not_sent() {
    assert_eq!(
        found(&[("Zip", "4.32E+04"), ("State", "OH"), ("Country", "US")]),
        [
            "error I2: `4.32E+04` is a postal code that a spreadsheet rounded; format the column as text and export again"
        ]
    );
}

#[test]
fn a_city_without_a_letter_is_warned_of() {
    assert_eq!(
        found(&[("City", "43206")]),
        ["warning G2: the city has no letter"]
    );
}

#[test]
fn a_city_in_the_column_of_the_postal_code_or_of_the_street_makes_the_row_invalid() {
    for (city, other, header) in [
        ("43206", "Columbus", "Zip"),
        ("K1A 0B1", "Ottawa", "Zip"),
        ("20 Elm St", "Columbus", "Street"),
    ] {
        assert_eq!(
            found(&[("City", city), (header, other)]),
            [format!(
                "error G2: `{city}` is not a city, and `{other}` in `{header}` has no digit: are cells of this row in the wrong columns?"
            )]
        );
    }
    assert_eq!(
        found(&[("City", "100 Mile House"), ("Street", "Birch Avenue")]),
        ["warning E2: no house number"]
    );
}

#[test]
fn a_number_without_a_street_and_a_remark_instead_of_one_are_not_sent() {
    for street in ["123", "12-14"] {
        assert_eq!(
            found(&[("Street", street)]),
            ["error E2: a house number without a street"]
        );
    }
    for street in ["x", "Sur rendez-vous", "by appointment"] {
        let empty = found(&[("Street", street)]);
        assert!(
            empty.contains(&format!("error E2: `{street}` is no street address")),
            "{empty:?}"
        );
    }
    let city = found(&[("City", "Not stated")]);
    assert!(
        city.contains(&"error G2: `Not stated` is no city".to_owned()),
        "{city:?}"
    );
    assert_eq!(found(&[("Unit", "X")]), [""; 0]);
}

#[test]
fn postal_codes_that_were_sorted_without_their_states_are_told_in_one_warning() {
    let stage = Stage::offline();
    let said = "6 rows (2, 3, 4, 5, 6, …) have a postal code here that does not fit the province or state: was one column sorted without the others?";
    for (rows, is_told) in [(10, true), (14, false)] {
        let row = |n: usize| {
            let code = if n < 6 { "43201" } else { "02134" };
            format!("L{n},Ada {n},a{n}@example.com,{n}1 Elm St,Boston,MA,{code}\n")
        };
        let rows: String = (0..rows).map(row).collect();
        stage.file(
            "leads.csv",
            format!("Id,Name,Email,Street,City,State,Zip\n{rows}"),
        );
        let check = stage.run(&["check", "leads.csv"]).expect(0).stdout;
        assert_eq!(check.contains(said), is_told, "{check}");
    }
}
