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

#[test]
fn roads_and_names_are_one_however_they_are_abbreviated_beside_another_difference() {
    for (one, other, postal_code) in [
        ("12 N Farm to Market 1200", "12 North FM 1200", "75074"),
        ("12 N I10", "12 North Interstate 10", "75074"),
        ("12 IH 280 N", "12 Interstate 280 North", "75074"),
        ("12 IH-35 N", "12 I-35 North", "75074"),
        ("12 E Pkwy S", "12 East Parkway South", "38104"),
        ("12 Kentucky Hwy 440 N", "12 KY-440 North", "40004"),
        ("RR 2 Box 45 | Apt 3", "RFD 2 Box 45, Apt 3", "14604"),
        ("HC 4 Box 18 | Apt 3", "HCR 4 Box 18, Apt 3", "14604"),
        (
            "12 CSAH 5 N",
            "12 County State Aid Highway 5 North",
            "56001",
        ),
        ("12 CTH A N", "12 County Hwy A North", "54601"),
        ("12 Elm St Spur N", "12 Elm Street Spur North", "14604"),
        ("12 Elm St Bypass N", "12 Elm Street Bypass North", "14604"),
        ("12 N 110th St", "12 North One Hundred Tenth St", "10027"),
        ("12 1er Rang E", "12 Premier Rang Est", "J0A 1A0"),
        (
            "12 rue du Dr-Penfield O",
            "12 rue du Docteur-Penfield Ouest",
            "H3K 2B4",
        ),
        (
            "12 rue Mgr Taché E",
            "12 rue Monseigneur Taché Est",
            "H3K 2B4",
        ),
        ("12 Gen Lee Rd", "12 General Lee Road", "14604"),
        ("12 50A Ave", "12 50 A Avenue", "T0A 1A0"),
    ] {
        let found = compared(one, other, postal_code);
        assert_eq!(found, AddressMatch::SameHouse, "{one} / {other}");
    }
    for (one, other, postal_code) in [
        ("12 Farm to Market 1200", "12 FM 1201", "75074"),
        ("12 I10", "12 I20", "75074"),
        ("12 I10", "12 Highway 10", "75074"),
        ("12 E Pkwy S", "12 E Parkway N", "38104"),
        ("12 E Pkwy S", "12 W Parkway S", "38104"),
        ("12 E St", "12 East Street", "38104"),
        ("12 Washington 204", "12 Delaware 204", "80202"),
        ("12 Washington St 204", "12 Highway 204", "80202"),
        ("12 Kentucky Ave", "12 KY 440", "40004"),
        ("RR 2 Box 45", "RFD 3 Box 45", "14604"),
        ("HC 4 Box 18", "HCR 4 Box 19", "14604"),
        ("HC 4 Box 18", "RR 4 Box 18", "14604"),
        ("12 CTH A", "12 County Hwy B", "54601"),
        ("12 Elm St Spur", "12 Elm Street", "14604"),
        ("12 Elm St Spur", "12 Elm Street Bypass", "14604"),
        ("12 110th St", "12 One Hundred Eleventh St", "10027"),
        ("12 110th St", "12 10th St", "10027"),
        ("12 Premier Ave", "12 1st Ave", "14604"),
        ("12 1er Rang", "12 2e Rang", "J0A 1A0"),
        ("12 Doctor Rd", "12 Dover Rd", "14604"),
        ("12 50A Ave", "12 50 B Avenue", "T0A 1A0"),
        ("12 50A Ave", "12 50 Avenue", "T0A 1A0"),
    ] {
        let found = compared(one, other, postal_code);
        assert_ne!(found, AddressMatch::SameHouse, "{one} / {other}");
    }
}
