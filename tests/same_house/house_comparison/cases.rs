//! Pairs of addresses with the expected result, and properties of the comparison; pairs that differ in their units are in
//! `unit_cases.rs`.

use gutterbatch::model::{AddressMatch, AddressText, Country, HouseHash, StreetAddress};
use proptest::prelude::*;

pub(super) fn parsed(line: &str, postal_code: &str, country: Option<Country>) -> StreetAddress {
    let (line1, line2) = match line.split_once(" | ") {
        Some((line1, line2)) => (line1, Some(line2)),
        None => (line, None),
    };
    StreetAddress::parse(line1, line2, postal_code, country)
}

fn building(line1: &str, line2: &str, postal_code: &str) -> StreetAddress {
    StreetAddress::from_building(AddressText {
        line1,
        line2: Some(line2),
        city: "",
        region: "",
        postal_code,
        country: None,
    })
}

pub(super) fn compared(one: &str, other: &str, postal_code: &str) -> AddressMatch {
    parsed(one, postal_code, None).compare(&parsed(other, postal_code, None))
}

#[test]
fn the_hash_that_journals_keep_stays_the_same() {
    let house_hash = parsed("12 Elm St | Apt 4", "M5V 1A1", None).house_hash();
    assert_eq!(house_hash, HouseHash(0x0000_000C_91DF_7054));
}

#[test]
fn rare_street_types_are_written_out() {
    for (one, other) in [
        ("12 Zabriskie Valleys", "12 Zabriskie Vlys"),
        ("12 Zabriskie Groves", "12 Zabriskie Grvs"),
        ("12 Rond-point Zabriskie", "12 Rdpt Zabriskie"),
        ("12 Office Park Dr", "12 Office Park Drive"),
    ] {
        let found = compared(one, other, "14604");
        assert_eq!(found, AddressMatch::SameHouse, "{one} / {other}");
    }
}

#[test]
fn a_street_without_a_number_has_the_hash_of_its_letters_that_journals_keep() {
    let address = parsed("Stonebriar Ln", "75074", None);
    let mut hashes = address.house_hashes();
    assert!(hashes.any(|hash| hash == HouseHash(0xD7D3_AC19_3A55_8BDD)));
    let spelled_out = parsed("Stonebriar Lane", "75074", None);
    assert_eq!(address.house_hash(), spelled_out.house_hash());
}

#[test]
fn a_street_without_a_number_is_written_in_many_ways() {
    for (one, other) in [
        ("Stonebriar Ln", "STONEBRIAR LANE"),
        ("N Mill Rd.", "North Mill Road"),
        (
            "Mt Vernon Rd & Mountain Ave",
            "Mountain Avenue and Mount Vernon Road",
        ),
        ("R.R. 2 Box 15", "Rural Route 2 Box 15"),
    ] {
        assert_eq!(
            compared(one, other, "14604"),
            AddressMatch::SameHouse,
            "{one} / {other}"
        );
    }
}

#[test]
fn streets_without_a_number_that_differ_in_more_than_abbreviations_are_others() {
    for (one, other) in [
        ("Stonebriar Ln", "Stonebriar Ct"),
        ("Stonebriar Ln", "Stonebriar"),
        ("Highway 12", "Highway 14"),
        ("PO Box 12", "PO Box 14"),
        ("RR 2 Box 15", "RR 2 Box 16"),
        ("RR 2 Box 15", "RR 3 Box 15"),
        ("N Mill Rd", "S Mill Rd"),
        ("County Road B", "County Road C"),
        ("Elm St B", "Elm St C"),
    ] {
        assert_ne!(
            compared(one, other, "14604"),
            AddressMatch::SameHouse,
            "{one} / {other}"
        );
    }
}

#[test]
fn one_house_is_written_in_many_ways() {
    for (one, other) in [
        ("12 Elm Street", "12 ELM ST."),
        ("12 Elm St", "12 Elm"),
        ("12 Elm Stret", "12 Elm Street"),
        ("12 N Elm St", "12 Elm Street North"),
        ("12 N Elm St", "12 Elm St"),
        ("12 Elm St", "12 Elm St NW"),
        ("12 5th Ave", "12 Fifth Avenue"),
        ("12 Elm St | Apt 4", "12 Elm St Apt 4"),
        ("12 Elm St | Apt 4", "12 Elm St #4"),
        ("12 Elm St | Apt 4", "12 Elm St, Unit 4"),
        ("12 Elm St | 4", "Apt 4, 12 Elm St"),
        ("12 Elm St | B", "12 Elm St B"),
        ("12 Elm St | #APT 000002", "12 Elm St #APT 000002"),
        ("12 Marine Dr | Slip E4", "12 Marine Dr Slip E4"),
        ("12 Elm St | 2nd Floor", "12 Elm St, Fl 2"),
        ("12 Elm St | Gate code 7712 at the back", "12 Elm St"),
        ("12 Roosevelt Ave", "12 Rooseevlt Ave"),
        ("12 Saint Clair Ave", "12 St. Clair Avenue"),
        ("92-10 Roosevelt Ave", "92–10 Roosevelt Avenue"),
        ("350 E 200 S", "350 East 200 South"),
        ("12 E Street", "12 E St"),
        ("12½ Elm St", "12 1/2 Elm St"),
        ("100 County Road 12", "100 Co Rd 12"),
        ("12 Elm St, Rochester", "12 Elm Street"),
        ("0012 Elm St", "12 Elm St"),
        ("PO Box 12", "P.O. Box 12"),
        ("Main St & Oak Ave", "Oak Ave and Main St"),
        ("Rose Cottage", "rose cottage"),
        ("135 County Road 12", "135 CR 12"),
        ("135 County Road #12", "135 C.R. 12"),
        ("135 N County Rd No. 12", "135 CR 12 North"),
        ("135 Co Rd 12 | Apt 4", "135 CR-12 Apt 4"),
        ("123 State Route 50", "123 SR 50"),
        ("123 St Rt 50", "123 S.R. 50"),
        ("12 US-50", "12 US Highway 50"),
        ("9 State Rte 315", "9 OH-315"),
        ("9 NE 5th St", "9 Northeast 5th Street"),
        ("12 E US Hwy 50", "12 U.S. 50 East"),
        ("12 Farm to Market Road 1960", "12 FM 1960"),
        ("12 Highway No. 7", "12 Hwy 7"),
        ("163 21st St", "163 Twenty-First St"),
        ("163 21st St", "163 Twenty First Street"),
        ("163 15th St", "163 Fifteenth St"),
        ("One Elm", "1 Elm"),
        ("One Elm St", "1 Elm Street"),
        ("No. 141 Elm St", "141 Elm St"),
        ("12 Elm & Oak", "12 Elm and Oak"),
        ("12 County Road B", "12 Co Rd B"),
        ("12 Martin L King Blvd", "12 MARTIN L. KING BLVD"),
        ("12 St Clair", "12 St. Clair Ave"),
        ("12 Saint Clair West", "12 St. Clair Ave W"),
        ("12 State Highway 9", "12 SH 9"),
        ("12 Canyon Ranch Rd", "12 Cyn Rnch Rd"),
        ("N6W23001 Bluemound Rd", "N6 W23001 Bluemound Road"),
        ("W6123 Main Street", "W6123 Main St"),
        ("N2345 County Road K", "N2345 Cty Rd K"),
        ("w156n8327 Pilgrim Rd | 4", "W156 N8327 Pilgrim Road #4"),
    ] {
        assert_eq!(
            compared(one, other, "14604"),
            AddressMatch::SameHouse,
            "{one} / {other}"
        );
    }
    for (one, other) in [
        ("4-12 Elm St", "12 Elm St | Apt 4"),
        ("#4-12 Elm St", "12 Elm St Unit 4"),
        ("4 - 12 Elm St", "12 Elm St Unit 4"),
        ("12, rue de la Montagne", "12 RUE DE LA MONTAGNE"),
        (
            "12 boul. René-Lévesque Ouest",
            "12 boulevard Rene-Levesque O",
        ),
        ("12 av. du Parc | app. 4", "12, avenue du Parc, app 4"),
        (
            "12 ch. de la Côte-des-Neiges",
            "12 chemin de la Cote des Neiges",
        ),
        ("12 1re Avenue", "12 1 Av"),
        ("120 St-Denis", "120 rue Saint-Denis"),
        ("120 St-Laurent Est", "120 boul. St-Laurent E"),
        ("12 1re Avenue", "12 1ère Avenue"),
        ("12 1ère Avenue", "12 1ière av."),
        ("12 Cinquième Rang", "12 5e Rang"),
        ("12 Juniper Private", "12 Juniper Pvt"),
        ("53017 Range Road 223", "53017 Rge Rd 223"),
        ("40 Regional Road 5", "40 Reg. Rd. 5"),
        ("40 Concession Road 5", "40 Conc. Rd. #5"),
        ("12 Maple Cr", "12 Maple Crescent"),
        ("12 52 Ave NW", "12 52nd Avenue N.W."),
        ("12 rue de l’Église", "12 rue de l'Eglise"),
    ] {
        assert_eq!(
            compared(one, other, "H3A 1A1"),
            AddressMatch::SameHouse,
            "{one} / {other}"
        );
    }
}

#[test]
fn what_stands_in_front_of_the_number_is_no_part_of_the_street() {
    for (one, other) in [
        ("c/o Bob Ray, 123 Main St", "123 Main St"),
        ("Attn: Bob Ray\n123 Main St, Apt 4", "123 Main Street | 4"),
        ("Smith Residence 123 Main St | 4", "123 Main St #4"),
        ("c/o Bob Ray | 123 Main St Apt 4", "123 Main St Apt 4"),
        ("PO Box 9, 123 Main St", "123 Main St"),
        ("2nd Floor, 123 Main St", "123 Main St | Floor 2"),
        ("PO Box 9 | 123 Main St", "123 Main St"),
        ("Main St 123", "123 Main St"),
        ("House 123 Main St", "123 Main St"),
        ("Rue Principale 12", "12, rue Principale"),
        ("a/s Mme Roy, 12 rue Principale", "12 rue Principale"),
        ("Twelve Oaks | 123 Main St", "123 Main St"),
        ("Twelve Oak St", "12 Oak Street"),
    ] {
        assert_eq!(
            compared(one, other, "14604"),
            AddressMatch::SameHouse,
            "{one} / {other}"
        );
    }
    let building = building("c/o Bob Ray", "123 Main St", "14604");
    assert_eq!(building, parsed("123 Main St", "14604", None));
    for without_number in [
        "Highway 12 N",
        "County Road 5",
        "Ranch Rd 620",
        "Next to 12 Oak Rd",
    ] {
        assert!(!parsed(without_number, "14604", None).is_numbered());
    }
    let floors = compared("2nd Floor, 123 Main St", "2nd Floor, 456 Oak Ave", "14604");
    assert_eq!(floors, AddressMatch::Different);
    let buildings = compared(
        "Twelve Oaks | 123 Main St",
        "Twelve Oaks | 77 Pine Rd",
        "14604",
    );
    assert_eq!(buildings, AddressMatch::Different);
}

#[test]
fn the_digest_of_a_home_tells_directions_and_types_apart() {
    let digest = |line: &str| parsed(line, "14604", None).house_digest(None);
    for (one, other) in [
        ("123 N Main St", "123 S Main St"),
        ("12 5th Ave", "12 5th St"),
        ("350 E 200 S", "350 S 200 E"),
        ("12 Maple St", "12 Ample St"),
        ("4-103 Garden St", "4-115 Garden St"),
    ] {
        assert_ne!(digest(one), digest(other), "{one} / {other}");
    }
    assert_eq!(digest("123 N. Main Street"), digest("123 North Main St"));
}

#[test]
fn a_house_number_of_queens_has_a_hyphen_or_none() {
    let queens = compared("45-12 21st St", "4512 21st Street", "11101");
    assert_eq!(queens, AddressMatch::SameHouse);
    let queens = [
        ("45-12 21st St", "45-14 21st St"),
        ("4512 A St", "45-12 B St"),
    ];
    for (one, other) in queens {
        assert!(
            compared(one, other, "11101").is_other_house(),
            "{one} / {other}"
        );
    }
}

#[test]
fn neighbours_are_no_twins() {
    for (one, other, expected) in [
        ("12 Elm St", "14 Elm St", AddressMatch::Different),
        ("12 Elm St", "12 Elk St", AddressMatch::SameNumber),
        ("12 Elm St", "12 Elmwood St", AddressMatch::SameNumber),
        ("12 52 Ave", "12 53 Ave", AddressMatch::SameNumber),
        ("12 CR 12", "12 CR 13", AddressMatch::SameNumber),
        (
            "12 County Road B",
            "12 County Road C",
            AddressMatch::SameNumber,
        ),
        (
            "12 County Road B",
            "12 County Road",
            AddressMatch::SameNumber,
        ),
        ("12 State Hwy N", "12 State Hwy T", AddressMatch::SameNumber),
        ("12 Elm St N", "12 Elm St S", AddressMatch::OtherStreetType),
        ("12 CR 12", "12 SR 12", AddressMatch::SameNumber),
        ("12 CR 12", "12 12th St", AddressMatch::SameNumber),
        ("12 21st St", "12 Twentieth St", AddressMatch::SameNumber),
        ("12 Elm St Unit A", "12A Elm St", AddressMatch::SameRange),
        ("50-A Elm St", "50 Elm St | #A", AddressMatch::SameRange),
        ("12 Elm St Unit B", "12A Elm St", AddressMatch::SameNumber),
        ("12 Elm St", "12A Elm St", AddressMatch::SameNumber),
        ("223-225 Elm St", "223 Elm St", AddressMatch::SameRange),
        ("223-225 Elm St", "223A Elm St", AddressMatch::SameNumber),
        (
            "12 Dr Martin Luther King Blvd",
            "12 MLK Blvd",
            AddressMatch::SameNumber,
        ),
        ("12½ Elm St", "12 Elm St", AddressMatch::SameNumber),
        ("123 5th Ave", "123 5th St", AddressMatch::OtherStreetType),
        ("12 N Elm St", "12 S Elm St", AddressMatch::OtherStreetType),
        ("350 E 200 S", "350 S 200 E", AddressMatch::OtherStreetType),
        (
            "12 Roosevelt Ave",
            "12 Rosevellt Ave",
            AddressMatch::NearStreet,
        ),
        (
            "12 Elm St | Apt 4",
            "12 Elm St | Apt 5",
            AddressMatch::OtherUnit,
        ),
        (
            "92-10 Roosevelt Ave",
            "10 Roosevelt Ave",
            AddressMatch::Different,
        ),
        ("4-12 Elm St", "12 Elm St", AddressMatch::Different),
        ("PO Box 12", "PO Box 13", AddressMatch::Different),
    ] {
        assert_eq!(compared(one, other, "14604"), expected, "{one} / {other}");
    }
    let canada = |one, other| compared(one, other, "H3A 1A1");
    assert_eq!(
        canada("4-12 Elm St", "5-12 Elm St"),
        AddressMatch::OtherUnit
    );
    assert_eq!(
        canada("12 rue du Parc", "12 avenue du Parc"),
        AddressMatch::OtherStreetType
    );
}

#[test]
fn postal_code_and_country_must_agree() {
    let house = |postal_code, country| parsed("12 Elm St", postal_code, country);
    let same =
        |one: &StreetAddress, other: &StreetAddress| one.compare(other) == AddressMatch::SameHouse;
    assert!(same(
        &house("14604-1234", None),
        &house("14604", Some(Country::UnitedStates))
    ));
    assert!(same(&house("2134", None), &house("02134", None)));
    assert!(!same(&house("14604", None), &house("14605", None)));
    assert!(!same(&house("K1A 0B1", None), &house("K1A 0B2", None)));
    assert!(!same(
        &house("14604", Some(Country::Canada)),
        &house("14604", Some(Country::UnitedStates))
    ));
}

#[test]
fn letters_are_spelled_out_where_an_encoding_lacks_them() {
    for (one, other) in [
        ("12 rue du Sacré-Cœur", "12 rue du Sacre-Coeur"),
        ("12 Kahuali\u{2BB}i St", "12 Kahuali'i St"),
        ("12 Kahuali\u{2BB}i St", "12 Kahualii St"),
    ] {
        assert_eq!(
            compared(one, other, "43201"),
            AddressMatch::SameHouse,
            "{one} / {other}"
        );
    }
}

#[test]
fn a_house_is_looked_up_as_it_is_compared() {
    for (line1, line2) in [
        ("Twelve Oaks", "123 Main St"),
        ("Four Seasons Unit 3", "123 Main St"),
        ("12 Elm St", "Apt 4"),
    ] {
        let whole = StreetAddress::parse(line1, Some(line2), "43201", None);
        let building = building(line1, line2, "43201");
        assert_eq!(building.house_hash(), whole.house_hash(), "{line1}");
    }
}

#[test]
fn short_names_and_names_with_digits_contain_no_typing_errors() {
    for (one, other) in [
        ("12 Elms St", "12 Elks St"),
        ("12 Avenue 52nd West", "12 Avenue 53rd West"),
        ("12 Elms St", "12 Highway 7"),
    ] {
        assert_eq!(
            compared(one, other, "14604"),
            AddressMatch::SameNumber,
            "{one} / {other}"
        );
    }
    assert_eq!(
        compared("12 Elms St", "12 Helms St", "14604"),
        AddressMatch::SameHouse
    );
}

#[test]
fn sketches_exclude_other_names() {
    let may_match = |one: &str, other: &str| {
        let sketch = |name: &str| parsed(&format!("12 {name} St"), "14604", None).sketch();
        sketch(one).may_match(sketch(other))
    };
    assert!(may_match("Roosevelt", "Rosevellt"));
    assert!(may_match("Elm", "Elm"));
    for (one, other) in [
        ("Roosevelt", "Harding"),
        ("Elm", "Oak"),
        ("Elm", "Elmwood"),
        ("52nd", "53rd"),
        ("Washington", "Jackson"),
    ] {
        assert!(!may_match(one, other), "{one} / {other}");
    }
}

fn any_line() -> impl Strategy<Value = String> {
    let word = prop_oneof![
        "[0-9]{1,3}",
        "[A-Za-z]{1,8}",
        Just("St".to_owned()),
        Just("Apt".to_owned()),
        Just("#".to_owned()),
        Just("N".to_owned()),
        Just("rue".to_owned()),
        Just("-".to_owned()),
        Just(",".to_owned()),
        "[0-9]{1,2}-[0-9]{2}",
        "\\PC{0,4}",
    ];
    proptest::collection::vec(word, 0..7).prop_map(|words| words.join(" "))
}

proptest! {
    #[test]
    fn the_comparison_is_reflexive_and_symmetric(
        lines in proptest::array::uniform4(any_line()),
        codes in proptest::array::uniform2(prop_oneof!["1460[0-9]", "[A-Za-z][0-9][A-Z] ?1A1", "\\PC{0,6}"]),
    ) {
        let one = StreetAddress::parse(&lines[0], Some(&lines[1]), &codes[0], None);
        let other = StreetAddress::parse(&lines[2], Some(&lines[3]), &codes[1], Some(Country::Canada));
        prop_assert_eq!(one.compare(&one), AddressMatch::SameHouse);
        prop_assert_eq!(one.compare(&other), other.compare(&one));
        if one.compare(&other) != AddressMatch::Different {
            let is_found = one.house_hashes().any(|hash| other.house_hashes().any(|two| two == hash));
            prop_assert!(is_found);
        }
        if one.compare(&other) < AddressMatch::SameNumber {
            prop_assert!(one.sketch().may_match(other.sketch()));
        }
    }
}
