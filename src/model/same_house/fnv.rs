//! FNV-1a hashes, which are the same on every machine, and a digest of words.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// FNV-1a with a final mix. The journal stores its values, so it must never change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Fnv(u64);

/// Returns a digest of the words of two lines, without case and accents.
pub(super) fn words_digest(line1: &str, line2: Option<&str>) -> u64 {
    let mut digest = Fnv::default();
    for line in [line1, line2.unwrap_or_default()] {
        let mut is_in_word = false;
        let mut add = |c: char| {
            if c.is_alphanumeric() {
                if !is_in_word {
                    digest.add(0_u8);
                }
                is_in_word = true;
                c.to_lowercase().for_each(|c| digest.add(c));
            } else if !is_combining_mark(c) {
                is_in_word = false;
            }
        };
        if line.is_ascii() {
            line.chars().for_each(add);
        } else {
            line.nfkd().for_each(&mut add);
        }
    }
    digest.finish()
}

impl Default for Fnv {
    fn default() -> Self {
        Self(0xCBF2_9CE4_8422_2325)
    }
}

impl Fnv {
    pub(super) fn from_text(text: &str) -> Self {
        let mut hash = Self::default();
        text.bytes().for_each(|byte| hash.add(byte));
        hash
    }

    pub(super) fn add(&mut self, value: impl Into<u64>) {
        self.0 = (self.0 ^ value.into()).wrapping_mul(0x0100_0000_01B3);
    }

    pub(super) fn finish(self) -> u64 {
        self.0 ^ (self.0 >> 32)
    }
}
