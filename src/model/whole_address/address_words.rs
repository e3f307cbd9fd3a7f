//! Word lists for splitting an address: countries, street types, directions, units.

use crate::model::fold_place;
use crate::model::same_house::street_words::{self, PostalRules};
use crate::model::street_types::ends_street;

/// Words that end the names of streets and of places alike.
const PLACE_TYPES: &str = "park pk hill hills hl hls heights hts height ridge rdg view vw vista vis valley vly village vlg \
    lake lk lakes lks river riv creek crk brook brk springs spring spg spgs falls fls forest frst garden gardens gdn \
    gdns glen gln green grn harbor harbour hbr haven hvn bay beach bch island is isle point pt pointe port prt \
    mount mt mountain mtn mill mills ml mls manor mnr meadow meadows mdw mdws oval orchard orch center centre ctr \
    common commons cmn cor corner corners cors club clb bluff bluffs blf bridge brg bottom btm branch br burg byu \
    camp cp canyon cape cliff cliffs clf course crse curve dale dl dam divide dv estate estates est ests \
    fairway field fields fld flds flat flats flt ford fords frd forge frg fork forks frk fort ft gateway gtwy \
    hollow holw inlet junction jct key keys knoll knolls knl ky land light lgt lock locks lodge ldg mall mission \
    msn motorway neck nck overlook parade plain plains pln plns prairie pr radial ramp ranch rnch rapid rapids rest \
    shoal shoals shore shores shr station sta stream strm summit smt track trace trce trafficway tunnel \
    underpass union un viaduct via ville vl wall well wells wl wls wood woods wd wds acres";

/// Names of saints in names of places: in `12 Broadway St Louis`, `Broadway St` is not the street.
const SAINTS: &str = "agatha agathe aimable albans albert alexandre alphonsus amant andrews andre ann anne anns annes ansgar anthony \
    augustin augustine basile bernard bernice bernards boniface bonaventure brendans bride bruno casimir catharine catharines \
    catherine cecile cesaire charles clair clairsville clairs claude cloud columban constant cyprien cyr david davids \
    denis didace donatus edward elmo elizabeth etienne eustache felicien felix ferdinand fidele florian fort \
    francis francisville francois gabriel gabriels george georges germain gertrude gregoire helen helena helens henri henry hilaire \
    hubert hyacinthe ignace ignatius inigoes isidore ives jacob jacobs jacques james jean jeans jerome jo joachim joe john johns \
    johnsbury johnsville joseph josephs jude julie juste just lambert landry laurent lawrence lazare leo leon leonard leonards libory liguori \
    lin louis louisville luc lucas lucie lucy lucia magloire marc margaret margarets marguerite marie maries maris mark marks martin martins martinsville \
    martinville mary marys mathias matthews maurice meinrad michael michaels michel moritz nazianz nicholas nicolas olaf ola omer onge ours pacome \
    pamphile parres pascal patrick paul pauls peter peters petersburg pete pie pierre placide raymond raphael regis remi remy robert \
    roch romuald rose rosalie sauveur sebastian simon simons simeon sophie stanislas stephen stephens stephenson sulpice tammany teresa \
    thecle theodore therese thomas timothee tite ursule urbain vincent vincents viateur walburg williams wendel xavier zotique zenon";

/// Words that precede a unit's number.
const UNITS: &str = "apt apartment appt app appartement unit unite suite ste bldg building floor fl flr rm room lot \
    trlr trailer spc space bureau bur local etage porte penthouse ph condo dept office";

/// Units without a number.
const STANDALONE_UNITS: &str = "penthouse ph basement bsmt rear upper lower front main lowr uppr rez-de-chaussee rdc ground side frnt";

/// Words that occur in the place of the city but do not begin a city.
const NOT_CITY_STARTS: &str = "attn attention co care of floor county apartment building suite unit apt bldg box attic parcel \
    upstairs downstairs and or at in near corner between c/o";

fn is_listed(list: &str, word: &str) -> bool {
    !word.is_empty() && list.split_ascii_whitespace().any(|listed| listed == word)
}

/// Whether a word is a street type.
pub(super) fn is_street_type(word: &str) -> bool {
    ends_street(&fold_place(word))
}

/// Whether a word ends the names of streets and of places alike.
pub(super) fn is_place_type(word: &str) -> bool {
    is_listed(PLACE_TYPES, &fold_place(word))
}

/// Whether a street type and the next word may begin the name of a place: `St Louis`, `Ave Maria`.
pub(super) fn begins_place_name(street_type: &str, word: &str) -> bool {
    let word = fold_place(word);
    match fold_place(street_type).as_str() {
        "st" => is_listed(SAINTS, &word),
        "ave" => word == "maria",
        _ => false,
    }
}

/// Whether a word may precede a unit's number.
pub(super) fn is_unit(word: &str) -> bool {
    word == "#" || is_listed(UNITS, &fold_place(word))
}

/// Whether a word is a unit without a number.
pub(super) fn is_standalone_unit(word: &str) -> bool {
    is_listed(STANDALONE_UNITS, &fold_place(word))
}

/// Whether a word cannot begin a city.
pub(super) fn cannot_begin_city(word: &str) -> bool {
    is_listed(NOT_CITY_STARTS, &fold_place(word)) || word.eq_ignore_ascii_case("c/o")
}

/// A direction, for instance `N`, `North`, `Nord` or `NW`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    /// Two letters with which no name of a place begins: `NW`.
    Quadrant,
    /// A direction with which the name of a place may begin.
    Other,
}

/// Returns the direction that a word denotes, in Canada or the United States.
pub(super) fn direction(word: &str) -> Option<Direction> {
    let word = fold_place(word);
    street_words::direction(&word, PostalRules::Canada)?;
    Some(match word.as_str() {
        "nw" | "ne" | "sw" | "se" => Direction::Quadrant,
        _ => Direction::Other,
    })
}

/// Whether a word is a French street type, which precedes the name.
pub(super) fn is_leading_type(word: &str) -> bool {
    const FRONT: &str = "rue chemin ch boul av montee rang cote allee impasse ruelle autoroute promenade croissant carre";
    is_listed(FRONT, &fold_place(word))
}

/// Whether a word is a ZIP code: five digits, or five and four with a hyphen.
pub(super) fn is_zip(word: &str) -> bool {
    let digits =
        |part: &str, count| part.len() == count && part.bytes().all(|b| b.is_ascii_digit());
    match word.split_once('-') {
        Some((zip, plus)) => digits(zip, 5) && digits(plus, 4),
        None => digits(word, 5),
    }
}

/// Whether a text is a Canadian postal code, in any case, with or without a space or hyphen in the middle.
pub(super) fn is_canadian_postal_code(text: &str) -> bool {
    let is_split = text.len() == 7 && matches!(text.as_bytes()[3], b' ' | b'-');
    let bare: Vec<u8> = text
        .bytes()
        .filter(|byte| !(is_split && b" -".contains(byte)))
        .collect();
    if bare.len() != 6 {
        return false;
    }
    (0..6).all(|index| {
        let byte = bare[index].to_ascii_uppercase();
        match index % 2 {
            0 => {
                byte.is_ascii_uppercase()
                    && !b"DFIOQU".contains(&byte)
                    && (index > 0 || !b"WZ".contains(&byte))
            }
            _ => byte.is_ascii_digit(),
        }
    })
}

/// Whether a word is a house number: `12`, `12A`, `92-10`, `#4-12`, `N6W23001`, but not `5th`.
pub(super) fn is_house_number(word: &str) -> bool {
    let word = word.trim_start_matches('#');
    if !word.starts_with(|c: char| c.is_ascii_digit()) {
        // House numbers of the grid system in Wisconsin.
        let bytes = word.as_bytes();
        return bytes.len() > 3
            && b"NSEW".contains(&bytes[0])
            && bytes[1].is_ascii_digit()
            && bytes[bytes.len() - 1].is_ascii_digit();
    }
    !is_ordinal(word)
}

/// Whether a word is an ordinal: `2nd`, `2e`. `12E` is a house number.
pub(super) fn is_ordinal(word: &str) -> bool {
    let suffix = word.trim_start_matches(|c: char| c.is_ascii_digit());
    suffix.len() < word.len()
        && (["st", "nd", "rd", "th"].contains(&suffix.to_ascii_lowercase().as_str())
            || ["e", "er", "eme", "ème"].contains(&suffix))
}
