//! The known word that a mistyped one most likely means.

/// How alike two words are at least, from 0 to 1, so that one is suggested for the other.
const LEAST_SIMILARITY: f64 = 0.8;

/// The known word that is most like `word`; none if none is near. Upper and lower case count as the same.
pub(super) fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let word = word.trim().to_lowercase();
    let similarity = |known: &str| strsim::jaro_winkler(&known.trim().to_lowercase(), &word);
    known
        .into_iter()
        .map(|known| (similarity(known), known))
        .filter(|(similarity, _)| *similarity >= LEAST_SIMILARITY)
        .max_by(|(one, _), (other, _)| one.total_cmp(other))
        .map(|(_, known)| known)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_finds_its_word_and_another_word_finds_none() {
        let known = ["base-url", "reserve", "rate"];
        assert_eq!(nearest("base-ulr", known), Some("base-url"));
        assert_eq!(nearest("Reserved", known), Some("reserve"));
        assert_eq!(nearest("colour", known), None);
        assert_eq!(nearest("", known), None);
    }
}
