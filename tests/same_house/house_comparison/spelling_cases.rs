//! Pairs of addresses that are spelled differently in two places: the digest of all letters and digits, by which
//! addresses that differ in separators alone are equal, must not hide that a part is read wrongly.

use gutterbatch::model::AddressMatch;

use super::cases::compared;

fn assert_same(pairs: &[(&str, &str)], postal_code: &str) {
    for (one, other) in pairs {
        let found = compared(one, other, postal_code);
        assert_eq!(found, AddressMatch::SameHouse, "{one} / {other}");
    }
}

fn assert_others(pairs: &[(&str, &str)], postal_code: &str) {
    for (one, other) in pairs {
        let found = compared(one, other, postal_code);
        assert_ne!(found, AddressMatch::SameHouse, "{one} / {other}");
    }
}

#[test]
fn a_letter_or_a_fraction_behind_the_house_number_belongs_to_it() {
    let pairs = [
        ("12-1/2 Elm St", "12 1/2 Elm Street"),
        ("12-1/2 Elm St", "12½ Elm Street"),
        ("12 1/2 A Elm St", "12-1/2 A Elm Street"),
        ("12 A Elm St", "12A Elm Street"),
        ("12 A Elm", "12-A Elm Street"),
        ("12 A N Elm St", "12A North Elm Street"),
        ("12 A N Elm St", "12 A North Elm St"),
        ("12 J Bar Ln", "12 J-Bar Lane"),
        ("12 J Smith Rd", "12 J. Smith Road"),
        ("12 A County Rd 5", "12A CR 5"),
        ("12 B 5th St", "12B Fifth Street"),
    ];
    assert_same(&pairs, "14604");
    let pairs = [
        ("12 B rue Roy", "12B Rue Roy"),
        ("12 B rue Roy E", "12-B, rue Roy Est"),
        ("12 B av. du Parc", "12B avenue du Parc"),
        ("12 A 52e Av", "12A 52e Avenue"),
    ];
    assert_same(&pairs, "H3K 2B4");
    assert_same(&[("45-12 A 21st St", "4512A 21st Street")], "11101");
}

#[test]
fn a_letter_behind_the_house_number_may_be_the_street_or_a_direction() {
    let pairs = [
        ("12 A St", "12 A Street"),
        ("12 A St NW", "12 A Street Northwest"),
        ("12 A St Apt 4", "12 A Street #4"),
        ("12 E Main St", "12 East Main Street"),
        ("12 E St", "12 E Street"),
        ("12 C R 12", "12 County Rd 12"),
        ("12 U S Hwy 50", "12 US Highway 50"),
        ("12 I 10 Frontage Rd", "12 Interstate 10 Frontage Road"),
    ];
    assert_same(&pairs, "14604");
    let pairs = [
        ("12 A St", "12A Elm St"),
        ("12 A Elm St", "12 B Elm Street"),
        ("12 A Elm St", "12 Elm Street"),
        ("12 A Elm St", "12 E Elm Street"),
        ("12 E St", "12 East Street"),
        ("12 E Main St", "12E Main Street"),
        ("12 J E Smith Rd", "12 J Smith Road"),
        ("12 B St NW", "12B Elm Street NW"),
        ("12-1/2 Elm St", "12 Elm Street"),
        ("12-1/2 Elm St", "12-2 Elm Street"),
    ];
    assert_others(&pairs, "14604");
    let pairs = [
        ("12 B rue Roy", "12 C rue Roy"),
        ("12 B rue Roy", "12 rue B"),
        ("12 B rue", "12 B avenue"),
    ];
    assert_others(&pairs, "H3K 2B4");
    let pairs = [
        ("45-12 A 21st St", "45-12 21st Street"),
        ("45-12 A St", "45-12 B Street"),
        ("45-12 A St", "4512A 21st Street"),
    ];
    assert_others(&pairs, "11101");
    let flat = compared("12 A Elm St", "12 Elm Street Apt A", "14604");
    assert_eq!(flat, AddressMatch::SameRange);
}

#[test]
fn a_name_of_several_words_or_letters_may_be_written_as_one() {
    let pairs = [
        ("12 DeSoto Rd", "12 De Soto Road"),
        ("12 DuPont Ave", "12 Du Pont Avenue"),
        ("12 DesMoines St", "12 Des Moines Street"),
        ("12 Rue de Paris", "12 Rue Paris"),
        ("12 O'Neil Rd", "12 O Neil Road"),
        ("12 D'Arcy Ln", "12 D Arcy Lane"),
        ("12 J. F. Smith Rd", "12 JF Smith Road"),
        ("12 N J F Smith Rd", "12 North JF Smith Road"),
        ("12 OK Corral Rd", "12 O.K. Corral Road"),
    ];
    assert_same(&pairs, "14604");
    let pairs = [("12 rue de Sèvres", "12, rue Sèvres")];
    assert_same(&pairs, "H3K 2B4");
    let pairs = [
        ("12 De Soto Rd", "12 Soto Road"),
        ("12 O Maple St", "12 Maple Street"),
        ("12 D Maple St", "12 E Maple Street"),
        ("12 J F Smith Rd", "12 J D Smith Road"),
        ("12 JF Smith Rd", "12 JD Smith Road"),
        ("12 J F Smith Rd", "12 J Smith Road"),
        ("12 County Rd AB", "12 County Road AC"),
        ("12 County Rd KK", "12 County Road K"),
    ];
    assert_others(&pairs, "54601");
}

#[test]
fn a_floor_may_follow_any_end_of_a_street() {
    let pairs = [
        ("12 Broad St N 2nd Fl", "12 Broad Street North, 2nd Floor"),
        ("12 Broad Xing 2nd Fl", "12 Broad Crossing, Fl 2"),
        ("12 Grand Cv East, Floor 2", "12 Grand Cove E Floor 2"),
        ("12 Elm St NW 2nd Fl", "12 Elm Street NW | Floor 2"),
    ];
    assert_same(&pairs, "14604");
    let pairs = [
        ("12 Broad St N 2nd Fl", "12 Broad Street North, 3rd Floor"),
        ("12 Broad St N 2nd Fl", "12 Broad Street South, 2nd Floor"),
        ("12 Grand Cv E Floor 2", "12 Grand Cove W Floor 2"),
        ("12 Grand Cv E Floor 2", "12 Grand Cove E Floor 3"),
        ("12 N 2nd St", "12 N 3rd Street"),
    ];
    assert_others(&pairs, "14604");
}
