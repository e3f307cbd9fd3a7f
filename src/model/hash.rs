//! A fixed-size digest of a request's content, so that memory holds hashes and not rows.

use std::fmt;

use sha2::{Digest, Sha256};

/// The first 128 bits of a SHA-256 over a request's fields, each with its length in front.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ContentHash([u8; 16]);

impl ContentHash {
    /// Digests fields in order; an absent field differs from an empty one.
    pub fn of<'a>(fields: impl IntoIterator<Item = Option<&'a str>>) -> Self {
        let mut bytes = Vec::with_capacity(512);
        for field in fields {
            let length = field.map_or(0, |text| text.len() as u64 + 1);
            bytes.extend_from_slice(&length.to_le_bytes());
            bytes.extend_from_slice(field.unwrap_or_default().as_bytes());
        }
        let mut short = [0; 16];
        short.copy_from_slice(&Sha256::digest(&bytes)[..16]);
        Self(short)
    }

    /// The digest's bytes, as the journal keeps them.
    pub fn to_bytes(self) -> [u8; 16] {
        self.0
    }

    /// A digest read back from the journal.
    pub fn from_bytes(bytes: [u8; 16]) -> Self {
        Self(bytes)
    }
}

impl fmt::Debug for ContentHash {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0
            .iter()
            .try_for_each(|byte| write!(formatter, "{byte:02x}"))
    }
}
