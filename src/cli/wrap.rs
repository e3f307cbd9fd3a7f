//! Wraps lines between words at the width of the terminal.

use std::io::IsTerminal;

use textwrap::{Options, WordSeparator, WordSplitter, fill};

/// The text as it is written to a stream: lines are wrapped between words on a terminal, and unchanged in a file or a
/// pipe.
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

/// As [`wrapped`] on standard output, with line breaks in commands too, for lists of examples.
pub(super) fn wrapped_list(text: &str) -> String {
    if !std::io::stdout().is_terminal() {
        return text.to_owned();
    }
    list_at(text, textwrap::termwidth())
}

fn list_at(text: &str, width: usize) -> String {
    let lines = text.split('\n').map(|line| {
        let indent = hanging_indent(line, width);
        fill(line, options(width, &indent))
    });
    lines.collect::<Vec<_>>().join("\n")
}

fn options(width: usize, indent: &str) -> Options<'_> {
    Options::new(width)
        .break_words(false)
        .word_separator(WordSeparator::AsciiSpace)
        .word_splitter(WordSplitter::NoHyphenation)
        .subsequent_indent(indent)
}

/// The indent of a continued line: deeper than that of its first one, or of the text behind its label, for which
/// a third of the width has to be left.
fn hanging_indent(line: &str, width: usize) -> String {
    let text = line.trim_start();
    let indent = line.len() - text.len();
    let label = text.find("  ").map(|end| {
        let text = &text[end..];
        line.len() - text.trim_start().len()
    });
    let label = label.filter(|column| line.is_ascii() && 3 * (column + 4) <= 2 * width);
    " ".repeat(label.unwrap_or(indent) + 4)
}

/// Stands for the spaces of a command while its line is wrapped: a noncharacter of Unicode, which files hardly contain; one
/// in a message is printed as a space.
const COMMAND_SPACE: &str = "\u{FFFF}";

fn wrapped_at(text: &str, width: usize) -> String {
    let wrapped = |line: &str| {
        let indent = hanging_indent(line, width);
        fill(&commands_as_words(line), options(width, &indent)).replace(COMMAND_SPACE, " ")
    };
    text.split('\n').map(wrapped).collect::<Vec<_>>().join("\n")
}

/// The line with each command as one word. The terminal itself continues a long command on its next line, without a line
/// break that would be copied. A command ends with its backtick or its line.
fn commands_as_words(line: &str) -> String {
    let mut words = String::new();
    let mut rest = line;
    let command_in = |text: &str| {
        let settings = text.find("export GUTTERBATCH_");
        text.find("gutterbatch ").into_iter().chain(settings).min()
    };
    while let Some(start) = command_in(rest) {
        let (before, command) = rest.split_at(start);
        let end = command.find('`').filter(|_| before.ends_with('`'));
        let end = end.unwrap_or(command.len());
        words.push_str(before);
        words.push_str(&command[..end].replace(' ', COMMAND_SPACE));
        rest = &command[end..];
    }
    words + rest
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
    fn a_continued_line_is_indented_deeper_than_its_first_one() {
        assert_eq!(
            wrapped_at("hint: declare\n      nothing: gutterbatch export", 20),
            "hint: declare\n      nothing:\n          gutterbatch export"
        );
    }

    #[test]
    fn a_text_behind_a_label_continues_below_itself() {
        assert_eq!(
            wrapped_at("needs you     2 invalid in leads.csv, 1 in other.csv", 32),
            "needs you     2 invalid in\n                  leads.csv, 1\n                  in other.csv"
        );
        assert_eq!(
            list_at("  gutterbatch check leads.xlsx --map id=Key", 40),
            "  gutterbatch check leads.xlsx --map\n      id=Key"
        );
    }

    #[test]
    fn a_command_is_not_broken() {
        assert_eq!(
            wrapped_at(
                "hint: correct the cells and import them: gutterbatch import 'my leads.csv'",
                30
            ),
            "hint: correct the cells and\n    import them:\n    gutterbatch import 'my leads.csv'"
        );
        assert_eq!(
            wrapped_at(
                "listed by `gutterbatch check leads.csv`; 3 rows of them",
                30
            ),
            "listed by\n    `gutterbatch check leads.csv`;\n    3 rows of them"
        );
    }
}
