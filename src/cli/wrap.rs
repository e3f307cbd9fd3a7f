//! Wraps lines between words at the width of the terminal.

use std::io::IsTerminal;

/// Replaces a space inside text that must stay on one line, while lines are wrapped.
const UNBROKEN_SPACE: char = '\u{e000}';

/// The width of the terminal in columns; none for a file or a pipe, where lines are not wrapped.
pub(super) fn terminal_width(stream: &impl IsTerminal) -> Option<usize> {
    stream.is_terminal().then(textwrap::termwidth)
}

/// Wraps the lines of a text between words. Continuation lines are indented to the last column of their line, or to the
/// text behind its label. A command or a quotation is broken only if it is longer than a line.
pub(super) fn wrapped(text: &str, width: Option<usize>) -> String {
    let Some(width) = width else {
        return text.to_owned();
    };
    let lines = text.split('\n').map(|line| wrapped_line(line, width));
    lines.collect::<Vec<_>>().join("\n")
}

fn wrapped_line(line: &str, width: usize) -> String {
    let hang = hang(line);
    let below = " ".repeat(if hang <= width / 2 { hang } else { 4 });
    let held = with_unbroken_spaces(line, width.saturating_sub(below.len()));
    let longest = held.split(' ').map(textwrap::core::display_width).max();
    // A path that is as long as the line would be broken by the terminal.
    let below = match longest {
        Some(longest) if longest + below.len() > width => "",
        _ => below.as_str(),
    };
    let options = textwrap::Options::new(width)
        .break_words(false)
        .word_separator(textwrap::WordSeparator::AsciiSpace)
        .word_splitter(textwrap::WordSplitter::NoHyphenation)
        .subsequent_indent(below);
    textwrap::fill(&held, options).replace(UNBROKEN_SPACE, " ")
}

/// The indentation of continuation lines: the last column of the line, or the text behind its label. Spaces inside
/// quotations do not separate columns.
fn hang(line: &str) -> usize {
    const LABELS: [&str; 4] = ["error: ", "warning: ", "hint: ", "next: "];
    let label = LABELS.iter().find(|label| line.starts_with(**label));
    let unquoted = line.split('`').next().unwrap_or_default();
    let column = unquoted.rfind("  ").map_or(0, |at| at + 2);
    let column = textwrap::core::display_width(&line[..column]);
    label.map_or(column, |label| label.len())
}

/// The line with the spaces of its commands and quotations replaced, unless those are wider than `room`.
fn with_unbroken_spaces(line: &str, room: usize) -> String {
    let mut held = String::with_capacity(line.len());
    let mut rest = line;
    while let Some((before, whole, after)) = next_whole(rest) {
        held.push_str(before);
        if textwrap::core::display_width(whole) <= room {
            held.extend(
                whole
                    .chars()
                    .map(|c| if c == ' ' { UNBROKEN_SPACE } else { c }),
            );
            rest = after;
        } else {
            // A quotation inside a long command still stays together.
            let word = whole.find(' ').map_or(whole.len(), |at| at + 1);
            held.push_str(&whole[..word]);
            rest = &rest[before.len() + word..];
        }
    }
    held + rest
}

/// The first text that must stay together, and the text before and after it: text in backticks or single quotes, or a
/// command up to the end of its line.
fn next_whole(line: &str) -> Option<(&str, &str, &str)> {
    const PROGRAM: &str = "gutterbatch ";
    let is_start = |at: usize| at == 0 || line[..at].ends_with([' ', '(', '=']);
    let begins = |(at, _): &(usize, char)| {
        let rest = &line[*at..];
        is_start(*at) && (rest.starts_with(['`', '\'']) || rest.starts_with(PROGRAM))
    };
    for (start, first) in line.char_indices().filter(begins) {
        let rest = &line[start + first.len_utf8()..];
        let end = match first {
            '`' | '\'' => rest.find(first).map(|end| start + end + 2),
            _ => Some(line.len()),
        };
        if let Some(end) = end {
            return Some((&line[..start], &line[start..end], &line[end..]));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_that_fits_only_without_indentation_has_none() {
        let path = "/srv/exports/2026-11/leads.rejects.csv";
        let line = format!("hint: correct {path} and import it");
        assert_eq!(
            wrapped(&line, Some(40)),
            format!("hint: correct\n{path}\nand import it")
        );
        assert_eq!(
            wrapped(&line, Some(44)),
            format!("hint: correct\n      {path}\n      and import it")
        );
    }

    #[test]
    fn lines_break_between_words_and_go_on_below_their_last_column() {
        let line = "  J2       Country: `Canada  ` is written out, and `CA` is sent";
        assert_eq!(
            wrapped(line, Some(38)),
            "  J2       Country: `Canada  ` is\n           written out, and `CA` is\n           sent"
        );
        assert_eq!(wrapped(line, Some(80)), line);
        assert_eq!(wrapped(line, None), line);
    }

    #[test]
    fn an_error_and_its_hint_go_on_behind_their_labels() {
        let lines = "error: leads.csv: the headers name no column for id\nhint: gutterbatch import leads.csv --derive-id";
        assert_eq!(
            wrapped(lines, Some(30)),
            "error: leads.csv: the headers\n       name no column for id\nhint: gutterbatch import\n      leads.csv --derive-id"
        );
    }

    #[test]
    fn a_command_and_a_quoted_path_are_not_broken_where_a_line_has_room() {
        let line = "hint: correct the cells and import them: gutterbatch import 'my leads.csv'";
        assert_eq!(
            wrapped(line, Some(50)),
            "hint: correct the cells and import them:\n      gutterbatch import 'my leads.csv'"
        );
        assert_eq!(
            wrapped("the customer's rows are in 'my leads.csv'", Some(36)),
            "the customer's rows are in\n'my leads.csv'"
        );
        assert_eq!(
            wrapped("gutterbatch import 'my leads.csv' --derive-id", Some(28)),
            "gutterbatch import\n'my leads.csv' --derive-id"
        );
    }

    #[test]
    fn a_word_that_is_wider_than_the_terminal_stays_whole() {
        let link = "see https://example.com/a/very/long/path";
        assert_eq!(
            wrapped(link, Some(20)),
            "see\nhttps://example.com/a/very/long/path"
        );
    }
}
