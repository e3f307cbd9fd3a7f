//! Normalizes text: removes outer white space, invisible characters and control characters.

use std::borrow::Cow;

use crate::model::{WordList, has_digit};

static PLACEHOLDERS: WordList = WordList::new("placeholders");
static ADDRESS_PLACEHOLDERS: WordList = WordList::new("address_placeholders");
static UNIT_PLACEHOLDERS: WordList = WordList::new("unit_placeholders");
static CONTACT_PLACEHOLDERS: WordList = WordList::new("contact_placeholders");
static DITTO: WordList = WordList::new("ditto");
static LEFTOVERS: WordList = WordList::new("leftovers");
static OTHER_ADDRESSES: WordList = WordList::new("other_addresses");

/// Whether a field may have line breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LineBreaks {
    /// One line; a line break becomes a space.
    Replace,
    /// Line breaks stay.
    Keep,
}

/// Normalized text, and how it was changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct NormalizedText<'a> {
    pub(super) text: Cow<'a, str>,
    /// Whether invisible characters were removed, other than outer spaces.
    pub(super) invisible: bool,
}

/// Normalizes a text.
pub(super) fn normalize(text: &str, lines: LineBreaks) -> NormalizedText<'_> {
    if is_plain(text) {
        return NormalizedText {
            text: Cow::Borrowed(text),
            invisible: false,
        };
    }
    let mut invisible = false;
    let kept = if text.chars().any(|c| !is_kept(c, lines)) {
        Cow::Owned(
            text.chars()
                .filter_map(|c| match replacement(c, lines) {
                    Replacement::Keep => Some(c),
                    Replacement::Space => Some(' '),
                    Replacement::Nothing => {
                        invisible = true;
                        None
                    }
                })
                .collect(),
        )
    } else {
        Cow::Borrowed(text)
    };
    NormalizedText {
        text: without_apostrophe(without_formula_quotes(trimmed(kept))),
        invisible,
    }
}

/// Printable ASCII without outer spaces or a leading apostrophe or equals sign: nearly every cell.
fn is_plain(text: &str) -> bool {
    let bytes = text.as_bytes();
    let (Some(first), Some(last)) = (bytes.first(), bytes.last()) else {
        return true;
    };
    *first > b' '
        && *last > b' '
        && !matches!(*first, b'\'' | b'=')
        // Without an early exit, so that the compiler can vectorise the loop.
        && bytes.iter().fold(true, |plain, byte| plain & (b' '..0x7F).contains(byte))
}

enum Replacement {
    Keep,
    Space,
    Nothing,
}

fn is_kept(c: char, lines: LineBreaks) -> bool {
    matches!(replacement(c, lines), Replacement::Keep)
}

fn replacement(c: char, lines: LineBreaks) -> Replacement {
    match c {
        '\n' | '\r' if lines == LineBreaks::Keep => Replacement::Keep,
        '\n' | '\r' | '\t' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}' => {
            Replacement::Space
        }
        '\u{a0}' | '\u{2007}' | '\u{202f}' => Replacement::Space,
        // Zero-width space, direction marks, word joiner, soft hyphen, byte order mark. Joiners inside emoji stay.
        '\u{200b}'
        | '\u{200e}'
        | '\u{200f}'
        | '\u{202a}'..='\u{202e}'
        | '\u{2060}'
        | '\u{2066}'..='\u{2069}'
        | '\u{ad}'
        | '\u{feff}' => Replacement::Nothing,
        c if c.is_control() => Replacement::Nothing,
        _ => Replacement::Keep,
    }
}

fn trimmed(text: Cow<'_, str>) -> Cow<'_, str> {
    match text {
        Cow::Borrowed(text) => Cow::Borrowed(text.trim()),
        Cow::Owned(text) => Cow::Owned(text.trim().to_owned()),
    }
}

/// `07601` for `="07601"`, which some systems write into a CSV file so that Excel shows the text unchanged.
fn without_formula_quotes(text: Cow<'_, str>) -> Cow<'_, str> {
    let inner = text
        .strip_prefix("=\"")
        .and_then(|rest| rest.strip_suffix('"'));
    match inner.filter(|inner| !inner.contains('"')) {
        Some(inner) => Cow::Owned(inner.trim().to_owned()),
        None => text,
    }
}

/// Removes Excel's leading apostrophe, which marks a cell as text.
fn without_apostrophe(text: Cow<'_, str>) -> Cow<'_, str> {
    let is_mark = text
        .strip_prefix('\'')
        .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit() || "=+-@".contains(c)));
    match (is_mark, text) {
        (true, Cow::Borrowed(text)) => Cow::Borrowed(&text[1..]),
        (true, Cow::Owned(text)) => Cow::Owned(text[1..].to_owned()),
        (false, text) => text,
    }
}

/// Whether a text represents an empty value.
pub(super) fn is_placeholder(text: &str) -> bool {
    // Every cell comes here.
    let may_be_leftover = text.len() <= 19 && text.starts_with(['u', 'n', 'l', 'L', '[']);
    text.len() <= 6 && PLACEHOLDERS.has_in_any_case(text)
        || may_be_leftover && LEFTOVERS.has_in_any_case(text)
}

/// Whether a text says that the value is that of the row above.
pub(super) fn is_ditto(text: &str) -> bool {
    text.len() <= 13 && DITTO.has_in_any_case(text)
}

/// Whether a text refers to another address, such as `same as billing`.
pub(super) fn is_other_address(text: &str) -> bool {
    let text = text.trim_start_matches('(');
    // Nearly all cells have a number, or one word.
    let may_be = text.contains(' ') && !has_digit(text);
    may_be && OTHER_ADDRESSES.rests(text).next().is_some()
}

/// Whether a text says that there is no unit, or answers a question about the address, such as `oui`.
pub(super) fn is_no_unit(text: &str) -> bool {
    UNIT_PLACEHOLDERS.has_in_any_case(text)
}

/// Whether a text says that an address is to be found later.
pub(super) fn is_address_placeholder(text: &str) -> bool {
    // Nearly all addresses have a number or one long word.
    let is_numbered = text.starts_with(|c: char| c.is_ascii_digit());
    let may_be = !is_numbered && (text.len() <= 8 || text.contains(' '));
    may_be && ADDRESS_PLACEHOLDERS.has_in_any_case(text)
}

/// Whether a text says that a customer has no email or phone.
pub(super) fn is_no_contact(text: &str) -> bool {
    CONTACT_PLACEHOLDERS.has_in_any_case(text)
}

/// Whether a text that was read as Windows-1252 has its accents where they are in Mac-Roman or CP850: `C™tŽ`, `Zo‚`.
/// What people type in Windows-1252, such as `O’Hara`, `Trex™` or `BALAŽ`, is not.
pub(super) fn is_of_other_encoding(text: &str) -> bool {
    if text.is_ascii() {
        return false;
    }
    let mut before = ' ';
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        let after = characters.peek().copied().unwrap_or(' ');
        let is_inside = before.is_alphabetic() && after.is_lowercase();
        let is_foreign = match character {
            // Bytes without a character in Windows-1252, and the florin sign.
            '\u{80}'..='\u{9f}' | 'ƒ' => true,
            '‚' => before.is_alphabetic() || after.is_lowercase(),
            'ˆ' | '‰' => before.is_alphabetic(),
            'Š' | 'Ž' => before.is_lowercase() || is_inside,
            '™' | '„' | '†' | '‡' | '‹' => is_inside,
            _ => false,
        };
        if is_foreign {
            return true;
        }
        before = character;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_of_another_encoding_is_told_from_windows_1252() {
        for text in [
            "12 rue C™tŽ",
            "12 rue C“t‚",
            "ZoŽ BŽlanger",
            "Qu‚bec",
            "avenue ƒmile-Zola",
            "rue de la For\u{90}t",
            "rue de la Forˆt",
            "Fran‡ois",
        ] {
            assert!(is_of_other_encoding(text), "{text}");
        }
        for text in [
            "O’Hara",
            "d’été",
            "5½ Elm Street",
            "Trex™",
            "Trex™ Deck",
            "BALAŽ",
            "Šárka Žižková",
            "12 Elm Street – rear",
            "Elm…see notes",
            "sœur Œuvrard",
            "12 Elm Street†",
            "Anna „Annie“ Smith",
            "5€",
        ] {
            assert!(!is_of_other_encoding(text), "{text}");
        }
    }

    fn tidied(text: &str) -> String {
        normalize(text, LineBreaks::Replace).text.into_owned()
    }

    #[test]
    fn outer_space_of_every_kind_goes() {
        assert_eq!(tidied("  12 Elm \t"), "12 Elm");
        assert_eq!(tidied("\u{a0}12\u{a0}Elm\u{a0}"), "12 Elm");
    }

    #[test]
    fn quotes_for_excel_go_and_other_formulas_stay() {
        for (written, text) in [
            ("=\"07601\"", "07601"),
            (" =\"52 \" ", "52"),
            ("=\"a\"&\"b\"", "=\"a\"&\"b\""),
            ("=SUM(A1)", "=SUM(A1)"),
        ] {
            assert_eq!(tidied(written), text);
        }
    }

    #[test]
    fn what_nobody_sees_goes() {
        let marks = normalize("\u{feff}12\u{200b} Elm\u{200e}", LineBreaks::Replace);
        assert_eq!((marks.text.as_ref(), marks.invisible), ("12 Elm", true));
        assert_eq!(tidied("a\u{7}b"), "ab");
    }

    #[test]
    fn emoji_and_accents_stay_as_typed() {
        for text in [
            "👨\u{200d}👩\u{200d}👧",
            "Cafe\u{301}",
            "O’Brien",
            "Montréal",
        ] {
            assert_eq!(tidied(text), text);
        }
    }

    #[test]
    fn line_breaks_stay_in_notes_alone() {
        assert_eq!(normalize("gate\ncode", LineBreaks::Keep).text, "gate\ncode");
        assert_eq!(tidied("12 Elm\nApt 4"), "12 Elm Apt 4");
    }

    #[test]
    fn a_mark_for_text_goes_and_an_apostrophe_stays() {
        assert_eq!(tidied("'0100"), "0100");
        assert_eq!(tidied("'s-Gravenhage"), "'s-Gravenhage");
    }
}
