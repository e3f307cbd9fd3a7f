//! Commands as text that can be pasted into a shell.

use std::borrow::Cow;

/// One word, in single quotes where a shell would read it differently.
pub(super) fn quoted(word: &str) -> Cow<'_, str> {
    let plain = |c: char| c.is_alphanumeric() || "-_./=:,@%+".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        Cow::Borrowed(word)
    } else {
        Cow::Owned(format!("'{}'", word.replace('\'', r"'\''")))
    }
}

/// A command of this program: its words after the program's name, each quoted.
pub(super) fn command<W: AsRef<str>>(words: impl IntoIterator<Item = W>) -> String {
    let mut line = String::from("gutterbatch");
    for word in words {
        line.push(' ');
        line.push_str(&quoted(word.as_ref()));
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_with_a_space_or_a_quote_is_quoted() {
        assert_eq!(quoted("leads.csv"), "leads.csv");
        assert_eq!(quoted("my leads.csv"), "'my leads.csv'");
        assert_eq!(quoted("jo's.csv"), r"'jo'\''s.csv'");
        assert_eq!(quoted(""), "''");
    }

    #[test]
    fn a_command_is_one_line_that_a_shell_reads_back() {
        let words = ["import", "my leads.csv", "--id-prefix=a b"];
        assert_eq!(
            command(words),
            "gutterbatch import 'my leads.csv' '--id-prefix=a b'"
        );
    }
}
