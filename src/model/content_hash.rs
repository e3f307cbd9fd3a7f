//! A digest of a request's content, so that memory holds digests instead of rows.

use std::fmt::{self, Write as _};

use sha2::{Digest, Sha256};

/// The first 128 bits of the SHA-256 digest of a request's fields, each preceded by its length.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ContentHash([u8; 16]);

impl ContentHash {
    /// Computes the digest of fields in order. A missing field differs from an empty one.
    pub fn from_fields<'a>(fields: impl IntoIterator<Item = Option<&'a str>>) -> Self {
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

    /// Returns the bytes that the journal stores.
    pub fn to_bytes(self) -> [u8; 16] {
        self.0
    }

    /// Makes a digest from bytes that the journal stored.
    pub fn from_bytes(bytes: [u8; 16]) -> Self {
        Self(bytes)
    }
}

/// Bytes as hexadecimal digits.
pub fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

impl fmt::Debug for ContentHash {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&hexadecimal(&self.0))
    }
}
