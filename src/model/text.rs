//! Text for display and comparison: counts with nouns, untrusted text for a terminal, Unicode equivalence.

use std::borrow::Cow;
use std::fmt::Display;

use unicode_normalization::UnicodeNormalization;

/// The characters that Windows-1252 has for the bytes 0x80 to 0x9f.
const FROM_0X80: &str = "€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8d}Ž\u{8f}\u{90}‘’“”•–—˜™š›œ\u{9d}žŸ";

/// The original of a UTF-8 text that was once read as Windows-1252 and saved: `Montréal` for `MontrÃ©al`; `None` for
/// other text.
pub fn ungarbled(text: &str) -> Option<String> {
    if text.is_ascii() || !text.contains(['Ã', 'Â', 'â']) {
        return None;
    }
    let byte = |c: char| match u8::try_from(u32::from(c)) {
        Ok(byte) => Some(byte),
        Err(_) => (0x80..)
            .zip(FROM_0X80.chars())
            .find_map(|(byte, other)| (other == c).then_some(byte)),
    };
    let once = String::from_utf8(text.chars().map(byte).collect::<Option<Vec<u8>>>()?).ok()?;
    (once != text).then_some(once)
}

/// Formats a count with its noun: `1 row`, `2 rows`, `1,200 rows`.
pub fn pluralize(count: u64, noun: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{} {noun}{plural}", group_digits(count))
}

/// The last part of a list that omits items: `and 1,200 more`. None if it omits none.
pub fn and_more(omitted: u64) -> Option<String> {
    (omitted > 0).then(|| format!("and {} more", group_digits(omitted)))
}

/// Joins the first items of a list, and the number of the others: `2, 5, 9 and 1,200 more`.
pub fn first_of(items: impl IntoIterator<Item: Display>, limit: usize, separator: &str) -> String {
    let mut items = items.into_iter();
    let named: Vec<String> = items
        .by_ref()
        .take(limit)
        .map(|item| item.to_string())
        .collect();
    let more = and_more(items.count() as u64).map(|more| format!(" {more}"));
    named.join(separator) + &more.unwrap_or_default()
}

/// Joins the counts that are not 0, each with what it counts: `1,200 created, 2 invalid`.
pub fn nonzero_counts(
    counts: impl IntoIterator<Item = (u64, impl Display)>,
    separator: &str,
) -> String {
    let counts = counts.into_iter().filter(|(count, _)| *count > 0);
    let parts: Vec<String> = counts
        .map(|(count, what)| format!("{} {what}", group_digits(count)))
        .collect();
    parts.join(separator)
}

/// Replaces control characters and direction marks by spaces, so that text from a file or the service cannot control a
/// terminal.
pub fn printable(text: &str) -> String {
    text.chars()
        .map(|c| {
            if c.is_control() || is_direction(c) {
                ' '
            } else {
                c
            }
        })
        .collect()
}

/// As [`printable`], but keeps line ends.
pub fn printable_lines(text: &str) -> String {
    let lines: Vec<_> = text.split('\n').map(printable).collect();
    lines.join("\n")
}

/// Maximum number of characters of a file's text that a message quotes.
pub const EXCERPT_CHARS: usize = 60;

/// Shortens a text to [`EXCERPT_CHARS`] characters; the rest is replaced by `…`.
pub fn excerpt(text: &str) -> Cow<'_, str> {
    shortened(text, EXCERPT_CHARS)
}

/// Shortens a text to a number of characters; the rest is replaced by `…`.
pub(crate) fn shortened(text: &str, chars: usize) -> Cow<'_, str> {
    if text.chars().nth(chars).is_none() {
        return Cow::Borrowed(text);
    }
    let cut = text.chars().take(chars - 1);
    Cow::Owned(cut.chain(['…']).collect())
}

/// Whether two texts are canonically equivalent: macOS and some databases decompose `é` into `e` and an accent, and may
/// return either form.
pub fn is_same_text(one: &str, other: &str) -> bool {
    one == other || one.nfc().eq(other.nfc())
}

/// Calls `visit` with each character of a text in lower case, except white space. Accents count the same however they are
/// encoded.
pub fn for_each_folded(text: &str, mut visit: impl FnMut(char)) {
    if text.is_ascii() {
        // Fast path: neither composition nor a table of letters is needed.
        let kept = text.bytes().map(char::from).filter(|c| !c.is_whitespace());
        return kept.for_each(|c| visit(c.to_ascii_lowercase()));
    }
    let kept = text.nfc().filter(|c| !c.is_whitespace());
    kept.flat_map(char::to_lowercase).for_each(visit);
}

/// Whether a text has an ASCII digit.
pub fn has_digit(text: &str) -> bool {
    text.bytes().any(|byte| byte.is_ascii_digit())
}

/// Whether every character of a text is an ASCII digit; true for an empty text.
pub fn has_only_digits(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether a text is one or more ASCII digits.
pub fn is_of_digits(text: &str) -> bool {
    !text.is_empty() && has_only_digits(text)
}

/// Returns the digits of a text.
pub fn digits(text: &str) -> String {
    text.chars().filter(char::is_ascii_digit).collect()
}

/// Returns the letters and digits of a text in lower case, without accents.
pub fn letters_and_digits(text: &str) -> String {
    if text.is_ascii() {
        // Fast path: decomposition does not change ASCII.
        let kept = text.chars().filter(char::is_ascii_alphanumeric);
        return kept.map(|c| c.to_ascii_lowercase()).collect();
    }
    let mut kept = String::with_capacity(text.len());
    for c in text.nfkd() {
        match spelled_out(c) {
            Some(letters) => kept.push_str(letters),
            None if c.is_alphanumeric() => kept.extend(c.to_lowercase()),
            None => {}
        }
    }
    kept
}

/// Returns what is written for a letter where it is missing on a keyboard or in an encoding; nothing for the okina of
/// Hawaii.
pub(crate) fn spelled_out(c: char) -> Option<&'static str> {
    Some(match c {
        'œ' | 'Œ' => "oe",
        'æ' | 'Æ' => "ae",
        'ø' | 'Ø' => "o",
        'ł' | 'Ł' => "l",
        'ß' => "ss",
        '\u{2BB}' | '\u{2BC}' => "",
        _ => return None,
    })
}

/// Returns the ZIP code of a ZIP+4 of nine digits, and any other code unchanged.
pub fn without_plus_four(code: &str) -> &str {
    match code.len() {
        9 if has_only_digits(code) => &code[..5],
        _ => code,
    }
}

fn is_direction(c: char) -> bool {
    matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Joins the items of a list: `a`, `a and b`, `a, b and c`.
pub fn joined_with_and(items: &[impl AsRef<str>]) -> String {
    let items: Vec<&str> = items.iter().map(AsRef::as_ref).collect();
    match items.as_slice() {
        [rest @ .., last] if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        items => items.concat(),
    }
}

/// Formats a number with thousands separators: `1,200`, `8,505.7`.
pub fn group_digits(number: impl Copy + ToString) -> String {
    let text = number.to_string();
    let (digits, rest) = text.split_at(text.find('.').unwrap_or(text.len()));
    let mut out = String::with_capacity(text.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_carry_their_noun_and_thousands() {
        assert_eq!(pluralize(1, "row"), "1 row");
        assert_eq!(pluralize(0, "row"), "0 rows");
        assert_eq!(pluralize(1_234_567, "row"), "1,234,567 rows");
        assert_eq!(group_digits(8505.7), "8,505.7");
        assert_eq!(group_digits(205.6), "205.6");
    }

    #[test]
    fn a_list_ends_with_the_number_of_items_that_it_omits() {
        assert_eq!(first_of([1, 2], 2, ", "), "1, 2");
        assert_eq!(first_of(1..=1300, 2, "; "), "1; 2 and 1,298 more");
        assert_eq!(and_more(0), None);
    }

    #[test]
    fn a_long_text_is_cut_between_characters() {
        assert_eq!(excerpt("Montréal"), "Montréal");
        let long = excerpt(&"é".repeat(61)).into_owned();
        assert_eq!(long, format!("{}…", "é".repeat(59)));
        assert_eq!(excerpt(&"é".repeat(60)), "é".repeat(60));
    }

    #[test]
    fn accents_may_be_encoded_either_way() {
        assert!(is_same_text("Ren\u{e9}e", "Rene\u{301}e"));
        assert!(!is_same_text("Ren\u{e9}e", "Renee"));
        assert!(!is_same_text("a", "A"));
    }

    #[test]
    fn an_escape_sequence_never_reaches_the_terminal() {
        assert_eq!(printable("a\u{1b}[31mb\u{202e}"), "a [31mb ");
    }

    #[test]
    fn text_that_was_read_wrong_once_is_recognized() {
        assert_eq!(ungarbled("MontrÃ©al").as_deref(), Some("Montréal"));
        assert_eq!(ungarbled("â\u{80}\u{93}").as_deref(), Some("–"));
        assert_eq!(ungarbled("Montréal"), None);
        assert_eq!(ungarbled("São Ângelo"), None);
    }
}
