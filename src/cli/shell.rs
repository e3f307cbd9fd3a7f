//! Commands as text that can be pasted into a shell.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use crate::cli::usage::is_command;
use crate::sheet::numbered_path;

/// One word, quoted if it contains a character that is special to a shell. Both shells of Windows know double quotes.
/// Control characters, which no name of a file has there, are escapes of bash and zsh.
pub(super) fn quoted(word: &str) -> Cow<'_, str> {
    quoted_in(if cfg!(windows) { '"' } else { '\'' }, word)
}

fn quoted_in(quote: char, word: &str) -> Cow<'_, str> {
    let (others, escaped) = match quote {
        '"' => ("\\", "\\\""),
        _ => ("", r"'\''"),
    };
    let plain = |c: char| c.is_alphanumeric() || "-_./=:,@%+".contains(c) || others.contains(c);
    if quote == '\'' && word.contains(char::is_control) {
        let escaped = |c: char| match c {
            '\'' | '\\' => format!("\\{c}"),
            '\n' => r"\n".to_owned(),
            c if c.is_control() => format!("\\u{:04x}", u32::from(c)),
            c => c.to_string(),
        };
        Cow::Owned(format!(
            "$'{}'",
            word.chars().map(escaped).collect::<String>()
        ))
    } else if !word.is_empty() && word.chars().all(plain) {
        Cow::Borrowed(word)
    } else {
        Cow::Owned(format!("{quote}{}{quote}", word.replace(quote, escaped)))
    }
}

/// The words with others added in front of `--`, after which no word is a flag.
pub(super) fn with_words(words: &[String], added: impl IntoIterator<Item = String>) -> Vec<String> {
    let end = words.iter().position(|word| word == "--");
    let (flags, rest) = words.split_at(end.unwrap_or(words.len()));
    let flags = flags.iter().cloned().chain(added);
    flags.chain(rest.iter().cloned()).collect()
}

/// A command of this program with these arguments, each quoted.
pub(super) fn command<W: AsRef<str>>(words: impl IntoIterator<Item = W>) -> String {
    let mut line = String::from("gutterbatch");
    for word in words {
        line.push(' ');
        line.push_str(&quoted(word.as_ref()));
    }
    line
}

/// The command that writes a sealed export again, under a free name beside the file that it was written to, or in the
/// current folder where that folder is missing.
pub(super) fn export_again(number: u64, written: &Path) -> String {
    command(export_again_words(number, written))
}

/// The words of [`export_again`].
pub(super) fn export_again_words(number: u64, written: &Path) -> [String; 4] {
    let has_folder = written.parent().is_some_and(Path::is_dir);
    let name = Path::new(written.file_name().unwrap_or_default());
    let beside = if has_folder { written } else { name };
    let again = free_path(&numbered_path(beside, number), None);
    let again = again.to_string_lossy().into_owned();
    let [export, flag] = ["export", "--again"].map(str::to_owned);
    [export, again, flag, number.to_string()]
}

/// The path, or the first of `bill-2.xlsx`, `bill-3.xlsx` and so on that no file has. The number `other` is left out
/// because another command of the hint uses that name.
pub(super) fn free_path(path: &Path, other: Option<u64>) -> PathBuf {
    let numbers = (2..).filter(|number| Some(*number) != other);
    let others = numbers.map(|number| numbered_path(path, number));
    let mut paths = [path.to_owned()].into_iter().chain(others);
    let free = paths.find(|path| !path.exists());
    free.expect("not every name is taken")
}

/// Adds flags to each command in a hint. A command that already has a flag keeps its own value.
pub(super) fn with_connection_flags(hint: &str, flags: &[(String, String)]) -> String {
    let mut parts = hint.split(PROGRAM);
    let mut completed = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        completed.push_str(PROGRAM);
        let is_letter = |c: char| c.is_ascii_lowercase();
        let end = part.find(|c| !is_letter(c)).unwrap_or(part.len());
        let (name, after) = part.split_at(end);
        completed.push_str(name);
        // Ignore other words, and words that are part of a path, as in `gutterbatch data/leads.csv`.
        if is_command(name) && !after.starts_with(['/', '\\', '-', '_']) {
            let line = after.split(['\n', '`']).next().unwrap_or_default();
            let given = |flag: &str| {
                let mut words = line.split_whitespace();
                words.any(|word| word.split('=').next() == Some(flag))
            };
            let missing = flags.iter().filter(|(flag, _)| !given(flag));
            let takes_app = name.ends_with("connect");
            for (flag, value) in missing.filter(|(flag, _)| takes_app || !flag.starts_with(OF_APP))
            {
                // Writing to a string cannot fail.
                let _ = write!(completed, " {flag} {}", quoted(value));
            }
        }
        completed.push_str(after);
    }
    completed
}

/// The start of the flags that only `connect` and `disconnect` have.
const OF_APP: &str = "--client-";

/// The start of a command in a hint; its name follows.
const PROGRAM: &str = "gutterbatch ";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_with_a_space_or_a_quote_is_quoted() {
        let quoted = |word| quoted_in('\'', word);
        assert_eq!(quoted("leads.csv"), "leads.csv");
        assert_eq!(quoted("my leads.csv"), "'my leads.csv'");
        assert_eq!(quoted("jo's.csv"), r"'jo'\''s.csv'");
        assert_eq!(quoted(r"C:\leads.csv"), r"'C:\leads.csv'");
        assert_eq!(quoted(""), "''");
    }

    #[test]
    fn a_control_character_of_a_word_is_an_escape_of_the_shell() {
        let quoted = |word| quoted_in('\'', word);
        assert_eq!(quoted("-south\nlist.csv"), r"$'-south\nlist.csv'");
        assert_eq!(quoted("jo's\t1.csv"), r"$'jo\'s\u00091.csv'");
    }

    #[test]
    fn a_path_of_windows_is_as_its_shells_read_it() {
        let quoted = |word| quoted_in('"', word);
        assert_eq!(quoted(r"C:\leads.csv"), r"C:\leads.csv");
        assert_eq!(quoted(r"C:\jo's leads.csv"), r#""C:\jo's leads.csv""#);
        assert_eq!(quoted(r#"6" gutter"#), r#""6\" gutter""#);
        assert_eq!(quoted(""), r#""""#);
    }

    #[cfg(unix)]
    #[test]
    fn commands_in_a_hint_have_the_flags_that_were_given_once() {
        let flags = [("--profile".to_owned(), "north side".to_owned())];
        let completed = |hint| with_connection_flags(hint, &flags);
        assert_eq!(
            completed("correct x and import it: gutterbatch import x.csv"),
            "correct x and import it: gutterbatch import --profile 'north side' x.csv"
        );
        assert_eq!(
            completed("connect with `gutterbatch connect`, or not"),
            "connect with `gutterbatch connect --profile 'north side'`, or not"
        );
        let own = "gutterbatch connect --profile other";
        assert_eq!(completed(own), own);
        assert_eq!(
            completed("gutterbatch import x--profile.csv"),
            "gutterbatch import --profile 'north side' x--profile.csv"
        );
        assert_eq!(
            completed("there is none yet; gutterbatch whoami\nor gutterbatch status"),
            "there is none yet; gutterbatch whoami --profile 'north side'\nor gutterbatch status --profile 'north side'"
        );
        assert_eq!(
            completed("to fill it, use gutterbatch import --restore"),
            "to fill it, use gutterbatch import --profile 'north side' --restore"
        );
        for no_command in [
            "use the newer gutterbatch",
            "rejected rows are in gutterbatch data/leads.rejects.csv",
            "cannot read 'gutterbatch import/leads.csv'",
        ] {
            assert_eq!(completed(no_command), no_command);
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_command_is_one_line_that_a_shell_reads_back() {
        let words = ["import", "my leads.csv", "--id-prefix=a b"];
        assert_eq!(
            command(words),
            "gutterbatch import 'my leads.csv' '--id-prefix=a b'"
        );
    }
}
