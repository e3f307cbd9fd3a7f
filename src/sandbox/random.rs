//! Repeatable randomness: seed and subject decide the numbers, in whatever order requests arrive.

use rand::SeedableRng;
use rand::rngs::StdRng;
use ring::digest::{Context, SHA256};

/// The generator for a seed and a subject.
pub(super) fn seeded_rng(seed: u64, subject: &[&str]) -> StdRng {
    StdRng::from_seed(digest(seed, subject))
}

/// An id that is the same for the same seed and subject: `prefix` and 20 letters and digits.
pub(super) fn seeded_id(prefix: &str, seed: u64, subject: &[&str]) -> String {
    let letters = digest(seed, subject)
        .into_iter()
        .take(20)
        .map(|byte| char::from(LETTERS[usize::from(byte) % LETTERS.len()]));
    prefix.chars().chain(letters).collect()
}

/// A random secret: `prefix` and 43 letters, 256 bits.
pub(super) fn secret(prefix: &str, entropy: [u8; 32]) -> String {
    use base64::Engine as _;
    format!(
        "{prefix}{}",
        base64::engine::general_purpose::URL_SAFE_NO_PAD.encode(entropy)
    )
}

/// No vowels and no characters that are easily confused.
const LETTERS: &[u8] = b"23456789bcdfghjkmnpqrstvwxyz";

fn digest(seed: u64, subject: &[&str]) -> [u8; 32] {
    let mut digest = Context::new(&SHA256);
    digest.update(&seed.to_le_bytes());
    for part in subject {
        digest.update(&part.len().to_le_bytes());
        digest.update(part.as_bytes());
    }
    let mut bytes = [0; 32];
    bytes.copy_from_slice(digest.finish().as_ref());
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_identifier_repeats_with_its_seed_and_differs_with_its_subject() {
        let of = |seed, subject: &[&str]| seeded_id("msr_", seed, subject);
        assert_eq!(of(1, &["a"]), of(1, &["a"]));
        assert_ne!(of(1, &["a"]), of(2, &["a"]));
        assert_ne!(of(1, &["ab", "c"]), of(1, &["a", "bc"]));
        assert_eq!(of(1, &["a"]).len(), 24);
    }
}
