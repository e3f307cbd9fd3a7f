//! FNV-1a hashes, which are the same on every machine, and a digest of words.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// FNV-1a with a final mix. The journal stores its values, so it must never change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Fnv(u64);

/// Returns a digest that the journal stores in place of a text.
pub fn text_digest(text: &str) -> u64 {
    Fnv::from_text(text).finish()
}

/// Returns a digest of the letters and digits of two lines, without case and accents. What separates them counts only
/// between two digits: `Apt2`, `Apt 2` and `Apt-2` are equal, `1-12` and `11-2` are not.
pub(super) fn words_digest(line1: &str, line2: Option<&str>) -> u64 {
    let mut digest = Fnv::default();
    let (mut is_separated, mut is_behind_digit) = (false, false);
    let mut add = |c: char| {
        if c.is_alphanumeric() {
            let is_digit = c.is_numeric();
            if is_separated && is_behind_digit && is_digit {
                digest.add(0_u8);
            }
            (is_separated, is_behind_digit) = (false, is_digit);
            if c.is_ascii() {
                digest.add(c.to_ascii_lowercase());
            } else {
                c.to_lowercase().for_each(|c| digest.add(c));
            }
        } else if c.is_ascii() || !is_combining_mark(c) {
            is_separated = true;
        }
    };
    for line in [line1, "\n", line2.unwrap_or_default()] {
        if line.is_ascii() {
            line.chars().for_each(&mut add);
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
