//! Values as cells of a sheet: their width, their links, and their limits.

use std::borrow::Cow;

use jiff::Timestamp;
use jiff::civil::DateTime;
use textwrap::core::display_width;
use textwrap::wrap;
use url::Url;

use crate::export::TimeZoneName;
use crate::export::column_value::ColumnValue;

/// Returns the number of lines of a value in a column of this many characters.
pub(super) fn line_count(value: &ColumnValue<'_>, characters: usize) -> usize {
    match value {
        ColumnValue::Text(text) => text
            .lines()
            .map(|line| match display_width(line) {
                width if width <= characters => 1,
                _ => wrap(line, characters).len(),
            })
            .sum(),
        _ => 1,
    }
}

/// Returns the displayed width of a value in characters; of several lines, that of the widest.
pub(super) fn cell_width(value: &ColumnValue<'_>) -> usize {
    match value {
        ColumnValue::Empty => 0,
        ColumnValue::Text(text) => text.lines().map(display_width).max().unwrap_or(0),
        ColumnValue::Link { text, .. } => display_width(text),
        ColumnValue::Count(count) => grouped_digits(*count),
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "only the number of digits matters"
        )]
        ColumnValue::Number(number) => grouped_digits(number.abs() as u64) + 3,
        ColumnValue::Moment(_) => "2026-10-05 14:23 EDT".len(),
    }
}

/// The length of the longest address that a link can hold.
const MAX_LINK: usize = 2080;

/// Returns the target of a link to a web page; `None` if a cell cannot link to the address. Other kinds of links could
/// open files and run programs. A parsed address is ASCII without control characters.
pub(super) fn link_target(address: &str) -> Option<Url> {
    let url = Url::parse(address).ok()?;
    let is_page = matches!(url.scheme(), "https" | "http") && url.as_str().len() <= MAX_LINK;
    (is_page && is_written_unchanged(url.as_str())).then_some(url)
}

/// The escapes that make `rust_xlsxwriter` treat an address as escaped; see its `Url::is_escaped`.
const KNOWN_ESCAPES: [&str; 11] = [
    "%20", "%22", "%25", "%3c", "%3e", "%5b", "%5d", "%5e", "%60", "%7b", "%7d",
];

/// Whether the library writes an address unchanged. An address that has only other escapes would be escaped again, and
/// the link would lead elsewhere.
fn is_written_unchanged(address: &str) -> bool {
    // The library keeps the fragment of a link separately.
    let address = address.split('#').next().unwrap_or_default();
    let lower = address.to_ascii_lowercase();
    !address.contains('%') || KNOWN_ESCAPES.iter().any(|known| lower.contains(known))
}

fn grouped_digits(number: u64) -> usize {
    let digits = number.checked_ilog10().map_or(1, |tens| tens as usize + 1);
    digits + (digits - 1) / 3
}

/// Maximum number of UTF-16 units in a cell.
const MAX_TEXT: usize = 32_767;

/// Returns text that a cell can hold; longer text ends in an ellipsis.
pub(super) fn fitting(text: &str) -> Cow<'_, str> {
    if text.len() <= MAX_TEXT || text.encode_utf16().count() <= MAX_TEXT {
        return Cow::Borrowed(text);
    }
    let mut units = 0;
    let head: String = text
        .chars()
        .take_while(|c| {
            units += c.len_utf16();
            units < MAX_TEXT
        })
        .collect();
    Cow::Owned(head + "…")
}

/// Returns the local time in whole seconds: some programs would show a fraction as 13:59:60.
pub(super) fn whole_seconds(moment: Timestamp, zone: &TimeZoneName) -> DateTime {
    let local = zone.to_local(moment);
    let whole = local.with().subsec_nanosecond(0).build();
    whole.expect("every second has a beginning")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_becomes_local_time_without_fractions() {
        let moment: Timestamp = "2026-10-05T18:30:00.9Z".parse().unwrap();
        let toronto = TimeZoneName::from_name("America/Toronto").unwrap();
        let local = whole_seconds(moment, &toronto);
        assert_eq!(local.to_string(), "2026-10-05T14:30:00");
    }

    #[test]
    fn long_text_wraps_between_words() {
        let lines = |text: &str| line_count(&text.into(), 10);
        assert_eq!(lines(""), 0);
        assert_eq!(lines("ten digits"), 1);
        assert_eq!(lines("one two three four"), 2);
        assert_eq!(lines("aaaaaa bbbbbb cccccc"), 3);
        assert_eq!(lines("ten digits more"), 2);
        assert_eq!(lines(&format!("{} one", "x".repeat(25))), 3);
        assert_eq!(lines("one\ntwo"), 2);
        assert_eq!(lines(&"x".repeat(25)), 3);
    }

    #[test]
    fn only_pages_are_linked() {
        let long = format!("https://example.com/{}", "a".repeat(2080));
        for url in [
            "file:///etc/passwd",
            "javascript:x",
            "internal:Sheet1!A1",
            "",
            "x",
            &long,
        ] {
            assert_eq!(link_target(url), None, "{url}");
        }
        assert!(link_target("HTTPS://x").is_some());
    }

    #[test]
    fn a_link_holds_the_parsed_address_and_never_a_control_character() {
        let linked = |address: &str| link_target(address).map(|url| url.to_string());
        let all = (0..0x20).chain([0xFFFE, 0xFFFF]);
        for character in all.map(|code| char::from_u32(code).unwrap()) {
            for address in [
                format!("https://example.com/{character}a?{character}#{character}"),
                format!("https://exa{character}mple.com/"),
            ] {
                let link = linked(&address).unwrap_or_default();
                assert!(link.bytes().all(|byte| byte.is_ascii_graphic()), "{link:?}");
            }
        }
        let odd = "https://example.com/ \u{1}a\u{FFFE}é";
        let parsed = "https://example.com/%20%01a%EF%BF%BE%C3%A9";
        assert_eq!(linked(odd).as_deref(), Some(parsed));
        assert_eq!(linked("https://\u{1}/"), None);
    }

    #[test]
    fn an_address_that_the_library_would_escape_twice_is_text() {
        for (address, is_linked) in [
            ("https://example.com/a%2Fb", false),
            ("https://example.com/é", false),
            ("https://example.com/a%2Fb%20c", true),
            ("https://example.com/a#%2F", true),
        ] {
            assert_eq!(link_target(address).is_some(), is_linked, "{address}");
        }
    }

    #[test]
    fn text_that_is_too_long_ends_in_an_ellipsis() {
        let long = "😀".repeat(20_000);
        let fitted = fitting(&long);
        assert!(fitted.ends_with('…'));
        assert!(fitted.encode_utf16().count() <= MAX_TEXT);
        assert_eq!(fitting("short"), "short");
    }
}
