//! The line ends and quoting of a text file, detected from its beginning.

use csv::{QuoteStyle, Terminator};

/// The line ends and quoting with which a text file is written.
#[derive(Clone, Copy, Debug)]
pub(in crate::sheet) struct QuotingStyle {
    pub(in crate::sheet) line_end: Terminator,
    pub(in crate::sheet) quotes: QuoteStyle,
}

impl QuotingStyle {
    /// The line ends and quoting of a file that begins like this. Its first line end outside quotes counts; and where
    /// the first line is quoted from end to end, so is everything.
    pub(in crate::sheet) fn detect(sample: &[u8]) -> Self {
        let mut inside = false;
        let end = sample.iter().position(|&byte| {
            inside ^= byte == b'"';
            !inside && matches!(byte, b'\r' | b'\n')
        });
        let Some(end) = end else {
            return Self {
                line_end: Terminator::CRLF,
                quotes: QuoteStyle::Necessary,
            };
        };
        let line_end = match &sample[end..] {
            [b'\r', b'\n', ..] | [] => Terminator::CRLF,
            [other, ..] => Terminator::Any(*other),
        };
        let line = &sample[..end];
        let quotes = if line.len() > 1 && line.starts_with(b"\"") && line.ends_with(b"\"") {
            QuoteStyle::Always
        } else {
            QuoteStyle::Necessary
        };
        Self { line_end, quotes }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_line_tells_how_lines_end() {
        let ends = |text: &str| match QuotingStyle::detect(text.as_bytes()).line_end {
            Terminator::CRLF => "\r\n".to_owned(),
            Terminator::Any(byte) => char::from(byte).to_string(),
            _ => String::new(),
        };
        assert_eq!(ends("a,b\r\n1,2\r\n"), "\r\n");
        assert_eq!(ends("a,b\n1,2\n"), "\n");
        assert_eq!(ends("a,b\r1,2\r"), "\r");
        assert_eq!(ends("a,\"b\nc\"\r\n1,2\r\n"), "\r\n");
        assert_eq!(ends("a,b"), "\r\n");
    }

    #[test]
    fn a_file_that_quotes_everything_goes_on_so() {
        let always = |text: &str| {
            matches!(
                QuotingStyle::detect(text.as_bytes()).quotes,
                QuoteStyle::Always
            )
        };
        assert!(always("\"a\",\"b\"\n\"1\",\"2\"\n"));
        assert!(!always("a,\"b\"\n"));
        assert!(!always("a,b\n"));
    }
}
