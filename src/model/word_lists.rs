//! The lists of words in `word_lists.txt`, by which headers, cells and addresses are recognized.

use std::ops::Deref;
use std::sync::OnceLock;

const LISTS: &str = include_str!("word_lists.txt");

/// A list of words, read when it is first used.
#[derive(Debug)]
pub(crate) struct WordList {
    name: &'static str,
    words: OnceLock<ListedWords>,
}

/// The words of a list.
#[derive(Debug)]
struct ListedWords {
    words: Vec<&'static str>,
    /// Whether a word begins with this byte in any case. Every word of every address is looked up in many lists, and is in
    /// hardly any.
    first_bytes: [bool; 256],
}

impl ListedWords {
    fn new(name: &str) -> Self {
        let lines = LISTS.lines().filter_map(|line| line.split_once(": "));
        let lines = lines.filter(|(list, _)| *list == name);
        let words: Vec<&str> = lines.flat_map(|(_, words)| words.split(", ")).collect();
        assert!(!words.is_empty(), "there is no list of words `{name}`");
        let mut first_bytes = [false; 256];
        for first in words.iter().filter_map(|word| word.bytes().next()) {
            first_bytes[usize::from(first.to_ascii_lowercase())] = true;
            first_bytes[usize::from(first.to_ascii_uppercase())] = true;
        }
        Self { words, first_bytes }
    }
}

impl WordList {
    /// The list of that name, which the file has to have.
    pub(crate) const fn new(name: &'static str) -> Self {
        Self {
            name,
            words: OnceLock::new(),
        }
    }

    /// Whether the list has a word, in the same spelling.
    pub(crate) fn has(&self, word: &str) -> bool {
        self.may_have(word) && self.contains(&word)
    }

    /// In a list of pairs, what stands behind a word.
    pub(crate) fn behind(&self, word: &str) -> Option<&'static str> {
        let pair = self.chunks_exact(2).find(|pair| pair[0] == word)?;
        Some(pair[1])
    }

    /// Whether the list has a word, in any case.
    pub(crate) fn has_in_any_case(&self, word: &str) -> bool {
        self.may_have(word) && self.iter().any(|listed| listed.eq_ignore_ascii_case(word))
    }

    /// What stands behind each word of the list with which a text begins, in any case.
    pub(crate) fn rests<'t>(&self, text: &'t str) -> impl Iterator<Item = &'t str> {
        let words = if self.may_have(text) { &self[..] } else { &[] };
        words.iter().filter_map(move |word| {
            let (start, rest) = text.split_at_checked(word.len())?;
            start.eq_ignore_ascii_case(word).then_some(rest)
        })
    }

    fn may_have(&self, word: &str) -> bool {
        let first = word.bytes().next();
        first.is_some_and(|first| self.listed().first_bytes[usize::from(first)])
    }

    fn listed(&self) -> &ListedWords {
        self.words.get_or_init(|| ListedWords::new(self.name))
    }
}

impl Deref for WordList {
    type Target = [&'static str];

    fn deref(&self) -> &Self::Target {
        &self.listed().words
    }
}
