//! One value of a row, and how wide it looks.

use std::borrow::Cow;

use jiff::Timestamp;
use jiff::civil::{Date, DateTime};
use url::Url;

use crate::export::ZoneName;
use crate::export::column_value::ColumnValue;

/// What a row puts into a column.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum OutputCell<'a> {
    /// An empty cell.
    Nothing,
    /// Always text, whatever it looks like.
    Text(Cow<'a, str>),
    /// A whole number.
    Count(u64),
    /// Any other number.
    Number(f64),
    /// A moment, shown on the zone's wall clock.
    Moment(Timestamp),
    /// Text that opens a page.
    Link {
        /// What the cell says.
        text: Cow<'a, str>,
        /// Where it leads.
        url: Url,
    },
}

impl<'a> OutputCell<'a> {
    /// Text as it stands.
    pub(super) fn text(text: impl Into<Cow<'a, str>>) -> Self {
        Self::Text(text.into())
    }

    /// Text, or an empty cell.
    pub(super) fn maybe(text: Option<&'a str>) -> Self {
        text.map_or(Self::Nothing, Self::text)
    }

    /// A number, or an empty cell.
    pub(super) fn number(number: Option<f64>) -> Self {
        number.map_or(Self::Nothing, Self::Number)
    }

    /// A link where there is an address that a sheet can hold, else text.
    pub(super) fn link(text: impl Into<Cow<'a, str>>, url: Option<&'a str>) -> Self {
        let text = text.into();
        match url.and_then(page) {
            Some(url) => Self::Link { text, url },
            None => Self::Text(text),
        }
    }

    /// How many lines text takes in a column of so many characters.
    pub(super) fn lines(&self, characters: usize) -> usize {
        match self {
            Self::Text(text) => text.lines().map(|line| wrapped(line, characters)).sum(),
            _ => 1,
        }
    }

    /// How many characters wide the value looks; the widest line counts.
    pub(super) fn width(&self) -> usize {
        match self {
            Self::Nothing => 0,
            Self::Text(text) | Self::Link { text, .. } => {
                text.lines().map(shown_width).max().unwrap_or(0)
            }
            Self::Count(count) => grouped_digits(*count),
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "only the number of digits is asked for"
            )]
            Self::Number(number) => grouped_digits(number.abs() as u64) + 3,
            Self::Moment(_) => "2026-10-05 14:23 EDT".len(),
        }
    }
}

impl<'a> From<ColumnValue<'a>> for OutputCell<'a> {
    fn from(value: ColumnValue<'a>) -> Self {
        match value {
            ColumnValue::Nothing => Self::Nothing,
            ColumnValue::Text(text) => Self::Text(text),
            ColumnValue::Moment(moment) => Self::Moment(moment),
            ColumnValue::Count(count) => Self::Count(count),
            ColumnValue::Number(number) => Self::Number(number),
            ColumnValue::Link { text, url } => Self::link(text, url),
        }
    }
}

/// The longest address that a sheet's link can hold.
const LONGEST_LINK: usize = 2080;

/// Only pages are linked: a sheet's other kinds of link open files and run programs. A parsed address is ASCII without
/// control characters, which the XML of a link could not hold.
fn page(address: &str) -> Option<Url> {
    let url = Url::parse(address).ok()?;
    let is_page = matches!(url.scheme(), "https" | "http") && url.as_str().len() <= LONGEST_LINK;
    (is_page && stays_as_it_is(url.as_str())).then_some(url)
}

/// The escapes by which the library tells an address that is escaped already.
const KNOWN_ESCAPES: [&str; 11] = [
    "%20", "%22", "%25", "%3c", "%3e", "%5b", "%5d", "%5e", "%60", "%7b", "%7d",
];

/// Whether the library writes an address as it is: where none of its own escapes is in it, it escapes those that are,
/// and the link would lead elsewhere. See `Url::is_escaped` in `rust_xlsxwriter`.
fn stays_as_it_is(address: &str) -> bool {
    // A link's fragment is kept apart.
    let address = address.split('#').next().unwrap_or_default();
    let lower = address.to_ascii_lowercase();
    !address.contains('%') || KNOWN_ESCAPES.iter().any(|known| lower.contains(known))
}

/// How many lines a line becomes where it wraps between words; a word that is longer breaks.
fn wrapped(line: &str, characters: usize) -> usize {
    if shown_width(line) <= characters {
        return 1;
    }
    let (mut lines, mut used) = (1, 0);
    for word in line.split_inclusive(' ') {
        let width = shown_width(word.trim_end());
        if used > 0 && used + width > characters {
            lines += 1;
            used = 0;
        }
        let whole_lines = width.saturating_sub(1) / characters;
        lines += whole_lines;
        used += shown_width(word) - whole_lines * characters;
    }
    lines
}

/// East Asian characters and emoji take two places.
fn shown_width(line: &str) -> usize {
    if line.is_ascii() {
        return line.len();
    }
    line.chars()
        .map(|c| if c >= '\u{1100}' { 2 } else { 1 })
        .sum()
}

fn grouped_digits(number: u64) -> usize {
    let digits = number.checked_ilog10().map_or(1, |tens| tens as usize + 1);
    digits + (digits - 1) / 3
}

/// The most UTF-16 units that a cell holds.
const LONGEST_TEXT: usize = 32_767;

/// Text as a cell can hold it; what is longer ends in an ellipsis.
pub(super) fn fitting(text: &str) -> Cow<'_, str> {
    if text.len() <= LONGEST_TEXT || text.encode_utf16().count() <= LONGEST_TEXT {
        return Cow::Borrowed(text);
    }
    let mut units = 0;
    let kept: String = text
        .chars()
        .take_while(|c| {
            units += c.len_utf16();
            units < LONGEST_TEXT
        })
        .collect();
    Cow::Owned(kept + "…")
}

/// A wall-clock time as sheets count it: days since the end of 1899.
pub(super) fn serial(moment: Timestamp, zone: &ZoneName) -> f64 {
    let wall = zone.wall(moment);
    // Whole seconds: the fraction of a float would show as 13:59:60 in some programs.
    let since = EPOCH.until(wall).map(|span| span.to_duration(EPOCH));
    let seconds = since
        .ok()
        .and_then(Result::ok)
        .map_or(0.0, |since| since.as_secs_f64().floor());
    seconds / 86_400.0
}

/// A day as sheets count it.
pub(super) fn day_serial(day: Date) -> f64 {
    let since = EPOCH.date().until(day).map_or(0, |span| span.get_days());
    f64::from(since)
}

const EPOCH: DateTime = DateTime::constant(1899, 12, 30, 0, 0, 0, 0);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_becomes_the_zones_wall_clock() {
        let moment: Timestamp = "2026-10-05T18:30:00.9Z".parse().unwrap();
        let toronto = ZoneName::named("America/Toronto").unwrap();
        // 2026-10-05 is day 46300; 14:30 is 0.604166…
        assert!((serial(moment, &toronto) - (46300.0 + 14.5 / 24.0)).abs() < 1e-9);
        assert!((day_serial("2026-10-05".parse().unwrap()) - 46300.0).abs() < f64::EPSILON);
    }

    #[test]
    fn long_text_wraps_between_words() {
        let lines = |text: &str| OutputCell::text(text).lines(10);
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
        for url in [
            "file:///etc/passwd",
            "javascript:x",
            "internal:Sheet1!A1",
            "",
            "x",
        ] {
            assert_eq!(
                OutputCell::link("a", Some(url)),
                OutputCell::text("a"),
                "{url}"
            );
        }
        let long = format!("https://example.com/{}", "a".repeat(2080));
        assert_eq!(OutputCell::link("a", Some(&long)), OutputCell::text("a"));
        assert!(matches!(
            OutputCell::link("a", Some("HTTPS://x")),
            OutputCell::Link { .. }
        ));
    }

    #[test]
    fn a_link_holds_the_parsed_address_and_never_a_control_character() {
        let linked = |address: &str| match OutputCell::link("a", Some(address)) {
            OutputCell::Link { url, .. } => Some(url.to_string()),
            _ => None,
        };
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
            let cell = OutputCell::link("a", Some(address));
            assert_eq!(
                matches!(cell, OutputCell::Link { .. }),
                is_linked,
                "{address}"
            );
        }
    }

    #[test]
    fn text_that_is_too_long_ends_in_an_ellipsis() {
        let long = "😀".repeat(20_000);
        let fitted = fitting(&long);
        assert!(fitted.ends_with('…'));
        assert!(fitted.encode_utf16().count() <= LONGEST_TEXT);
        assert_eq!(fitting("short"), "short");
    }
}
