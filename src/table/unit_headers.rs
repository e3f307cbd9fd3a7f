//! Headers that are made of words of units, such as `Apt/Ste #`, `Room No.` or `Unit or Lot`.

use crate::model::WordList;

static WORDS: WordList = WordList::new("unit_headers");

/// The kinds of homes in a house: one of them beside another kind means any unit.
const OF_HOMES: [&str; 3] = ["apt", "unit", "suite"];

/// Words between those of units.
const JOINERS: [&str; 3] = ["or", "and", ""];

/// Words behind one of a unit. The plural is none of them: `Units` is a count.
const ADDITIONS: [&str; 7] = ["", "#", "no", "nbr", "num", "number", "name"];

/// The header of the list that means the same as a folded header of words of units; none if it has other words.
pub(super) fn listed_unit_header(folded: &str) -> Option<&'static str> {
    let kinds = kinds(folded)?;
    let first = *kinds.first()?;
    let is_one = kinds.iter().all(|kind| *kind == first);
    let has_home = kinds.iter().any(|kind| OF_HOMES.contains(kind));
    Some(match (is_one, has_home) {
        (false, true) => "unit",
        _ => first,
    })
}

/// The kinds of units whose words make up a folded header, from left to right.
fn kinds(folded: &str) -> Option<Vec<&'static str>> {
    let words = WORDS.chunks_exact(2);
    let mut fronts = words.filter_map(|pair| Some((folded.strip_prefix(pair[0])?, pair[1])));
    fronts.find_map(|(rest, kind)| {
        let mut rests = ADDITIONS.iter().filter_map(|word| rest.strip_prefix(word));
        let others = rests.find_map(|rest| {
            if rest.is_empty() {
                return Some(Vec::new());
            }
            let mut behind = JOINERS.iter().filter_map(|word| rest.strip_prefix(word));
            behind.find_map(kinds)
        })?;
        Some([vec![kind], others].concat())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::synonyms::fold;

    #[test]
    fn a_header_of_words_of_units_is_one_of_the_list() {
        for (header, listed) in [
            ("Ste #", "suite"),
            ("Rm", "room"),
            ("Building Name", "bldg"),
            ("Fl", "floor"),
            ("Unit Nbr", "unit"),
            ("Apt/Ste", "unit"),
            ("Apt # / Ste #", "unit"),
            ("Apt, Suite or Unit No.", "unit"),
            ("Unit/Lot", "unit"),
            ("Lot & Space", "lot"),
        ] {
            assert_eq!(listed_unit_header(&fold(header)), Some(listed), "{header}");
        }
        for header in [
            "",
            "Units",
            "# Units",
            "No. of Units",
            "Rooms",
            "Floors",
            "Unit Price",
            "Lot Size",
            "Number",
            "Name",
            "Flat Roof",
        ] {
            assert_eq!(listed_unit_header(&fold(header)), None, "{header}");
        }
    }
}
