//! Street types and their abbreviations.
//!
//! # Source
//! USPS Publication 28, appendix C1; Canada Post, Addressing Guidelines, street types.

use std::sync::LazyLock;

use hashbrown::{HashMap, HashSet};

/// Street types that people omit, one per line: the full word, then its abbreviations. Words such as `hill` and `park`,
/// which the postal lists count as types too, are often part of a name, so they are not listed.
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

/// Other words that end the name of a street. When houses are compared, they are part of the name.
const OTHER_TYPES: &str = "row concession conc line sideroad quay wynd gate run path pass pike causeway cswy bypass throughway thruway \
    extension ext passage mews grove grv crossing xing bend landing lndg";

static FULL_TYPES: LazyLock<HashMap<&str, &str>> = LazyLock::new(|| street_types().collect());

static OTHER_TYPE_SET: LazyLock<HashSet<&str>> =
    LazyLock::new(|| OTHER_TYPES.split_ascii_whitespace().collect());

/// Returns every street type and abbreviation with its full word.
pub(super) fn street_types() -> impl Iterator<Item = (&'static str, &'static str)> {
    abbreviations(TYPES)
}

/// Parses lines of a full word and its abbreviations into pairs of word and full word.
pub(super) fn abbreviations(
    lines: &'static str,
) -> impl Iterator<Item = (&'static str, &'static str)> {
    let lines = lines.lines().filter_map(|line| {
        let full = line.split(' ').next()?;
        Some(line.split(' ').map(move |word| (word, full)))
    });
    lines.flatten()
}

/// Returns the full word of a street type that people omit; `word` must be in lower case without accents.
pub(super) fn full_street_type(word: &str) -> Option<&'static str> {
    FULL_TYPES.get(word).copied()
}

/// Whether a word ends the name of a street; `word` must be in lower case without accents.
pub(super) fn ends_street(word: &str) -> bool {
    full_street_type(word).is_some() || OTHER_TYPE_SET.contains(word)
}
