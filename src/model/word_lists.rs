//! The lists of words in `word_lists.txt`, by which headers, cells and addresses are recognized.

use std::ops::Deref;
use std::sync::OnceLock;

const LISTS: &str = include_str!("word_lists.txt");

/// A list of words, read when it is first used.
#[derive(Debug)]
pub(crate) struct WordList {
    name: &'static str,
    words: OnceLock<Vec<&'static str>>,
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
        self.contains(&word)
    }

    /// In a list of pairs, what stands behind a word.
    pub(crate) fn behind(&self, word: &str) -> Option<&'static str> {
        let pair = self.chunks_exact(2).find(|pair| pair[0] == word)?;
        Some(pair[1])
    }

    /// Whether the list has a word, in any case.
    pub(crate) fn has_in_any_case(&self, word: &str) -> bool {
        self.iter().any(|listed| listed.eq_ignore_ascii_case(word))
    }
}

impl Deref for WordList {
    type Target = [&'static str];

    fn deref(&self) -> &Self::Target {
        self.words.get_or_init(|| {
            let lines = LISTS.lines().filter_map(|line| line.split_once(": "));
            let lines = lines.filter(|(name, _)| *name == self.name);
            lines.flat_map(|(_, words)| words.split(", ")).collect()
        })
    }
}
