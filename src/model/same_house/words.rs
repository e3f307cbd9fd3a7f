//! The words of street addresses written out: types, directions, unit designators and common abbreviations.
//!
//! # Source
//! USPS Publication 28, appendices B and C; Canada Post, Addressing Guidelines, street types and directions.

use std::sync::LazyLock;

use hashbrown::HashMap;

use crate::model::same_house::numbers::ORDINALS;
use crate::model::same_house::street::PostalRules;

/// Street types that people leave out, the full word first. Words such as `hill` and `park`, which the postal lists
/// count as types too, are as often part of a name, so they are only written out.
const TYPES: &str = "
alley allee aly ally all
avenue av ave aven avenu avn avnue
boulevard boul boulv blvd bvd bd blv
circle cir circ circl crcl crcle cercle
close cl
court ct crt cour
cove cv
crescent cres crescnt crsent crsnt cr crois croissant
drive dr driv drv
expressway expy exp expr express expw
freeway fwy freewy frway frwy
highway hwy highwy hiway hiwy hway autoroute aut
lane ln
loop loops
parkway pkwy pky parkwy pkway pkwys
place pl
plaza plz plza
promenade prom
road rd chemin ch chem
route rte rt
square sq sqr sqre squ carre
street st str strt rue
terrace ter terr terrasse tsse
trail trl tr trails trls sentier sent
turnpike tpke trnpk turnpk
walk
way wy voie
impasse imp
montee mtee
quai
rang rg
ruelle rle
cote
";

/// Types that stand in front of the name, as French has it.
const FRENCH_FRONT: [&str; 21] = [
    "rue",
    "boul",
    "chemin",
    "ch",
    "chem",
    "montee",
    "mtee",
    "rang",
    "rg",
    "impasse",
    "imp",
    "croissant",
    "crois",
    "cote",
    "allee",
    "ruelle",
    "terrasse",
    "carre",
    "quai",
    "sentier",
    "voie",
];

/// Other abbreviations within a name, the full word first.
const NAME_WORDS: &str = "
bridge brdge brg
brook brk
bypass byp bypa bypas
causeway cswy causwa
center ctr cen cent centr centre cntr
corner cor
county co cnty cty
creek crk
crossing xing crssng
estate est
estates ests
extension ext extn
falls fls
ferry fry
field fld
fields flds
forest frst forests
fort ft frt
fork frk
garden gdn gardn grdn
gardens gdns grdns
gateway gtwy gatewy gatway
glen gln
green grn
grove grv grov
harbor hbr harb harbour
haven hvn
heights hts ht
hill hl
hills hls
hollow holw hllw
island is islnd isl
junction jct jction junctn
junior jr
knoll knl knol
knolls knls
lake lk
lakes lks
landing lndg lndng
meadow mdw
meadows mdws medows
mill ml
mills mls
mount mt mnt
mountain mtn mntain mountin
orchard orch orchrd
park prk pk
pine pne
pines pnes
plain pln
plains plns
point pt
port prt
prairie pr prr
ridge rdg rdge
river riv rvr
saint st
sainte ste
shore shr shoar
shores shrs shoars
spring spg spng sprng
springs spgs spngs sprngs
station sta stn statn
stream strm streme
summit smt sumit sumitt
township twp
trace trce
valley vly vally vlly
view vw
village vlg vill villag
vista vis vist vst
";

type Words = HashMap<&'static str, &'static str>;

/// What a word means within a name: an abbreviation of its own, else a type, else an ordinal.
static NAME_WORD_OF: LazyLock<Words> = LazyLock::new(|| {
    let types = words_of(TYPES).chain(words_of(NAME_WORDS));
    ORDINALS.into_iter().chain(types).collect()
});
static TYPE_OF: LazyLock<Words> = LazyLock::new(|| words_of(TYPES).collect());

fn words_of(lines: &'static str) -> impl Iterator<Item = (&'static str, &'static str)> {
    let lines = lines.lines().filter_map(|line| {
        let full = line.split(' ').next()?;
        Some(line.split(' ').map(move |word| (word, full)))
    });
    lines.flatten()
}

/// The street type that a word is, written out.
pub(super) fn street_type(word: &str) -> Option<&'static str> {
    TYPE_OF.get(word).copied()
}

/// Whether a street type stands in front of the name, whatever the name ends with.
pub(super) fn stands_in_front(word: &str, next: Option<&str>) -> bool {
    let is_article = |next: &str| matches!(next, "de" | "du" | "des" | "d");
    FRENCH_FRONT.contains(&word) || street_type(word).is_some() && next.is_some_and(is_article)
}

/// A word of a name, written out.
pub(super) fn name_word(word: &str) -> &str {
    let known = NAME_WORD_OF.get(word).copied();
    known.unwrap_or_else(|| without_ordinal_suffix(word))
}

/// `52nd`, `52e` and `1re` without their letters.
fn without_ordinal_suffix(word: &str) -> &str {
    let digits = word.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let suffixes = ["st", "nd", "rd", "th", "e", "er", "re", "eme", "ieme"];
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    if is_number && suffixes.contains(&&word[digits.len()..]) {
        digits
    } else {
        word
    }
}

/// The direction that a word is, as one or two letters; some words are one in Canada alone.
pub(super) fn direction(word: &str, postal: PostalRules) -> Option<&'static str> {
    Some(match word {
        "n" | "north" | "nord" => "n",
        "s" | "south" | "sud" => "s",
        "e" | "east" => "e",
        "w" | "west" | "ouest" => "w",
        "ne" | "northeast" => "ne",
        "nw" | "northwest" => "nw",
        "se" | "southeast" => "se",
        "sw" | "southwest" => "sw",
        "est" if postal == PostalRules::Canada => "e",
        "o" if postal == PostalRules::Canada => "w",
        "no" if postal == PostalRules::Canada => "nw",
        "so" if postal == PostalRules::Canada => "sw",
        _ => return None,
    })
}

/// Two directions in a row as one: `n` and `w` are `nw`.
pub(super) fn joined_directions(first: &str, second: &str) -> Option<&'static str> {
    Some(match (first, second) {
        ("n", "e") => "ne",
        ("n", "w") => "nw",
        ("s", "e") => "se",
        ("s", "w") => "sw",
        _ => return None,
    })
}

/// What a word says of a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum UnitWord {
    /// `Apt`, `Unit`, `#`: the value follows.
    Designator,
    /// `Floor`: a value beside it is a floor's.
    Floor,
    /// `Rear`, `Basement`: a unit without a value, given as its full word.
    Alone(&'static str),
}

/// What a word says of a unit.
pub(super) fn unit_word(word: &str) -> Option<UnitWord> {
    Some(match word {
        "#" | "apt" | "apartment" | "appartement" | "app" | "appt" | "unit" | "unite" | "suite"
        | "ste" | "bureau" | "bur" | "room" | "rm" | "lot" | "spc" | "space" | "trlr"
        | "trailer" | "slip" | "pier" | "hngr" | "hangar" | "bldg" | "building" | "door"
        | "porte" => UnitWord::Designator,
        "fl" | "floor" | "flr" | "etage" => UnitWord::Floor,
        "ph" | "penthouse" => UnitWord::Alone("penthouse"),
        "bsmt" | "basement" => UnitWord::Alone("basement"),
        "rear" => UnitWord::Alone("rear"),
        "front" | "frnt" => UnitWord::Alone("front"),
        "upper" | "uppr" => UnitWord::Alone("upper"),
        "lower" | "lowr" => UnitWord::Alone("lower"),
        _ => return None,
    })
}

/// Words of roads that are called by a number, so that a number at the end is no unit.
pub(super) fn names_a_numbered_road(word: &str) -> bool {
    let words = [
        "county",
        "co",
        "cnty",
        "cty",
        "state",
        "us",
        "hwy",
        "highway",
        "rte",
        "route",
        "rt",
        "interstate",
        "fm",
        "township",
        "twp",
        "range",
        "concession",
        "con",
        "line",
        "sideroad",
        "rang",
        "rg",
        "autoroute",
        "cr",
        "sr",
    ];
    words.contains(&word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn abbreviations_are_written_out() {
        assert_eq!(street_type("boul"), Some("boulevard"));
        assert_eq!(street_type("elm"), None);
        assert_eq!(name_word("mt"), "mount");
        assert_eq!(name_word("st"), "saint");
        assert_eq!(name_word("52nd"), "52");
        assert_eq!(name_word("1re"), "1");
        assert_eq!(name_word("fifth"), "5");
        assert_eq!(name_word("12b"), "12b");
        assert_eq!(direction("ouest", PostalRules::Canada), Some("w"));
        assert_eq!(direction("o", PostalRules::UnitedStates), None);
    }
}
