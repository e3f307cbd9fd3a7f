//! The known word that a mistyped one most likely means.

/// Number of letters for each slip that a misspelled word may have; a shorter word may have one.
const LETTERS_PER_SLIP: usize = 4;

/// Minimum length of a word that may have a slip, or is taken for the beginning of another.
const SHORTEST: usize = 3;

/// The known word that is most like `word`; `None` if none is near. Upper and lower case count as the same.
pub(super) fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let word = word.trim().to_lowercase();
    let near = |known: &'a str| Some((distance(&word, &known.trim().to_lowercase())?, known));
    let near = known.into_iter().filter_map(near);
    near.min_by_key(|(slips, _)| *slips).map(|(_, known)| known)
}

/// The number of slips between two words, if one is the other with a few of them, or its beginning.
fn distance(word: &str, known: &str) -> Option<usize> {
    let length = |text: &str| text.chars().count();
    if length(word).min(length(known)) < SHORTEST {
        return (word == known).then_some(0);
    }
    let distance = strsim::osa_distance(word, known);
    let slips = (length(word) / LETTERS_PER_SLIP).max(1);
    let is_near = word.starts_with(known) || known.starts_with(word) || distance <= slips;
    is_near.then_some(distance)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_finds_its_word_and_another_word_finds_none() {
        let known = ["base-url", "reserve", "rate"];
        assert_eq!(nearest("base-ulr", known), Some("base-url"));
        assert_eq!(nearest("Reserved", known), Some("reserve"));
        assert_eq!(nearest("color", known), None);
        assert_eq!(nearest("", known), None);
        assert_eq!(nearest("Kay", ["Name", "Key"]), Some("Key"));
        assert_eq!(nearest("a", ["b"]), None);
        assert_eq!(nearest("nope", ["Notes", "Name"]), None);
        assert_eq!(nearest("zip", ["Zip code"]), Some("Zip code"));
        assert_eq!(nearest("Adress", ["Address", "Address 2"]), Some("Address"));
    }
}
