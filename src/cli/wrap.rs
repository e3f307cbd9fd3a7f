//! Wraps lines between words at the width of the terminal.

use std::io::IsTerminal;

use textwrap::{Options, WordSeparator, WordSplitter, fill};

/// The text as it is written to a stream: lines are wrapped between words on a terminal, and unchanged in a file or a pipe.
pub(super) fn wrapped(text: &str, stream: &impl IsTerminal) -> String {
    if stream.is_terminal() {
        wrapped_at(text, textwrap::termwidth())
    } else {
        text.to_owned()
    }
}

/// The words of a text in one line.
pub(super) fn in_one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn wrapped_at(text: &str, width: usize) -> String {
    let options = Options::new(width)
        .break_words(false)
        .word_separator(WordSeparator::AsciiSpace)
        .word_splitter(WordSplitter::NoHyphenation)
        .subsequent_indent("    ");
    let wrapped = |line: &str| {
        // The terminal itself continues a command on its next line, without a line break that would be copied.
        if line.contains("gutterbatch ") {
            line.to_owned()
        } else {
            fill(line, &options)
        }
    };
    text.split('\n').map(wrapped).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_break_between_words_and_a_word_that_is_too_wide_stays_whole() {
        assert_eq!(
            wrapped_at("error: leads.csv: no column for id\nrow 2", 20),
            "error: leads.csv: no\n    column for id\nrow 2"
        );
        assert_eq!(
            wrapped_at("see https://example.com/a/very/long/path", 20),
            "see\n    https://example.com/a/very/long/path"
        );
    }

    #[test]
    fn a_line_with_a_command_is_not_broken() {
        let line = "hint: correct the cells and import them: gutterbatch import 'my leads.csv'";
        assert_eq!(wrapped_at(line, 50), line);
    }
}
